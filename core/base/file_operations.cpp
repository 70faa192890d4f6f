#include "base/file_operations.h"

#include <cerrno>

namespace gufo {

SystemResult<> readAll(FileOperations& operations, int file, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
        const auto read = operations.read(file, offset, out);
        if (!read) {
            return std::unexpected(read.error());
        }
        if (*read == 0) {
            return std::unexpected(ENODATA);
        }
        offset += *read;
        out = out.subspan(*read);
    }
    return {};
}

SystemResult<> writeAll(FileOperations& operations, int file, std::uint64_t offset, Bytes bytes) {
    while (!bytes.empty()) {
        const auto written = operations.write(file, offset, bytes);
        if (!written) {
            return std::unexpected(written.error());
        }
        if (*written == 0) {
            return std::unexpected(EIO);
        }
        offset += *written;
        bytes = bytes.subspan(*written);
    }
    return {};
}

} // namespace gufo
