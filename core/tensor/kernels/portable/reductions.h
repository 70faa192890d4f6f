// Power sums and bins of floats, in vectors of eight (vectors.h). kernels/scalar/reduce.cpp specifies the results.
#pragma once

#include "tensor/kernels/portable/count_places.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/kernels/scalar/reduce.h"

namespace {

struct DoubleSums {
    F64x4 absolute{};
    F64x4 sum1{};
    F64x4 sum2{};
    F64x4 sum3{};
    F64x4 sum4{};

    template<bool shifted>
    void add(F32x4 values, double shift) {
        const F64x4 x = doubles(values);
        const F64x4 d = shifted ? x - shift : x;
        const F64x4 square = d * d;
        absolute += magnitude(x);
        sum1 += d;
        sum2 = multiplyAdd(d, d, sum2); // rather than another addition: processors add and multiply side by side
        sum3 = multiplyAdd(square, d, sum3);
        sum4 = multiplyAdd(square, square, sum4);
    }
};

inline double total(F64x4 a, F64x4 b) {
    const F64x4 c = a + b;
    return (c[0] + c[1]) + (c[2] + c[3]);
}

// Two loops over each piece: AVX2 has sixteen registers, and the accumulators must stay in them. Pieces are short, so
// that memory is read ahead while the longer second loop computes.
template<bool shifted>
gufo::PowerSums sumFloatsFrom(const float* values, std::size_t count, double shift) {
    constexpr std::size_t kPiece = 256;
    const std::size_t whole = count / 8 * 8;
    F32x8 min = F32x8{} + __builtin_inff();
    F32x8 max = -min;
    I32x8 zeros{};
    DoubleSums low;
    DoubleSums high;
    for (std::size_t first = 0; first < whole; first += kPiece) {
        const std::size_t end = first + kPiece < whole ? first + kPiece : whole;
        for (std::size_t i = first; i < end; i += 8) {
            const auto v = get<F32x8>(values + i);
            zeros -= v == 0;
            min = smaller(v, min);
            max = larger(v, max);
        }
        for (std::size_t i = first; i < end; i += 8) {
            low.add<shifted>(get<F32x4>(values + i), shift);
            high.add<shifted>(get<F32x4>(values + i + 4), shift);
        }
    }
    // The fourth power of a finite float is a finite double, so the sum is not finite if one of the values is not.
    const double sum4 = total(low.sum4, high.sum4);
    if (!(sum4 < __builtin_inf())) {
        return gufo::scalar::sumFloats(values, count, shift);
    }
    gufo::PowerSums sums = gufo::scalar::sumFloats(values + whole, count - whole, shift);
    for (std::size_t lane = 0; lane < 8 && whole != 0; ++lane) {
        const double smallest = min[lane];
        const double largest = max[lane];
        sums.min = smallest < sums.min ? smallest : sums.min;
        sums.max = largest > sums.max ? largest : sums.max;
        sums.zeros += static_cast<std::uint64_t>(zeros[lane]);
    }
    sums.finite += whole;
    sums.absolute += total(low.absolute, high.absolute);
    sums.sum1 += total(low.sum1, high.sum1);
    sums.sum2 += total(low.sum2, high.sum2);
    sums.sum3 += total(low.sum3, high.sum3);
    sums.sum4 += sum4;
    return sums;
}

gufo::PowerSums sumFloats(const float* values, std::size_t count, double shift) {
    return shift == 0 ? sumFloatsFrom<false>(values, count, 0) : sumFloatsFrom<true>(values, count, shift);
}

gufo::Extremes extremes(const float* values, std::size_t count) {
    constexpr float kInfinity = __builtin_inff();
    const std::size_t whole = count / 16 * 16;
    F32x8 min[2] = {F32x8{} + kInfinity, F32x8{} + kInfinity};
    F32x8 max[2] = {-min[0], -min[0]};
    for (std::size_t i = 0; i < whole; i += 16) {
        for (std::size_t k = 0; k < 2; ++k) {
            const auto v = get<F32x8>(values + i + 8 * k);
            min[k] = smaller(v, min[k]); // the second operand where the first one is NaN
            max[k] = larger(v, max[k]);
        }
    }
    gufo::Extremes found = gufo::scalar::extremes(values + whole, count - whole);
    const F32x8 low = smaller(min[0], min[1]);
    const F32x8 high = larger(max[0], max[1]);
    for (std::size_t lane = 0; lane < 8 && whole != 0; ++lane) {
        found.smallest = low[lane] < found.smallest ? low[lane] : found.smallest;
        found.largest = high[lane] > found.largest ? high[lane] : found.largest;
    }
    const bool finite = found.smallest > -kInfinity && found.largest < kInfinity;
    return finite ? found : gufo::scalar::extremes(values, count);
}

// Guesses the bins of values in fixed-point arithmetic. After adding the margin, a guess is either right or one too
// high. It can be too high only if its fraction is less than twice the margin, and such a fraction is 0 in fixed point;
// these values are compared with the edge itself, which is computed as the plan's edges are. All members are copies,
// because the compiler must assume that storing bytes changes the plan.
struct BinGuess {
    int shift = 0; // bits of the fraction
    F32x8 first, end, lo, perUnit, margin;
    I32x8 last;
    U32x8 fraction, outside;
    U32x8 ofZero; // instead of the guess for 0, which is the most frequent weight and in many ranges on an edge
    F64x4 step, start;

    explicit BinGuess(const gufo::BinPlan& plan) {
        // A float holds the bits of the bin and of the fraction.
        while (plan.bins << (shift + 1) < 1U << 23U && 4 * plan.floatMargin * static_cast<float>(1U << shift) <= 1) {
            ++shift;
        }
        const auto unit = static_cast<float>(1U << shift);
        first = F32x8{} + plan.first;
        end = F32x8{} + plan.end;
        lo = F32x8{} + plan.floatLo;
        perUnit = F32x8{} + plan.floatPerUnit * unit;
        margin = F32x8{} + plan.floatMargin * unit;
        last = I32x8{} + static_cast<std::int32_t>(plan.bins - 1);
        fraction = U32x8{} + ((1U << shift) - 1);
        outside = U32x8{} + (plan.bins << shift);
        const bool holdsZero = plan.first <= 0 && plan.end > 0;
        const std::uint32_t certain = gufo::scalar::binOf(holdsZero ? 0 : plan.lo, plan) << shift | 1U;
        ofZero = shift != 0 && holdsZero ? U32x8{} + certain : outside;
        step = F64x4{} + plan.step;
        start = F64x4{} + plan.lo;
    }

    [[nodiscard]] I32x8 inside(F32x8 values) const { return (values >= first) & (values < end); }
    [[nodiscard]] U32x8 fixed(F32x8 values) const {
        return reinterpret_cast<U32x8>(__builtin_convertvector(multiplyAdd(values - lo, perUnit, margin), I32x8));
    }
    // Guesses the bins of thirty-two values. Returns false if some of them may be wrong or outside the edges.
    [[nodiscard, gnu::always_inline]] inline bool guessBinsOf(const float* values, I32x8 (&bins)[4]) const {
        U32x8 guesses[4];
        for (std::size_t k = 0; k < 4; ++k) {
            guesses[k] = fixed(get<F32x8>(values + 8 * k));
        }
        return takeIfCertain(guesses, bins);
    }
    // Computes the bins of thirty-two values. Returns false if some of them are outside the edges.
    [[nodiscard, gnu::noinline]] bool exactBinsOf(const float* values, I32x8 (&bins)[4]) const {
        U32x8 guesses[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const auto eight = get<F32x8>(values + 8 * k);
            guesses[k] = eight == 0 ? ofZero : fixed(eight);
        }
        if (takeIfCertain(guesses, bins)) {
            return true;
        }
        I32x8 allInside = ~I32x8{};
        for (std::size_t k = 0; k < 4; ++k) {
            const auto eight = get<F32x8>(values + 8 * k);
            allInside &= inside(eight);
            if (any((guesses[k] & fraction) == 0)) {
                bins[k] = binsOf(eight);
            }
        }
        return !any(~allInside);
    }
    // Removes the fractions of guesses. Returns false if some of them may be wrong or outside the edges.
    [[nodiscard, gnu::always_inline]] inline bool takeIfCertain(const U32x8 (&guesses)[4], I32x8 (&bins)[4]) const {
        // Guesses of values outside the edges, and of NaN, are too high as unsigned numbers.
        const U32x8 minimum = smaller(smaller(guesses[0] & fraction, guesses[1] & fraction),
                                      smaller(guesses[2] & fraction, guesses[3] & fraction));
        const U32x8 maximum = larger(larger(guesses[0], guesses[1]), larger(guesses[2], guesses[3]));
        for (std::size_t k = 0; k < 4; ++k) {
            bins[k] = reinterpret_cast<I32x8>(guesses[k] >> shift);
        }
        return !any((minimum == 0) | (larger(maximum, outside) == maximum));
    }
    // The bins of values within the edges.
    [[nodiscard]] I32x8 binsOf(F32x8 values) const {
        I32x8 bins = reinterpret_cast<I32x8>(fixed(values)) >> shift;
        bins = bins > last ? last : bins;
        const F64x4 low = doubles(__builtin_shufflevector(values, values, 0, 1, 2, 3));
        const F64x4 high = doubles(__builtin_shufflevector(values, values, 4, 5, 6, 7));
        const I64x4 tooLow = low < edgesOf(__builtin_shufflevector(bins, bins, 0, 1, 2, 3));
        const I64x4 tooHigh = high < edgesOf(__builtin_shufflevector(bins, bins, 4, 5, 6, 7));
        return bins + __builtin_shufflevector(reinterpret_cast<I32x8>(tooLow), reinterpret_cast<I32x8>(tooHigh), 0, 2,
                                              4, 6, 8, 10, 12, 14);
    }
    [[nodiscard]] F64x4 edgesOf(I32x4 bins) const { return doubles(bins) * step + start; }
};

// Writes the places of the values, among eight, that are within the edges, counts the others as below or above, and
// returns how many places were written.
template<typename Place>
[[gnu::noinline]] std::size_t placeInside(const float* from, const BinGuess& guess, I32x8 tableStart, Place* at,
                                          gufo::BinCounts& counts) {
    const auto values = get<F32x8>(from);
    I32x8 inside = guess.inside(values);
    I32x8 places = guess.binsOf(inside ? values : guess.first) + tableStart;
    const I32x8 finite = (reinterpret_cast<I32x8>(values) & 0x7FFF'FFFF) < 0x7F80'0000;
    I32x8 below = finite & (values < guess.first);
    I32x8 above = finite & (values >= guess.end);
    putInMemory(places);
    putInMemory(inside);
    putInMemory(below);
    putInMemory(above);
    std::size_t added = 0;
    for (std::size_t lane = 0; lane < 8; ++lane) {
        at[added] = static_cast<Place>(places[lane]);
        added += static_cast<std::size_t>(inside[lane] & 1);
        counts.below += static_cast<std::uint64_t>(below[lane] & 1);
        counts.above += static_cast<std::uint64_t>(above[lane] & 1);
    }
    return added;
}

template<typename Place>
void binFloatsBy(const float* values, std::size_t count, const gufo::BinPlan& plan, gufo::BinCounts& counts) {
    constexpr bool kPaired = sizeof(Place) == 1;
    const BinGuess guess(plan);
    const I32x8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const std::uint32_t tables = kPaired ? 1 : plan.tables;
    const I32x8 tableStart = (lane & static_cast<std::int32_t>(tables - 1)) * static_cast<std::int32_t>(plan.bins);
    PendingPlaces<Place> pending(counts);
    std::size_t i = 0;
    const auto add = [&](I32x8(&bins)[4]) {
        for (I32x8& each : bins) {
            each += tableStart;
        }
        Place* const at = pending.next();
        if constexpr (kPaired) {
            storePairs(at, bins);
        } else {
            for (std::size_t k = 0; k < 4; ++k) {
                narrow(at + 8 * k, bins[k]);
            }
        }
    };
    for (; i + 32 <= count; i += 32) {
        I32x8 guessed[4];
        if (guess.guessBinsOf(values + i, guessed)) {
            add(guessed);
        } else if (I32x8 exact[4]; guess.exactBinsOf(values + i, exact)) { // these are in memory, unlike the guesses
            add(exact);
        } else {
            for (std::size_t k = 0; k < 4; ++k) {
                Place few[8];
                const std::size_t found = placeInside(values + i + 8 * k, guess, tableStart, few, counts);
                for (std::size_t place = 0; place < found; ++place) {
                    ++counts.counts[few[place]]; // one by one, because their number may be odd
                }
            }
        }
    }
    pending.flush();
    gufo::scalar::binFloats(values + i, count - i, plan, counts);
}

void binFloats(const float* values, std::size_t count, const gufo::BinPlan& plan, gufo::BinCounts& counts) {
    if (plan.floatGuess && counts.pairs != nullptr) {
        binFloatsBy<std::uint8_t>(values, count, plan, counts);
    } else if (plan.floatGuess && std::uint64_t{plan.tables} * plan.bins <= kMaxPlaces) {
        binFloatsBy<std::uint16_t>(values, count, plan, counts);
    } else {
        gufo::scalar::binFloats(values, count, plan, counts);
    }
}

} // namespace
