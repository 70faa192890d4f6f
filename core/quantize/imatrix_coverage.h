// The coverage of an importance matrix: how often each matrix was used, which columns matter most, and how it fits a
// model.
//
// Threads: thread-safe. The functions visit all entries, so they must not be called on the UI thread.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gufo {

struct ImportantColumn {
    std::uint64_t column = 0;
    double share = 0; // of the sums of all columns
};

struct ImatrixRow {
    static constexpr std::size_t kTop = 8;
    std::string tensor;
    std::uint64_t columns = 0;
    std::vector<double> counts{};       // by matrix (expert): the rows that were summed
    std::vector<ImportantColumn> top{}; // over all matrices, the most important first; at most kTop

    [[nodiscard]] std::uint64_t used() const; // matrices
    [[nodiscard]] double rows() const;        // of all matrices
};

// One row for each entry, by name. Progress counts entries. Errors: those of Imatrix::values(); Cancelled.
[[nodiscard]] Result<std::vector<ImatrixRow>> imatrixCoverage(const Imatrix& imatrix, const JobContext& job);

// How the entries fit the tensors of a model. Names are sorted.
struct ImatrixPartners {
    std::vector<std::string> withoutEntry{};  // matrices of blocks that recipes quantise
    std::vector<std::string> withoutTensor{}; // entries
    std::vector<std::string> otherShape{};    // entries
    [[nodiscard]] bool fit() const { return withoutEntry.empty() && withoutTensor.empty() && otherShape.empty(); }
};
// Errors: Cancelled.
[[nodiscard]] Result<ImatrixPartners> imatrixPartners(const Imatrix& imatrix, const Model& model,
                                                      const JobContext& job);

} // namespace gufo
