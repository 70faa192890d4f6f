// The tensors of a LLaMA model from before GGUF, put together from their slices if it has several files (".1", ".2" …).
//
// The original weights were divided for several GPUs: a matrix whose input is divided is cut by columns, all others by
// rows, and each file has a copy of every vector.
#pragma once

#include "convert/operation.h"
#include "model/model.h"

#include <vector>

namespace gufo::convert {

struct LegacyTensor {
    std::string_view name;
    std::vector<TensorIndex> slices; // in the order of the files; one if the tensor is not cut
    Shape shape;                     // of the whole
    std::vector<Operation> joining;  // join the decoded slices; empty if the tensor is not cut
};

// The tensors are in the order of the first file. Errors: NotSupported (Detail::SlicesNotConverted, with the number of
// files: a slice is missing, slices have different types or shapes, or copies differ); the errors of Model::bytesOf().
[[nodiscard]] Result<std::vector<LegacyTensor>> legacyTensors(const Model& model);

} // namespace gufo::convert
