#include "inference/engine/blocks/latent.h"

#include "inference/engine/compute/operations.h"
#include "tensor/decode.h"

#include <algorithm>

namespace gufo::inference {
namespace {

void applyFactor(const Matrix& matrix, Rows y, std::size_t tokens, std::size_t count) {
    const float factor = matrix.factor();
    for (std::size_t t = 0; factor != 1 && t < tokens; ++t) {
        std::transform(y[t], y[t] + count, y[t], [&](float v) { return factor * v; });
    }
}

} // namespace

LatentHeads::LatentHeads(const ForwardContext& context)
    : m_context(context)
    , m_kernels(activeKernels()) {
    for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
        m_int8.push_back(takeInt8Row(context.memory, context.weights.widestRow));
        m_rows.push_back(context.memory.take<float>(context.weights.widestRow));
    }
}

void LatentHeads::absorb(const AttentionWeights& weights, std::uint32_t heads, Rows queries, Rows out,
                         std::size_t tokens) {
    const ModelShape& shape = m_context.shape;
    const std::size_t plain = shape.keyLength - shape.rotated;
    const std::size_t rank = shape.keyValueRank;
    for (std::uint64_t h = 0; weights.keyAbsorbed && h < heads; ++h) {
        m_context.multiplier.announce(weights.keyAbsorbed.part(h * rank, rank),
                                      {queries.data + h * shape.keyLength, queries.stride}, tokens);
    }
    m_context.multiplier.team().forShares(heads, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t h = begin; h < end; ++h) {
            const Rows x{queries.data + h * shape.keyLength, queries.stride};
            const Rows y{out.data + h * (rank + shape.rotated), out.stride};
            if (weights.keyAbsorbed) {
                multiply(weights.keyAbsorbed.part(h * rank, rank), x, y, tokens, member);
            } else {
                const std::uint64_t first = h * (plain + shape.valueLength);
                multiplyTransposed(weights.keyValueUp.part(first, plain), x, y, tokens, member);
            }
            for (std::size_t t = 0; t < tokens; ++t) {
                std::copy_n(x[t] + plain, shape.rotated, y[t] + rank);
            }
        }
    });
}

void LatentHeads::expand(const AttentionWeights& weights, std::uint32_t heads, Rows latents, Rows out,
                         std::size_t tokens) {
    const ModelShape& shape = m_context.shape;
    const std::size_t plain = shape.keyLength - shape.rotated;
    const std::size_t length = shape.valueLength;
    for (std::uint64_t h = 0; weights.valueUp && h < heads; ++h) {
        m_context.multiplier.announce(weights.valueUp.part(h * length, length),
                                      {latents.data + h * shape.keyValueRank, latents.stride}, tokens);
    }
    m_context.multiplier.team().forShares(heads, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t h = begin; h < end; ++h) {
            const Matrix matrix = weights.valueUp ? weights.valueUp.part(h * length, length)
                                                  : weights.keyValueUp.part(h * (plain + length) + plain, length);
            multiply(matrix, {latents.data + h * shape.keyValueRank, latents.stride},
                     {out.data + h * length, out.stride}, tokens, member);
        }
    });
}

void LatentHeads::multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, unsigned member) {
    const EncodedRows rows{matrix.data, matrix.rowBytes, matrix.columns};
    const bool little = matrix.order == ByteOrder::Little;
    const auto int8 = little ? m_kernels.products.int8[matrix.typeId].dot : nullptr;
    const auto floats = little ? m_kernels.products.floats[matrix.typeId] : nullptr;
    for (std::size_t t = 0; t < tokens; ++t) {
        if (int8 != nullptr) {
            const Int8Out& row = m_int8[member];
            m_kernels.products.toInt8(x[t], matrix.columns, row);
            int8(rows, matrix.rows, {row.runs, row.transposed}, y[t]);
        } else if (floats != nullptr) {
            floats(rows, matrix.rows, x[t], y[t]);
        }
    }
    if (int8 == nullptr && floats == nullptr) {
        const std::span<float> row(m_rows[member], matrix.columns);
        for (std::uint64_t r = 0; r < matrix.rows; ++r) {
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(matrix.typeId, {matrix.row(r), matrix.rowBytes}, row, matrix.order);
            for (std::size_t t = 0; t < tokens; ++t) {
                y[t][r] = dot(row.data(), x[t], matrix.columns);
            }
        }
    }
    applyFactor(matrix, y, tokens, matrix.rows);
}

void LatentHeads::multiplyTransposed(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, unsigned member) const {
    const std::span<float> row(m_rows[member], matrix.columns);
    for (std::size_t t = 0; t < tokens; ++t) {
        std::fill_n(y[t], matrix.columns, 0.0F);
    }
    for (std::uint64_t r = 0; r < matrix.rows; ++r) {
        (void)decode(matrix.typeId, {matrix.row(r), matrix.rowBytes}, row, matrix.order);
        for (std::size_t t = 0; t < tokens; ++t) {
            addScaled(y[t], row.data(), x[t][r], matrix.columns);
        }
    }
    applyFactor(matrix, y, tokens, matrix.columns);
}

} // namespace gufo::inference
