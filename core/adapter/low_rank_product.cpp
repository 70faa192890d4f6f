#include "adapter/low_rank_product.h"

#include "tensor/decode.h"

#include <algorithm>

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

} // namespace

Result<LowRankProduct> LowRankProduct::load(const Adapter& adapter, const AdaptedTensor& tensor, const Shape& shape) {
    auto a = decoded(*adapter.model, tensor.a);
    auto b = GUFO_TRY(a ? decoded(*adapter.model, tensor.b) : std::unexpected(a.error()));
    LowRankProduct product;
    product.m_columns = shape[0];
    product.m_rows = shape[1];
    product.m_rank = tensor.rank;
    product.m_matrices = b.size() / (tensor.rank * (tensor.isTable ? shape[0] : shape[1]));
    product.m_left = tensor.isTable ? *std::move(a) : std::move(b);
    product.m_right = tensor.isTable ? transposed(b, tensor.rank) : *std::move(a);
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

} // namespace gufo
