// Arithmetic on rows of floats with `lanes` lanes, which the including instruction set chooses.
#pragma once

#include "tensor/kernels/portable/vectors.h"
#include "tensor/kernels/rows.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace {

template<std::size_t lanes>
struct RowTypes;
template<>
struct RowTypes<8> {
    using Floats = F32x8;
    using Half = F32x4;
    using Integers = I32x8;
    using Doubles = F64x4; // as many lanes as Half
};
template<>
struct RowTypes<16> {
    using Floats = float __attribute__((vector_size(64)));
    using Half = F32x8;
    using Integers = std::int32_t __attribute__((vector_size(64)));
    using Doubles = double __attribute__((vector_size(64)));
};

template<std::size_t lanes>
struct RowVectors {
    using F = typename RowTypes<lanes>::Floats;
    using Half = typename RowTypes<lanes>::Half;
    using I = typename RowTypes<lanes>::Integers;
    using D = typename RowTypes<lanes>::Doubles;

    static F choose(I mask, F yes, F no) {
        return reinterpret_cast<F>((mask & reinterpret_cast<I>(yes)) | (~mask & reinterpret_cast<I>(no)));
    }

    // e^x = 2^n × e^r with |r| ≤ ln 2 / 2. Seven terms of the series of e^r leave an error of less than half an ulp.
    static F exponential(F x) {
        constexpr float kMinimum = -87.33F; // below it, e^x is not a normal number
        constexpr float kMaximum = 88.37F;  // above it, 2^n is not finite
        const I tooSmall = x < kMinimum;
        const F clamped = choose(tooSmall, F{} + kMinimum, choose(x > kMaximum, F{} + kMaximum, x));
        constexpr float kRound = 12'582'912; // 1.5 × 2^23: adding it rounds to an integer
        const F shifted = clamped * std::numbers::log2e_v<float> + kRound;
        const F n = shifted - kRound;
        // ln 2 in two parts. The first has few bits, so that its product with n is exact.
        constexpr float kHigh = 0.693359375F;
        constexpr float kLow = static_cast<float>(std::numbers::ln2 - 0.693359375);
        const F r = (clamped - n * kHigh) - n * kLow;
        F series = F{} + 1.0F / 5040;
        for (const float term : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F}) {
            series = series * r + term;
        }
        // The bits of kRound + n are 0x4B40'0000 + n. For x = 1, n is 1, and the exponent 128 makes the power 2.
        const I power = (reinterpret_cast<I>(shifted) - 0x4B40'0000 + 127) << 23;
        return choose(tooSmall, F{}, series * reinterpret_cast<F>(power));
    }

    // Loads a vector; at the end of a row the missing elements are `otherwise`.
    static F load(const float* from, std::size_t count, float otherwise) {
        if (count >= lanes) {
            return get<F>(from);
        }
        F value = F{} + otherwise;
        std::memcpy(&value, from, count * sizeof(float));
        return value;
    }
    static void store(float* to, F value, std::size_t count) {
        std::memcpy(to, &value, count >= lanes ? sizeof value : count * sizeof(float));
    }

    static D lower(F x) {
        Half half;
        std::memcpy(&half, &x, sizeof half);
        return __builtin_convertvector(half, D);
    }
    static D upper(F x) {
        Half half;
        std::memcpy(&half, reinterpret_cast<const char*>(&x) + sizeof half, sizeof half);
        return __builtin_convertvector(half, D);
    }
    static F joined(D low, D high) {
        const Half halves[2]{__builtin_convertvector(low, Half), __builtin_convertvector(high, Half)};
        return get<F>(halves);
    }
    static double total(D sums) {
        double total = 0;
        for (std::size_t i = 0; i < lanes / 2; ++i) {
            total += sums[i];
        }
        return total;
    }

    // x × sigmoid(u): SiLU with u = x, and GELU, because (1 + tanh u) / 2 = sigmoid(2 u).
    template<bool cubic>
    static void gate(const float* of, const float* by, float* out, std::size_t count) {
        constexpr auto kRoot = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi); // √(2/π)
        for (std::size_t i = 0; i < count; i += lanes) {
            const F x = load(of + i, count - i, 0);
            const F inner = cubic ? 2 * kRoot * x * (1 + 0.044715F * x * x) : x;
            F value = x / (1 + exponential(-inner));
            if (by != nullptr) {
                value *= load(by + i, count - i, 0);
            }
            store(out + i, value, count - i);
        }
    }

    static void sigmoid(const float* of, const float* by, float* out, std::size_t count) {
        for (std::size_t i = 0; i < count; i += lanes) {
            const F factor = by != nullptr ? load(by + i, count - i, 0) : F{} + 1.0F;
            store(out + i, factor / (1 + exponential(-load(of + i, count - i, 0))), count - i);
        }
    }

    // ln(1 + e^x) = max(x, 0) + ln(1 + y) with y = e^−|x|, and ln(1 + y) = 2 artanh(s) with s = y / (2 + y) ≤ 1/3. The
    // next term of its series is less than 2e-8 of the sum. NaN stays NaN.
    static void softplus(float* x, std::size_t count) {
        for (std::size_t i = 0; i < count; i += lanes) {
            const F value = load(x + i, count - i, 0);
            const F positive = choose(value < 0, F{}, value);
            const F y = exponential(choose(value < 0, value, -value));
            const F s = y / (2 + y);
            const F t = s * s;
            F series = F{} + 1.0F / 13;
            for (const float term : {1.0F / 11, 1.0F / 9, 1.0F / 7, 1.0F / 5, 1.0F / 3, 1.0F}) {
                series = series * t + term;
            }
            store(x + i, positive + 2 * s * series, count - i);
        }
    }

    static double exponentials(float* x, std::size_t count, float largest) {
        D sums{};
        for (std::size_t i = 0; i < count; i += lanes) {
            const F value = exponential(load(x + i, count - i, -INFINITY) - largest);
            store(x + i, value, count - i);
            sums += lower(value) + upper(value);
        }
        return total(sums);
    }

    static double sum(const float* x, std::size_t count) {
        D sums{};
        for (std::size_t i = 0; i < count; i += lanes) {
            const F value = load(x + i, count - i, 0);
            sums += lower(value) + upper(value);
        }
        return total(sums);
    }

    static double squares(const float* x, std::size_t count, double mean) {
        D sums[2]{};
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const F value = get<F>(x + i);
            const D low = lower(value) - mean;
            const D high = upper(value) - mean;
            sums[0] += low * low;
            sums[1] += high * high;
        }
        double rest = 0;
        for (; i < count; ++i) {
            const double centred = static_cast<double>(x[i]) - mean;
            rest += centred * centred;
        }
        return total(sums[0] + sums[1]) + rest;
    }

    static void normalise(const float* x, double mean, double factor, const float* weights, float* out,
                          std::size_t count) {
        for (std::size_t i = 0; i < count; i += lanes) {
            const F values = load(x + i, count - i, 0);
            F value = joined((lower(values) - mean) * factor, (upper(values) - mean) * factor);
            if (weights != nullptr) {
                value *= load(weights + i, count - i, 0);
            }
            store(out + i, value, count - i);
        }
    }
};

template<std::size_t lanes>
inline void installRows(gufo::RowKernels& rows) {
    using Vectors = RowVectors<lanes>;
    rows.silu = Vectors::template gate<false>;
    rows.gelu = Vectors::template gate<true>;
    rows.sigmoid = Vectors::sigmoid;
    rows.softplus = Vectors::softplus;
    rows.exponentials = Vectors::exponentials;
    rows.sum = Vectors::sum;
    rows.squares = Vectors::squares;
    rows.normalise = Vectors::normalise;
}

} // namespace
