// Sums over pairs of floats, in vectors of four doubles (vectors.h). kernels/scalar/pairs.cpp specifies the results.
#pragma once

#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/kernels/scalar/reduce.h"

#include <utility>

namespace {

using F64x2 = double __attribute__((vector_size(16)));

// Replaces negative numbers by 0, and numbers ≥ size by size − 1.
template<std::size_t size>
I32x8 clampTo(I32x8 numbers) {
    const I32x8 last = I32x8{} + static_cast<std::int32_t>(size - 1);
    const I32x8 raised = numbers > 0 ? numbers : I32x8{};
    return raised < last ? raised : last;
}

// The bins and squares of a run of pairs. They are computed for the whole run before any is counted, so that counting
// does not wait for the computation.
struct PairPlaces {
    static constexpr std::size_t kRun = 256;
    // The pairs [a², (a − b)²] of each group of four, in the order in which the unpack instructions produce them: 0, 2,
    // 1, 3.
    alignas(64) double squares[2 * kRun];
    alignas(64) std::uint32_t cells[kRun]; // indices into PairBins::counts as a flat array
};

struct PairLanes {
    F64x4 aa{};
    F64x4 bb{};
    F64x4 ab{};
    F64x4 ee{};
    F64x4 absolute{};
    F64x4 error{};
    F64x4 maximum{};

    // Adds four pairs. If binned, stores their squares and returns their error bins, not clamped.
    template<bool binned>
    I32x4 add(const float* a, const float* b, double* squares) {
        const F64x4 x = doubles(get<F32x4>(a));
        const F64x4 y = doubles(get<F32x4>(b));
        const F64x4 e = x - y;
        const F64x4 size = magnitude(e);
        bb = multiplyAdd(y, y, bb);
        ab = multiplyAdd(x, y, ab);
        absolute += size;
        error += e;
        maximum = larger(size, maximum);
        if constexpr (!binned) {
            aa = multiplyAdd(x, x, aa);
            ee = multiplyAdd(e, e, ee);
            return I32x4{};
        } else {
            const F64x4 xx = x * x;
            const F64x4 square = e * e;
            aa += xx;
            ee += square;
            const F64x4 even = __builtin_shufflevector(xx, square, 0, 4, 2, 6);
            const F64x4 odd = __builtin_shufflevector(xx, square, 1, 5, 3, 7);
            std::memcpy(squares, &even, sizeof even);
            std::memcpy(squares + 4, &odd, sizeof odd);
            // The exponent and the first bit of the mantissa are in the upper half of each double.
            const auto halves = reinterpret_cast<I32x8>(size);
            return __builtin_shufflevector(halves, halves, 1, 3, 5, 7) >> 19;
        }
    }
};

// Counts the first `count` pairs of a run, a multiple of eight. Eight lanes are all read before one is written, so that
// the processor treats them as independent.
inline void putInBins(const PairPlaces& places, std::size_t count, gufo::PairBins& bins) {
    using gufo::PairBins;
    static_assert(PairBins::kLanes == 8);
    std::uint32_t* counts = bins.counts[0].data();
    double* sums = &bins.sums[0][0].aa;
    for (std::size_t k = 0; k < count; k += 8) {
        const std::uint32_t* cells = places.cells + k;
        const double* squares = places.squares + 2 * k;
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            double* const at[8] = {(sums + cells[i] / PairBins::kErrorBins * (2 * PairBins::kLanes) + 2 * i)...};
            const F64x2 totals[8] = {
                (get<F64x2>(at[i]) + get<F64x2>(squares + i / 4 * 8 + i % 2 * 4 + i % 4 / 2 * 2))...};
            (std::memcpy(at[i], &totals[i], sizeof totals[i]), ...);
            (++counts[cells[i]], ...);
        }(std::make_index_sequence<8>());
    }
}

inline double total(F64x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

template<bool binned>
gufo::PairSums sumFinitePairs(const float* a, const float* b, std::size_t count, double known, gufo::PairBins* bins) {
    const std::size_t whole = count / 8 * 8;
    using gufo::PairBins;
    PairLanes low;
    PairLanes high;
    PairPlaces places;
    I32x8 equal{};
    std::size_t filled = 0;
    for (std::size_t i = 0; i < whole; i += 8) {
        const auto x = get<F32x8>(a + i);
        equal -= x == get<F32x8>(b + i);
        const I32x4 lowBins = low.add<binned>(a + i, b + i, places.squares + 2 * filled);
        const I32x4 highBins = high.add<binned>(a + i + 4, b + i + 4, places.squares + 2 * filled + 8);
        if constexpr (binned) {
            static_assert(PairBins::kErrorBins == 128);
            const I32x8 octave = ((reinterpret_cast<I32x8>(x) & 0x7FFF'FFFF) >> 23) - (127 + PairBins::kLowestExponent);
            const I32x8 bin = __builtin_shufflevector(lowBins, highBins, 0, 1, 2, 3, 4, 5, 6, 7) -
                              2 * (1023 + PairBins::kLowestExponent);
            const I32x8 cells = (clampTo<PairBins::kOctaves>(octave) << 7) + clampTo<PairBins::kErrorBins>(bin);
            std::memcpy(places.cells + filled, &cells, sizeof cells);
            filled += 8;
            if (filled == PairPlaces::kRun) {
                putInBins(places, filled, *bins);
                filled = 0;
            }
        }
    }
    if constexpr (binned) {
        putInBins(places, filled, *bins);
    }
    gufo::PairSums sums = gufo::scalar::sumPairs(a + whole, b + whole, count - whole, 0, bins);
    sums.pairs += whole;
    sums.aa += total(low.aa + high.aa);
    sums.bb += total(low.bb + high.bb);
    sums.ab += total(low.ab + high.ab);
    sums.ee += total(low.ee + high.ee);
    sums.absolute += total(low.absolute + high.absolute);
    sums.bias -= total(low.error + high.error);
    for (std::size_t i = 0; i < 8; ++i) {
        sums.equal += static_cast<std::uint64_t>(equal[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
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
