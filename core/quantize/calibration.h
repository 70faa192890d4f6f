// Measures how sensitive a model is to errors in its tensors: each role in turn is quantised in memory and swapped in,
// and the divergence over a text is divided by the errors that were made. Nothing is written.
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

// Windows of a text from its beginning on, as many as it has, but at most kMostWindows. `bos` replaces the first token
// of each. Errors: the errors of inference::blameText().
inline constexpr std::size_t kMostWindows = 8;
[[nodiscard]] Result<std::vector<inference::BlameText>> calibrationWindows(std::span<const TokenId> tokens,
                                                                           std::size_t window,
                                                                           std::optional<TokenId> bos);

// Returns factors with `measured` set. One run for each role, and three for the ends of the model and for all tensors
// together. Roles of large models are sampled, so that the quantised tensors take at most a gigabyte. Progress counts
// runs. Errors: the errors of inference::blame() and quantisedInMemory().
[[nodiscard]] Result<SensitivityFactors> calibrate(const std::shared_ptr<const Model>& model,
                                                   const std::shared_ptr<const Imatrix>& imatrix,
                                                   const CostTable& costs,
                                                   std::span<const inference::BlameText> windows,
                                                   const inference::SessionOptions& options, const JobContext& job);

} // namespace gufo
