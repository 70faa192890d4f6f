// Sums over pairs of floats, in vectors of four doubles (vectors.h). kernels/scalar/pairs.cpp specifies the results.
#pragma once

#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/kernels/scalar/reduce.h"

namespace {

using I64x4 = std::int64_t __attribute__((vector_size(32)));
using I32x4 = std::int32_t __attribute__((vector_size(16)));
using F64x2 = double __attribute__((vector_size(16)));

inline I64x4 clampTo(I64x4 values, std::int64_t last) {
    const I64x4 zero{};
    const I64x4 top = zero + last;
    const I64x4 raised = values < zero ? zero : values;
    return raised > top ? top : raised;
}

struct PairLanes {
    F64x4 aa{};
    F64x4 bb{};
    F64x4 ab{};
    F64x4 ee{};
    F64x4 absolute{};
    F64x4 error{};
    F64x4 maximum{};
    I64x4 equal{};

    template<bool binned>
    void add(const float* a, const float* b, std::size_t lane, gufo::PairBins* bins) {
        using gufo::PairBins;
        const F64x4 x = __builtin_convertvector(get<F32x4>(a), F64x4);
        const F64x4 y = __builtin_convertvector(get<F32x4>(b), F64x4);
        const F64x4 e = x - y;
        const I64x4 magnitudeBits = reinterpret_cast<I64x4>(e) & 0x7FFF'FFFF'FFFF'FFFF;
        const auto magnitude = reinterpret_cast<F64x4>(magnitudeBits);
        const F64x4 xx = x * x;
        const F64x4 square = e * e;
        aa += xx;
        bb += y * y;
        ab += x * y;
        ee += square;
        absolute += magnitude;
        error += e;
        maximum = magnitude > maximum ? magnitude : maximum;
        equal -= x == y;
        if constexpr (binned) {
            constexpr std::int64_t kLowest = 1023 + PairBins::kLowestExponent;
            const I64x4 bits = reinterpret_cast<I64x4>(x) & 0x7FFF'FFFF'FFFF'FFFF;
            const I64x4 octave = clampTo((bits >> 52) - kLowest, static_cast<std::int64_t>(PairBins::kOctaves) - 1);
            const I64x4 bin =
                clampTo((magnitudeBits >> 51) - 2 * kLowest, static_cast<std::int64_t>(PairBins::kErrorBins) - 1);
            for (std::size_t i = 0; i < 4; ++i) {
                const auto row = static_cast<std::size_t>(octave[i]);
                ++bins->counts[row][static_cast<std::size_t>(bin[i])];
                auto* sums = &bins->sums[row][lane + i].aa;
                const F64x2 more = {xx[i], square[i]};
                const F64x2 total = get<F64x2>(sums) + more;
                std::memcpy(sums, &total, sizeof total);
            }
        }
    }
};

inline double total(F64x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

template<bool binned>
gufo::PairSums sumFinitePairs(const float* a, const float* b, std::size_t count, double known, gufo::PairBins* bins) {
    const std::size_t whole = count / 8 * 8;
    PairLanes low;
    PairLanes high;
    for (std::size_t i = 0; i < whole; i += 8) {
        low.add<binned>(a + i, b + i, 0, bins);
        high.add<binned>(a + i + 4, b + i + 4, 4, bins);
    }
    gufo::PairSums sums = gufo::scalar::sumPairs(a + whole, b + whole, count - whole, 0, bins);
    sums.pairs += whole;
    sums.aa += total(low.aa + high.aa);
    sums.bb += total(low.bb + high.bb);
    sums.ab += total(low.ab + high.ab);
    sums.ee += total(low.ee + high.ee);
    sums.absolute += total(low.absolute + high.absolute);
    sums.bias -= total(low.error + high.error);
    for (std::size_t i = 0; i < 4; ++i) {
        sums.equal += static_cast<std::uint64_t>(low.equal[i] + high.equal[i]);
        sums.maximum = low.maximum[i] > sums.maximum ? low.maximum[i] : sums.maximum;
        sums.maximum = high.maximum[i] > sums.maximum ? high.maximum[i] : sums.maximum;
    }
    sums.maximumIndex =
        sums.maximum > known ? gufo::scalar::indexOfError(a, b, count, sums.maximum) : gufo::PairSums::kNone;
    return sums;
}

gufo::PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, gufo::PairBins* bins) {
    // Counts in bins cannot be undone, so values that are not finite are detected first.
    I32x8 special{};
    const std::size_t whole = count / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8) {
        special |= (get<I32x8>(a + i) & 0x7FFF'FFFF) >= 0x7F80'0000;
        special |= (get<I32x8>(b + i) & 0x7FFF'FFFF) >= 0x7F80'0000;
    }
    if (any(special)) {
        return gufo::scalar::sumPairs(a, b, count, known, bins);
    }
    return bins != nullptr ? sumFinitePairs<true>(a, b, count, known, bins)
                           : sumFinitePairs<false>(a, b, count, known, nullptr);
}

} // namespace
