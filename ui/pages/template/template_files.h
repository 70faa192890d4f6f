// Reads and writes chat templates: .jinja files, and the templates in Hugging Face's tokenizer_config.json.
#pragma once

#include "base/error.h"

#include <QString>

#include <vector>

namespace gufo::ui {

struct FileTemplate {
    QString name; // "default", or the name in the list
    QString source;
};

// Reads the templates of a file. A .json file is a tokenizer_config.json, whose chat_template is a string or a list of
// {"name", "template"}. For jobs. Errors: those of reading; LimitExceeded above 16 MiB; InvalidArgument: not UTF-8, not
// JSON, or no template in it (args: what).
[[nodiscard]] Result<std::vector<FileTemplate>> readTemplates(const QString& path);

// Writes the text as UTF-8. The file appears whole or not at all.
[[nodiscard]] Result<> writeTemplate(const QString& path, const QString& source);

} // namespace gufo::ui
