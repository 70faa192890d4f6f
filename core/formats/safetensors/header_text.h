// The header of a safetensors file with other metadata. Everything but the member __metadata__ stays as it is written.
#pragma once

#include "model/model.h"

#include <string>

namespace gufo::safetensors {

// The JSON of the header of `base`, a single file, with the metadata of `edited` and without the spaces at its end.
// Errors: InvalidArgument, with the key, for a value that is no text (Detail::MetadataNotText), a key or value that is
// not UTF-8 (Utf8String) and a key that occurs twice (DuplicateKeyName); FileChangedWhileReading.
[[nodiscard]] Result<std::string> headerText(const Model& base, const Model& edited);

} // namespace gufo::safetensors
