// Arithmetic of blocks that keep a state of constant size instead of keys and values: causal convolutions, selective
// state spaces and linear attention. Matrices are row by row.
//
// Instruction sets may round differently: they add products in the same order, but may fuse them with the sum.
#pragma once

#include <cstddef>

namespace gufo {

// One token of linear attention (delta rule, RWKV 7, Mamba 2) over the state S [rows][columns] of a head. All vectors
// are read only.
//
//     removed = Σ_i remove[i] S[i]
//     S[i] = decay[i] S[i] + key[i] value + replace[i] removed
//     out = Σ_i query[i] S[i]
struct RecurrenceStep {
    std::size_t rows = 0;
    std::size_t columns = 0;
    const float* decay = nullptr;   // [rows]
    const float* key = nullptr;     // [rows]
    const float* query = nullptr;   // [rows]
    const float* value = nullptr;   // [columns]
    const float* remove = nullptr;  // [rows]; null: nothing is removed
    const float* replace = nullptr; // [rows], with `remove`
};

// One token of a selective state space (Mamba) over the state H [states][channels]:
//
//     H[n][c] = e^(step[c] a[n][c]) H[n][c] + input[c] key[n]
//     out[c] = Σ_n query[n] H[n][c]
struct SelectiveStep {
    std::size_t states = 0;
    std::size_t channels = 0;     // of this call
    std::size_t stride = 0;       // from one state's row of H and `a` to the next
    const float* a = nullptr;     // [states][stride]
    const float* step = nullptr;  // [channels]
    const float* input = nullptr; // [channels]
    const float* key = nullptr;   // [states]
    const float* query = nullptr; // [states]
};

// out[t][c] = bias[c] + Σ_k weights[k][c] x[t + k][c]
struct Convolution {
    std::size_t tokens = 0;
    std::size_t taps = 0;
    std::size_t channels = 0;
    const float* x = nullptr; // [tokens + taps − 1][stride]
    std::size_t stride = 0;
    const float* weights = nullptr; // [taps][channels]
    const float* bias = nullptr;    // [channels]; null: 0
    std::size_t outStride = 0;
};

// Products of the query and the key of each token with the keys of earlier tokens, whose elements decay from token to
// token, each at its own rate. All inputs are [tokens][length], with strides.
//
//     decayed[j] = keys[j] ⊙ decays[j + 1] ⊙ … ⊙ decays[tokens − 1]
//     ofQueries[t][j] = queries[t] · (keys[j] ⊙ decays[j + 1] ⊙ … ⊙ decays[t])      for j ≤ t
//     ofKeys[t][j]    = keys[t] · (keys[j] ⊙ decays[j + 1] ⊙ … ⊙ decays[t])         for j < t
//
// The other elements of the results stay as they are.
struct DecayedProducts {
    std::size_t tokens = 0;
    std::size_t length = 0;
    const float* queries = nullptr;
    const float* keys = nullptr;
    std::size_t stride = 0; // of queries and keys
    const float* decays = nullptr;
    std::size_t decayStride = 0;
    float* decayed = nullptr;   // [tokens][length]
    float* ofQueries = nullptr; // [tokens][resultStride]
    float* ofKeys = nullptr;
    std::size_t resultStride = 0;
};

// out[i][j] = Σ_k a[i][k] b[k][j], added to kept[i] out[i][j] if `adds`. a[i][k] is at i × aRow + k × aColumn, so that
// `a` may be the transpose of a stored matrix.
struct SmallProduct {
    std::size_t rows = 0;    // of out
    std::size_t columns = 0; // of out
    std::size_t depth = 0;   // of the sums
    const float* a = nullptr;
    std::size_t aRow = 0;
    std::size_t aColumn = 1;
    const float* b = nullptr;
    std::size_t bRow = 0;
    std::size_t outRow = 0;
    bool adds = false;
    const float* kept = nullptr; // [rows], with `adds`; null: 1
};

struct RecurrenceKernels {
    void (*convolve)(const Convolution& convolution, float* out) = nullptr;
    // out[i] = factor × x[i] × by[i]. `by` may be null, which means 1; `out` may be `x` or `by`.
    void (*scale)(const float* x, float factor, const float* by, float* out, std::size_t count) = nullptr;
    void (*step)(const RecurrenceStep& step, float* state, float* out) = nullptr;
    void (*selectiveStep)(const SelectiveStep& step, float* state, float* out) = nullptr;
    void (*multiply)(const SmallProduct& product, float* out) = nullptr;
    void (*decayedProducts)(const DecayedProducts& products) = nullptr;
};

} // namespace gufo
