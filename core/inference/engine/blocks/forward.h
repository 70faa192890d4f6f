// One pass of a batch of tokens through the model. Each family of architectures has its own blocks; the embedding, the
// output and the experts are common to all.
//
// Thread contract: as for Session.
#pragma once

#include "base/job_context.h"
#include "inference/engine/binding/weights.h"
#include "inference/engine/blocks/kv_cache.h"
#include "inference/engine/compute/multiply.h"
#include "inference/interface/run_observer.h"
#include "model/index.h"

#include <functional>
#include <memory>
#include <span>

namespace gufo::inference {

// Rows of floats for one batch, in the session's memory.
class Activations {
public:
    Activations() = default;
    Activations(Memory& memory, std::size_t tokens, std::size_t width)
        : m_values(memory.take<float>(tokens, width))
        , m_width(width) {}
    [[nodiscard]] Rows rows() const { return {m_values, m_width}; }
    [[nodiscard]] std::span<float> operator[](std::size_t token) const { return {m_values + token * m_width, m_width}; }
    [[nodiscard]] std::size_t width() const { return m_width; }

private:
    float* m_values = nullptr;
    std::size_t m_width = 0;
};

// The blocks that a pass runs. A text that was evaluated once can be evaluated again from any block on, with the rows
// that the earlier blocks have made.
struct BlockRange {
    std::size_t first = 0;
    std::size_t end = ~std::size_t{0}; // at most the number of blocks counts
    std::span<const float> entering{}; // the rows of all streams before block `first`; not needed for block 0
};

// How the state of a recurrent block is divided into heads.
struct StateHeads {
    std::size_t begin = 0; // floats before them, which belong to no head
    std::size_t heads = 1;
    std::size_t size = 0; // floats of each
};

// The objects that all blocks share.
struct ForwardContext {
    const ModelShape& shape;
    const Weights& weights;
    Multiplier& multiplier;
    Memory& memory;                 // taken from only while blocks are constructed
    std::span<const TokenId> ids{}; // of the tokens of the batch that is being evaluated
    // The lengths of the texts of that batch, each of which begins at position 0 and attends to itself only. Empty: all
    // tokens continue one text. A batch has several texts only where blocks read no keys but their own and have no
    // recurrent state; a cache then holds one text after another.
    std::span<const std::size_t> texts{};

    std::uint32_t position = 0; // of the first of `ids`
    BlockRange range{};
    RunObserver* observer = nullptr; // null: nobody

    // Replaces the rows of the streams by the rows that enter the range.
    void enter(std::span<const Rows> streams, std::size_t tokens) const;
    void observeStream(std::size_t block, Rows stream) const {
        if (observer != nullptr) {
            observer->stream({block, position, ids.size()}, {stream.data, stream.stride, shape.embedding});
        }
    }
    void observeReadout(std::size_t block, Rows merged) const {
        if (observer != nullptr && observer->wantsReadout()) {
            observer->readout({block, position, ids.size()}, {merged.data, merged.stride, shape.embedding});
        }
    }
    // `decayOf(token, head)` is a mean as RunObserver::state() has it.
    template<typename DecayOf>
    void observeState(std::size_t block, const float* state, const StateHeads& heads, const DecayOf& decayOf) const {
        if (observer != nullptr && observer->wantsState(block)) {
            showState(block, state, heads, decayOf);
        }
    }
    void observeBranch(std::size_t block, RunObserver::Half half, Rows rows, double factor) const {
        if (observer != nullptr) {
            observer->branch({block, position, ids.size()}, half, {rows.data, rows.stride, shape.embedding},
                             static_cast<float>(factor));
        }
    }

    // out[t] = norm(in[t]); without a norm, a copy.
    void norm(const Norm& norm, Rows in, Rows out, std::size_t tokens, std::size_t width) const;

private:
    void showState(std::size_t block, const float* state, const StateHeads& heads,
                   const std::function<double(std::size_t token, std::size_t head)>& decayOf) const;
};

// The feed-forward of a block, dense or with experts: out[t] = ffn(in[t]), without the residual.
class FeedForward {
public:
    FeedForward(const ForwardContext& context, std::size_t batch);
    void run(std::size_t block, Rows in, Rows out, std::size_t tokens);
    // The two parts, for blocks that have both. `routed` is what the router reads.
    void dense(std::size_t block, Rows in, Rows out, std::size_t tokens);
    void experts(std::size_t block, Rows routed, Rows in, Rows out, std::size_t tokens);

private:
    // The parameters of activations besides their kind.
    struct Form {
        const XieluShape* xielu = nullptr;
        double sparsity = 0;
    };
    void dense(const FeedForwardWeights& weights, const Form& form, Rows in, Rows out, std::size_t tokens);
    // The sum of the experts that m_routes chooses. Rows have `width` elements.
    void chosenExperts(const BlockWeights& block, Rows in, Rows out, std::size_t width, std::size_t tokens);
    void addSharedExpert(const BlockWeights& block, Rows in, Rows out, std::size_t tokens);
    // Chooses the experts of one token: writes their indexes and weights.
    void choose(const BlockWeights& block, std::span<float> gates, std::span<std::uint32_t> chosen,
                std::span<float> factors, unsigned member);
    // Writes the weights of the chosen experts. `gates` are probabilities or, where the weights depend on the choice,
    // the router's logits.
    void weighChosen(std::span<const float> gates, std::span<const std::uint32_t> chosen,
                     std::span<float> factors) const;

    const ForwardContext& m_context;
    Activations m_gate;
    Activations m_up;
    Activations m_routes;
    Activations m_latent;   // inputs of the experts, and then their sums, where they have a width of their own
    Activations m_gathered; // inputs of one expert
    Activations m_results;
    std::vector<std::vector<float>> m_scores; // by member
};

// How a batch treats the recurrent state of all blocks: it advances it, and may take a copy on the way, or it defers
// the update.
struct StateUpdate {
    std::size_t after = 0; // tokens of the batch that the copy includes
    std::span<float> to{}; // empty: no copy
    // The state stays as it is before the batch, and BlockStack::replay() advances it. The batch has at most as many
    // tokens as deferUpdates() made room for.
    bool deferred = false;
};

// Advances by what one of several blocks adds; all of them together add exactly `tokens`.
inline void advanceBlock(const JobContext& job, std::size_t tokens, std::size_t block, std::size_t blocks) {
    job.advance(tokens * (block + 1) / blocks - tokens * block / blocks);
}

// The blocks of one family, with their state from token to token: caches by position, which can be truncated and
// shifted, or a recurrent state, or both.
class BlockStack {
public:
    virtual ~BlockStack() = default;

    // Updates stream[t] in place, by the blocks of the context's range. `position` is the position of the first token.
    // Progress advances with each block, by `tokens` in all. Returns false if it was stopped; a recurrent state is then
    // invalid unless its update was deferred.
    virtual bool run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
                     const JobContext& job) = 0;
    // Returns to the state before the first token.
    virtual void reset() = 0;
    // The rows that flow from block to block beside the stream.
    [[nodiscard]] virtual std::vector<Rows> otherStreams() { return {}; }

    // One for each block, without rows where it does not attend; empty if no block attends.
    [[nodiscard]] virtual std::span<BlockCache> caches() { return {}; }
    // Whether the caches still hold every position that a token at `position` attends to.
    [[nodiscard]] virtual bool holdsWindowOf(std::uint32_t /*position*/) const { return true; }
    // For caches only: drops the `count` tokens from `to` on, out of `tokens`; later keys are rotated to their new
    // positions.
    virtual void forget(std::uint32_t /*to*/, std::uint32_t /*count*/, std::uint32_t /*tokens*/) {}
    // The recurrent state of all blocks; empty if no block is recurrent.
    [[nodiscard]] virtual std::span<float> state() { return {}; }

    // For recurrent states only (blocks/deferred_updates.h): the floats that a token of a deferred batch takes; room
    // for such batches of up to `tokens` tokens; and advancing the state by the first `tokens` of the last one, which
    // multiplies by no matrix of the model.
    [[nodiscard]] virtual std::size_t deferredFloats() const { return 0; }
    virtual void deferUpdates(Memory& /*memory*/, std::size_t /*tokens*/) {}
    virtual void replay(std::size_t /*tokens*/) {}
};

struct StackOptions {
    std::uint32_t context;
    std::uint32_t ropeContext; // SessionOptions::ropeContext, resolved
    std::uint32_t batch;
    KvCacheType keys;
    KvCacheType values;
};

} // namespace gufo::inference
