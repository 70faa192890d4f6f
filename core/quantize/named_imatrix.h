// The importance matrix by which the errors of compared models are weighted.
//
// Threads: thread-safe. The functions read the matrix, so they must not be called on the UI thread.
#pragma once

#include "quantize/imatrix_coverage.h"

#include <memory>
#include <span>

namespace gufo {

// Fails unless the matrix has values for the first of the models that has tensors of its names. Errors: those of
// importanceUse().
[[nodiscard]] Result<> checkImatrix(const Imatrix& imatrix, std::span<const std::shared_ptr<const Model>> models,
                                    const JobContext& job = {});

// The first usable importance matrix that a model names in its keys and that is in the model's folder. The folder in
// the key is ignored, because it is one of the computer that quantised. Null if there is none. Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Imatrix>> namedImatrix(std::span<const std::shared_ptr<const Model>> models,
                                                                  const JobContext& job = {});

} // namespace gufo
