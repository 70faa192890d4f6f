// The product B·A of an adapter's factors. Only the factors are kept: a matrix of any size needs memory for rank ×
// (rows + columns) floats.
//
// Threads: immutable.
#pragma once

#include "adapter/adapter.h"
#include "base/job_context.h"

#include <span>

namespace gufo {

class LowRankProduct {
public:
    // Decodes the factors. `shape` is the shape of the base model's tensor. Errors: Truncated, the errors of
    // Model::rowsOf() and decode().
    [[nodiscard]] static Result<LowRankProduct> load(const Adapter& adapter, const AdaptedTensor& tensor,
                                                     const Shape& shape);

    // Adds scale × the weights [first, first + out.size()) of the product to `out`. Sums are in f32, over the ranks in
    // their order, so that the result depends neither on threads nor on pieces.
    void addTo(std::uint64_t first, float scale, std::span<float> out) const;

    // Σ of the squares of all weights of the product, in f64, through the Gram matrices of the factors:
    // ‖BA‖² = Σ (BᵀB) ∘ (AAᵀ). The result is meaningless if the job was stopped.
    [[nodiscard]] double squaredNorm(const JobContext& job) const;

private:
    LowRankProduct() = default;

    std::uint64_t m_columns = 0;
    std::uint64_t m_rows = 0; // of a matrix
    std::uint64_t m_rank = 0;
    std::uint64_t m_matrices = 0;
    std::vector<float> m_left;  // [matrix][row][rank]
    std::vector<float> m_right; // [matrix][rank][column]
};

} // namespace gufo
