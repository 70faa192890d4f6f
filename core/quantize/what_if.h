// Predicts the size and the error of tensors in other types before anything is written.
//
// The weights are encoded and decoded again in pieces. The pieces are spread evenly over the tensors, in an order that
// makes early figures representative; with a limit only some of them are used ("n of N"). Threads: any.
// JobContext::threads workers compute; the figures do not depend on their number.
#pragma once

#include "analysis/compare/pair_figures.h"
#include "base/job_context.h"
#include "formats/imatrix/imatrix.h"
#include "model/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gufo {

struct WhatIfRequest {
    std::vector<TensorIndex> tensors; // any selection
    std::vector<std::uint32_t> types; // types that can be encoded; empty: all of them, in descending order of bits
    std::shared_ptr<const Imatrix> imatrix;
    std::uint64_t maxWeights = 4U << 20U; // maximum number of weights examined; 0: all
    bool both = true; // false: tensors with importance are not also encoded without it, and have no plain loss
};

// The error over the weights examined.
struct WhatIfLoss {
    PairSums sums;             // a: the original weights, b: the decoded ones; only aa, ee and pairs are used
    double weightedError = 0;  // Σ importance × (a − b)² over tensors with importance
    double weightedEnergy = 0; // Σ importance × a²

    // rmse, nmse and sqnrDb; no values if no weight was examined.
    [[nodiscard]] PairFigures figures() const { return figuresOf(sums); }
    // The nmse weighted by importance; no value without importance.
    [[nodiscard]] std::optional<double> weightedNmse() const;
    void merge(const WhatIfLoss& other);
};

struct WhatIfType {
    std::uint32_t typeId = 0;
    std::uint64_t bytes = 0;        // size of all tensors; tensors that do not fit the type keep their size
    std::size_t tensorsThatFit = 0; // tensors whose rows are whole blocks of the type
    std::uint64_t weightsThatFit = 0;
    WhatIfLoss loss; // error without importance
    std::optional<WhatIfLoss> withImatrix{};
    std::optional<Error> failure{}; // WeightOutOfRange if the type cannot hold a weight; the figures end there

    // For the tensors that fit.
    [[nodiscard]] double bitsPerWeight() const;
};

struct WhatIf {
    std::vector<WhatIfType> types; // in the requested order
    std::uint64_t bytes = 0;       // current size of the tensors
    std::uint64_t weights = 0;
    std::uint64_t examined = 0;  // weights examined so far
    std::uint64_t toExamine = 0; // weights to be examined in total
    bool hasImportance = false;  // at least one of the tensors has importance
};

// `update` is called from time to time on the calling thread with the figures so far, but not with the final ones.
// Progress is in weights. Errors: NotDecodable, NotSupported, FileNotFound, Truncated (a tensor), NotEncodable (a
// type); the errors of importanceUse(); FileChangedWhileReading; Cancelled, within 50 ms.
using WhatIfUpdate = std::function<void(const WhatIf&)>;
[[nodiscard]] Result<WhatIf> whatIf(const Model& model, const WhatIfRequest& request, const WhatIfUpdate& update,
                                    const JobContext& job = {});

} // namespace gufo
