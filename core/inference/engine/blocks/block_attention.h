// Attention of a block, from its normed input to the projected result of its heads, with the caches of all blocks. One
// object serves all blocks of a model. Its kinds differ in how heads get queries, keys and values, and in what they
// cache; each is a row (binding/graph_traits.h) in the file of its class.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/blocks/attention.h"
#include "inference/engine/blocks/forward.h"
#include "inference/engine/blocks/rope.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gufo::inference {

class BlockAttention {
public:
    virtual ~BlockAttention() = default;

    // Prepares for the positions of a batch.
    virtual void prepare(std::uint32_t position, std::size_t tokens);
    // Computes out[t] from in[t] and the tokens before it, and caches what later tokens attend to.
    void attend(std::size_t block, std::uint32_t position, Rows in, Rows out, std::size_t tokens);

    // See BlockStack.
    [[nodiscard]] std::span<BlockCache> caches() { return m_caches; }
    [[nodiscard]] bool holdsWindowOf(std::uint32_t position) const;
    void forget(std::uint32_t to, std::uint32_t count, std::uint32_t tokens);
    void forgetAll();

protected:
    // `heads`: as attention sees them, the largest of all blocks. `rotatedFrom`: where the
    // rotated elements of a cached key begin.
    BlockAttention(const ForwardContext& context, const StackOptions& options, HeadShape heads,
                   std::size_t rotatedFrom);

    // Computes attended()[t] from in[t].
    virtual void attendHeads(std::size_t block, std::uint32_t position, Rows in, std::size_t tokens) = 0;
    // Rotates the keys at the positions [begin, end) back by `count`, after the cache has dropped as many tokens.
    virtual void shiftKeys(std::size_t block, std::uint32_t begin, std::uint32_t end, std::uint32_t count);

    // Must be called once by a kind that keeps keys: makes a cache of each block that has its own.
    void makeCaches(const StackOptions& options,
                    const std::function<BlockCache(const BlockShape& block, std::uint32_t slotCount)>& make);
    // The factors of the pairs that are rotated, for the context of the session; empty: all 1.
    [[nodiscard]] static std::span<const float> ropeFactors(const ForwardContext& context, const StackOptions& options);
    // Attends with finished queries, and shows an observer the weights of the heads that it wants.
    void attendCached(std::size_t block, std::uint32_t position, Rows queries, Rows out, std::size_t tokens,
                      const Attention::Options& options);
    // Tokens of the batch that belong to one text: they attend to each other and to what the caches hold.
    struct Sequence {
        std::size_t first = 0;
        std::size_t tokens = 0;
        std::uint32_t position = 0; // of the first
    };
    // Calls take(Sequence) for each text of the batch, or once if all tokens continue one text.
    template<typename Take>
    void forEachSequence(std::uint32_t position, std::size_t tokens, const Take& take) const;
    // The factor of the queries at a position (TemperatureShape).
    [[nodiscard]] float queryGrowth(const BlockShape& block, std::uint32_t position) const;
    [[nodiscard]] Rope& ropeOf(std::size_t block) { return shape().blocks[block].window != 0 ? m_windowRope : m_rope; }
    [[nodiscard]] BlockCache& cacheOf(std::size_t block) { return m_caches[shape().blocks[block].source]; }
    [[nodiscard]] std::vector<BlockCache>& allCaches() { return m_caches; }
    [[nodiscard]] const ForwardContext& context() const { return m_context; }
    [[nodiscard]] const ModelShape& shape() const { return m_context.shape; }
    [[nodiscard]] HeadShape heads() const { return m_heads; }
    [[nodiscard]] const Activations& queries() const { return m_queries; }
    [[nodiscard]] const Activations& attended() const { return m_attended; }

private:
    const ForwardContext& m_context;
    HeadShape m_heads;
    std::size_t m_rotatedFrom;
    Attention m_attention;
    Rope m_rope;
    Rope m_windowRope;
    std::vector<BlockCache> m_caches;
    Activations m_queries;
    Activations m_attended;
    std::vector<float> m_shiftedKey; // a key that moves to a new position
};

template<typename Take>
void BlockAttention::forEachSequence(std::uint32_t position, std::size_t tokens, const Take& take) const {
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
