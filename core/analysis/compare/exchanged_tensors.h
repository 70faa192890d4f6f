// Finds tensors of a model that hold the weights which the reference has under another name: a mistake of the program
// that wrote one of them, which the figures of a comparison show but do not explain.
#pragma once

#include "analysis/compare/compare_models.h"

namespace gufo {

struct ExchangedTensor {
    std::size_t model = 0;
    std::size_t row = 0;   // of TensorMatches::rows: the model's tensor
    std::size_t holds = 0; // the row of the reference's tensor whose weights it has
};

// Looks at rows that were compared and differ by more than quantisation explains, also experts and parts of fused
// tensors. Only samples are read (match_content.h). In the order of models and rows. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ExchangedTensor>>
findExchanged(const TensorMatches& matches, const ModelComparison& comparison, const JobContext& job = {});

} // namespace gufo
