#include "inference/engine/blocks/latent.h"

#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
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

// Decodes rows one after another.
void decodeRows(const Matrix& matrix, std::uint64_t first, std::uint64_t count, float* rows) {
    for (std::uint64_t r = 0; r < count; ++r) {
        // Cannot fail: types and sizes were checked when the weights were bound.
        (void)decode(matrix.typeId, {matrix.row(first + r), matrix.rowBytes},
                     {rows + r * matrix.columns, matrix.columns}, matrix.order);
    }
}

void forStrips(std::uint64_t rows, const auto& work) {
    for (std::uint64_t first = 0; first < rows; first += kStripRows) {
        work(first, std::min<std::uint64_t>(kStripRows, rows - first));
    }
}

} // namespace

LatentHeads::LatentHeads(const ForwardContext& context)
    : m_context(context)
    , m_kernels(activeKernels()) {
    const std::size_t widest = std::max(context.shape.keyValueRank, context.shape.keyLength - context.shape.rotated);
    const std::size_t runs = (widest + kRunWeights - 1) / kRunWeights;
    for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
        Memory& memory = context.memory;
        m_scratch.push_back({.rounded = {.runs = memory.take<Int8Run>(kTogether, runs),
                                         .transposed = memory.take<Int8TransposedRun>(kFewVectors, runs)},
                             .strip = memory.take<std::byte>(kStripScratch),
                             .rows = memory.take<float>(kStripRows, widest)});
    }
}

void LatentHeads::absorb(const LatentWeights& weights, std::uint32_t heads, Rows queries, Rows out,
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
                multiply(weights.keyAbsorbed.part(h * rank, rank), x, y, tokens, m_scratch[member]);
            } else {
                const std::uint64_t first = h * (plain + shape.valueLength);
                multiplyTransposed(weights.keyValueUp.part(first, plain), x, y, tokens, m_scratch[member]);
            }
            for (std::size_t t = 0; t < tokens; ++t) {
                std::copy_n(x[t] + plain, shape.rotated, y[t] + rank);
            }
        }
    });
}

void LatentHeads::expand(const LatentWeights& weights, std::uint32_t heads, Rows latents, Rows out,
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
                     {out.data + h * length, out.stride}, tokens, m_scratch[member]);
        }
    });
}

void LatentHeads::multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const {
    const ProductKernels& products = m_kernels.products;
    const bool little = matrix.order == ByteOrder::Little;
    const bool int8 = little && products.int8[matrix.typeId].dot != nullptr;
    const std::size_t few = int8 && products.int8[matrix.typeId].dotStreams != nullptr
                                ? products.int8[matrix.typeId].few
                                : kFewFloatVectors;
    if (tokens <= few && (int8 || (little && products.floats[matrix.typeId] != nullptr))) {
        multiplyByRows(matrix, x, y, tokens, scratch);
    } else if (int8) {
        multiplyRounded(matrix, x, y, tokens, scratch);
    } else {
        multiplyDecoded(matrix, x, y, tokens, scratch);
    }
    applyFactor(matrix, y, tokens, matrix.rows);
}

void LatentHeads::multiplyByRows(const Matrix& matrix, Rows x, Rows y, std::size_t tokens,
                                 const Scratch& scratch) const {
    const EncodedRows rows{matrix.data, matrix.rowBytes, matrix.columns};
    const ProductKernels::Int8Products& int8 = m_kernels.products.int8[matrix.typeId];
    if (int8.dot == nullptr) {
        for (std::size_t t = 0; t < tokens; ++t) {
            m_kernels.products.floats[matrix.typeId](rows, matrix.rows, x[t], y[t]);
        }
        return;
    }
    const Int8Rows rounded{.runs = scratch.rounded.runs,
                           .transposed = scratch.rounded.transposed,
                           .stride = (matrix.columns + kRunWeights - 1) / kRunWeights,
                           .count = tokens};
    for (std::size_t t = 0; t < tokens; ++t) {
        m_kernels.products.toInt8(x[t], matrix.columns,
                                  {.runs = scratch.rounded.runs + t * rounded.stride,
                                   .transposed = scratch.rounded.transposed + t * rounded.stride});
    }
    if (int8.dotStreams != nullptr && matrix.rows % kStreams == 0) {
        const std::uint64_t apart = matrix.rows / kStreams;
        int8.dotStreams(rows, apart, apart, rounded, y[0], y.stride);
    } else {
        for (std::size_t t = 0; t < tokens; ++t) {
            int8.dot(rows, matrix.rows, rounded[t], y[t]);
        }
    }
}

void LatentHeads::multiplyRounded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens,
                                  const Scratch& scratch) const {
    const auto strip = m_kernels.products.int8[matrix.typeId].strip;
    for (std::size_t first = 0; first < tokens; first += kTogether) {
        const std::size_t count = std::min(kTogether, tokens - first);
        for (std::size_t t = 0; t < count; ++t) {
            m_kernels.products.toInt8(x[first + t], matrix.columns,
                                      {.runs = scratch.rounded.runs + t, .stride = count});
        }
        forStrips(matrix.rows, [&](std::uint64_t row, std::uint64_t rows) {
            strip({matrix.row(row), matrix.rowBytes, matrix.columns}, rows, scratch.rounded.runs, count, y[first] + row,
                  y.stride, scratch.strip);
        });
    }
}

void LatentHeads::multiplyDecoded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens,
                                  const Scratch& scratch) const {
    for (std::size_t t = 0; t < tokens; ++t) {
        std::fill_n(y[t], matrix.rows, 0.0F);
    }
    forStrips(matrix.rows, [&](std::uint64_t row, std::uint64_t rows) {
        decodeRows(matrix, row, rows, scratch.rows);
        m_kernels.products.floatStrip(scratch.rows, matrix.columns, rows, matrix.columns, x[0], x.stride, tokens,
                                      y[0] + row, y.stride, scratch.strip);
    });
}

void LatentHeads::multiplyTransposed(const Matrix& matrix, Rows x, Rows y, std::size_t tokens,
                                     const Scratch& scratch) const {
    forStrips(matrix.rows, [&](std::uint64_t row, std::uint64_t rows) {
        decodeRows(matrix, row, rows, scratch.rows);
        m_kernels.recurrence.multiply({.rows = tokens,
                                       .columns = matrix.columns,
                                       .depth = rows,
                                       .a = x[0] + row,
                                       .aRow = x.stride,
                                       .b = scratch.rows,
                                       .bRow = matrix.columns,
                                       .outRow = y.stride,
                                       .adds = row != 0},
                                      y[0]);
    });
    applyFactor(matrix, y, tokens, matrix.columns);
}

namespace {

void readLatent(ShapeReader& reader) {
    ModelShape& shape = reader.shape();
    if (shape.keyValueRank == 0) {
        reader.refuse("attention.kv_lora_rank");
    }
    // Files with separate matrices for each head state the length of cached rows as key_length and the lengths of heads
    // with "_mla". The single cached row that all heads share is not a KV head of the model.
    shape.keyLength = reader.optional("attention.key_length_mla", shape.keyLength);
    shape.valueLength = reader.optional("attention.value_length_mla", shape.valueLength);
    if (shape.keyLength <= shape.rotated) {
        reader.refuse("attention.key_length_mla");
    }
    if (shape.valueLength == 0) {
        reader.refuse("attention.value_length_mla");
    }
    for (BlockShape& block : shape.blocks) {
        block.kvHeads = block.attends() ? 1 : 0;
    }
}

void bindLatent(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    AttentionWeights& attention = binder.weights().blocks[index].attention;
    auto weights = std::make_shared<LatentWeights>();
    binder.weights().smallBytes += sizeof(LatentWeights);
    const std::uint64_t heads = shape.blocks[index].heads;
    const std::uint64_t queries = heads * shape.keyLength;
    const std::uint64_t rank = shape.keyValueRank;
    if (shape.queryRank != 0) {
        weights->queryDown = file.matrix("attn_q_a", shape.embedding, shape.queryRank);
        weights->queryDownNorm = file.norm("attn_q_a_norm", shape.queryRank);
        attention.query = file.matrix("attn_q_b", shape.queryRank, queries);
    } else {
        attention.query = file.matrix("attn_q", shape.embedding, queries);
    }
    weights->keyValueDown = file.matrix("attn_kv_a_mqa", shape.embedding, rank + shape.rotated);
    weights->keyValueNorm = file.norm("attn_kv_a_norm", rank);
    const std::uint64_t plain = shape.keyLength - shape.rotated;
    // Some files store these matrices both ways.
    const bool keysApart = file.has("attn_k_b", {plain, rank, heads});
    if (file.has("attn_v_b", {rank, shape.valueLength, heads}) && keysApart) {
        weights->keyAbsorbed = file.headMatrix("attn_k_b", plain, rank, heads);
        weights->valueUp = file.headMatrix("attn_v_b", rank, shape.valueLength, heads);
        file.leaveOut("attn_kv_b");
    } else {
        weights->keyValueUp = file.joinedHeads("attn_kv_b", rank, heads * (plain + shape.valueLength));
        file.leaveOut("attn_k_b");
        file.leaveOut("attn_v_b");
    }
    attention.latent = std::move(weights);
}

} // namespace

constexpr PartKind kLatentAttention{.readShape = readLatent, .bindModel = nullptr, .bind = bindLatent};

} // namespace gufo::inference
