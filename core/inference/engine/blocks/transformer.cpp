#include "inference/engine/blocks/transformer.h"

#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numbers>

namespace gufo::inference {
namespace {

// The largest of all blocks.
HeadShape headShapeOf(const ModelShape& shape) {
    if (shape.architecture->attention.latent) {
        return LatentHeads::headShape(shape);
    }
    HeadShape largest;
    for (const BlockShape& block : shape.blocks) {
        largest.keyLength = std::max(largest.keyLength, block.keyLength);
        largest.valueLength = std::max(largest.valueLength, block.valueLength);
    }
    return largest;
}

} // namespace

Transformer::Transformer(const ForwardContext& context, const StackOptions& options)
    : m_context(context)
    , m_shape(context.shape)
    , m_heads(headShapeOf(m_shape))
    , m_latentHeads(m_shape.architecture->attention.latent ? std::make_unique<LatentHeads>(context) : nullptr)
    , m_attention(context.memory, context.multiplier.team(), m_shape, m_heads, options.context)
    , m_feedForward(context, options.batch)
    , m_shiftedKey(m_heads.keyLength) {
    std::size_t heads = 0;
    std::size_t queries = 0; // elements of a token's row
    std::size_t attended = 0;
    std::size_t keys = 0;
    std::size_t values = 0;
    for (const BlockShape& block : m_shape.blocks) {
        heads = std::max<std::size_t>(heads, block.heads);
        queries = std::max(queries, std::size_t{block.heads} * block.keyLength);
        attended = std::max(attended, std::size_t{block.heads} * block.valueLength);
        keys = std::max(keys, std::size_t{block.kvHeads} * block.keyLength);
        values = std::max(values, std::size_t{block.kvHeads} * block.valueLength);
    }
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_normed = rows(m_shape.embedding);
    m_branch = rows(m_shape.embedding);
    m_second = rows(m_shape.embedding);
    if (m_shape.architecture->stream.altUp || m_shape.architecture->experts.besideDense) {
        m_routed = rows(m_shape.embedding);
    }
    m_queries = rows(queries);
    m_gatedQueries = rows(m_shape.architecture->attention.gated ? 2 * queries : 0);
    m_attended = rows(attended);
    if (latent()) {
        m_down = rows(std::max(m_shape.queryRank, m_heads.keyLength));
        m_latent = rows(std::max(m_shape.queryRank, m_heads.keyLength));
        m_absorbed = rows(heads * m_heads.keyLength);
        m_gathered = rows(heads * m_heads.valueLength);
    } else {
        m_keys = rows(keys);
        m_values = rows(values);
    }
    if (m_shape.layerInput != 0) {
        m_layerInputs = std::make_unique<LayerInputs>(context, options.batch);
    }
    if (m_shape.architecture->stream.altUp) {
        m_altUp = std::make_unique<AltUp>(context, options.batch);
    }
    const Weights& weights = context.weights;
    const std::vector<float>& longOrShort =
        options.ropeContext > m_shape.rope.originalContext ? weights.ropeFactorsLong : weights.ropeFactorsShort;
    const std::vector<float>& factors = longOrShort.empty() ? weights.ropeFactors : longOrShort;
    const auto rope = [&](const RopeShape& shape) {
        return Rope(context.memory, options.batch, m_shape.ropeKind, shape,
                    shape.pairFactors ? std::span<const float>(factors) : std::span<const float>());
    };
    m_rope = rope(m_shape.rope);
    m_windowRope = rope(m_shape.windowRope);
    if (m_shape.indexer.heads != 0) {
        m_indexer = std::make_unique<Indexer>(context, options, factors);
    }
    makeCaches(options);
    if (std::ranges::any_of(m_shape.blocks, &BlockShape::recurrent)) {
        m_mixer = m_shape.architecture->recurrence.kind->make(context, options.batch);
        std::size_t size = 0;
        for (const BlockShape& block : m_shape.blocks) {
            m_stateBegins.push_back(size);
            size += block.recurrent ? m_mixer->stateSize() : 0;
        }
        m_state = {context.memory.take<float>(size, 1, Memory::Part::State), size};
    }
}

void Transformer::makeCaches(const StackOptions& options) {
    Memory& memory = m_context.memory;
    std::map<std::array<std::uint32_t, 3>, BlockCache> shared;
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        const BlockShape& block = m_shape.blocks[i];
        if (!m_shape.causal) {
            const std::array same{block.kvHeads, block.keyLength, block.valueLength};
            auto known = shared.find(same);
            if (known == shared.end()) {
                const auto rows = [&](std::uint32_t length, KvLayout layout) {
                    return KvRows(memory, KvCacheType::F32, block.kvHeads, length, options.context, layout,
                                  Memory::Part::Scratch);
                };
                const KvRows keys = rows(block.keyLength, KvLayout::Tiles);
                const KvRows values = rows(block.valueLength, KvLayout::Rows);
                known = shared.emplace(same, BlockCache(keys, values, options.context)).first;
            }
            m_caches.push_back(known->second);
            continue;
        }
        if (block.source != i) {
            m_caches.emplace_back(KvRows(), KvRows(), options.context);
            continue;
        }
        // A whole batch is written to the cache before its first token attends.
        const std::uint64_t kept = block.window != 0 ? std::uint64_t{block.window} + options.batch : options.context;
        const auto slots = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.context, kept));
        const auto cached = [&](KvCacheType type, std::uint32_t length, KvLayout layout) {
            return KvRows(memory, type, block.kvHeads, length, slots, layout);
        };
        if (latent()) { // keys serve as values too
            const KvRows keysAndValues = cached(options.keys, m_heads.keyLength, KvLayout::Rows);
            const KvRows index =
                m_indexer ? cached(options.keys, m_shape.indexer.keyLength, KvLayout::Tiles) : KvRows();
            m_caches.emplace_back(keysAndValues, KvRows(), slots, index);
        } else {
            const KvRows cachedKeys = cached(options.keys, block.keyLength, KvLayout::Tiles);
            m_caches.emplace_back(cachedKeys, cached(options.values, block.valueLength, KvLayout::Rows), slots);
        }
    }
}

void Transformer::reset() {
    for (BlockCache& cache : m_caches) {
        cache.forgetAll();
    }
    std::ranges::fill(m_state, 0.0F);
}

bool Transformer::holdsWindowOf(std::uint32_t position) const {
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        if (m_caches[i].used() && m_caches[i].first() > m_shape.blocks[i].firstSeen(position)) {
            return false;
        }
    }
    return true;
}

bool Transformer::run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
                      const JobContext& job) {
    forEachSequence(position, tokens, [&](const Sequence& sequence) {
        m_rope.prepare(sequence.position, sequence.tokens, sequence.first);
        m_windowRope.prepare(sequence.position, sequence.tokens, sequence.first);
    });
    if (m_indexer) {
        m_indexer->prepare(position, tokens);
    }
    if (m_layerInputs) {
        m_layerInputs->prepare(stream, tokens);
    }
    if (m_altUp) {
        m_altUp->begin(stream, tokens);
    }
    const BlockRange& range = m_context.range;
    if (range.first != 0) {
        std::vector<Rows> streams = otherStreams();
        streams.insert(streams.begin(), stream);
        m_context.enter(streams, tokens);
    }
    const std::size_t end = std::min(range.end, m_shape.blocks.size());
    for (std::size_t i = range.first; i < end; ++i) {
        if (job.stopRequested()) {
            return false;
        }
        if (m_altUp) {
            runAltUpBlock(i, stream, position, tokens);
        } else if (m_shape.architecture->norm.place == Norms::AfterSum) {
            runSummedBlock(i, stream, position, tokens);
        } else {
            runBlock(i, stream, position, tokens, update);
        }
        m_context.observeStream(i, stream);
        observeReadout(i, stream, tokens);
        advanceBlock(job, tokens, i, m_shape.blocks.size());
    }
    if (m_altUp && range.first < end && end == m_shape.blocks.size()) {
        m_altUp->end(stream, tokens);
    }
    return true;
}

void Transformer::observeReadout(std::size_t index, Rows stream, std::size_t tokens) {
    if (m_altUp && m_context.observer != nullptr && m_context.observer->wantsReadout()) {
        for (std::size_t t = 0; t < tokens; ++t) {
            std::copy_n(stream[t], m_shape.embedding, m_normed[t].begin());
        }
        m_altUp->end(m_normed.rows(), tokens); // the other streams stay as they are
        stream = m_normed.rows();
    }
    m_context.observeReadout(index, stream);
}

void Transformer::addBranch(Rows stream, const Activations& branch, std::size_t tokens) {
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            addScaled(stream[t], branch[t].data(), static_cast<float>(m_shape.branchFactor), m_shape.embedding);
        }
    });
}

void Transformer::runBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens,
                           const StateUpdate& update) {
    const std::size_t width = m_shape.embedding;
    const BlockShape& shape = m_shape.blocks[index];
    const BlockWeights& block = m_context.weights.blocks[index];
    const bool parallel =
        m_shape.parallel ||
        (m_shape.architecture->feedForward.residual == Residual::ParallelByNorms && !block.feedForwardNorm);
    const Norm& feedForwardNorm = parallel && !block.feedForwardNorm ? block.attentionNorm : block.feedForwardNorm;
    if (shape.mixes()) {
        m_context.norm(block.attentionNorm2 ? block.attentionNorm2 : block.attentionNorm, stream, m_normed.rows(),
                       tokens, width);
        mix(index, position, tokens, update);
        if (block.attentionPostNorm) {
            m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
        }
        m_context.observeBranch(index, RunObserver::Half::Mixer, m_branch.rows(), m_shape.branchFactor);
        if (parallel) { // the feed-forward reads the stream as it is before the branch is added
            m_context.norm(feedForwardNorm, stream, m_normed.rows(), tokens, width);
        }
        addBranch(stream, m_branch, tokens);
    }
    if (!shape.feeds) {
        return;
    }
    if (!parallel) {
        m_context.norm(feedForwardNorm, stream, m_normed.rows(), tokens, width);
    }
    if (block.expertsNorm) {
        runBesideExperts(index, stream, tokens);
    } else {
        m_feedForward.run(index, m_normed.rows(), m_second.rows(), tokens);
    }
    if (block.feedForwardPostNorm) {
        m_context.norm(block.feedForwardPostNorm, m_second.rows(), m_second.rows(), tokens, width);
    }
    m_context.observeBranch(index, RunObserver::Half::FeedForward, m_second.rows(), m_shape.branchFactor);
    addBranch(stream, m_second, tokens);
    if (m_layerInputs) {
        m_layerInputs->project(index, stream, m_second.rows(), tokens);
        addBranch(stream, m_second, tokens);
    }
    for (std::size_t t = 0; block.outputScale != 1 && t < tokens; ++t) {
        std::transform(stream[t], stream[t] + width, stream[t], [&](float x) { return block.outputScale * x; });
    }
}

void Transformer::runSummedBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens) {
    const std::size_t width = m_shape.embedding;
    const BlockWeights& block = m_context.weights.blocks[index];
    m_context.norm({}, stream, m_normed.rows(), tokens, width); // the input, which attention only reads
    attend(index, position, tokens);
    m_context.observeBranch(index, RunObserver::Half::Mixer, m_branch.rows(), m_shape.branchFactor);
    addBranch(stream, m_branch, tokens);
    m_context.norm(block.attentionPostNorm, stream, stream, tokens, width);
    if (block.attentionNorm2) {
        addBranch(stream, m_normed, tokens);
        m_context.norm(block.attentionNorm2, stream, stream, tokens, width);
    }
    m_feedForward.run(index, stream, m_second.rows(), tokens);
    m_context.observeBranch(index, RunObserver::Half::FeedForward, m_second.rows(), m_shape.branchFactor);
    addBranch(stream, m_second, tokens);
    m_context.norm(block.feedForwardPostNorm, stream, stream, tokens, width);
}

// Reads m_normed, which is normed for the dense feed-forward, and writes m_second.
void Transformer::runBesideExperts(std::size_t index, Rows stream, std::size_t tokens) {
    const std::size_t width = m_shape.embedding;
    const BlockWeights& block = m_context.weights.blocks[index];
    m_feedForward.dense(index, m_normed.rows(), m_second.rows(), tokens);
    m_context.norm(block.densePostNorm, m_second.rows(), m_second.rows(), tokens, width);
    m_context.norm(block.routerNorm, stream, m_routed.rows(), tokens, width);
    m_context.norm(block.expertsNorm, stream, m_normed.rows(), tokens, width);
    m_feedForward.experts(index, m_routed.rows(), m_normed.rows(), m_branch.rows(), tokens);
    m_context.norm(block.expertsPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
    addBranch(m_second.rows(), m_branch, tokens);
}

void Transformer::runAltUpBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens) {
    const std::size_t width = m_shape.embedding;
    const BlockWeights& block = m_context.weights.blocks[index];
    const Rows active = m_altUp->predict(index, stream, tokens);
    m_context.norm(block.attentionNorm, active, m_normed.rows(), tokens, width);
    m_altUp->laurel(index, m_normed.rows(), m_second.rows(), tokens);
    attend(index, position, tokens); // reads m_normed, writes m_branch
    m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
    m_context.observeBranch(index, RunObserver::Half::Mixer, m_branch.rows(), 1);
    for (std::size_t t = 0; t < tokens; ++t) {
        const std::span<float> row = m_routed[t]; // (active + attention + Laurel) / √2
        std::ranges::transform(m_branch[t], m_second[t], row.begin(), std::plus());
        std::ranges::transform(row, std::span(active[t], width), row.begin(), std::plus());
        std::ranges::transform(row, row.begin(), [](float x) { return x / std::numbers::sqrt2_v<float>; });
    }
    m_context.norm(block.feedForwardNorm, m_routed.rows(), m_normed.rows(), tokens, width);
    m_feedForward.run(index, m_normed.rows(), m_second.rows(), tokens);
    m_context.norm(block.feedForwardPostNorm, m_second.rows(), m_second.rows(), tokens, width);
    m_context.observeBranch(index, RunObserver::Half::FeedForward, m_second.rows(), m_shape.branchFactor);
    addBranch(m_routed.rows(), m_second, tokens);
    m_altUp->correct(index, m_routed.rows(), stream, tokens);
    m_altUp->scale(index, stream, m_normed.rows(), tokens);
    m_layerInputs->project(index, m_normed.rows(), m_branch.rows(), tokens);
    m_altUp->addToOthers(m_branch.rows(), tokens);
}

void Transformer::mix(std::size_t index, std::uint32_t position, std::size_t tokens, const StateUpdate& update) {
    const BlockShape& shape = m_shape.blocks[index];
    if (shape.attends()) {
        attend(index, position, tokens);
    }
    if (!shape.recurrent) {
        return;
    }
    const MixerState state = m_deferred.stateOf(m_state, update, m_stateBegins[index], m_context.multiplier.team());
    Activations& out = shape.attends() ? m_second : m_branch;
    m_mixer->run(m_context.weights.blocks[index], state, m_normed.rows(), out.rows(), tokens);
    m_context.observeState(index, state.now, m_mixer->heads(), [&](std::size_t token, std::size_t head) {
        return m_mixer->decayOf(m_context.weights.blocks[index], token, head);
    });
    if (update.deferred) {
        keepInputs(m_mixer->inputs(), state.inputs, tokens, m_context.multiplier.team());
    }
    for (std::size_t t = 0; shape.attends() && t < tokens; ++t) {
        add(m_branch[t], m_second[t]);
    }
}

void Transformer::replay(std::size_t tokens) {
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        if (m_shape.blocks[i].recurrent) {
            const MixerState state = m_deferred.replayed(m_state, m_stateBegins[i]);
            loadInputs(m_mixer->inputs(), state.inputs, tokens, m_context.multiplier.team());
            m_mixer->replay(m_context.weights.blocks[i], state, tokens);
        }
    }
}

void Transformer::forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) {
    const std::size_t rotatedFrom = latent() ? m_shape.keyValueRank : 0;
    m_rope.prepareShift(-std::int64_t{count});
    m_windowRope.prepareShift(-std::int64_t{count});
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        BlockCache& cache = m_caches[i];
        if (!cache.used()) {
            continue;
        }
        cache.forget(to, count);
        const bool rotates = m_shape.blocks[i].rotates;
        if (m_indexer) {
            m_indexer->shift(cache, std::max(to, cache.first()), tokens - count, count);
        }
        for (std::uint32_t at = std::max(to, cache.first()); rotates && at < tokens - count; ++at) {
            for (std::uint32_t h = 0; h < cache.keys.heads(); ++h) {
                cache.keys.read(h, cache.slotOf(at), m_shiftedKey);
                ropeOf(i).shift(m_shiftedKey.data() + rotatedFrom);
                cache.keys.write(h, cache.slotOf(at), m_shiftedKey.data());
            }
        }
    }
}

constexpr StackKind kTransformer{
    .name = "",
    .attends = true,
    .readShape = [](ShapeReader& reader) { reader.readTransformer(); },
    .bind = [](WeightBinder& binder, std::size_t block) { binder.bindTransformer(block); },
    .make = [](const ForwardContext& context, const StackOptions& options) -> std::unique_ptr<BlockStack> {
        return std::make_unique<Transformer>(context, options);
    },
};

} // namespace gufo::inference
