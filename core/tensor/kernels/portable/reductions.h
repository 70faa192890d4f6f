// Power sums and bins of floats, in vectors of eight (vectors.h). kernels/scalar/reduce.cpp specifies the results.
#pragma once

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
        const F64x4 x = __builtin_convertvector(values, F64x4);
        const F64x4 d = x - shift;
        const F64x4 square = d * d;
        absolute += x < 0 ? -x : x;
        sum1 += d;
        sum2 += square;
        sum3 += square * d;
        sum4 += square * square;
    }
};

inline double total(F64x4 a, F64x4 b) {
    const F64x4 c = a + b;
    return (c[0] + c[1]) + (c[2] + c[3]);
}

gufo::PowerSums sumFloats(const float* values, std::size_t count, double shift) {
    const std::size_t whole = count / 8 * 8;
    DoubleSums low;
    DoubleSums high;
    F32x8 min = F32x8{} + __builtin_inff();
    F32x8 max = -min;
    I32x8 zeros{};
    I32x8 special{};
    for (std::size_t i = 0; i < whole; i += 8) {
        const auto v = get<F32x8>(values + i);
        const I32x8 magnitude = reinterpret_cast<I32x8>(v) & 0x7FFF'FFFF;
        special |= magnitude >= 0x7F80'0000;
        zeros -= magnitude == 0;
        min = v < min ? v : min;
        max = v > max ? v : max;
        low.add(get<F32x4>(values + i), shift);
        high.add(get<F32x4>(values + i + 4), shift);
    }
    if (any(special)) {
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
    sums.sum4 += total(low.sum4, high.sum4);
    return sums;
}

void binFloats(const float* values, std::size_t count, const gufo::BinPlan& plan, gufo::BinCounts& counts) {
    if (!plan.floatGuess || plan.tables != 8) {
        gufo::scalar::binFloats(values, count, plan, counts);
        return;
    }
    // After adding the margin, a guess is either right or one too high. It can be too high only if its fraction is less
    // than twice the margin; these few values take the slow path.
    const float first = plan.thresholds[0];
    const float end = plan.thresholds[plan.bins];
    std::uint32_t* tables[8];
    for (std::size_t lane = 0; lane < 8; ++lane) {
        tables[lane] = counts.counts + lane * plan.bins;
    }
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const auto v = get<F32x8>(values + i);
        const F32x8 guess = (v - plan.floatLo) * plan.floatPerUnit + plan.floatMargin;
        const I32x8 bin = __builtin_convertvector(guess, I32x8);
        const F32x8 fraction = guess - __builtin_convertvector(bin, F32x8);
        if (any(~((v >= first) & (v < end) & (fraction >= 2 * plan.floatMargin)))) {
            gufo::scalar::binFloats(values + i, 8, plan, counts);
            continue;
        }
        for (std::size_t lane = 0; lane < 8; ++lane) {
            ++tables[lane][bin[lane]];
        }
    }
    gufo::scalar::binFloats(values + i, count - i, plan, counts);
}

} // namespace
