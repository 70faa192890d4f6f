// The purpose of a model file. Many files are not models by themselves.
#pragma once

#include "model/model.h"

#include <string_view>

namespace gufo {

enum class FileKind : std::uint8_t {
    Model,
    Vocabulary, // no tensors
    Adapter,    // LoRA
    Imatrix,    // importance matrix
    Projector,  // an image or audio encoder that accompanies a model
};
// Determined by general.type if the file has it, otherwise by the architecture and by whether there are tensors.
[[nodiscard]] FileKind fileKind(const Model& model);
// Whether a model's file holds only blocks that predict further tokens (MTP), without the model that they belong to.
[[nodiscard]] bool holdsOnlyMtp(const Model& model);
// The keys that every file of the kind must have, separated by commas. Architectures require more.
[[nodiscard]] std::string_view requiredKeys(FileKind kind);
[[nodiscard]] std::string_view fileKindName(FileKind kind); // "model", "vocabulary", "adapter", "imatrix", "projector"

} // namespace gufo
