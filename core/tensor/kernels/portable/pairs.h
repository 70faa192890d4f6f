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
    return raised > last ? last : raised;
}

// The bins and squares of pairs that are still to be counted. Counting is bound by stores, and computing by vector
// arithmetic. Pairs are therefore counted a run later than they were computed, alternately with the computation of new
// ones: a processor executes both at the same time, and counting never waits for the computation.
struct PairPlaces {
    static constexpr std::size_t kRun = 128;
    // The pairs [a², (a − b)²] of each group of four, in the order in which the unpack instructions produce them: 0, 2,
    // 1, 3.
    alignas(64) double squares[2 * kRun];
    alignas(64) std::uint16_t cells[kRun]; // indices into PairBins::counts as a flat array
};

struct PairLanes {
    F64x4 aa{};
    F64x4 bb{};
    F64x4 ab{};
    F64x4 ee{};
    F64x4 absolute{};
    F64x4 error{};
    F64x4 maximum{};

    // Adds four pairs. If binned, stores their squares and returns the magnitudes of their errors.
    template<bool binned>
    I32x8 add(const float* a, const float* b, double* squares) {
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
            return I32x8{};
        } else {
            const F64x4 xx = x * x;
            const F64x4 square = e * e;
            aa += xx;
            ee += square;
            const F64x4 even = __builtin_shufflevector(xx, square, 0, 4, 2, 6);
            const F64x4 odd = __builtin_shufflevector(xx, square, 1, 5, 3, 7);
            std::memcpy(squares, &even, sizeof even);
            std::memcpy(squares + 4, &odd, sizeof odd);
            return reinterpret_cast<I32x8>(size);
        }
    }
};

// Counts pairs [k, k + 8) of a run. Consecutive pairs use different lanes of the sums, so that adding to the same
// octave twice does not stall.
[[gnu::always_inline]] inline void putEightInBins(const PairPlaces& places, std::size_t k, gufo::PairBins& bins) {
    using gufo::PairBins;
    static_assert(PairBins::kLanes == 8);
    static_assert(PairBins::kErrorBins == 128 && sizeof(PairBins::sums[0]) == 128);
    std::uint32_t* const counts = bins.counts[0].data();
    auto* const sums = reinterpret_cast<char*>(&bins.sums[0][0]);
    const double* const squares = places.squares + 2 * k;
    const std::uint64_t cells[2] = {get<std::uint64_t>(places.cells + k), get<std::uint64_t>(places.cells + k + 4)};
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        const auto add = [&](std::size_t lane, std::size_t cell) {
            ++counts[cell];
            // The first cell of the octave is also the offset of its sums in bytes.
            char* const at = sums + (cell & ~(PairBins::kErrorBins - 1)) + lane * sizeof(F64x2);
            const F64x2 total = get<F64x2>(at) + get<F64x2>(squares + lane / 4 * 8 + lane % 2 * 4 + lane % 4 / 2 * 2);
            std::memcpy(at, &total, sizeof total);
        };
        (add(i, cells[i / 4] >> (i % 4 * 16) & 0xFFFFU), ...);
    }(std::make_index_sequence<8>());
}

// Counts pairs [from, to) of a run, in whole groups of eight.
inline void putInBins(const PairPlaces& places, std::size_t from, std::size_t to, gufo::PairBins& bins) {
    for (std::size_t k = from; k < to; k += 8) {
        putEightInBins(places, k, bins);
    }
}

inline double total(F64x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

// Adds all pairs of a run of whole groups of eight, and replaces their places. The run is not longer than
// PairPlaces::kRun. If `previous` is not null, the pairs that were in those places are counted in it.
template<bool binned>
void addRun(const float* a, const float* b, std::size_t count, PairLanes& lanes, I32x8& equal, PairPlaces& places,
            gufo::PairBins* previous) {
    using gufo::PairBins;
    for (std::size_t i = 0; i < count; i += 8) {
        if constexpr (binned) {
            if (previous != nullptr) {
                putEightInBins(places, i, *previous);
            }
        }
        const auto x = get<F32x8>(a + i);
        equal -= x == get<F32x8>(b + i);
        const I32x8 low = lanes.add<binned>(a + i, b + i, places.squares + 2 * i);
        const I32x8 high = lanes.add<binned>(a + i + 4, b + i + 4, places.squares + 2 * i + 8);
        if constexpr (binned) {
            const I32x8 octave = ((reinterpret_cast<I32x8>(x) & 0x7FFF'FFFF) >> 23) - (127 + PairBins::kLowestExponent);
            // The exponent and the first bit of the mantissa are in the upper half of each double.
            const I32x8 sizes = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
            const I32x8 bin = (sizes >> 19) - 2 * (1023 + PairBins::kLowestExponent);
            static_assert(PairBins::kErrorBins == 1 << 7);
            const I32x8 first = clampTo<PairBins::kOctaves>(octave) << 7; // cell of the octave
            narrow(places.cells + i, first + clampTo<PairBins::kErrorBins>(bin));
        }
    }
}

// Whether all numbers are finite: the square of a finite float is a finite double.
inline bool isFinite(const PairLanes& lanes) {
    const F64x4 sum = lanes.aa + lanes.bb;
    return total(sum) < __builtin_inf();
}

template<bool binned>
gufo::PairSums sumPairsOf(const float* a, const float* b, std::size_t count, double known, gufo::PairBins* bins) {
    const std::size_t whole = count / 8 * 8;
    PairLanes lanes;
    PairPlaces places;
    I32x8 equal{};
    for (std::size_t first = 0; first < whole; first += PairPlaces::kRun) {
        const std::size_t run = whole - first < PairPlaces::kRun ? whole - first : PairPlaces::kRun;
        addRun<binned>(a + first, b + first, run, lanes, equal, places, first != 0 ? bins : nullptr);
        if constexpr (binned) {
            if (first != 0) {
                putInBins(places, run, PairPlaces::kRun, *bins); // the rest of the run before a short one
            }
        }
        if (!isFinite(lanes)) {
            // Rare. The runs before this one are in the bins already.
            gufo::PairSums sums = gufo::scalar::sumPairs(a, b, first, known, nullptr);
            gufo::PairSums others = gufo::scalar::sumPairs(a + first, b + first, count - first, known, bins);
            others.maximumIndex += others.maximumIndex != gufo::PairSums::kNone ? first : 0;
            sums.merge(others);
            return sums;
        }
    }
    if constexpr (binned) {
        putInBins(places, 0, whole != 0 ? (whole - 1) % PairPlaces::kRun + 1 : 0, *bins);
    }
    gufo::PairSums sums = gufo::scalar::sumPairs(a + whole, b + whole, count - whole, 0, bins);
    sums.pairs += whole;
    sums.aa += total(lanes.aa);
    sums.bb += total(lanes.bb);
    sums.ab += total(lanes.ab);
    sums.ee += total(lanes.ee);
    sums.absolute += total(lanes.absolute);
    sums.bias -= total(lanes.error);
    for (std::size_t i = 0; i < 8; ++i) {
        sums.equal += static_cast<std::uint64_t>(equal[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        sums.maximum = lanes.maximum[i] > sums.maximum ? lanes.maximum[i] : sums.maximum;
    }
    sums.maximumIndex =
        sums.maximum > known ? gufo::scalar::indexOfError(a, b, count, sums.maximum) : gufo::PairSums::kNone;
    return sums;
}

gufo::PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, gufo::PairBins* bins) {
    return bins != nullptr ? sumPairsOf<true>(a, b, count, known, bins)
                           : sumPairsOf<false>(a, b, count, known, nullptr);
}

} // namespace
