#include "base/file_operations.h"

#include "base/detail.h"

#include <cerrno>

namespace gufo {

SystemResult<> readAll(FileOperations& operations, int file, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
        const auto read = GUFO_TRY(operations.read(file, offset, out));
        if (read == 0) {
            return std::unexpected(ENODATA);
        }
        offset += read;
        out = out.subspan(read);
    }
    return {};
}

SystemResult<> writeAll(FileOperations& operations, int file, std::uint64_t offset, Bytes bytes) {
    while (!bytes.empty()) {
        const auto written = GUFO_TRY(operations.write(file, offset, bytes));
        if (written == 0) {
            return std::unexpected(EIO);
        }
        offset += written;
        bytes = bytes.subspan(written);
    }
    return {};
}

Result<> checkSource(FileOperations& operations, const ByteSource& source, SourceUse use) {
    const auto opened = source.identity();
    const auto now = opened ? operations.status(source.path()) : std::unexpected(ENOENT);
    const bool replaced = now && (now->device != opened->device || now->inode != opened->inode);
    if (!now || now->identity() == *opened || use == SourceUse::Earlier || (replaced && use == SourceUse::Own)) {
        const auto damage = source.damage();
        return damage ? Result<>(std::unexpected(*damage)) : Result<>();
    }
    const Detail why = use == SourceUse::Imported ? Detail::ImportSource : Detail::OpenedFile;
    return std::unexpected(Error{ErrorCode::FileChangedOnDisk, source.path(), {}, {why}, 0});
}

} // namespace gufo
