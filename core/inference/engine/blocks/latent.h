// Multi-head latent attention (DeepSeek-V2, 2405.04434, section 2.1) with the expansion of keys and values absorbed:
// the cache keeps one row for all heads, the compressed latent and the rotated part of the key. A head's query is taken
// into the space of the latent instead (q W_k), and what attention gathers there is expanded to its value (W_v).
#pragma once

#include "inference/engine/blocks/forward.h"

namespace gufo::inference {

class LatentHeads {
public:
    explicit LatentHeads(const ForwardContext& context);

    // As attention sees it: one KV head whose rows are latent and rotated part, and whose values are latents.
    [[nodiscard]] static HeadShape headShape(const ModelShape& shape) {
        return {.keyLength = shape.keyValueRank + shape.rotated, .valueLength = shape.keyValueRank};
    }

    // Of heads × (unrotated and rotated part) to heads × (latent and rotated part).
    void absorb(const AttentionWeights& weights, std::uint32_t heads, Rows queries, Rows out, std::size_t tokens);
    // Of heads × latent to heads × value.
    void expand(const AttentionWeights& weights, std::uint32_t heads, Rows latents, Rows out, std::size_t tokens);

private:
    // y[t] = M x[t], or with the matrix the other way round y[t] = M' x[t], for one head.
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, unsigned member);
    void multiplyTurned(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, unsigned member) const;

    const ForwardContext& m_context;
    const Kernels& m_kernels;
    std::vector<Int8Out> m_int8; // of each member, one row
    std::vector<float*> m_rows;  // of each member, for a decoded row of a matrix
};

} // namespace gufo::inference
