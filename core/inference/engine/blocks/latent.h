// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1) with absorbed projections: the cache holds
// one row for all heads, the compressed latent and the rotated part of the key. Instead of expanding keys, a head's
// query is projected into the latent space (q W_k); the attended latent is expanded to the head's value (W_v).
#pragma once

#include "inference/engine/blocks/forward.h"

namespace gufo::inference {

// The projections of a block except the projection of queries.
struct LatentWeights : KindWeights {
    Matrix queryDown;
    Norm queryDownNorm;
    Matrix keyValueDown; // makes the latent row, then the rotated part of the key
    Norm keyValueNorm;
    // Expand the latent, head by head. Either keyValueUp makes the key's unrotated part and the value, or two matrices
    // do. Of these, keyAbsorbed is transposed (from the key's part to the latent).
    Matrix keyValueUp;
    Matrix keyAbsorbed;
    Matrix valueUp;
};

class LatentHeads {
public:
    explicit LatentHeads(const ForwardContext& context);

    // As attention sees it: one KV head, whose keys are the latent and the rotated part and whose values are the
    // latents.
    [[nodiscard]] static HeadShape headShape(const ModelShape& shape) {
        return {.keyLength = shape.keyValueRank + shape.rotated, .valueLength = shape.keyValueRank};
    }

    // Converts queries from heads × (unrotated and rotated part) to heads × (latent and rotated part).
    void absorb(const LatentWeights& weights, std::uint32_t heads, Rows queries, Rows out, std::size_t tokens);
    // Converts results from heads × latent to heads × value.
    void expand(const LatentWeights& weights, std::uint32_t heads, Rows latents, Rows out, std::size_t tokens);

private:
    struct Scratch {     // of one member
        Int8Out rounded; // activations of kTogether tokens; of kFewVectors if transposed
        std::byte* strip;
        float* rows; // kStripRows decoded rows of a matrix
    };
    // The number of tokens whose activations are rounded at a time: enough to amortise unpacking a strip of weights.
    static constexpr std::size_t kTogether = 64;

    // For one head: y[t] = factor M x[t], or with the transposed matrix y[t] = factor M' x[t].
    void multiply(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyTransposed(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    // The ways of multiply(): row by row for each of a few tokens, and in strips of rows for many.
    void multiplyByRows(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyRounded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;
    void multiplyDecoded(const Matrix& matrix, Rows x, Rows y, std::size_t tokens, const Scratch& scratch) const;

    const ForwardContext& m_context;
    const Kernels& m_kernels;
    std::vector<Scratch> m_scratch; // by member
};

} // namespace gufo::inference
