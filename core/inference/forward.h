// One pass of a batch of tokens through the model. Each family of architectures has its own blocks; embedding, output
// and the experts are common.
//
// Threads: as Session.
#pragma once

#include "base/job.h"
#include "inference/attention.h"
#include "inference/multiply.h"
#include "inference/rope.h"
#include "inference/weights.h"

#include <memory>

namespace gufo::inference {

// Rows of floats for a batch, which own their memory.
class Activations {
public:
    Activations() = default;
    Activations(std::size_t tokens, std::size_t width)
        : m_values(std::make_unique_for_overwrite<float[]>(tokens * width))
        , m_width(width) {}
    [[nodiscard]] Rows rows() const { return {m_values.get(), m_width}; }
    [[nodiscard]] std::span<float> operator[](std::size_t token) const {
        return {m_values.get() + token * m_width, m_width};
    }
    [[nodiscard]] std::size_t width() const { return m_width; }

private:
    std::unique_ptr<float[]> m_values; // pages come as they are used
    std::size_t m_width = 0;
};

// What blocks share.
struct ForwardContext {
    const ModelShape& shape;
    const Weights& weights;
    Multiplier& multiplier;

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
    // Tokens [from, from + count) become [to, …); keys are turned to their new positions.
    virtual void moveTokens(std::uint32_t /*from*/, std::uint32_t /*to*/, std::uint32_t /*count*/) {}
    // State of recurrent families, all blocks'.
    [[nodiscard]] virtual std::span<float> state() { return {}; }
};

struct StackOptions {
    std::uint32_t context;
    std::uint32_t batch;
    KvCacheType keys;
    KvCacheType values;
};

[[nodiscard]] Result<std::unique_ptr<BlockStack>> makeTransformer(const ForwardContext& context,
                                                                  const StackOptions& options);
[[nodiscard]] Result<std::unique_ptr<BlockStack>> makeMamba(const ForwardContext& context, const StackOptions& options);
[[nodiscard]] Result<std::unique_ptr<BlockStack>> makeRwkv(const ForwardContext& context, const StackOptions& options);

} // namespace gufo::inference
