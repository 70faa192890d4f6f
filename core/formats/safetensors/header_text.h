// The header of a safetensors file with other metadata. Everything but the member __metadata__ stays as it is written.
#pragma once

#include "model/model.h"

#include <string>

namespace gufo::safetensors {

// The JSON of the header of `base`, a single file, with the metadata of `edited` and without the spaces at its end.
// Errors: InvalidArgument, with the key, for a value that is not text (Detail::MetadataNotText), a key or value that is
// not UTF-8 (Utf8String) and a key that occurs twice (DuplicateKeyName); FileChangedWhileReading.
[[nodiscard]] Result<std::string> headerText(const Model& base, const Model& edited);

// A file of a model, `part`, with the changes that lead from the metadata of the model `base` to the metadata of
// `edited`. Errors: FormatReadOnly, with the key, for a changed key that a file beside the weights states.
[[nodiscard]] Result<Model> editedPart(const Model& part, const Model& base, const Model& edited);

// Whether an entry of a model comes from a header of its weights, rather than from a file beside them.
[[nodiscard]] bool isOfHeader(const KeyValue& entry);

} // namespace gufo::safetensors
