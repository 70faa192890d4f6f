// The indexer of DeepSeek's sparse attention (DeepSeek-V3.2-Exp, 2025): light heads score the earlier positions, and a
// query attends only to the best ones. With the weights w of the heads, their queries q and one key k for each
// position, the score of position s for token t is Σ w_h relu(q_h · k_s). Keys are cached beside the keys of attention.
#pragma once

#include "inference/engine/blocks/chosen_positions.h"
#include "inference/engine/blocks/forward.h"
#include "inference/engine/blocks/rope.h"

#include <memory>

namespace gufo::inference {

struct IndexerWeights : KindWeights {
    Matrix query;
    Matrix key;
    Norm keyNorm;
    Matrix headWeights; // makes the weight of each head
};

// Of latent attention: reads the hyper-parameters, and binds the tensors of a block.
void readIndexer(ShapeReader& reader);
void bindIndexer(WeightBinder& binder, std::size_t block);

class Indexer {
public:
    // `factors`: of the pairs that are rotated (rope.h).
    Indexer(const ForwardContext& context, const StackOptions& options, std::span<const float> factors);

    // Prepares for the positions of a batch.
    void prepare(std::uint32_t position, std::size_t tokens);
    // Makes the queries, keys and weights of the heads. Queries are made from the normed low-rank rows from which
    // attention makes its queries, all else from the input of the block.
    void project(const IndexerWeights& weights, Rows queryRows, Rows in, std::size_t tokens);
    // Writes the keys to the cache and chooses the positions that each token attends to.
    [[nodiscard]] ChosenPositions choose(BlockCache& cache, std::uint32_t position, std::size_t tokens);
    // Rotates the keys at the positions [begin, end) back by `count`, after the cache has dropped as many tokens.
    void shift(BlockCache& cache, std::uint32_t begin, std::uint32_t end, std::uint32_t count);

private:
    // Writes the scores of the positions [from, to) for one token to scores[from] and so on.
    void score(const BlockCache& cache, std::size_t token, std::uint32_t from, std::uint32_t to, float* scores,
               float* ofHeads) const;
    // Chooses the best of the positions [from, to). Destroys `scratch`, which is as long as `scores`.
    void chooseBest(std::size_t token, std::uint32_t from, std::uint32_t to, float* scores, float* scratch) const;

    struct Scratch { // of one member
        float* scores;
        float* order;
        float* ofHeads;
    };

    const ForwardContext& m_context;
    const IndexerShape& m_shape;
    Rope m_rope;
    Activations m_queries;
    Activations m_keys;
    Activations m_headWeights;
    std::vector<Scratch> m_scratch;
    ChosenPositions m_chosen;
    std::vector<float> m_shiftedKey;
};

} // namespace gufo::inference
