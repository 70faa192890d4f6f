// The run over all tensors of several models: every row of TensorMatches against the reference, in one pass over the
// files, the reference decoded once for all others.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "analysis/compare/match_tensors.h"

#include <functional>

namespace gufo {

class ComparisonCache;

// One model in one row.
struct ComparedCell {
    enum class State : std::uint8_t {
        NotCompared, // missing, extra, reshaped, the reference itself, or a row that was not asked for
        Compared,
        Failed, // `error` says why: a type that cannot be decoded, a missing shard
    };
    State state = State::NotCompared;
    TensorComparison comparison;
    std::optional<Error> error{};
};

struct ComparedRow {
    std::size_t row = 0;             // of TensorMatches::rows
    bool wanted = true;              // false: not asked for; it counts nowhere
    std::vector<ComparedCell> cells; // by model
};

// Sums over rows for one model, each pair counting alike, and with each row weighted by its bytes in the reference.
struct ComparisonTotals {
    std::uint64_t tensors = 0; // rows that were compared
    std::uint64_t identical = 0;
    std::uint64_t failed = 0;
    std::uint64_t missing = 0;
    std::uint64_t extra = 0;
    std::uint64_t renamed = 0; // compared all the same
    std::uint64_t reshaped = 0;
    std::uint64_t weights = 0; // of the compared rows
    std::uint64_t bytes = 0;   // that those take in this model
    PairSums sums;             // maximumIndex is that of the row below
    std::optional<std::size_t> maximumRow{};
    PairFigures byParameters;
    PairFigures byBytes; // Σ(bytes/weight × …); maxError and equalShare: the share weighted likewise
    [[nodiscard]] std::optional<double> bitsPerWeight() const;
    // No difference in any row: all there, all identical.
    [[nodiscard]] bool same() const {
        return tensors == identical && failed + missing + extra + renamed + reshaped == 0;
    }
};

struct ModelComparison {
    std::vector<ComparedRow> rows; // as TensorMatches::rows
    // Of a model over all rows, or over those of one group of roles (rows outside the convention belong to Other).
    [[nodiscard]] ComparisonTotals totals(const TensorMatches& matches, std::size_t model,
                                          std::optional<TensorGroup> group = {}) const;
};

struct ComparisonOptions {
    // Called once for each finished row, from any worker thread, one call at a time; must not wait for the job.
    std::function<void(const ComparedRow&)> finished;
    std::function<bool(const TensorMatch&)> wanted; // empty: all rows
    ComparisonCache* cache = nullptr;               // not owned
};

// Order of the rows: bit-reversed over blocks and roles, so that the picture fills evenly. Progress in weights of the
// reference. A stop is seen within 50 ms. What cannot be compared is a failed cell, not an error.
// Errors: FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<ModelComparison> compareModels(const TensorMatches& matches, const ComparisonOptions& options = {},
                                                    const JobContext& job = {});

} // namespace gufo
