// What tensors would cost and lose as other types, before anything is written.
//
// The weights are encoded and decoded again, piece by piece. Pieces are taken evenly from all over the tensors in an
// order that makes early figures good ones; with a limit not all of them ("n of N"). Threads: may run on any thread;
// JobContext::threads workers. The figures do not depend on their number.
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
    std::vector<TensorIndex> tensors; // one, some, all of a role
    std::vector<std::uint32_t> types; // that can be written; empty: all of them, most bits first
    std::shared_ptr<const Imatrix> imatrix;
    std::uint64_t mostWeights = 4U << 20U; // that are looked at; 0: all
};

// What is lost, over the weights looked at.
struct WhatIfLoss {
    PairSums sums;             // a: the weights as they are, b: decoded again; aa, ee, pairs
    double weightedError = 0;  // Σ importance × (a − b)², tensors without importance aside
    double weightedEnergy = 0; // Σ importance × a²

    // rmse, nmse, sqnrDb. Nothing where no weight was looked at.
    [[nodiscard]] PairFigures figures() const { return figuresOf(sums); }
    // Weighted by importance; nothing where there is none.
    [[nodiscard]] std::optional<double> weightedNmse() const;
    void merge(const WhatIfLoss& other);
};

struct WhatIfType {
    std::uint32_t typeId = 0;
    std::uint64_t bytes = 0;        // of all the tensors; those that do not fit count as they are
    std::size_t tensorsThatFit = 0; // whose rows are whole blocks of it
    std::uint64_t weightsThatFit = 0;
    WhatIfLoss loss; // without importance
    std::optional<WhatIfLoss> withImatrix{};
    std::optional<Error> failure{}; // WeightOutOfRange: a weight that the type cannot hold; the figures end there

    // Of the tensors that fit.
    [[nodiscard]] double bitsPerWeight() const;
};

struct WhatIf {
    std::vector<WhatIfType> types; // in the order asked for
    std::uint64_t bytes = 0;       // of the tensors as they are
    std::uint64_t weights = 0;
    std::uint64_t looked = 0;   // weights looked at so far
    std::uint64_t toLook = 0;   // and in the end
    bool hasImportance = false; // of one of the tensors at least
};

// `update` is called on the calling thread now and then, with the figures so far; not for the last. Progress in
// weights. Errors: NotDecodable, NotSupported, FileNotFound, Truncated (a tensor), NotEncodable (a type); those of
// Imatrix::check and importance; FileChangedWhileReading; Cancelled, within 50 ms.
using WhatIfUpdate = std::function<void(const WhatIf&)>;
[[nodiscard]] Result<WhatIf> whatIf(const Model& model, const WhatIfRequest& request, const WhatIfUpdate& update,
                                    const JobContext& job = {});

} // namespace gufo
