#include "base/replaceable.h"

#include "base/detail.h"
#include "base/mapped_file.h"

#include <sys/stat.h>

namespace gufo {

bool isContentHash(std::string_view fileName) {
    for (const std::string_view prefix : {"sha256-", "sha256:"}) {
        if (fileName.starts_with(prefix)) {
            fileName.remove_prefix(prefix.size());
        }
    }
    constexpr std::size_t kDigits = 64;
    return fileName.size() == kDigits && fileName.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

Result<> checkNotHashed(const std::filesystem::path& path) {
    std::error_code error;
    const auto target = std::filesystem::canonical(path, error); // fails if there is nothing to be replaced
    if (error || !isContentHash(target.filename().native())) {
        return {};
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::ReplacesHashedFile}, 0});
}

Result<> checkNotOpen(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !MappedFile::isOpen(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino))) {
        return {};
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::OpenHere}, 0});
}

Result<> checkReplaceable(const std::filesystem::path& path) {
    auto replaceable = checkNotHashed(path);
    return replaceable ? checkNotOpen(path) : replaceable;
}

} // namespace gufo
