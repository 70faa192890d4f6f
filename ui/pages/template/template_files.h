// Chat templates in files: .jinja as it is, and the templates in a tokenizer_config.json of Hugging Face.
#pragma once

#include "base/error.h"

#include <QString>

#include <vector>

namespace gufo::ui {

struct FileTemplate {
    QString name; // "default", or the name in the list
    QString source;
};

// The templates of a file, by what it is called: .json is a tokenizer_config.json, whose chat_template is a string or a
// list of {"name", "template"}. For a job. Errors: those of reading; LimitExceeded above 16 MiB; InvalidArgument: no
// UTF-8, no JSON, or no template in it (args: what).
[[nodiscard]] Result<std::vector<FileTemplate>> readTemplates(const QString& path);

// Writes the text as UTF-8; the file appears whole or not at all.
[[nodiscard]] Result<> writeTemplate(const QString& path, const QString& source);

} // namespace gufo::ui
