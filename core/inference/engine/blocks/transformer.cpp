#include "inference/engine/blocks/alt_up.h"
#include "inference/engine/blocks/forward.h"
#include "inference/engine/blocks/indexer.h"
#include "inference/engine/blocks/latent.h"
#include "inference/engine/blocks/layer_inputs.h"
#include "inference/engine/blocks/mixer.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace gufo::inference {
namespace {

class Transformer final : public BlockStack {
public:
    Transformer(const ForwardContext& context, const StackOptions& options);

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const StateCopy& copy,
             const JobContext& job) override;
    void reset() override;
    std::span<BlockCache> caches() override { return m_caches; }
    std::span<float> state() override { return m_state; }
    [[nodiscard]] bool knowsBefore(std::uint32_t position) const override;
    void forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) override;

private:
    [[nodiscard]] bool latent() const { return m_latentHeads != nullptr; }
    // Reads m_normed, writes m_branch: attends, mixes with the recurrent state, or both.
    void mix(std::size_t index, std::uint32_t position, std::size_t tokens, const StateCopy& copy);
    void runBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens, const StateCopy& copy);
    // The same where norms follow the sums.
    void runSummedBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens);
    // The same with several streams, of which `stream` is the first.
    void runAltUpBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens);
    // Dense feed-forward and experts, each with its norms; the router reads the stream.
    void runBesideExperts(std::size_t index, Rows stream, std::size_t tokens);
    void addRows(Rows stream, const Activations& branch, std::size_t tokens);
    void makeCaches(const StackOptions& options);
    void attend(std::size_t index, std::uint32_t position, std::size_t tokens);
    // Tokens of the batch that attend to each other and to what the caches have.
    struct Stretch {
        std::size_t first = 0;
        std::size_t tokens = 0;
        std::uint32_t position = 0; // of the first
    };
    // Calls take(Stretch) for each text of the batch.
    template<typename Take>
    void forEachText(std::uint32_t position, std::size_t tokens, const Take& take) const;
    // Finishes projected queries, keys and values, and attends.
    void attendWithin(std::size_t index, const Stretch& stretch);
    void project(std::size_t index, std::size_t tokens);
    void projectLatent(std::size_t index, std::size_t tokens);
    // Multiplies what was attended to by the sigmoid of the gates.
    void gate(std::size_t index, std::size_t tokens);
    // Clamps, norms and rotates queries and keys, and writes keys and values to the cache.
    void finishHeads(std::size_t index, const Stretch& stretch);
    void finishRow(std::size_t index, std::size_t t);
    void finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead);
    void finishLatent(std::size_t index, std::uint32_t position, std::size_t tokens);
    // What the queries at a position are multiplied by.
    [[nodiscard]] float queryGrowth(const BlockShape& block, std::uint32_t position) const;

    [[nodiscard]] Rope& ropeOf(std::size_t index) { return m_shape.blocks[index].window != 0 ? m_windowRope : m_rope; }

    const ForwardContext& m_context;
    const ModelShape& m_shape;
    HeadShape m_heads; // of the cache
    std::unique_ptr<LatentHeads> m_latentHeads;
    Attention m_attention;
    FeedForward m_feedForward;
    std::unique_ptr<LayerInputs> m_layerInputs; // null: blocks have none
    std::unique_ptr<AltUp> m_altUp;             // null: there is a single stream
    Rope m_rope;
    Rope m_windowRope;
    std::vector<BlockCache> m_caches;
    Activations m_normed;
    Activations m_branch;
    Activations m_second;
    Activations m_routed; // what the router reads, or the sum of branches of AltUp
    Activations m_queries;
    Activations m_keys;
    Activations m_values;
    Activations m_attended;
    Activations m_gatedQueries; // each query followed by its gate
    // For latent attention:
    Activations m_down;
    Activations m_latent;
    Activations m_absorbed;
    Activations m_gathered;
    std::unique_ptr<Indexer> m_indexer; // null: attention is to all positions
    // For recurrent blocks:
    std::unique_ptr<Mixer> m_mixer;
    std::vector<std::size_t> m_stateBegins; // by block
    std::span<float> m_state;
    std::vector<float> m_shiftedKey; // a key that moves to a new position
};

// The largest of all blocks.
HeadShape headShapeOf(const ModelShape& shape) {
    if (shape.architecture->family == Family::LatentAttention) {
        return LatentHeads::headShape(shape);
    }
    HeadShape largest;
    for (const BlockShape& block : shape.blocks) {
        largest.keyLength = std::max(largest.keyLength, block.keyLength);
        largest.valueLength = std::max(largest.valueLength, block.valueLength);
    }
    return largest;
}

std::unique_ptr<Mixer> makeMixer(const ForwardContext& context, std::size_t batch) {
    switch (context.shape.architecture->recurrence) {
    case Recurrence::None:
        break;
    case Recurrence::Mamba:
        return makeMamba(context, batch);
    case Recurrence::Mamba2:
        return makeMamba2(context, batch);
    case Recurrence::ShortConvolution:
        return makeShortConvolution(context, batch);
    case Recurrence::GatedDelta:
    case Recurrence::KimiDelta:
        return makeDeltaNet(context, batch);
    }
    return nullptr;
}

Transformer::Transformer(const ForwardContext& context, const StackOptions& options)
    : m_context(context)
    , m_shape(context.shape)
    , m_heads(headShapeOf(m_shape))
    , m_latentHeads(m_shape.architecture->family == Family::LatentAttention ? std::make_unique<LatentHeads>(context)
                                                                            : nullptr)
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
    if (m_shape.architecture->altUp || m_shape.architecture->denseBesideExperts) {
        m_routed = rows(m_shape.embedding);
    }
    m_queries = rows(queries);
    m_gatedQueries = rows(m_shape.architecture->gatedAttention ? 2 * queries : 0);
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
    if (m_shape.architecture->altUp) {
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
    if (std::ranges::any_of(m_shape.blocks,
                            [](const BlockShape& each) { return each.recurrence != Recurrence::None; })) {
        m_mixer = makeMixer(context, options.batch);
        std::size_t size = 0;
        for (const BlockShape& block : m_shape.blocks) {
            m_stateBegins.push_back(size);
            size += block.recurrence != Recurrence::None ? m_mixer->stateSize() : 0;
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

bool Transformer::knowsBefore(std::uint32_t position) const {
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        if (m_caches[i].used() && m_caches[i].first() > m_shape.blocks[i].firstSeen(position)) {
            return false;
        }
    }
    return true;
}

bool Transformer::run(Rows stream, std::uint32_t position, std::size_t tokens, const StateCopy& copy,
                      const JobContext& job) {
    forEachText(position, tokens, [&](const Stretch& text) {
        m_rope.prepare(text.position, text.tokens, text.first);
        m_windowRope.prepare(text.position, text.tokens, text.first);
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
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        if (m_altUp) {
            runAltUpBlock(i, stream, position, tokens);
        } else if (m_shape.architecture->norms == Norms::AfterSum) {
            runSummedBlock(i, stream, position, tokens);
        } else {
            runBlock(i, stream, position, tokens, copy);
        }
    }
    if (m_altUp) {
        m_altUp->end(stream, tokens);
    }
    return true;
}

void Transformer::addRows(Rows stream, const Activations& branch, std::size_t tokens) {
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            addScaled(stream[t], branch[t].data(), static_cast<float>(m_shape.branchFactor), m_shape.embedding);
        }
    });
}

void Transformer::runBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens,
                           const StateCopy& copy) {
    const std::size_t width = m_shape.embedding;
    const BlockShape& shape = m_shape.blocks[index];
    const BlockWeights& block = m_context.weights.blocks[index];
    const bool parallel =
        m_shape.parallel || (m_shape.architecture->residual == Residual::ParallelByNorms && !block.feedForwardNorm);
    const Norm& feedForwardNorm = parallel && !block.feedForwardNorm ? block.attentionNorm : block.feedForwardNorm;
    if (shape.mixes()) {
        m_context.norm(block.attentionNorm2 ? block.attentionNorm2 : block.attentionNorm, stream, m_normed.rows(),
                       tokens, width);
        mix(index, position, tokens, copy);
        if (block.attentionPostNorm) {
            m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
        }
        if (parallel) { // the feed-forward reads the stream as it is before the branch is added
            m_context.norm(feedForwardNorm, stream, m_normed.rows(), tokens, width);
        }
        addRows(stream, m_branch, tokens);
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
    addRows(stream, m_second, tokens);
    if (m_layerInputs) {
        m_layerInputs->project(index, stream, m_second.rows(), tokens);
        addRows(stream, m_second, tokens);
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
    addRows(stream, m_branch, tokens);
    m_context.norm(block.attentionPostNorm, stream, stream, tokens, width);
    if (block.attentionNorm2) {
        addRows(stream, m_normed, tokens);
        m_context.norm(block.attentionNorm2, stream, stream, tokens, width);
    }
    m_feedForward.run(index, stream, m_second.rows(), tokens);
    addRows(stream, m_second, tokens);
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
    addRows(m_second.rows(), m_branch, tokens);
}

void Transformer::runAltUpBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens) {
    const std::size_t width = m_shape.embedding;
    const BlockWeights& block = m_context.weights.blocks[index];
    const Rows active = m_altUp->predict(index, stream, tokens);
    m_context.norm(block.attentionNorm, active, m_normed.rows(), tokens, width);
    m_altUp->laurel(index, m_normed.rows(), m_second.rows(), tokens);
    attend(index, position, tokens); // reads m_normed, writes m_branch
    m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
    for (std::size_t t = 0; t < tokens; ++t) {
        const std::span<float> row = m_routed[t]; // (active + attention + Laurel) / √2
        std::ranges::transform(m_branch[t], m_second[t], row.begin(), std::plus());
        std::ranges::transform(row, std::span(active[t], width), row.begin(), std::plus());
        std::ranges::transform(row, row.begin(), [](float x) { return x / std::numbers::sqrt2_v<float>; });
    }
    m_context.norm(block.feedForwardNorm, m_routed.rows(), m_normed.rows(), tokens, width);
    m_feedForward.run(index, m_normed.rows(), m_second.rows(), tokens);
    m_context.norm(block.feedForwardPostNorm, m_second.rows(), m_second.rows(), tokens, width);
    addRows(m_routed.rows(), m_second, tokens);
    m_altUp->correct(index, m_routed.rows(), stream, tokens);
    m_altUp->scale(index, stream, m_normed.rows(), tokens);
    m_layerInputs->project(index, m_normed.rows(), m_branch.rows(), tokens);
    m_altUp->addToOthers(m_branch.rows(), tokens);
}

void Transformer::mix(std::size_t index, std::uint32_t position, std::size_t tokens, const StateCopy& copy) {
    const BlockShape& shape = m_shape.blocks[index];
    if (shape.attends()) {
        attend(index, position, tokens);
    }
    if (shape.recurrence == Recurrence::None) {
        return;
    }
    const MixerState state = MixerState::of(m_state, copy, m_stateBegins[index]);
    Activations& out = shape.attends() ? m_second : m_branch;
    m_mixer->run(m_context.weights.blocks[index], state, m_normed.rows(), out.rows(), tokens);
    for (std::size_t t = 0; shape.attends() && t < tokens; ++t) {
        add(m_branch[t], m_second[t]);
    }
}

void Transformer::attend(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    if (latent()) {
        BlockCache& cache = m_caches[block.source];
        cache.extend(static_cast<std::uint32_t>(position + tokens));
        projectLatent(index, tokens);
        finishLatent(index, position, tokens);
        m_latentHeads->absorb(weights, block.heads, m_queries.rows(), m_absorbed.rows(), tokens);
        m_attention.attend(block, cache, position, m_absorbed.rows(), m_gathered.rows(), tokens,
                           {.chosen = m_indexer ? m_indexer->choose(cache, position, tokens) : ChosenPositions()});
        m_latentHeads->expand(weights, block.heads, m_gathered.rows(), m_attended.rows(), tokens);
    } else {
        project(index, tokens);
        forEachText(position, tokens, [&](const Stretch& text) { attendWithin(index, text); });
        if (m_gatedQueries.width() != 0) {
            gate(index, tokens);
        }
    }
    if (weights.outputNorm) {
        m_context.norm(weights.outputNorm, m_attended.rows(), m_attended.rows(), tokens, weights.output.columns);
    }
    m_context.multiplier.multiply(weights.output, m_attended.rows(), m_branch.rows(), tokens);
}

template<typename Take>
void Transformer::forEachText(std::uint32_t position, std::size_t tokens, const Take& take) const {
    if (m_context.texts.empty()) {
        return take(Stretch{.tokens = tokens, .position = position});
    }
    std::size_t first = 0;
    for (const std::size_t length : m_context.texts) {
        take(Stretch{.first = first, .tokens = length});
        first += length;
    }
}

void Transformer::attendWithin(std::size_t index, const Stretch& stretch) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const auto finish = [&](std::uint32_t kvHead) { finishHead(index, stretch.first, stretch.position, kvHead); };
    const bool one = stretch.tokens == 1;
    BlockCache& cache = m_caches[block.source];
    cache.extend(static_cast<std::uint32_t>(stretch.position + stretch.tokens));
    if (one) {
        finishRow(index, stretch.first);
    } else {
        finishHeads(index, stretch);
    }
    const auto rows = [&](const Activations& all) { return Rows{all[stretch.first].data(), all.width()}; };
    m_attention.attend(block, cache, stretch.position, rows(m_queries), rows(m_attended), stretch.tokens,
                       {.after = &weights.output,
                        .finish = one ? std::function<void(std::uint32_t)>(std::ref(finish)) : nullptr,
                        .sinks = weights.sinks});
}

void Transformer::project(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const Rows queries = m_gatedQueries.width() != 0 ? m_gatedQueries.rows() : m_queries.rows();
    const std::array<Multiplier::Product, 3> products{
        {{&weights.query, queries}, {&weights.key, m_keys.rows()}, {&weights.value, m_values.rows()}}};
    const std::size_t count = weights.value ? 3 : weights.key ? 2 : 1;
    m_context.multiplier.multiply(std::span(products).first(count), m_normed.rows(), tokens);
}

void Transformer::gate(std::size_t index, std::size_t tokens) {
    const std::size_t length = m_shape.blocks[index].keyLength;
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            for (std::size_t head = 0; head < m_shape.blocks[index].heads; ++head) {
                float* attended = m_attended[t].data() + head * length;
                activeKernels().rows.sigmoid(m_gatedQueries[t].data() + (2 * head + 1) * length, attended, attended,
                                             length);
            }
        }
    });
}

// Queries are projected directly or through low-rank rows. Of keys and values only the latent is made, and the rotated
// part of the key, which all heads share.
void Transformer::projectLatent(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    Multiplier& multiplier = m_context.multiplier;
    if (weights.queryDown) {
        multiplier.multiply(weights.queryDown, m_normed.rows(), m_down.rows(), tokens);
        m_context.norm(weights.queryDownNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.queryRank);
        multiplier.multiply(weights.query, m_latent.rows(), m_queries.rows(), tokens);
        if (m_indexer) {
            m_indexer->project(m_context.weights.indexers[index], m_latent.rows(), m_normed.rows(), tokens);
        }
    } else {
        multiplier.multiply(weights.query, m_normed.rows(), m_queries.rows(), tokens);
    }
    multiplier.multiply(weights.keyValueDown, m_normed.rows(), m_down.rows(), tokens);
    m_context.norm(weights.keyValueNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.keyValueRank);
    if (weights.keyValueUp) { // keys and values are never expanded, but this is what the matrix is meant for
        multiplier.announce(weights.keyValueUp, m_latent.rows(), tokens);
    }
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

void Transformer::finishHeads(std::size_t index, const Stretch& stretch) {
    m_context.multiplier.team().forShares(stretch.tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const auto position = static_cast<std::uint32_t>(stretch.position + t);
            finishRow(index, stretch.first + t);
            for (std::uint32_t h = 0; h < m_shape.blocks[index].kvHeads; ++h) {
                finishHead(index, stretch.first + t, position, h);
            }
        }
    });
}

// Does what concerns all heads of a token.
void Transformer::finishRow(std::size_t index, std::size_t t) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const NormKind kind = m_shape.architecture->norm;
    const std::span<float> queries = m_queries[t].first(std::size_t{block.heads} * block.keyLength);
    for (std::size_t head = 0; m_gatedQueries.width() != 0 && head < block.heads; ++head) {
        const auto query = m_gatedQueries[t].subspan(2 * head * block.keyLength, block.keyLength);
        std::ranges::copy(query, queries.data() + head * block.keyLength);
    }
    if (block.source != index) {
        if (weights.queryNorm) {
            applyNorm(weights.queryNorm, kind, m_shape.epsilon, queries, queries);
        }
        return;
    }
    const std::span<float> keys = m_keys[t].first(std::size_t{block.kvHeads} * block.keyLength);
    const std::span<float> values = m_values[t].first(std::size_t{block.kvHeads} * block.valueLength);
    if (!weights.value) {
        std::ranges::copy(keys, values.begin());
    }
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
    for (std::uint32_t h = 0; m_shape.architecture->plainValueNorm && h < block.kvHeads; ++h) {
        normalise(kind, m_shape.epsilon, values.subspan(std::size_t{h} * block.valueLength, block.valueLength));
    }
}

// Finishes one KV head of token t, which has that position, and the queries that attend to it.
void Transformer::finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead) {
    const BlockShape& block = m_shape.blocks[index];
    const std::size_t length = block.keyLength;
    const Rope& rope = ropeOf(index);
    const std::uint32_t group = block.heads / block.kvHeads;
    const std::vector<float>& scoreWeights = m_context.weights.blocks[index].attention.scoreWeights;
    const bool normed = !scoreWeights.empty() || (m_shape.plainHeadNorms && block.rotates);
    const auto finish = [&](float* head) {
        if (block.rotates) {
            rope.rotate(head, t);
        }
        if (normed) {
            normalise(m_shape.architecture->norm, m_shape.epsilon, {head, length});
        }
    };
    const float growth = queryGrowth(block, position);
    for (std::uint32_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        float* query = m_queries[t].data() + h * length;
        finish(query);
        std::transform(scoreWeights.begin(), scoreWeights.end(), query, query, std::multiplies());
        if (growth != 1) {
            std::transform(query, query + length, query, [&](float x) { return growth * x; });
        }
    }
    if (block.source != index) {
        return;
    }
    BlockCache& cache = m_caches[index];
    const std::uint32_t slot = cache.slotOf(position);
    float* key = m_keys[t].data() + kvHead * length;
    finish(key);
    cache.keys.write(kvHead, slot, key);
    cache.values.write(kvHead, slot, m_values[t].data() + std::size_t{kvHead} * block.valueLength);
}

float Transformer::queryGrowth(const BlockShape& block, std::uint32_t position) const {
    const TemperatureShape& shape = m_shape.temperature;
    if (shape.growth == 0 || (shape.unrotatedOnly && block.rotates)) {
        return 1;
    }
    const std::uint64_t lengths = (std::uint64_t{position} + shape.offset) / shape.length;
    return static_cast<float>(1 + shape.growth * std::log1p(static_cast<double>(lengths)));
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

} // namespace

std::unique_ptr<BlockStack> makeTransformer(const ForwardContext& context, const StackOptions& options) {
    return std::make_unique<Transformer>(context, options);
}

} // namespace gufo::inference
