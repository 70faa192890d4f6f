// Additional embeddings, one table for each block, beside the stream (Gemma 3n, Gemma 4). A block's input is the
// token's row in a table plus a normed projection of the stream's embedding, over √2; the block multiplies it with a
// gate.
#pragma once

#include "inference/engine/blocks/forward.h"

namespace gufo::inference {

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

} // namespace gufo::inference
