#include "formats/sets/folder_files.h"

#include "base/detail.h"

namespace gufo {
namespace {

namespace fs = std::filesystem;

// Whether the file, with all links resolved, is in the folder `inner` of `folder` (in `folder` itself if that is empty)
// or in the store that the folder's links lead to.
bool staysInside(const fs::path& folder, const fs::path& inner, const fs::path& file) {
    std::error_code error;
    const fs::path realFolder = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
    const fs::path realFile = error ? fs::path() : fs::canonical(file, error);
    if (error) {
        return true; // the file does not exist, which opening it will report
    }
    const fs::path revisions = realFolder.parent_path();
    return realFile.parent_path() == (inner.empty() ? realFolder : realFolder / inner) ||
           (revisions.filename() == "snapshots" && realFile.parent_path() == revisions.parent_path() / "blobs");
}

Result<std::shared_ptr<const ByteSource>> openInside(const fs::path& folder, const fs::path& inner,
                                                     std::string_view name, const SourceOpener& open) {
    const bool plain = isPlainName(name) && (inner.empty() || isPlainName(inner.native()));
    const fs::path path = !plain ? folder : inner.empty() ? folder / name : folder / inner / name;
    const auto refused = [&] {
        return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::LeadsOutside}, 0});
    };
    if (!plain) {
        return refused();
    }
    if (inner.empty()) {
        // Resolving every link on the way takes longer than reading the header of a shard, and few files are links.
        auto file = open(path, Links::Refuse);
        if (file || file.error().code != ErrorCode::InvalidArgument) {
            return file;
        }
    }
    return staysInside(folder, inner, path) ? open(path, Links::Follow) : refused();
}

} // namespace

const SourceOpener& mappedFileOpener() {
    static const SourceOpener opener = openCopiedOrMapped;
    return opener;
}

bool isPlainName(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos && name.find('\0') == name.npos;
}

Result<std::shared_ptr<const ByteSource>> openInFolder(const fs::path& folder, std::string_view name,
                                                       const SourceOpener& open) {
    return openInside(folder, {}, name, open);
}

Result<std::shared_ptr<const ByteSource>> openInSubfolder(const fs::path& folder, std::string_view inner,
                                                          std::string_view name, const SourceOpener& open) {
    if (inner.empty()) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, folder, {}, {Detail::LeadsOutside}, 0});
    }
    return openInside(folder, inner, name, open);
}

} // namespace gufo
