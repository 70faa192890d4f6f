#include "formats/folder_files.h"

#include "base/detail.h"
#include "base/mapped_file.h"

namespace gufo {
namespace {

namespace fs = std::filesystem;

// Whether the file, with all links resolved, is in the folder or in the store that its links lead to.
bool staysInside(const fs::path& folder, const fs::path& file) {
    std::error_code error;
    const fs::path realFolder = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
    const fs::path realFile = error ? fs::path() : fs::canonical(file, error);
    if (error) {
        return true; // the file does not exist, which opening it will report
    }
    const fs::path revisions = realFolder.parent_path();
    return realFile.parent_path() == realFolder ||
           (revisions.filename() == "snapshots" && realFile.parent_path() == revisions.parent_path() / "blobs");
}

} // namespace

const SourceOpener& mappedFileOpener() {
    static const SourceOpener opener = [](const fs::path& path) -> Result<std::shared_ptr<const ByteSource>> {
        return MappedFile::open(path);
    };
    return opener;
}

bool isPlainName(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

Result<std::shared_ptr<const ByteSource>> openInFolder(const fs::path& folder, std::string_view name,
                                                       const SourceOpener& open) {
    const fs::path path = isPlainName(name) ? folder / fs::path(name) : folder;
    if (!isPlainName(name) || !staysInside(folder, path)) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::LeadsOutside}, 0});
    }
    return open(path);
}

} // namespace gufo
