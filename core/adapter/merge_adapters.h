// Merges LoRA adapters into a base model: writes the model with W + strength × alpha / rank × B·A in place of each
// matrix W that an adapter changes, and the tensors that an adapter contains whole in place of the model's. All other
// tensors keep their bytes.
//
// The new weights are computed in f32, as runtimes do that keep an adapter beside its model, and encoded in pieces.
//
// Threads: any. JobContext::threads workers compute and encode; the bytes written do not depend on their number.
#pragma once

#include "adapter/change_norms.h"
#include "tensor/kernels/pair_sums.h"

#include <filesystem>

namespace gufo {

struct MergeRequest {
    std::vector<AdapterUse> adapters; // matched with the base model; their order decides the rounding of sums
    // The type of the matrices that change; without one, each keeps the type that it has. Norms and biases always do.
    std::optional<TensorType> type{};
};

struct MergedTensor {
    ChangedTensor change{};   // with norms after mergeAdapters()
    std::uint32_t typeId = 0; // in the result
    std::uint64_t bytes = 0;  // in the result
    PairSums encoding{};      // a: the weights in f32, b: the weights that are written; empty in a plan
};

struct MergePlan {
    std::vector<MergedTensor> tensors; // the tensors that change, in the base model's order
    std::uint64_t fileBytes = 0;
};

// Determines what mergeAdapters() will write, from the headers alone. Errors: FormatReadOnly; NotDecodable,
// NotEncodable (a tensor that changes, for which the request names no other type); NotSupported (a row is not a whole
// number of blocks, or a size is unknown); FileNotFound, Truncated; InvalidArgument (keys or tensors that a GGUF file
// cannot contain).
[[nodiscard]] Result<MergePlan> planMerge(const Model& base, const MergeRequest& request);

// Writes the model as one GGUF version 3 file in the base model's byte order; shards are merged. Keys stay, except
// general.file_type, which changes if most weights get another type. Progress is in bytes written. Errors: the errors
// of planMerge(), measureChanges() and writeModel(); WeightOutOfRange. After an error there is no new file, and an
// existing one is unchanged.
[[nodiscard]] Result<MergePlan> mergeAdapters(const Model& base, const MergeRequest& request,
                                              const std::filesystem::path& out, const JobContext& job = {});

} // namespace gufo
