// Attention with keys and values of its own for each KV head: projects queries, keys and values, norms and rotates
// them, writes keys and values to the cache, and attends.
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/blocks/block_attention.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace gufo::inference {
namespace {

// The largest of all blocks.
HeadShape headShapeOf(const ModelShape& shape) {
    HeadShape largest;
    for (const BlockShape& block : shape.blocks) {
        largest.keyLength = std::max(largest.keyLength, block.keyLength);
        largest.valueLength = std::max(largest.valueLength, block.valueLength);
    }
    return largest;
}

class MultiHeadAttention final : public BlockAttention {
public:
    MultiHeadAttention(const ForwardContext& context, const StackOptions& options);

private:
    void attendHeads(std::size_t block, std::uint32_t position, Rows in, std::size_t tokens) override;
    // Where attention is not causal, a batch holds whole texts, and keys and values are not kept: blocks of the same
    // shape use the same rows, one block and one text after another, in F32.
    void shareCaches(const StackOptions& options);
    void project(std::size_t index, Rows in, std::size_t tokens);
    // Finishes the projected queries, keys and values of the sequence, and attends.
    void attendWithin(std::size_t index, const Sequence& sequence);
    // Multiplies what was attended to by the sigmoid of the gates.
    void gate(std::size_t index, std::size_t tokens);
    // Clamps, norms and rotates queries and keys, and writes keys and values to the cache.
    void finishHeads(std::size_t index, const Sequence& sequence);
    // Finishes what all heads of token t have in common.
    void finishRow(std::size_t index, std::size_t t);
    // Finishes one KV head of token t, which is at `position`, and the queries that attend to that head.
    void finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead);
    [[nodiscard]] bool gated() const { return m_gatedQueries.width() != 0; }

    Activations m_keys;
    Activations m_values;
    Activations m_gatedQueries; // each query followed by its gate
};

MultiHeadAttention::MultiHeadAttention(const ForwardContext& context, const StackOptions& options)
    : BlockAttention(context, options, headShapeOf(context.shape), 0) {
    std::size_t keys = 0; // elements of a token's row
    std::size_t values = 0;
    for (const BlockShape& block : shape().blocks) {
        keys = std::max(keys, std::size_t{block.kvHeads} * block.keyLength);
        values = std::max(values, std::size_t{block.kvHeads} * block.valueLength);
    }
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_keys = rows(keys);
    m_values = rows(values);
    m_gatedQueries = rows(shape().architecture->attention.gated ? 2 * queries().width() : 0);
    if (!shape().causal) {
        shareCaches(options);
        return;
    }
    makeCaches(options, [&](const BlockShape& block, std::uint32_t slots) {
        const auto cached = [&](KvCacheType type, std::uint32_t length, KvLayout layout) {
            return KvRows(context.memory, type, block.kvHeads, length, slots, layout);
        };
        const KvRows cachedKeys = cached(options.keys, block.keyLength, KvLayout::Tiles);
        return BlockCache(cachedKeys, cached(options.values, block.valueLength, KvLayout::Rows), slots);
    });
}

void MultiHeadAttention::shareCaches(const StackOptions& options) {
    std::map<std::array<std::uint32_t, 3>, BlockCache> shared;
    for (const BlockShape& block : shape().blocks) {
        const std::array same{block.kvHeads, block.keyLength, block.valueLength};
        auto known = shared.find(same);
        if (known == shared.end()) {
            const auto rows = [&](std::uint32_t length, KvLayout layout) {
                return KvRows(context().memory, KvCacheType::F32, block.kvHeads, length, options.context, layout,
                              Memory::Part::Scratch);
            };
            const KvRows keys = rows(block.keyLength, KvLayout::Tiles);
            const KvRows values = rows(block.valueLength, KvLayout::Rows);
            known = shared.emplace(same, BlockCache(keys, values, options.context)).first;
        }
        allCaches().push_back(known->second);
    }
}

void MultiHeadAttention::attendHeads(std::size_t index, std::uint32_t position, Rows in, std::size_t tokens) {
    project(index, in, tokens);
    forEachSequence(position, tokens, [&](const Sequence& sequence) { attendWithin(index, sequence); });
    if (gated()) {
        gate(index, tokens);
    }
}

void MultiHeadAttention::attendWithin(std::size_t index, const Sequence& sequence) {
    const AttentionWeights& weights = context().weights.blocks[index].attention;
    const auto finish = [&](std::uint32_t kvHead) { finishHead(index, sequence.first, sequence.position, kvHead); };
    const bool one = sequence.tokens == 1;
    cacheOf(index).extend(static_cast<std::uint32_t>(sequence.position + sequence.tokens));
    if (one) {
        finishRow(index, sequence.first);
    } else {
        finishHeads(index, sequence);
    }
    const auto rows = [&](const Activations& all) { return Rows{all[sequence.first].data(), all.width()}; };
    const Attention::Options options{.after = &weights.output,
                                     .finish = one ? std::function<void(std::uint32_t)>(std::ref(finish)) : nullptr,
                                     .sinks = weights.sinks,
                                     .distanceBiases = weights.distanceBiases};
    attendCached(index, sequence.position, rows(queries()), rows(attended()), sequence.tokens, options);
}

void MultiHeadAttention::project(std::size_t index, Rows in, std::size_t tokens) {
    const AttentionWeights& weights = context().weights.blocks[index].attention;
    const Rows projected = gated() ? m_gatedQueries.rows() : queries().rows();
    const std::array<Multiplier::Product, 3> products{
        {{&weights.query, projected}, {&weights.key, m_keys.rows()}, {&weights.value, m_values.rows()}}};
    const std::size_t count = weights.value ? 3 : weights.key ? 2 : 1;
    context().multiplier.multiply(std::span(products).first(count), in, tokens);
}

void MultiHeadAttention::gate(std::size_t index, std::size_t tokens) {
    const std::size_t length = shape().blocks[index].keyLength;
    context().multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            for (std::size_t head = 0; head < shape().blocks[index].heads; ++head) {
                float* result = attended()[t].data() + head * length;
                activeKernels().rows.sigmoid(m_gatedQueries[t].data() + (2 * head + 1) * length, result, result,
                                             length);
            }
        }
    });
}

void MultiHeadAttention::finishHeads(std::size_t index, const Sequence& sequence) {
    context().multiplier.team().forShares(sequence.tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const auto position = static_cast<std::uint32_t>(sequence.position + t);
            finishRow(index, sequence.first + t);
            for (std::uint32_t h = 0; h < shape().blocks[index].kvHeads; ++h) {
                finishHead(index, sequence.first + t, position, h);
            }
        }
    });
}

void MultiHeadAttention::finishRow(std::size_t index, std::size_t t) {
    const BlockShape& block = shape().blocks[index];
    const AttentionWeights& weights = context().weights.blocks[index].attention;
    const NormKind kind = shape().architecture->norm.kind;
    const std::span<float> heads = queries()[t].first(std::size_t{block.heads} * block.keyLength);
    for (std::size_t head = 0; gated() && head < block.heads; ++head) {
        const auto query = m_gatedQueries[t].subspan(2 * head * block.keyLength, block.keyLength);
        std::ranges::copy(query, heads.data() + head * block.keyLength);
    }
    if (block.source != index) {
        if (weights.queryNorm) {
            applyNorm(weights.queryNorm, kind, shape().epsilon, heads, heads);
        }
        return;
    }
    const std::span<float> keys = m_keys[t].first(std::size_t{block.kvHeads} * block.keyLength);
    const std::span<float> values = m_values[t].first(std::size_t{block.kvHeads} * block.valueLength);
    if (!weights.value) {
        std::ranges::copy(keys, values.begin());
    }
    if (shape().clamp > 0) {
        const auto limit = static_cast<float>(shape().clamp);
        for (const std::span<float> row : {heads, keys, values}) {
            std::ranges::transform(row, row.begin(), [&](float x) { return std::clamp(x, -limit, limit); });
        }
    }
    if (weights.queryNorm) {
        applyNorm(weights.queryNorm, kind, shape().epsilon, heads, heads);
    }
    if (weights.keyNorm) {
        applyNorm(weights.keyNorm, kind, shape().epsilon, keys, keys);
    }
    for (std::uint32_t h = 0; shape().architecture->norm.plainValues && h < block.kvHeads; ++h) {
        normalise(kind, shape().epsilon, values.subspan(std::size_t{h} * block.valueLength, block.valueLength));
    }
}

void MultiHeadAttention::finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead) {
    const BlockShape& block = shape().blocks[index];
    const std::size_t length = block.keyLength;
    const Rope& rope = ropeOf(index);
    const std::uint32_t group = block.heads / block.kvHeads;
    const std::vector<float>& scoreWeights = context().weights.blocks[index].attention.scoreWeights;
    const bool normed = !scoreWeights.empty() || (shape().plainHeadNorms && block.rotates);
    const auto finish = [&](float* head) {
        if (block.rotates) {
            rope.rotate(head, t);
        }
        if (normed) {
            normalise(shape().architecture->norm.kind, shape().epsilon, {head, length});
        }
    };
    const float growth = queryGrowth(block, position);
    for (std::uint32_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        float* query = queries()[t].data() + h * length;
        finish(query);
        std::transform(scoreWeights.begin(), scoreWeights.end(), query, query, std::multiplies());
        if (growth != 1) {
            std::transform(query, query + length, query, [&](float x) { return growth * x; });
        }
    }
    if (block.source != index) {
        return;
    }
    BlockCache& cache = cacheOf(index);
    const std::uint32_t slot = cache.slotOf(position);
    float* key = m_keys[t].data() + kvHead * length;
    finish(key);
    cache.keys.write(kvHead, slot, key);
    cache.values.write(kvHead, slot, m_values[t].data() + std::size_t{kvHead} * block.valueLength);
}

void bindHeadNorms(WeightBinder& binder, const BlockShape& block, bool keys, AttentionWeights& attention) {
    Binder& file = binder.file();
    if (binder.shape().architecture->norm.headsAfterRope) {
        attention.scoreWeights = file.floats("attn_q_norm.weight", block.keyLength);
        const std::vector<float> weights = file.floats("attn_k_norm.weight", block.keyLength);
        std::ranges::transform(attention.scoreWeights, weights, attention.scoreWeights.begin(), std::multiplies());
        return;
    }
    attention.queryNorm = file.headNorm("attn_q_norm", block.keyLength, block.heads);
    if (keys) {
        attention.keyNorm = file.headNorm("attn_k_norm", block.keyLength, block.kvHeads);
    }
}

void bindMultiHead(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    AttentionWeights& attention = binder.weights().blocks[index].attention;
    using Need = Binder::Need;
    const BlockShape& block = shape.blocks[index];
    // A gated query is followed by its gate.
    const std::uint64_t gates = shape.architecture->attention.gated ? 2 : 1;
    const std::uint64_t queries = std::uint64_t{block.heads} * block.keyLength * gates;
    const std::uint64_t keys = std::uint64_t{block.kvHeads} * block.keyLength;
    const std::uint64_t values = std::uint64_t{block.kvHeads} * block.valueLength;
    if (block.source != index) { // only queries
        attention.query = file.matrix("attn_q", shape.embedding, queries);
        for (const char* unused : {"attn_k", "attn_v", "attn_k_norm"}) {
            file.leaveOut(unused);
        }
        return bindHeadNorms(binder, block, false, attention);
    }
    const bool apart = file.has("attn_q") || file.has("attn_k") || file.has("attn_v");
    const Need join = shape.architecture->attention.joined && !apart ? Need::Must : Need::May;
    const Matrix joined = file.matrix("attn_qkv", shape.embedding, queries + keys + values, join);
    if (joined || join == Need::Must) {
        attention.query = joined.part(0, queries);
        attention.key = joined.part(queries, keys);
        attention.value = joined.part(queries + keys, values);
    } else {
        const bool fromKeys = shape.architecture->attention.valuesFromKeys && keys == values;
        attention.query = file.matrix("attn_q", shape.embedding, queries);
        attention.key = file.matrix("attn_k", shape.embedding, keys);
        attention.value = file.matrix("attn_v", shape.embedding, values, fromKeys ? Need::May : Need::Must);
    }
    bindHeadNorms(binder, block, true, attention);
}

} // namespace

constexpr AttentionKind kMultiHeadAttention{
    .latent = false,
    .readShape = nullptr,
    .bind = bindMultiHead,
    .make = [](const ForwardContext& context, const StackOptions& options) -> std::unique_ptr<BlockAttention> {
        return std::make_unique<MultiHeadAttention>(context, options);
    },
};

} // namespace gufo::inference
