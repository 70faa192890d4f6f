// Files that downloads leave in place of a model: pointers of Git LFS, unfinished files, and the replies of servers
// that were saved under the name of the file. Each is recognised by its beginning or its name, and has an error that
// names it.
#pragma once

#include "formats/detection/file_start.h"

namespace gufo::downloads {

// The programs that download rename a file when it is complete: "model.gguf.part", "model.gguf.crdownload".
[[nodiscard]] bool isUnfinished(const FileStart& start);
// A JSON object of an error, such as {"error": "Repository not found"}.
[[nodiscard]] bool isJsonError(const FileStart& start);
// A line of text such as "Entry not found".
[[nodiscard]] bool isTextError(const FileStart& start);

// The errors of files that are recognised: LfsPointer, UnfinishedDownload, ServerReply.
[[nodiscard]] Error lfsPointer(const FileStart& start);
[[nodiscard]] Error unfinished(const FileStart& start);
// The title of a page, or its text.
[[nodiscard]] Error htmlReply(const FileStart& start);
// The <Message> of a store's error; OtherFormat for another XML document.
[[nodiscard]] Error xmlReply(const FileStart& start);
[[nodiscard]] Error jsonReply(const FileStart& start);
[[nodiscard]] Error textReply(const FileStart& start);

} // namespace gufo::downloads
