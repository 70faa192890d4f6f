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

    void add(F32x4 values, double shift) {
        const F64x4 x = doubles(values);
        const F64x4 d = x - shift;
        const F64x4 square = d * d;
        absolute += magnitude(x);
        sum1 += d;
        sum2 += square;
        sum3 = multiplyAdd(square, d, sum3);
        sum4 = multiplyAdd(square, square, sum4);
    }
};

inline double total(F64x4 a, F64x4 b) {
    const F64x4 c = a + b;
    return (c[0] + c[1]) + (c[2] + c[3]);
}

gufo::PowerSums sumFloats(const float* values, std::size_t count, double shift) {
    const std::size_t whole = count / 8 * 8;
    F32x8 min = F32x8{} + __builtin_inff();
    F32x8 max = -min;
    I32x8 zeros{};
    I32x8 special{};
    for (std::size_t i = 0; i < whole; i += 8) {
        const auto v = get<F32x8>(values + i);
        special |= (reinterpret_cast<I32x8>(v) & 0x7FFF'FFFF) >= 0x7F80'0000;
        zeros -= v == 0;
        min = smaller(v, min);
        max = larger(v, max);
    }
    if (any(special)) {
        return gufo::scalar::sumFloats(values, count, shift);
    }
    // A loop of its own: AVX2 has sixteen registers, and the accumulators must stay in them.
    DoubleSums low;
    DoubleSums high;
    for (std::size_t i = 0; i < whole; i += 8) {
        low.add(get<F32x4>(values + i), shift);
        high.add(get<F32x4>(values + i + 4), shift);
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
    sums.sum4 += total(low.sum4, high.sum4);
    return sums;
}

// Counts eight floats at a time. After adding the margin, a guess of a bin is either right or one too high. It can be
// too high only if its fraction is less than twice the margin; these few values are compared with the edge itself.
void binFloats(const float* values, std::size_t count, const gufo::BinPlan& plan, gufo::BinCounts& counts) {
    if (!plan.floatGuess || std::uint64_t{plan.tables} * plan.bins > kMaxPlaces) {
        gufo::scalar::binFloats(values, count, plan, counts);
        return;
    }
    const float first = plan.thresholds[0];
    const float end = plan.thresholds[plan.bins];
    const F32x8 perUnit = F32x8{} + plan.floatPerUnit;
    const F32x8 margin = F32x8{} + plan.floatMargin;
    const I32x8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const I32x8 tableStart = (lane & static_cast<std::int32_t>(plan.tables - 1)) * static_cast<std::int32_t>(plan.bins);
    // The places of a run are computed before any is counted, so that counting does not wait for the computation.
    constexpr std::size_t kRun = 512;
    alignas(64) std::uint16_t places[kRun];
    std::size_t filled = 0;
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const auto v = get<F32x8>(values + i);
        if (any(~((v >= first) & (v < end)))) {
            gufo::scalar::binFloats(values + i, 8, plan, counts);
            continue;
        }
        const F32x8 guess = multiplyAdd(v - plan.floatLo, perUnit, margin);
        I32x8 bin = __builtin_convertvector(guess, I32x8);
        const I32x8 doubt = guess - __builtin_convertvector(bin, F32x8) < 2 * plan.floatMargin;
        if (any(doubt)) {
            bin += doubt & (v < gather(plan.thresholds, bin));
        }
        narrow(places + filled, bin + tableStart);
        filled += 8;
        if (filled == kRun) {
            countPlaces(places, kRun, counts.counts);
            filled = 0;
        }
    }
    countPlaces(places, filled, counts.counts);
    gufo::scalar::binFloats(values + i, count - i, plan, counts);
}

} // namespace
