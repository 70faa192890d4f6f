// The coverage of an importance matrix: how often each matrix was used, which columns matter most, how it fits a model,
// and what it gives to the tensors that are quantised.
//
// Threads: thread-safe. The functions visit all entries, so they must not be called on the UI thread.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "model/model.h"

#include <cstdint>
#include <memory>
#include <span>
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

// One row for each entry, by name. Progress counts entries. Errors: the errors of Imatrix::values(); Cancelled.
[[nodiscard]] Result<std::vector<ImatrixRow>> imatrixCoverage(const Imatrix& imatrix, const JobContext& job);

// Whether quantisation expects an entry for a tensor. Recipes leave other tensors as they are, and importance matrices
// are not collected for the embedding and the output.
[[nodiscard]] bool expectsImportance(const TensorInfo& tensor);

// How the entries fit the tensors of a model. Names are sorted.
struct ImatrixPartners {
    std::vector<std::string> withoutEntry{};  // tensors that expect one
    std::vector<std::string> withoutTensor{}; // entries
    std::vector<std::string> otherShape{};    // entries
    std::vector<std::string> withoutValues{}; // entries that are 0 throughout, or that no token was counted for
    [[nodiscard]] bool fit() const {
        return withoutEntry.empty() && withoutTensor.empty() && otherShape.empty() && withoutValues.empty();
    }
};
// Errors: InvalidArgument for values that are negative or not finite; Cancelled.
[[nodiscard]] Result<ImatrixPartners> imatrixPartners(const Imatrix& imatrix, const Model& model,
                                                      const JobContext& job);

// What a matrix gives to the tensors that are encoded.
struct ImportanceUse {
    std::size_t used = 0;               // tensors that are encoded with importance
    std::vector<std::string> without{}; // tensors that expect importance and get none
    std::vector<std::string> partly{};  // tensors with some matrices (experts) that get none
    std::vector<std::string>
        borrowed{}; // tensors that use the entry of another tensor with the same inputs (entryFor())
};
// Reads what the matrix says about the tensors `encoded`. All errors but Cancelled name the file of the matrix:
// InvalidArgument, with the tensor if it is about one (Detail::ImatrixFitsNothing if no entry is for a tensor of the
// model; an entry of another shape; values that are negative or not finite).
[[nodiscard]] Result<ImportanceUse> importanceUse(const Imatrix& imatrix, const Model& model,
                                                  const std::vector<TensorIndex>& encoded, const JobContext& job = {});

// The next two functions find the importance matrix by which the errors of compared models are weighted. They read the
// matrix, so they must not be called on the UI thread.

// Fails unless the matrix has values for the first of the models that has tensors of its names. Errors: the errors of
// importanceUse().
[[nodiscard]] Result<> checkImatrix(const Imatrix& imatrix, std::span<const std::shared_ptr<const Model>> models,
                                    const JobContext& job = {});

// The first usable importance matrix that a model names in its keys and that is in the model's folder. The folder in
// the key is ignored, because it is one of the computer that quantised. Null if there is none. Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Imatrix>> namedImatrix(std::span<const std::shared_ptr<const Model>> models,
                                                                  const JobContext& job = {});

} // namespace gufo
