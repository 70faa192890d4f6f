// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1) with absorbed projections: the cache holds
// one row for all heads, the compressed latent and the rotated part of the key. Instead of expanding keys, a head's
// query is projected into the latent space (q W_k); the attended latent is expanded to the head's value (W_v).
#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/blocks/block_attention.h"
#include "inference/engine/blocks/indexer.h"
#include "inference/engine/compute/operations.h"
#include "tensor/decode.h"

#include <algorithm>
#include <memory>

namespace gufo::inference {
namespace {

// The projections of a block except the projection of queries.
struct LatentWeights : KindWeights {
    Matrix queryDown;
    Norm queryDownNorm;
    Matrix keyValueDown; // makes the latent row, then the rotated part of the key
    Norm keyValueNorm;
    // Expand the latent, head by head. Either keyValueUp makes the key's unrotated part and the value, or two matrices
    // do. Of these, keyAbsorbed is transposed (from the key's part to the latent).
    Matrix keyValueUp;
    Matrix keyAbsorbed;
    Matrix valueUp;
};

// The projections of queries into the latent space and of results out of it.
class LatentHeads {
public:
    explicit LatentHeads(const ForwardContext& context);

    // Converts queries from heads × (unrotated and rotated part) to heads × (latent and rotated part).
    void absorb(const LatentWeights& weights, std::uint32_t heads, Rows queries, Rows out, std::size_t tokens);
    // Converts results from heads × latent to heads × value.
    void expand(const LatentWeights& weights, std::uint32_t heads, Rows latents, Rows out, std::size_t tokens);

private:
    struct Scratch {     // of one member
        Int8Out rounded; // activations of kTogether tokens; of kFewVectors if transposed
        std::byte* strip;
        float* rows; // kStripRows decoded rows of a matrix
    };
    // The number of tokens whose activations are rounded at a time: enough to amortise unpacking a strip of weights.
    static constexpr std::size_t kTogether = 64;

    // For one head: y[t] = factor M x[t], or with the transposed matrix y[t] = factor M' x[t].
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyTransposed(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    // The ways of multiply(): row by row for each of a few tokens, and in strips of rows for many.
    void multiplyByRows(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyRounded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyDecoded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;

    const ForwardContext& m_context;
    const Kernels& m_kernels;
    std::vector<Scratch> m_scratch; // by member
};

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

class LatentAttention final : public BlockAttention {
public:
    LatentAttention(const ForwardContext& context, const StackOptions& options);

    void prepare(std::uint32_t position, std::size_t tokens) override;

private:
    // As attention sees it: one KV head, whose keys are the latent and the rotated part and whose values are the
    // latents.
    static HeadShape headShape(const ModelShape& shape) {
        return {.keyLength = shape.keyValueRank + shape.rotated, .valueLength = shape.keyValueRank};
    }
    [[nodiscard]] const LatentWeights& weightsOf(std::size_t block) const {
        return static_cast<const LatentWeights&>(*context().weights.blocks[block].attention.latent);
    }
    void attendHeads(std::size_t block, std::uint32_t position, Rows in, std::size_t tokens) override;
    void shiftKeys(std::size_t block, std::uint32_t begin, std::uint32_t end, std::uint32_t count) override;
    void project(std::size_t index, Rows in, std::size_t tokens);
    void finish(std::size_t index, std::uint32_t position, std::size_t tokens);

    LatentHeads m_latentHeads;
    std::unique_ptr<Indexer> m_indexer; // null: tokens attend to all positions
    Activations m_down;
    Activations m_latent;
    Activations m_absorbed;
    Activations m_gathered;
};

LatentAttention::LatentAttention(const ForwardContext& context, const StackOptions& options)
    : BlockAttention(context, options, headShape(context.shape), context.shape.keyValueRank)
    , m_latentHeads(context) {
    std::size_t most = 0; // heads of a block
    for (const BlockShape& block : shape().blocks) {
        most = std::max<std::size_t>(most, block.heads);
    }
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_down = rows(std::max(shape().queryRank, heads().keyLength));
    m_latent = rows(std::max(shape().queryRank, heads().keyLength));
    m_absorbed = rows(most * heads().keyLength);
    m_gathered = rows(most * heads().valueLength);
    if (shape().indexer.heads != 0) {
        m_indexer = std::make_unique<Indexer>(context, options, ropeFactors(context, options));
    }
    makeCaches(options, [&](const BlockShape& block, std::uint32_t slots) {
        const auto cached = [&](std::uint32_t length, KvLayout layout) {
            return KvRows(context.memory, options.keys, block.kvHeads, length, slots, layout);
        };
        const KvRows keysAndValues = cached(heads().keyLength, KvLayout::Rows);
        return BlockCache(keysAndValues, KvRows(), slots,
                          m_indexer ? cached(shape().indexer.keyLength, KvLayout::Tiles) : KvRows());
    });
}

void LatentAttention::prepare(std::uint32_t position, std::size_t tokens) {
    BlockAttention::prepare(position, tokens);
    if (m_indexer) {
        m_indexer->prepare(position, tokens);
    }
}

void LatentAttention::attendHeads(std::size_t index, std::uint32_t position, Rows in, std::size_t tokens) {
    const std::uint32_t count = shape().blocks[index].heads;
    BlockCache& cache = cacheOf(index);
    cache.extend(static_cast<std::uint32_t>(position + tokens));
    project(index, in, tokens);
    finish(index, position, tokens);
    m_latentHeads.absorb(weightsOf(index), count, queries().rows(), m_absorbed.rows(), tokens);
    attendCached(index, position, m_absorbed.rows(), m_gathered.rows(), tokens,
                 {.chosen = m_indexer ? m_indexer->choose(cache, position, tokens) : ChosenPositions()});
    m_latentHeads.expand(weightsOf(index), count, m_gathered.rows(), attended().rows(), tokens);
}

void LatentAttention::shiftKeys(std::size_t block, std::uint32_t begin, std::uint32_t end, std::uint32_t count) {
    if (m_indexer) {
        m_indexer->shift(cacheOf(block), begin, end, count);
    }
    BlockAttention::shiftKeys(block, begin, end, count);
}

// Queries are projected directly or through low-rank rows. Of keys and values only the latent is made, and the rotated
// part of the key, which all heads share.
void LatentAttention::project(std::size_t index, Rows in, std::size_t tokens) {
    const BlockWeights& block = context().weights.blocks[index];
    const LatentWeights& weights = weightsOf(index);
    Multiplier& multiplier = context().multiplier;
    if (weights.queryDown) {
        multiplier.multiply(weights.queryDown, in, m_down.rows(), tokens);
        context().norm(weights.queryDownNorm, m_down.rows(), m_latent.rows(), tokens, shape().queryRank);
        multiplier.multiply(block.attention.query, m_latent.rows(), queries().rows(), tokens);
        if (m_indexer) {
            m_indexer->project(static_cast<const IndexerWeights&>(*block.indexer), m_latent.rows(), in, tokens);
        }
    } else {
        multiplier.multiply(block.attention.query, in, queries().rows(), tokens);
    }
    multiplier.multiply(weights.keyValueDown, in, m_down.rows(), tokens);
    context().norm(weights.keyValueNorm, m_down.rows(), m_latent.rows(), tokens, shape().keyValueRank);
    if (weights.keyValueUp) { // keys and values are never expanded, but this is what the matrix is meant for
        multiplier.announce(weights.keyValueUp, m_latent.rows(), tokens);
    }
}

void LatentAttention::finish(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const std::size_t rank = shape().keyValueRank;
    const std::size_t plain = shape().keyLength - shape().rotated;
    const Rope& rope = ropeOf(index);
    BlockCache& cache = cacheOf(index);
    context().multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const float growth = queryGrowth(shape().blocks[index], static_cast<std::uint32_t>(position + t));
            for (std::uint32_t h = 0; h < shape().blocks[index].heads; ++h) {
                float* query = queries()[t].data() + h * shape().keyLength;
                rope.rotate(query + plain, t);
                if (growth != 1) {
                    std::transform(query, query + shape().keyLength, query, [&](float x) { return growth * x; });
                }
            }
            float* row = m_latent[t].data();
            std::copy_n(m_down[t].data() + rank, shape().rotated, row + rank);
            rope.rotate(row + rank, t);
            cache.keys.write(0, cache.slotOf(static_cast<std::uint32_t>(position + t)), row);
        }
    });
}

void readLatent(ShapeReader& reader) {
    ModelShape& shape = reader.shape();
    shape.queryRank = reader.optional("attention.q_lora_rank", 0);
    shape.keyValueRank = reader.optional("attention.kv_lora_rank", 0);
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
    if (shape.architecture->attention.indexer) {
        readIndexer(reader);
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
    if (shape.indexer.heads != 0) {
        file.setPart(GraphPart::Indexer);
        bindIndexer(binder, index);
        file.setPart(GraphPart::Attention);
    }
}

} // namespace

constexpr AttentionKind kLatentAttention{
    .latent = true,
    .readShape = readLatent,
    .bind = bindLatent,
    .make = [](const ForwardContext& context, const StackOptions& options) -> std::unique_ptr<BlockAttention> {
        return std::make_unique<LatentAttention>(context, options);
    },
};

} // namespace gufo::inference
