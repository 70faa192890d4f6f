// Alternating updates (AltUp, Baykal et al. 2023, arXiv 2301.13310), as Gemma 3n uses them: the stream consists of four
// rows for each token. A block evaluates only the first of them; it predicts all four by mixing them and afterwards
// corrects them by what it has computed. Laurel (arXiv 2411.07501) adds a branch of low rank beside attention.
#pragma once

#include "inference/engine/blocks/forward.h"

#include <array>
#include <vector>

namespace gufo::inference {

// The weights that all blocks share.
struct AltUpModelWeights : KindWeights {
    std::array<Matrix, 3> projections;   // make the other streams from the embedding
    std::array<Matrix, 3> unprojections; // project them back
};

struct AltUpWeights : KindWeights {
    Matrix router;
    Norm routerNorm;
    Matrix predict; // maps the router's result to a matrix that mixes the streams
    Matrix correct;
    std::vector<float> correctScale;
    Matrix laurelDown;
    Matrix laurelUp;
    Norm laurelNorm;
};

class AltUp {
public:
    // `context` must outlive this.
    AltUp(const ForwardContext& context, std::size_t batch);

    [[nodiscard]] std::vector<Rows> others() const {
        std::vector<Rows> rows;
        for (const Activations& other : m_others) {
            rows.push_back(other.rows());
        }
        return rows;
    }
    // Makes the other streams from the first one, which holds embeddings.
    void begin(Rows first, std::size_t tokens);
    // Predicts the streams. Returns the first of the predictions, on which the block works.
    [[nodiscard]] Rows predict(std::size_t block, Rows first, std::size_t tokens);
    // out[t] = in[t] + norm(U D in[t])
    void laurel(std::size_t block, Rows in, Rows out, std::size_t tokens);
    // Replaces the streams by the corrected predictions; `evaluated` is the first prediction after the block.
    void correct(std::size_t block, Rows evaluated, Rows first, std::size_t tokens);
    // scaled[t] = first[t] ⊙ scale, from which the block's own input is gated.
    void scale(std::size_t block, Rows first, Rows scaled, std::size_t tokens) const;
    // Adds to all streams but the first.
    void addToOthers(Rows added, std::size_t tokens);
    // Replaces the first stream by the mean of all.
    void end(Rows first, std::size_t tokens);

private:
    static constexpr std::size_t kStreams = 4;
    [[nodiscard]] const AltUpModelWeights& ofModel() const {
        return static_cast<const AltUpModelWeights&>(*m_context.weights.altUp);
    }
    [[nodiscard]] const AltUpWeights& ofBlock(std::size_t block) const {
        return static_cast<const AltUpWeights&>(*m_context.weights.blocks[block].altUp);
    }
    // Writes the router's results for in[t] to m_modalities.
    void route(const AltUpWeights& weights, Rows in, std::size_t tokens);
    // Gives a row the length of another.
    void rescale(std::span<float> row, std::span<const float> like) const;

    const ForwardContext& m_context;
    std::size_t m_width;
    std::array<Activations, kStreams - 1> m_others;
    std::array<Activations, kStreams> m_predictions;
    Activations m_normed;
    Activations m_modalities;   // [token][stream]
    Activations m_coefficients; // [token][stream][stream]
    Activations m_low;          // of Laurel
};

} // namespace gufo::inference
