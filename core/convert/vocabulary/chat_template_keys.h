// The chat templates of a folder: a file of its own, or a member of tokenizer_config.json, and templates for other
// purposes, which have names.
#pragma once

#include "convert/source_folder.h"
#include "convert/vocabulary/key_list.h"

namespace gufo::convert {

// Sets tokenizer.chat_template.NAME, tokenizer.chat_templates and tokenizer.chat_template. `tokenizerConfig` may be
// null. `ranking` is the template by which a reranker reads a query and a text, unless it is empty or the folder has
// one. Errors: those of reading the files.
[[nodiscard]] Result<> addChatTemplates(KeyList& keys, const SourceFolder& source, const JsonValue* tokenizerConfig,
                                        std::string_view ranking = {});

} // namespace gufo::convert
