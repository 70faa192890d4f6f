// What one adapter does to one tensor of its base model: it takes another tensor's weights in its place, adds the
// product of two factors, or both.
//
// Threads: immutable.
#pragma once

#include "adapter/adapter.h"
#include "base/job_context.h"
#include "tensor/decode.h"

#include <optional>
#include <span>

namespace gufo {

// The product B·A of an adapter's factors. Only the factors are kept: a matrix of any size needs memory for rank ×
// (rows + columns) floats.
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

class TensorChange {
public:
    // The adapter must change the tensor, and outlive the result. Errors: the errors of LowRankProduct::load(), also
    // for the replacing tensor.
    [[nodiscard]] static Result<TensorChange> load(const Adapter& adapter, TensorIndex tensor, const Shape& shape);

    // Changes the weights [first, first + weights.size()), which the adapters before this one may have changed already.
    // A replacing tensor is mixed with them by the strength; with 1, nothing of them is left. Errors: the errors of
    // decode().
    [[nodiscard]] Result<> apply(std::uint64_t first, double strength, std::span<float> weights) const;

    // The Frobenius norm of what apply() adds to the base model's weights. NaN and infinities are left out. The result
    // is meaningless if the job was stopped. Errors: the errors of decode().
    [[nodiscard]] Result<double> norm(const StoredRows& base, double strength, const JobContext& job) const;

private:
    TensorChange() = default;

    [[nodiscard]] double scaleAt(double strength) const { return m_adapter->scaleOf(*m_adapted, strength); }

    const Adapter* m_adapter = nullptr;
    const AdaptedTensor* m_adapted = nullptr; // null: no product is added
    std::uint64_t m_weights = 0;
    std::optional<LowRankProduct> m_product;
    std::optional<StoredRows> m_replacement;
};

} // namespace gufo
