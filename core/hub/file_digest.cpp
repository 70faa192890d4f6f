#include "hub/file_digest.h"

#include "base/sha256.h"

namespace gufo::hub {

Result<std::string> digestOfFile(FileOperations& operations, const std::filesystem::path& path, const JobContext& job) {
    constexpr std::size_t kReadAtOnce = 4 << 20;
    const auto failed = [&](int error) { return std::unexpected(systemError(error, path)); };
    const auto opened = operations.open(path, FileOperations::Mode::Read);
    if (!opened) {
        return failed(opened.error());
    }
    const OpenFile file(operations, *opened);
    std::vector<std::byte> buffer(kReadAtOnce);
    Sha256 sha;
    for (std::uint64_t at = 0;;) {
        if (job.stopRequested()) {
            return std::unexpected(Error{ErrorCode::Cancelled, path, {}, {}, 0});
        }
        const auto got = operations.read(file.get(), at, buffer);
        if (!got) {
            return failed(got.error());
        }
        if (*got == 0) {
            return hexText(sha.finish());
        }
        sha.add(Bytes(buffer).first(*got));
        at += *got;
        job.advance(*got);
    }
}

} // namespace gufo::hub
