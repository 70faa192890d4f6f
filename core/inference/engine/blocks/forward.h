// One pass of a batch of tokens through the model. Each family of architectures has its own blocks; embedding, output
// and the experts are common.
//
// Threads: as Session.
#pragma once

#include "base/job_context.h"
#include "inference/engine/binding/weights.h"
#include "inference/engine/blocks/attention.h"
#include "inference/engine/blocks/rope.h"
#include "inference/engine/compute/multiply.h"

#include <memory>

namespace gufo::inference {

// Rows of floats for a batch, in the session's memory.
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

// What blocks share.
struct ForwardContext {
    const ModelShape& shape;
    const Weights& weights;
    Multiplier& multiplier;
    Memory& memory; // taken from while the blocks are made, not later

    // out[t] = norm(in[t]); without a norm a copy.
    void norm(const Norm& norm, Rows in, Rows out, std::size_t tokens, std::size_t width) const;
};

// The feed-forward of a block, dense or with experts. Adds nothing: out[t] = ffn(in[t]).
class FeedForward {
public:
    FeedForward(const ForwardContext& context, std::size_t batch);
    void run(const BlockWeights& block, Rows in, Rows out, std::size_t tokens);

private:
    void dense(const FeedForwardWeights& weights, Rows in, Rows out, std::size_t tokens);
    void experts(const BlockWeights& block, Rows in, Rows out, std::size_t tokens);
    // Chooses for one token: indexes and weights of the experts used.
    void choose(const BlockWeights& block, std::span<float> gates, std::span<std::uint32_t> chosen,
                std::span<float> factors);

    const ForwardContext& m_context;
    Activations m_gate;
    Activations m_up;
    Activations m_routes;
    Activations m_gathered; // inputs of one expert
    Activations m_results;
    std::vector<float> m_scores;
};

// The blocks of one family: what they keep from token to token, and how they go on.
class BlockStack {
public:
    virtual ~BlockStack() = default;

    // stream[t] is changed in place. `position` is the first token's. False: stopped.
    virtual bool run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) = 0;
    virtual void reset() {}

    // Caches by position, that can be cut and moved. Null for recurrent families.
    [[nodiscard]] virtual std::vector<BlockCache>* caches() { return nullptr; }
    // Whether the caches still know all that a token at `position` looks back on.
    [[nodiscard]] virtual bool knowsBefore(std::uint32_t /*position*/) const { return false; }
    // Of `tokens` tokens the `count` from `to` on are forgotten; keys of later ones are turned to their new positions.
    virtual void forget(std::uint32_t /*to*/, std::uint32_t /*count*/, std::uint32_t /*tokens*/) {}
    // State of recurrent families, all blocks'.
    [[nodiscard]] virtual std::span<float> state() { return {}; }
};

struct StackOptions {
    std::uint32_t context;
    std::uint32_t batch;
    KvCacheType keys;
    KvCacheType values;
};

[[nodiscard]] std::unique_ptr<BlockStack> makeTransformer(const ForwardContext& context, const StackOptions& options);
[[nodiscard]] std::unique_ptr<BlockStack> makeMamba(const ForwardContext& context, const StackOptions& options);
[[nodiscard]] std::unique_ptr<BlockStack> makeRwkv(const ForwardContext& context, const StackOptions& options);

} // namespace gufo::inference
