// What a model file is for: many are no model by themselves.
#pragma once

#include "model/model.h"

#include <string_view>

namespace gufo {

enum class FileKind : std::uint8_t {
    Model,
    Vocabulary, // no tensors
    Adapter,    // LoRA
    Imatrix,    // importance matrix
    Projector,  // of images or audio, for a model beside it
};
// By general.type where the file says; otherwise by its architecture and whether it has tensors.
[[nodiscard]] FileKind fileKind(const Model& model);
[[nodiscard]] std::string_view fileKindName(FileKind kind); // "model", "vocabulary", "adapter", "imatrix", "projector"

} // namespace gufo
