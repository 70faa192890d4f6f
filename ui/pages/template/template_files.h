// Reads and writes chat templates: .jinja files, and the templates in Hugging Face's tokenizer_config.json. Also the
// changes that add such templates to the metadata of a model, or delete one.
#pragma once

#include "base/error.h"
#include "model/change.h"
#include "model/metadata.h"

#include <QString>

#include <vector>

namespace gufo::ui {

// The template of a new entry: works with every model, and is easily recognised as a placeholder.
inline constexpr const char* kPlaceholderTemplate = R"({%- for message in messages %}
    {{- message.role + ": " + message.content + "\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- "assistant: " }}
{%- endif %}
)";

struct FileTemplate {
    QString name; // "default", or the name in the list
    QString source;
};

// Reads the templates of a file. A .json file is a tokenizer_config.json, whose chat_template is a string or a list of
// {"name", "template"}. For jobs. Errors: ReadFailed etc.; LimitExceeded above 16 MiB; InvalidArgument: not UTF-8, not
// JSON, or no template in it (args: what).
[[nodiscard]] Result<std::vector<FileTemplate>> readTemplates(const QString& path);

// Writes the text as UTF-8. The file appears whole or not at all.
[[nodiscard]] Result<> writeTemplate(const QString& path, const QString& source);

// Sets the keys of the templates, and adds their names to the list of names (text::kChatTemplateNamesKey).
[[nodiscard]] std::vector<Change> changesThatSet(const std::vector<FileTemplate>& templates, const Metadata& metadata);
// Deletes the key of a template, and removes its name from the list; an empty list is deleted, too.
[[nodiscard]] std::vector<Change> changesThatDelete(const std::string& key, const Metadata& metadata);

} // namespace gufo::ui
