#include "inference/engine/blocks/forward.h"
#include "inference/engine/blocks/latent.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

class Transformer final : public BlockStack {
public:
    Transformer(const ForwardContext& context, const StackOptions& options);

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) override;
    void reset() override;
    std::vector<BlockCache>* caches() override { return &m_caches; }
    [[nodiscard]] bool knowsBefore(std::uint32_t position) const override;
    void forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) override;

private:
    [[nodiscard]] bool latent() const { return m_latentHeads != nullptr; }
    void attend(std::size_t index, std::uint32_t position, std::size_t tokens);
    void project(std::size_t index, std::size_t tokens);
    void projectLatent(std::size_t index, std::size_t tokens);
    // Clamps, norms and rotates queries and keys, and writes keys and values to the cache.
    void finishHeads(std::size_t index, std::uint32_t position, std::size_t tokens);
    void finishRow(std::size_t index, std::size_t t);
    void finishHead(std::size_t index, std::uint32_t position, std::size_t t, std::uint32_t kvHead);
    void finishLatent(std::size_t index, std::uint32_t position, std::size_t tokens);

    [[nodiscard]] Rope& ropeOf(std::size_t index) { return m_shape.blocks[index].window != 0 ? m_windowRope : m_rope; }

    const ForwardContext& m_context;
    const ModelShape& m_shape;
    HeadShape m_heads; // of the cache
    std::unique_ptr<LatentHeads> m_latentHeads;
    Attention m_attention;
    FeedForward m_feedForward;
    Rope m_rope;
    Rope m_windowRope;
    std::vector<BlockCache> m_caches;
    Activations m_normed;
    Activations m_branch;
    Activations m_second;
    Activations m_queries;
    Activations m_keys;
    Activations m_values;
    Activations m_attended;
    // Latent attention.
    Activations m_down;
    Activations m_latent;
    Activations m_absorbed;
    Activations m_gathered;
    std::vector<float> m_turned; // a key whose position changes
};

HeadShape headShapeOf(const ModelShape& shape) {
    return shape.architecture->family == Family::LatentAttention
               ? LatentHeads::headShape(shape)
               : HeadShape{.keyLength = shape.keyLength, .valueLength = shape.valueLength};
}

Transformer::Transformer(const ForwardContext& context, const StackOptions& options)
    : m_context(context)
    , m_shape(context.shape)
    , m_heads(headShapeOf(m_shape))
    , m_latentHeads(m_shape.architecture->family == Family::LatentAttention ? std::make_unique<LatentHeads>(context)
                                                                            : nullptr)
    , m_attention(context.memory, context.multiplier.team(), m_shape, m_heads, options.context)
    , m_feedForward(context, options.batch)
    , m_turned(m_heads.keyLength) {
    std::size_t heads = 0;
    std::size_t kvHeads = 0;
    for (const BlockShape& block : m_shape.blocks) {
        heads = std::max<std::size_t>(heads, block.heads);
        kvHeads = std::max<std::size_t>(kvHeads, block.kvHeads);
    }
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_normed = rows(m_shape.embedding);
    m_branch = rows(m_shape.embedding);
    m_second = rows(m_shape.embedding);
    m_queries = rows(heads * m_shape.keyLength);
    m_attended = rows(heads * m_shape.valueLength);
    if (latent()) {
        m_down = rows(std::max(m_shape.queryRank, m_heads.keyLength));
        m_latent = rows(std::max(m_shape.queryRank, m_heads.keyLength));
        m_absorbed = rows(heads * m_heads.keyLength);
        m_gathered = rows(heads * m_heads.valueLength);
    } else {
        m_keys = rows(kvHeads * m_shape.keyLength);
        m_values = rows(kvHeads * m_shape.valueLength);
    }
    const Weights& weights = context.weights;
    const std::vector<float>& longOrShort =
        options.context > m_shape.rope.originalContext ? weights.ropeFactorsLong : weights.ropeFactorsShort;
    const std::vector<float>& factors = longOrShort.empty() ? weights.ropeFactors : longOrShort;
    const auto rope = [&](const RopeShape& shape) {
        return Rope(context.memory, options.batch, m_shape.architecture->rope, shape, m_shape.rotated,
                    shape.pairFactors ? std::span<const float>(factors) : std::span<const float>());
    };
    m_rope = rope(m_shape.rope);
    m_windowRope = rope(m_shape.windowRope);
    for (const BlockShape& block : m_shape.blocks) {
        // A batch is written as a whole before its first token looks back.
        const std::uint64_t kept = block.window != 0 ? std::uint64_t{block.window} + options.batch : options.context;
        const auto slots = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.context, kept));
        const auto cached = [&](KvCacheType type, std::uint32_t length, KvLayout layout) {
            return KvRows(context.memory, type, block.kvHeads, length, slots, layout);
        };
        if (latent()) { // keys are values too
            m_caches.emplace_back(cached(options.keys, m_heads.keyLength, KvLayout::Rows), KvRows(), slots);
        } else {
            const KvRows keys = cached(options.keys, m_heads.keyLength, KvLayout::Tiles);
            m_caches.emplace_back(keys, cached(options.values, m_heads.valueLength, KvLayout::Rows), slots);
        }
    }
}

void Transformer::reset() {
    for (BlockCache& cache : m_caches) {
        cache.forgetAll();
    }
}

bool Transformer::knowsBefore(std::uint32_t position) const {
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        const std::uint32_t window = m_shape.blocks[i].window;
        const std::uint32_t seen = window != 0 && position + 1 > window ? position + 1 - window : 0;
        if (m_caches[i].first() > seen) {
            return false;
        }
    }
    return true;
}

bool Transformer::run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) {
    const std::size_t width = m_shape.embedding;
    Team& team = m_context.multiplier.team();
    const auto addRows = [&](const Activations& branch) {
        team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t t = begin; t < end; ++t) {
                add({stream[t], width}, branch[t]);
            }
        });
    };
    m_rope.prepare(position, tokens);
    m_windowRope.prepare(position, tokens);
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        const BlockWeights& block = m_context.weights.blocks[i];
        const bool parallel =
            m_shape.parallel || (m_shape.architecture->residual == Residual::ParallelByNorms && !block.feedForwardNorm);
        m_context.norm(block.attentionNorm2 ? block.attentionNorm2 : block.attentionNorm, stream, m_normed.rows(),
                       tokens, width);
        attend(i, position, tokens); // of m_normed, to m_branch
        if (block.attentionPostNorm) {
            m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
        }
        if (parallel) {
            const Norm& norm = block.feedForwardNorm ? block.feedForwardNorm : block.attentionNorm;
            m_context.norm(norm, stream, m_normed.rows(), tokens, width);
            addRows(m_branch);
        } else {
            addRows(m_branch);
            m_context.norm(block.feedForwardNorm, stream, m_normed.rows(), tokens, width);
        }
        m_feedForward.run(block, m_normed.rows(), m_second.rows(), tokens);
        if (block.feedForwardPostNorm) {
            m_context.norm(block.feedForwardPostNorm, m_second.rows(), m_second.rows(), tokens, width);
        }
        addRows(m_second);
    }
    return true;
}

void Transformer::attend(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    m_caches[index].extend(static_cast<std::uint32_t>(position + tokens));
    if (latent()) {
        projectLatent(index, tokens);
        finishLatent(index, position, tokens);
        m_latentHeads->absorb(weights, block.heads, m_queries.rows(), m_absorbed.rows(), tokens);
        m_attention.attend(block, m_caches[index], position, m_absorbed.rows(), m_gathered.rows(), tokens, nullptr);
        m_latentHeads->expand(weights, block.heads, m_gathered.rows(), m_attended.rows(), tokens);
    } else {
        project(index, tokens);
        const auto finish = [&](std::uint32_t kvHead) { finishHead(index, position, 0, kvHead); };
        if (tokens == 1) {
            finishRow(index, 0);
        } else {
            finishHeads(index, position, tokens);
        }
        m_attention.attend(block, m_caches[index], position, m_queries.rows(), m_attended.rows(), tokens,
                           &weights.output,
                           tokens == 1 ? std::function<void(std::uint32_t)>(std::ref(finish)) : nullptr);
    }
    m_context.multiplier.multiply(weights.output, m_attended.rows(), m_branch.rows(), tokens);
}

void Transformer::project(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const std::array<Multiplier::Product, 3> products{
        {{&weights.query, m_queries.rows()}, {&weights.key, m_keys.rows()}, {&weights.value, m_values.rows()}}};
    m_context.multiplier.multiply(products, m_normed.rows(), tokens);
}

// Queries come from rows of low rank, or at once; of keys and values only the latent is made, and the part of the key
// that rotates, which all heads share.
void Transformer::projectLatent(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    Multiplier& multiplier = m_context.multiplier;
    if (weights.queryDown) {
        multiplier.multiply(weights.queryDown, m_normed.rows(), m_down.rows(), tokens);
        m_context.norm(weights.queryDownNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.queryRank);
        multiplier.multiply(weights.query, m_latent.rows(), m_queries.rows(), tokens);
    } else {
        multiplier.multiply(weights.query, m_normed.rows(), m_queries.rows(), tokens);
    }
    multiplier.multiply(weights.keyValueDown, m_normed.rows(), m_down.rows(), tokens);
    m_context.norm(weights.keyValueNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.keyValueRank);
}

void Transformer::finishLatent(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const std::size_t rank = m_shape.keyValueRank;
    const std::size_t plain = m_shape.keyLength - m_shape.rotated;
    const Rope& rope = ropeOf(index);
    BlockCache& cache = m_caches[index];
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            for (std::uint32_t h = 0; h < m_shape.blocks[index].heads; ++h) {
                rope.rotate(m_queries[t].data() + h * m_shape.keyLength + plain, t);
            }
            float* row = m_latent[t].data();
            std::copy_n(m_down[t].data() + rank, m_shape.rotated, row + rank);
            rope.rotate(row + rank, t);
            cache.keys.write(0, cache.slotOf(static_cast<std::uint32_t>(position + t)), row);
        }
    });
}

void Transformer::finishHeads(std::size_t index, std::uint32_t position, std::size_t tokens) {
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            finishRow(index, t);
            for (std::uint32_t h = 0; h < m_shape.blocks[index].kvHeads; ++h) {
                finishHead(index, position, t, h);
            }
        }
    });
}

// What concerns all heads of a token.
void Transformer::finishRow(std::size_t index, std::size_t t) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const NormKind kind = m_shape.architecture->norm;
    const std::span<float> queries = m_queries[t].first(block.heads * m_shape.keyLength);
    const std::span<float> keys = m_keys[t].first(block.kvHeads * m_shape.keyLength);
    const std::span<float> values = m_values[t].first(std::size_t{block.kvHeads} * m_shape.valueLength);
    if (m_shape.clamp > 0) {
        const auto limit = static_cast<float>(m_shape.clamp);
        for (const std::span<float> row : {queries, keys, values}) {
            std::ranges::transform(row, row.begin(), [&](float x) { return std::clamp(x, -limit, limit); });
        }
    }
    if (weights.queryNorm) {
        applyNorm(weights.queryNorm, kind, m_shape.epsilon, queries, queries);
    }
    if (weights.keyNorm) {
        applyNorm(weights.keyNorm, kind, m_shape.epsilon, keys, keys);
    }
}

// A KV head of token t, and the queries that look at it.
void Transformer::finishHead(std::size_t index, std::uint32_t position, std::size_t t, std::uint32_t kvHead) {
    const BlockShape& block = m_shape.blocks[index];
    const std::size_t length = m_shape.keyLength;
    const Rope& rope = ropeOf(index);
    BlockCache& cache = m_caches[index];
    const std::uint32_t group = block.heads / block.kvHeads;
    for (std::uint32_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        rope.rotate(m_queries[t].data() + h * length, t);
    }
    float* key = m_keys[t].data() + kvHead * length;
    rope.rotate(key, t);
    const std::uint32_t slot = cache.slotOf(static_cast<std::uint32_t>(position + t));
    cache.keys.write(kvHead, slot, key);
    cache.values.write(kvHead, slot, m_values[t].data() + std::size_t{kvHead} * m_shape.valueLength);
}

void Transformer::forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) {
    const bool turns = m_shape.architecture->rope != RopeKind::None;
    const std::size_t rotatedFrom = latent() ? m_shape.keyValueRank : 0;
    m_rope.prepareTurn(-std::int64_t{count});
    m_windowRope.prepareTurn(-std::int64_t{count});
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        BlockCache& cache = m_caches[i];
        cache.forget(to, count);
        for (std::uint32_t at = std::max(to, cache.first()); turns && at < tokens - count; ++at) {
            for (std::uint32_t h = 0; h < cache.keys.heads(); ++h) {
                cache.keys.read(h, cache.slotOf(at), m_turned);
                ropeOf(i).turn(m_turned.data() + rotatedFrom);
                cache.keys.write(h, cache.slotOf(at), m_turned.data());
            }
        }
    }
}

} // namespace

std::unique_ptr<BlockStack> makeTransformer(const ForwardContext& context, const StackOptions& options) {
    return std::make_unique<Transformer>(context, options);
}

} // namespace gufo::inference
