// The blocks of a transformer, including blocks in which a recurrence takes the place of attention or runs beside it.
// transformer.cpp has the sequence of their parts, transformer_attention.cpp their attention.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/blocks/alt_up.h"
#include "inference/engine/blocks/deferred_updates.h"
#include "inference/engine/blocks/forward.h"
#include "inference/engine/blocks/indexer.h"
#include "inference/engine/blocks/latent.h"
#include "inference/engine/blocks/layer_inputs.h"
#include "inference/engine/blocks/mixer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gufo::inference {

class Transformer final : public BlockStack {
public:
    Transformer(const ForwardContext& context, const StackOptions& options);

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
             const JobContext& job) override;
    void reset() override;
    [[nodiscard]] std::vector<Rows> otherStreams() override {
        return m_altUp ? m_altUp->others() : std::vector<Rows>();
    }
    std::span<BlockCache> caches() override { return m_caches; }
    std::span<float> state() override { return m_state; }
    [[nodiscard]] std::size_t deferredFloats() const override { return deferredForm().floatsPerToken(); }
    void deferUpdates(Memory& memory, std::size_t tokens) override {
        m_deferred = DeferredUpdates(memory, deferredForm(), tokens);
    }
    void replay(std::size_t tokens) override;
    [[nodiscard]] bool holdsWindowOf(std::uint32_t position) const override;
    void forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens) override;

private:
    [[nodiscard]] DeferredUpdates::Form deferredForm() const {
        return m_state.empty() ? DeferredUpdates::Form() // a convolution of a single tap has no state
                               : DeferredUpdates::Form{.blockState = m_mixer->stateSize(),
                                                       .blocks = m_state.size() / m_mixer->stateSize(),
                                                       .inputs = widthOf(m_mixer->inputs())};
    }
    [[nodiscard]] bool latent() const { return m_latentHeads != nullptr; }
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
    void makeCaches(const StackOptions& options);
    void attend(std::size_t index, std::uint32_t position, std::size_t tokens);
    // Tokens of the batch that belong to one text: they attend to each other and to what the caches hold.
    struct Sequence {
        std::size_t first = 0;
        std::size_t tokens = 0;
        std::uint32_t position = 0; // of the first
    };
    // Calls take(Sequence) for each text of the batch, or once if all tokens continue one text.
    template<typename Take>
    void forEachSequence(std::uint32_t position, std::size_t tokens, const Take& take) const;
    // Shows an observer the weights of the heads that it wants, after attention with the same arguments.
    void observeAttention(std::size_t index, std::uint32_t position, Rows queries, std::size_t tokens,
                          const Attention::Options& options) const;
    // Shows it what the last norm would read after the block. With several streams, overwrites m_normed.
    void observeReadout(std::size_t index, Rows stream, std::size_t tokens);
    // Finishes the projected queries, keys and values of the sequence, and attends.
    void attendWithin(std::size_t index, const Sequence& sequence);
    void project(std::size_t index, std::size_t tokens);
    void projectLatent(std::size_t index, std::size_t tokens);
    // Multiplies what was attended to by the sigmoid of the gates.
    void gate(std::size_t index, std::size_t tokens);
    // Clamps, norms and rotates queries and keys, and writes keys and values to the cache.
    void finishHeads(std::size_t index, const Sequence& sequence);
    // Finishes what all heads of token t have in common.
    void finishRow(std::size_t index, std::size_t t);
    // Finishes one KV head of token t, which is at `position`, and the queries that attend to that head.
    void finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead);
    void finishLatent(std::size_t index, std::uint32_t position, std::size_t tokens);
    // The factor of the queries at a position (TemperatureShape).
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
    std::unique_ptr<Indexer> m_indexer; // null: tokens attend to all positions
    // For recurrent blocks:
    std::unique_ptr<Mixer> m_mixer;
    std::vector<std::size_t> m_stateBegins; // by block
    std::span<float> m_state;
    DeferredUpdates m_deferred;
    std::vector<float> m_shiftedKey; // a key that moves to a new position
};

template<typename Take>
void Transformer::forEachSequence(std::uint32_t position, std::size_t tokens, const Take& take) const {
    if (m_context.texts.empty()) {
        return take(Sequence{.tokens = tokens, .position = position});
    }
    std::size_t first = 0;
    for (const std::size_t length : m_context.texts) {
        take(Sequence{.first = first, .tokens = length});
        first += length;
    }
}

} // namespace gufo::inference
