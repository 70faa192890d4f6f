// Opens files beside a model by names that a file states. Such a name never leads out of the folder.
#pragma once

#include "base/copied_file.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace gufo {

// Opens a file by its full path; tests and fuzz targets substitute their own. One whose files cannot be links ignores
// the second argument.
using SourceOpener = std::function<Result<std::shared_ptr<const ByteSource>>(const std::filesystem::path&, Links)>;
[[nodiscard]] const SourceOpener& mappedFileOpener();

// Whether a text is the name of an entry of a folder, rather than a path.
[[nodiscard]] bool isPlainName(std::string_view name);

// Opens the file `name` in `folder`. A link is followed only within the folder, or as in the cache of Hugging Face,
// whose folders snapshots/REVISION consist of links to ../../blobs. Errors: InvalidArgument (the name or a link leads
// elsewhere), the errors of `open`.
[[nodiscard]] Result<std::shared_ptr<const ByteSource>>
openInFolder(const std::filesystem::path& folder, std::string_view name, const SourceOpener& open = mappedFileOpener());

// The same for the file `name` in the folder `inner` of `folder`, which must not be a link that leads elsewhere.
[[nodiscard]] Result<std::shared_ptr<const ByteSource>> openInSubfolder(const std::filesystem::path& folder,
                                                                        std::string_view inner, std::string_view name,
                                                                        const SourceOpener& open = mappedFileOpener());

} // namespace gufo
