// The blocks of a transformer, including blocks in which a recurrence takes the place of attention or runs beside it.
#include "inference/engine/blocks/alt_up.h"
#include "inference/engine/blocks/block_attention.h"
#include "inference/engine/blocks/deferred_updates.h"
#include "inference/engine/blocks/mixer.h"
#include "inference/engine/compute/operations.h"
#include "tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

namespace gufo::inference {
namespace {

// Additional embeddings, one table for each block, beside the stream (Gemma 3n, Gemma 4). A block's input is the
// token's row in a table plus a normed projection of the stream's embedding, over √2; the block multiplies it with a
// gate.
class LayerInputs {
public:
    // The model's shape has a layerInput. `context` must outlive this.
    LayerInputs(const ForwardContext& context, std::size_t batch);

    // Computes the inputs of all blocks for the tokens of the batch, from their embeddings.
    void prepare(Rows embeddings, std::size_t tokens);
    // out[t] = norm(P (gelu(G in[t]) ⊙ input of the block))
    void project(std::size_t block, Rows in, Rows out, std::size_t tokens);

private:
    const ForwardContext& m_context;
    std::size_t m_length; // of one block's input
    Activations m_inputs; // [token][block][length]
    Activations m_looked; // by member: a row of the table
    Activations m_gate;
    Activations m_gated;
};

LayerInputs::LayerInputs(const ForwardContext& context, std::size_t batch)
    : m_context(context)
    , m_length(context.shape.layerInput)
    , m_inputs(context.memory, batch, m_length * context.shape.blocks.size())
    , m_looked(context.memory, context.multiplier.team().size(), m_length * context.shape.blocks.size())
    , m_gate(context.memory, batch, m_length)
    , m_gated(context.memory, batch, m_length) {}

void LayerInputs::prepare(Rows embeddings, std::size_t tokens) {
    const Weights& weights = m_context.weights;
    const ModelShape& shape = m_context.shape;
    const Matrix& table = weights.layerInputTable;
    m_context.multiplier.multiply(weights.layerInputProjection, embeddings, m_inputs.rows(), tokens);
    const float projected = 1 / std::sqrt(static_cast<float>(shape.embedding));
    const float looked = std::sqrt(static_cast<float>(m_length));
    constexpr float kMean = 1 / std::numbers::sqrt2_v<float>;
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        const std::span<float> row = m_looked[member];
        for (std::uint64_t t = begin; t < end; ++t) {
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(table.typeId, {table.row(m_context.ids[t].value), table.rowBytes}, row, table.order);
            const std::span<float> inputs = m_inputs[t];
            std::ranges::transform(inputs, inputs.begin(), [&](float x) { return projected * x; });
            applyNorm(weights.layerInputNorm, shape.architecture->norm.kind, shape.epsilon, inputs, inputs);
            std::ranges::transform(inputs, row, inputs.begin(),
                                   [&](float a, float b) { return kMean * (a + looked * b); });
        }
    });
}

void LayerInputs::project(std::size_t block, Rows in, Rows out, std::size_t tokens) {
    const LayerInputWeights& weights = m_context.weights.layerInputs[block];
    m_context.multiplier.multiply(weights.gate, in, m_gate.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        std::ranges::copy(m_inputs[t].subspan(block * m_length, m_length), m_gated[t].begin());
        activateGated(Activation::Gelu, m_gate[t], m_gated[t]);
    }
    m_context.multiplier.multiply(weights.projection, m_gated.rows(), out, tokens);
    m_context.norm(weights.norm, out, out, tokens, m_context.shape.embedding);
}

class Transformer final : public BlockStack {
public:
    Transformer(const ForwardContext& context, const StackOptions& options);

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
             const JobContext& job) override;
    void reset() override;
    [[nodiscard]] std::vector<Rows> otherStreams() override {
        return m_altUp ? m_altUp->others() : std::vector<Rows>();
    }
    std::span<BlockCache> caches() override { return m_attention->caches(); }
    std::span<float> state() override { return m_state; }
    [[nodiscard]] std::size_t deferredFloats() const override { return deferredForm().floatsPerToken(); }
    void deferUpdates(Memory& memory, std::size_t tokens) override {
        m_deferred = DeferredUpdates(memory, deferredForm(), tokens);
    }
    void replay(std::size_t tokens) override;
    [[nodiscard]] bool holdsWindowOf(std::uint32_t position) const override {
        return m_attention->holdsWindowOf(position);
    }
    void forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) override {
        m_attention->forget(to, count, tokens);
    }

private:
    [[nodiscard]] DeferredUpdates::Form deferredForm() const {
        return m_state.empty() ? DeferredUpdates::Form() // a convolution of a single tap has no state
                               : DeferredUpdates::Form{.blockState = m_mixer->stateSize(),
                                                       .blocks = m_state.size() / m_mixer->stateSize(),
                                                       .inputs = widthOf(m_mixer->inputs())};
    }
    // Reads m_normed, writes m_branch: attends, mixes with the recurrent state, or both.
    void mix(std::size_t index, std::uint32_t position, std::size_t tokens, const StateUpdate& update);
    void runBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens,
                  const StateUpdate& update);
    // The same where norms follow the sums.
    void runSummedBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens);
    // The same with several streams; `stream` is the first of them.
    void runAltUpBlock(std::size_t index, Rows stream, std::uint32_t position, std::size_t tokens);
    // Dense feed-forward and experts, each with its norms; the router reads the stream.
    void runBesideExperts(std::size_t index, Rows stream, std::size_t tokens);
    void addBranch(Rows stream, const Activations& branch, std::size_t tokens);
    // Shows an observer what the last norm would read after the block. With several streams, overwrites m_normed.
    void observeReadout(std::size_t index, Rows stream, std::size_t tokens);

    const ForwardContext& m_context;
    const ModelShape& m_shape;
    std::unique_ptr<BlockAttention> m_attention;
    FeedForward m_feedForward;
    std::unique_ptr<LayerInputs> m_layerInputs; // null: blocks have none
    std::unique_ptr<AltUp> m_altUp;             // null: there is a single stream
    Activations m_normed;
    Activations m_branch;
    Activations m_second;
    Activations m_routed; // what the router reads, or the sum of branches of AltUp
    // For recurrent blocks:
    std::unique_ptr<Mixer> m_mixer;
    std::vector<std::size_t> m_stateBegins; // by block
    std::span<float> m_state;
    DeferredUpdates m_deferred;
};

Transformer::Transformer(const ForwardContext& context, const StackOptions& options)
    : m_context(context)
    , m_shape(context.shape)
    , m_attention(m_shape.architecture->attention.kind->make(context, options))
    , m_feedForward(context, options.batch) {
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_normed = rows(m_shape.embedding);
    m_branch = rows(m_shape.embedding);
    m_second = rows(m_shape.embedding);
    const bool altUp = m_shape.architecture->stream.kind == &kAltUp;
    if (altUp || m_shape.architecture->experts.besideDense) {
        m_routed = rows(m_shape.embedding);
    }
    if (m_shape.layerInput != 0) {
        m_layerInputs = std::make_unique<LayerInputs>(context, options.batch);
    }
    if (altUp) {
        m_altUp = std::make_unique<AltUp>(context, options.batch);
    }
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

void Transformer::reset() {
    m_attention->forgetAll();
    std::ranges::fill(m_state, 0.0F);
}

bool Transformer::run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
                      const JobContext& job) {
    m_attention->prepare(position, tokens);
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
    m_attention->attend(index, position, m_normed.rows(), m_branch.rows(), tokens);
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
    m_attention->attend(index, position, m_normed.rows(), m_branch.rows(), tokens);
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
        m_attention->attend(index, position, m_normed.rows(), m_branch.rows(), tokens);
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

} // namespace

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
