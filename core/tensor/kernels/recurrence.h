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

// out[i][j] = Σ_k a[i][k] b[k][j], added to what `out` has if `adds`. Elements of `a` are at i × aRow + k × aColumn.
struct SmallProduct {
    std::size_t rows = 0;    // of out
    std::size_t columns = 0; // of out
    std::size_t depth = 0;   // of the sums
    const float* a = nullptr;
    std::size_t aRow = 0;
    std::size_t aColumn = 0;
    const float* b = nullptr;
    std::size_t bRow = 0;
    std::size_t outRow = 0;
    bool adds = false;
};

struct RecurrenceKernels {
    // out[c] = bias[c] + Σ_k weights[k × channels + c] x[k × stride + c]. `bias` may be null.
    void (*convolve)(const float* x, std::size_t stride, std::size_t taps, const float* weights, const float* bias,
                     float* out, std::size_t channels) = nullptr;
    void (*step)(const RecurrenceStep& step, float* state, float* out) = nullptr;
    void (*selectiveStep)(const SelectiveStep& step, float* state, float* out) = nullptr;
    void (*multiply)(const SmallProduct& product, float* out) = nullptr;
};

} // namespace gufo
