#include "base/copied_file.h"

#include "base/detail.h"
#include "base/file_operations.h"
#include "base/mapped_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo {
namespace {

class CopiedFile final : public ByteSource {
public:
    CopiedFile(std::vector<std::byte> bytes, std::filesystem::path path, Identity identity)
        : m_bytes(std::move(bytes), std::move(path))
        , m_identity(identity) {}

    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override { return m_bytes.view(range); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_bytes.path(); }
    [[nodiscard]] std::optional<Identity> identity() const override { return m_identity; }

private:
    MemorySource m_bytes;
    Identity m_identity;
};

bool isSmall(const struct stat& status) {
    return S_ISREG(status.st_mode) && status.st_size > 0 &&
           static_cast<std::uint64_t>(status.st_size) <= kMaxCopiedBytes;
}

} // namespace

Result<std::shared_ptr<const ByteSource>> openCopiedOrMapped(const std::filesystem::path& path, Links links) {
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == Links::Refuse ? O_NOFOLLOW : 0);
    const OpenFile file(realFileOperations(), ::open(path.c_str(), flags));
    if (file.get() < 0 && errno == ELOOP && links == Links::Refuse) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::LeadsOutside}, 0});
    }
    struct stat status{};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) {
        return std::unexpected(systemError(errno, path));
    }
    if (!isSmall(status)) {
        return MappedFile::openWithHead(path, file.get(), status, kCopiedHeadBytes);
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
    GUFO_TRY(readFirstBytes(path, file.get(), bytes));
    const ByteSource::Identity identity{.device = status.st_dev,
                                        .inode = status.st_ino,
                                        .size = bytes.size(),
                                        .modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
    return std::make_shared<CopiedFile>(std::move(bytes), path, identity);
}

} // namespace gufo
