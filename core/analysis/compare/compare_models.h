// Compares all tensors of several models: every row of TensorMatches against the reference, in one pass over the files.
// The reference is decoded once for all other models.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "analysis/compare/match_tensors.h"
#include "formats/imatrix/imatrix.h"

#include <functional>

namespace gufo {

class ComparisonCache;

// The result for one model in one row.
struct ComparedCell {
    enum class State : std::uint8_t {
        NotCompared, // missing, extra, reshaped, the reference itself, or a row that was not requested
        Compared,
        Failed, // `error` says why: a type that cannot be decoded, a missing shard
    };
    State state = State::NotCompared;
    TensorComparison comparison;
    std::optional<Error> error{};
};

struct ComparedRow {
    std::size_t row = 0;             // index into TensorMatches::rows
    bool wanted = true;              // false: not requested, and not counted in any total
    std::vector<ComparedCell> cells; // by model
};

// Whether a compared tensor has other bytes than the reference's, but the same type and weights.
[[nodiscard]] bool isEqual(const TensorMatches& matches, const ComparedRow& row, std::size_t model);

// Totals over the rows of one model. Figures are given both with equal weight for each pair and with each row weighted
// by its bytes in the reference.
struct ComparisonTotals {
    std::uint64_t tensors = 0; // rows that were compared
    std::uint64_t identical = 0;
    std::uint64_t equal = 0;     // other bytes, but the same type and weights, as in a copy in the other byte order
    std::uint64_t truncated = 0; // compared only as far as both files reach
    std::uint64_t failed = 0;
    std::uint64_t missing = 0;
    std::uint64_t extra = 0;
    std::uint64_t renamed = 0; // these rows were compared
    std::uint64_t reshaped = 0;
    std::uint64_t weights = 0; // of the compared rows
    std::uint64_t bytes = 0;   // bytes of the compared rows in this model
    ComparedSums sums;         // maximumIndex refers to maximumRow
    std::optional<std::size_t> maximumRow{};
    PairFigures byParameters;
    PairFigures byBytes; // Σ(bytes/weight × …); maxError is not weighted, equalShare is
    [[nodiscard]] std::optional<double> bitsPerWeight() const;
    // Rows of the reference that were not compared.
    [[nodiscard]] std::uint64_t notCompared() const { return failed + missing + reshaped; }
    // Whether the figures speak for the whole model: every row of the reference was compared to its end, and all
    // weights are finite.
    [[nodiscard]] bool complete() const { return notCompared() == 0 && truncated == 0 && sums.excluded == 0; }
    // Of all rows of the reference; Different if none was compared.
    [[nodiscard]] Likeness likeness() const {
        const bool all = notCompared() == 0;
        return tensors == 0 ? Likeness::Different
                            : likenessOf(sums, all && tensors == identical, !all || truncated != 0);
    }
    // Whether there is no difference in any row: all tensors are present and have the same types and weights.
    [[nodiscard]] bool same() const {
        return tensors == identical + equal && failed + missing + extra + renamed + reshaped == 0;
    }
};

struct ModelComparison {
    std::vector<ComparedRow> rows; // as TensorMatches::rows
    bool hasImportance = false;    // a row was compared with importance
    // The totals of a model over all rows or over the rows of one group of roles. Rows outside the naming convention
    // belong to Other.
    [[nodiscard]] ComparisonTotals totals(const TensorMatches& matches, std::size_t model,
                                          std::optional<TensorGroup> group = {}) const;
};

struct ComparisonOptions {
    // Called once for each finished row, from any worker thread but never concurrently. It must not wait for the job.
    std::function<void(const ComparedRow&)> finished;
    std::function<bool(const TensorMatch&)> wanted; // empty: all rows
    ComparisonCache* cache = nullptr;               // not owned
    // Not owned. Its entries have the names of tensors of any of the models. Cached figures have no importance, so they
    // are not used with it.
    const Imatrix* imatrix = nullptr;
};

// Rows are processed in bit-reversed order over blocks and roles, so that the map fills evenly. Progress is in weights
// of the reference. Cancelling takes effect within 50 ms. A tensor that cannot be compared is a failed cell, not an
// error. Errors: FileChangedWhileReading, Cancelled; the errors of Imatrix::importance(), with the file of the matrix.
[[nodiscard]] Result<ModelComparison> compareModels(const TensorMatches& matches, const ComparisonOptions& options = {},
                                                    const JobContext& job = {});

// The order in which the rows of a comparison are processed.

// All rows, first in coarse steps over blocks and roles and then in the gaps between them, so that a map of block ×
// role fills evenly. Of a tensor with many experts, the first expert comes together with the other tensors and the rest
// follow, also in coarse steps.
[[nodiscard]] std::vector<std::size_t> comparisonOrder(const TensorMatches& matches);

// A tensor of a model that holds the weights which the reference has under another name: a mistake of the program that
// wrote one of them, which the figures of a comparison show but do not explain.
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
