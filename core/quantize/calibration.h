// Measures how sensitive a model is to errors in its tensors: one or some of them at a time are quantised in memory and
// swapped in, and the divergence over a text is divided by the errors that were made. Nothing is written. A run shares
// all blocks before the first one that is changed.
//
// Threads: any, one at a time.
#pragma once

#include "inference/measuring/blame.h"
#include "quantize/size_plan.h"

#include <functional>

namespace gufo {

// A model of the given tensors only, quantised in memory. Errors: the errors of Model::rowsOf() and encodePiece();
// LimitExceeded if the bytes overflow; Cancelled.
struct ProbedTensor {
    TensorIndex tensor{0};
    std::uint32_t typeId = 0;
};
[[nodiscard]] Result<std::shared_ptr<const Model>> quantisedInMemory(const std::shared_ptr<const Model>& model,
                                                                     const std::vector<ProbedTensor>& tensors,
                                                                     const Imatrix* imatrix, const JobContext& job);

// Sets the factor of each role to the mean of its measured tensors: for tensors that were not measured, and for people
// to read.
void addRoles(SensitivityFactors& factors);

// Windows of a text from its beginning on, as many as it has, but at most eight, and fewer for large models and
// vocabularies, so that a calibration takes minutes. `bos` replaces the first token of each. Errors: the errors of
// inference::blameText().
[[nodiscard]] Result<std::vector<inference::BlameText>>
calibrationWindows(const Model& model, std::span<const TokenId> tokens, std::size_t window, std::optional<TokenId> bos);

// Returns factors with `measured` set. Each tensor has a run of its own if the model has few of them; otherwise each
// role has one in the first, the middle and the last blocks. One more run is for all tensors together. Tensors of large
// models are sampled, so that those that are quantised take at most a gigabyte. Progress counts runs. Errors: the
// errors of LayeredRun, quantisedInMemory() and swapTensors().
[[nodiscard]] Result<SensitivityFactors> calibrate(const std::shared_ptr<const Model>& model,
                                                   const std::shared_ptr<const Imatrix>& imatrix,
                                                   const CostTable& costs,
                                                   std::span<const inference::BlameText> windows,
                                                   const inference::SessionOptions& options, const JobContext& job);

} // namespace gufo
