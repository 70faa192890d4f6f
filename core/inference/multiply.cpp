#include "inference/multiply.h"

#include "inference/operations.h"
#include "tensor/decode.h"

namespace gufo::inference {
namespace {

// A row of the matrix as floats; decoded into `scratch` unless it is there already.
const float* decodedRow(const Matrix& matrix, std::uint64_t row, std::vector<float>& scratch) {
    const std::byte* bytes = matrix.row(row);
    if (matrix.typeId == static_cast<std::uint32_t>(TensorType::F32) && matrix.order == ByteOrder::Little &&
        reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0) {
        return reinterpret_cast<const float*>(bytes);
    }
    const std::span<float> out(scratch.data(), matrix.columns);
    // Type and size were checked when the weights were bound.
    (void)decode(matrix.typeId, {bytes, matrix.rowBytes}, out, matrix.order);
    return out.data();
}

} // namespace

Multiplier::Multiplier(Team& team, std::size_t widest)
    : m_team(team)
    , m_scratch(team.size(), std::vector<float>(widest)) {}

void Multiplier::multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens) {
    const Product product{&matrix, y};
    multiply({&product, 1}, x, tokens);
}

void Multiplier::multiply(std::span<const Product> products, Rows x, std::size_t tokens) {
    m_team.run([&](unsigned member) {
        for (const Product& product : products) {
            const Matrix& matrix = *product.matrix;
            const std::uint64_t begin = matrix.rows * member / m_team.size();
            const std::uint64_t end = matrix.rows * (member + 1) / m_team.size();
            for (std::uint64_t row = begin; row < end; ++row) {
                const float* weights = decodedRow(matrix, row, m_scratch[member]);
                const float bias = matrix.bias.empty() ? 0 : matrix.bias[row];
                for (std::size_t t = 0; t < tokens; ++t) {
                    product.y[t][row] = dot(weights, x[t], matrix.columns) + bias;
                }
            }
        }
    });
}

} // namespace gufo::inference
