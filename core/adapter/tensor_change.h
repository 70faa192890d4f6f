// What one adapter does to one tensor of its base model: it takes another tensor's weights in its place, adds the
// product of two factors, or both.
//
// Threads: immutable.
#pragma once

#include "adapter/low_rank_product.h"
#include "tensor/decode.h"

#include <optional>

namespace gufo {

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
