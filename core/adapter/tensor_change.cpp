#include "adapter/tensor_change.h"

#include <algorithm>
#include <cmath>

namespace gufo {
namespace {

Result<std::vector<float>> decoded(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    const Place place = Place::tensor(std::string(tensor.name));
    if (!tensor.complete()) { // so that memory is reserved only for weights that exist
        return fail(ErrorCode::Truncated, place,
                    {std::string(tensor.name), tensor.bytes.value_or(0), tensor.bytesPresent});
    }
    const auto rows = model.rowsOf(tensor);
    std::vector<float> values(rows ? tensor.weights() : 0);
    auto done = rows ? decode(*rows, 0, values) : std::unexpected(rows.error());
    if (!done) {
        Error error = std::move(done).error();
        error.place = place;
        return std::unexpected(std::move(error).in(model.path()));
    }
    return values;
}

// [rows][columns] → [columns][rows]
std::vector<float> transposed(const std::vector<float>& values, std::uint64_t columns) {
    std::vector<float> out(values.size());
    const std::uint64_t rows = values.size() / columns;
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t column = 0; column < columns; ++column) {
            out[column * rows + row] = values[row * columns + column];
        }
    }
    return out;
}

constexpr std::uint64_t kWeightsAtATime = 1U << 16U; // few enough for a quick cancel

Result<StoredRows> replacementIn(const Model& adapter, TensorIndex index) {
    const TensorInfo& tensor = adapter.tensor(index);
    const Place place = Place::tensor(std::string(tensor.name));
    if (!tensor.complete()) {
        return std::unexpected(
            fail(ErrorCode::Truncated, place, {std::string(tensor.name), tensor.bytes.value_or(0), tensor.bytesPresent})
                .error()
                .in(adapter.path()));
    }
    auto rows = adapter.rowsOf(tensor);
    return rows ? std::move(rows) : std::unexpected(std::move(rows).error().in(adapter.path()));
}

} // namespace

Result<LowRankProduct> LowRankProduct::load(const Adapter& adapter, const AdaptedTensor& tensor, const Shape& shape) {
    auto a = GUFO_TRY(decoded(*adapter.model, tensor.a));
    auto b = GUFO_TRY(decoded(*adapter.model, tensor.b));
    LowRankProduct product;
    product.m_columns = shape[0];
    product.m_rows = shape[1];
    product.m_rank = tensor.rank;
    product.m_matrices = b.size() / (tensor.rank * (tensor.isTable ? shape[0] : shape[1]));
    product.m_left = tensor.isTable ? std::move(a) : std::move(b);
    product.m_right = tensor.isTable ? transposed(b, tensor.rank) : std::move(a);
    return product;
}

void LowRankProduct::addTo(std::uint64_t first, float scale, std::span<float> out) const {
    std::vector<float> sums;
    for (std::uint64_t done = 0; done < out.size();) {
        const std::uint64_t at = first + done;
        const std::uint64_t row = at / m_columns; // counted over all matrices
        const std::uint64_t column = at % m_columns;
        const std::uint64_t count = std::min(m_columns - column, out.size() - done);
        const float* left = m_left.data() + row * m_rank;
        const float* right = m_right.data() + row / m_rows * m_rank * m_columns + column;
        sums.assign(count, 0);
        for (std::uint64_t r = 0; r < m_rank; ++r) {
            for (std::uint64_t i = 0; i < count; ++i) {
                sums[i] += left[r] * right[r * m_columns + i];
            }
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            out[done + i] += scale * sums[i];
        }
        done += count;
    }
}

double LowRankProduct::squaredNorm(const JobContext& job) const {
    double norm = 0;
    std::vector<double> gram; // BᵀB
    for (std::uint64_t matrix = 0; matrix < m_matrices; ++matrix) {
        const float* left = m_left.data() + matrix * m_rows * m_rank;
        const float* right = m_right.data() + matrix * m_rank * m_columns;
        gram.assign(m_rank * m_rank, 0);
        for (std::uint64_t i = 0; i < m_rows && !job.stopRequested(); ++i) {
            for (std::uint64_t r = 0; r < m_rank; ++r) {
                for (std::uint64_t s = 0; s <= r; ++s) {
                    gram[r * m_rank + s] += double{left[i * m_rank + r]} * double{left[i * m_rank + s]};
                }
            }
        }
        for (std::uint64_t r = 0; r < m_rank && !job.stopRequested(); ++r) {
            for (std::uint64_t s = 0; s <= r; ++s) {
                double product = 0; // of the rows r and s of A
                for (std::uint64_t i = 0; i < m_columns; ++i) {
                    product += double{right[r * m_columns + i]} * double{right[s * m_columns + i]};
                }
                norm += (r == s ? 1 : 2) * gram[r * m_rank + s] * product;
            }
        }
    }
    return std::max(norm, 0.0); // rounding can make a vanishing sum negative
}

Result<TensorChange> TensorChange::load(const Adapter& adapter, TensorIndex tensor, const Shape& shape) {
    TensorChange change;
    change.m_adapter = &adapter;
    change.m_adapted = adapter.productOf(tensor);
    change.m_weights = shape.weights().value_or(0);
    if (const ReplacedTensor* replaced = adapter.replacementOf(tensor)) {
        change.m_replacement = GUFO_TRY(replacementIn(*adapter.model, replaced->by));
    }
    if (change.m_adapted != nullptr) {
        change.m_product = GUFO_TRY(LowRankProduct::load(adapter, *change.m_adapted, shape));
    }
    return change;
}

Result<> TensorChange::apply(std::uint64_t first, double strength, std::span<float> weights) const {
    if (m_replacement) {
        std::vector<float> others(weights.size());
        GUFO_TRY(decode(*m_replacement, first, others));
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = strength == 1
                             ? others[i]
                             : static_cast<float>((1 - strength) * double{weights[i]} + strength * double{others[i]});
        }
    }
    if (m_product) {
        m_product->addTo(first, static_cast<float>(scaleAt(strength)), weights);
    }
    return {};
}

Result<double> TensorChange::norm(const StoredRows& base, double strength, const JobContext& job) const {
    if (!m_replacement) {
        return std::abs(scaleAt(strength)) * std::sqrt(m_product->squaredNorm(job));
    }
    double energy = 0;
    std::vector<float> before(std::min(m_weights, kWeightsAtATime));
    std::vector<float> after;
    for (std::uint64_t first = 0; first < m_weights && !job.stopRequested(); first += before.size()) {
        before.resize(std::min(kWeightsAtATime, m_weights - first));
        GUFO_TRY(decode(base, first, before));
        after = before;
        GUFO_TRY(apply(first, strength, after));
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double difference = double{after[i]} - double{before[i]};
            energy += std::isfinite(difference) ? difference * difference : 0;
        }
    }
    return std::sqrt(energy);
}

} // namespace gufo
