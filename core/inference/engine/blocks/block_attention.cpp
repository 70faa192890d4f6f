#include "inference/engine/blocks/block_attention.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {

BlockAttention::BlockAttention(const ForwardContext& context, const StackOptions& options, HeadShape heads,
                               std::size_t rotatedFrom)
    : m_context(context)
    , m_heads(heads)
    , m_rotatedFrom(rotatedFrom)
    , m_attention(context.memory, context.multiplier.team(), context.shape, heads, options.context)
    , m_shiftedKey(heads.keyLength) {
    std::size_t queries = 0; // elements of a token's row
    std::size_t attended = 0;
    for (const BlockShape& block : shape().blocks) {
        queries = std::max(queries, std::size_t{block.heads} * block.keyLength);
        attended = std::max(attended, std::size_t{block.heads} * block.valueLength);
    }
    m_queries = Activations(context.memory, options.batch, queries);
    m_attended = Activations(context.memory, options.batch, attended);
    const std::span<const float> factors = ropeFactors(context, options);
    const auto rope = [&](const RopeShape& rotated) {
        return Rope(context.memory, options.batch, shape().ropeKind, rotated,
                    rotated.pairFactors ? factors : std::span<const float>());
    };
    m_rope = rope(shape().rope);
    m_windowRope = rope(shape().windowRope);
}

std::span<const float> BlockAttention::ropeFactors(const ForwardContext& context, const StackOptions& options) {
    const Weights& weights = context.weights;
    const std::vector<float>& longOrShort =
        options.ropeContext > context.shape.rope.originalContext ? weights.ropeFactorsLong : weights.ropeFactorsShort;
    return longOrShort.empty() ? weights.ropeFactors : longOrShort;
}

void BlockAttention::makeCaches(const StackOptions& options,
                                const std::function<BlockCache(const BlockShape& block, std::uint32_t slots)>& make) {
    for (std::size_t i = 0; i < shape().blocks.size(); ++i) {
        const BlockShape& block = shape().blocks[i];
        if (block.source != i) {
            m_caches.emplace_back(KvRows(), KvRows(), options.context);
            continue;
        }
        // A whole batch is written to the cache before its first token attends.
        const std::uint64_t kept = block.window != 0 ? std::uint64_t{block.window} + options.batch : options.context;
        m_caches.push_back(make(block, static_cast<std::uint32_t>(std::min<std::uint64_t>(options.context, kept))));
    }
}

void BlockAttention::prepare(std::uint32_t position, std::size_t tokens) {
    forEachSequence(position, tokens, [&](const Sequence& sequence) {
        m_rope.prepare(sequence.position, sequence.tokens, sequence.first);
        m_windowRope.prepare(sequence.position, sequence.tokens, sequence.first);
    });
}

void BlockAttention::attend(std::size_t block, std::uint32_t position, Rows in, Rows out, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[block].attention;
    attendHeads(block, position, in, tokens);
    if (weights.outputNorm) {
        m_context.norm(weights.outputNorm, m_attended.rows(), m_attended.rows(), tokens, weights.output.columns);
    }
    m_context.multiplier.multiply(weights.output, m_attended.rows(), out, tokens);
}

void BlockAttention::attendCached(std::size_t block, std::uint32_t position, Rows queries, Rows out, std::size_t tokens,
                                  const Attention::Options& options) {
    const BlockShape& each = shape().blocks[block];
    const BlockCache& cache = cacheOf(block);
    m_attention.attend(each, cache, position, queries, out, tokens, options);
    RunObserver* const observer = m_context.observer;
    for (std::uint32_t head = 0; observer != nullptr && head < each.heads; ++head) {
        for (std::size_t t = 0; observer->wantsAttention(block, head) && t < tokens; ++t) {
            const Attention::HeadWeights seen =
                m_attention.weightsOf(each, cache, position, queries, tokens, options, t, head);
            observer->attention(block, head, static_cast<std::uint32_t>(position + t), seen.first, seen.weights);
        }
    }
}

bool BlockAttention::holdsWindowOf(std::uint32_t position) const {
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        if (m_caches[i].used() && m_caches[i].first() > shape().blocks[i].firstSeen(position)) {
            return false;
        }
    }
    return true;
}

void BlockAttention::forgetAll() {
    for (BlockCache& cache : m_caches) {
        cache.forgetAll();
    }
}

void BlockAttention::forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) {
    m_rope.prepareShift(-std::int64_t{count});
    m_windowRope.prepareShift(-std::int64_t{count});
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        BlockCache& cache = m_caches[i];
        if (cache.used()) {
            cache.forget(to, count);
            shiftKeys(i, std::max(to, cache.first()), tokens - count, count);
        }
    }
}

void BlockAttention::shiftKeys(std::size_t block, std::uint32_t begin, std::uint32_t end, std::uint32_t /*count*/) {
    KvRows& keys = m_caches[block].keys;
    for (std::uint32_t at = begin; shape().blocks[block].rotates && at < end; ++at) {
        const std::uint32_t slot = m_caches[block].slotOf(at);
        for (std::uint32_t h = 0; h < keys.heads(); ++h) {
            keys.read(h, slot, m_shiftedKey);
            ropeOf(block).shift(m_shiftedKey.data() + m_rotatedFrom);
            keys.write(h, slot, m_shiftedKey.data());
        }
    }
}

float BlockAttention::queryGrowth(const BlockShape& block, std::uint32_t position) const {
    const TemperatureShape& growth = shape().temperature;
    if (growth.growth == 0 || (growth.unrotatedOnly && block.rotates)) {
        return 1;
    }
    const std::uint64_t lengths = (std::uint64_t{position} + growth.offset) / growth.length;
    return static_cast<float>(1 + growth.growth * std::log1p(static_cast<double>(lengths)));
}

} // namespace gufo::inference
