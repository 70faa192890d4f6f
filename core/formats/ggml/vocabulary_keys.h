// The vocabulary of a file from before GGUF as the keys tokenizer.ggml.*.
#pragma once

#include "formats/ggml/interpretation.h"
#include "model/metadata_builder.h"

namespace gufo::ggml {

// Adds nothing if there is no vocabulary. LLaMA's pieces get their usual spelling: U+2581 instead of spaces, "<0x0A>"
// for bytes, and the names of the first three tokens, whose roles were fixed. Byte-level vocabularies get the spelling
// of GPT-2; the files lack their merges.
void addVocabulary(MetadataBuilder& metadata, const Interpretation& file);

} // namespace gufo::ggml
