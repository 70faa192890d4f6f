// Rounds activations to eight bits with the primitives of an instruction set. The result equals the result of
// kernels/scalar bit for bit.
#pragma once

#include "tensor/kernels/portable/padded_block.h"
#include "tensor/kernels/products.h"

namespace {

inline F32x8 largerOf(F32x8 a, F32x8 b) { return a > b ? a : b; }
inline F32x8 sizeOf(F32x8 v) { return reinterpret_cast<F32x8>(reinterpret_cast<I32x8>(v) & 0x7FFF'FFFF); }
inline float largestOf(F32x8 v) {
    float largest = 0;
    for (int i = 0; i < 8; ++i) {
        largest = v[i] > largest ? v[i] : largest;
    }
    return largest;
}

inline void putBytes(std::int8_t* to, Bytes v) { std::memcpy(to, &v, sizeof v); }

// Rounds block `block` of 32 activations. Returns the sum of each group of four values.
inline I32x8 roundBlock(const float* from, std::size_t block, gufo::Int8Run& run) {
    F32x8 vectors[4];
    F32x8 sizes{};
    for (std::size_t i = 0; i < 4; ++i) {
        vectors[i] = get<F32x8>(from + 8 * i);
        sizes = largerOf(sizes, sizeOf(vectors[i]));
    }
    const float largest = largestOf(sizes);
    const float inverse = largest > 0 ? 127 / largest : 0;
    I32x8 values[4];
    for (std::size_t i = 0; i < 4; ++i) {
        values[i] = rounded(vectors[i] * inverse);
    }
    const Bytes bytes = narrowed(values);
    putBytes(run.values + 32 * block, bytes);
    const auto total = [](I32x8 fours, int first) {
        return (fours[first] + fours[first + 1]) + (fours[first + 2] + fours[first + 3]);
    };
    const I32x8 fours = sumFours(bytes);
    const float scale = largest / 127;
    for (int part = 0; part < 2; ++part) {
        const int sum = total(fours, 4 * part);
        const std::size_t at = 2 * block + static_cast<std::size_t>(part);
        run.scales[at] = scale;
        run.sums[at] = scale * static_cast<float>(sum);
        run.negated16[at] = -sum;
    }
    run.negated32[block] = run.negated16[2 * block] + run.negated16[2 * block + 1];
    run.sums32[block] = run.sums[2 * block] + run.sums[2 * block + 1];
    return fours;
}

inline void transposeBlock(const gufo::Int8Run& run, std::size_t block, I32x8 fours, gufo::Int8TransposedRun& to) {
    for (std::size_t part = 0; part < 4; ++part) {
        std::memcpy(to.values + 64 * part + 8 * block, run.values + 32 * block + 8 * part, 8);
    }
    const I32x8 negated = -fours;
    for (int lane = 0; lane < 2; ++lane) {
        const std::size_t at = 2 * block + static_cast<std::size_t>(lane);
        to.scales[at] = run.scales[at];
        to.sums[at] = run.sums[at];
        to.negatedLanes[0][at] = negated[lane] + negated[lane + 2];
        to.negatedLanes[1][at] = negated[lane + 4] + negated[lane + 6];
        to.negatedLanes[2][at] = to.negatedLanes[0][at] + to.negatedLanes[1][at];
    }
}

void toInt8(const float* from, std::size_t columns, const gufo::Int8Out& to) {
    using gufo::kRunWeights;
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        const std::size_t index = begin / kRunWeights;
        gufo::Int8Run& run = to.runs[index * to.stride];
        for (std::size_t block = 0; block < 8; ++block) {
            float filled[32];
            const I32x8 fours = roundBlock(paddedBlock(from, columns, begin + 32 * block, filled), block, run);
            if (to.transposed != nullptr) {
                transposeBlock(run, block, fours, to.transposed[index]);
            }
        }
    }
}

} // namespace
