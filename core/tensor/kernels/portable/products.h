// Products of floats for AVX2 and NEON.
#pragma once

#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/tensor_type.h"

namespace {

inline float sumOf(F32x8 v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

inline float dotFloats(const float* a, const float* b, std::size_t count) {
    F32x8 totals[4]{};
    std::size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        for (std::size_t k = 0; k < 4; ++k) {
            totals[k] = multiplyAdd(get<F32x8>(a + i + 8 * k), get<F32x8>(b + i + 8 * k), totals[k]);
        }
    }
    float total = sumOf((totals[0] + totals[1]) + (totals[2] + totals[3]));
    for (; i < count; ++i) {
        total += a[i] * b[i];
    }
    return total;
}

// `decodeSome` decodes a piece of the row, which stays in the L1 cache.
template<std::size_t bytes, void (*decodeSome)(const std::byte*, std::size_t, float*)>
inline void dotDecoded(const gufo::EncodedRows& rows, std::size_t count, const float* x, float* y) {
    constexpr std::size_t kPiece = 256;
    float piece[kPiece];
    for (std::size_t r = 0; r < count; ++r) {
        float total = 0;
        for (std::size_t at = 0; at < rows.columns; at += kPiece) {
            const std::size_t width = rows.columns - at < kPiece ? rows.columns - at : kPiece;
            decodeSome(rows.data + r * rows.rowBytes + at * bytes, width, piece);
            total += dotFloats(piece, x + at, width);
        }
        y[r] = total;
    }
}

inline void copyFloats(const std::byte* from, std::size_t count, float* out) { std::memcpy(out, from, 4 * count); }

// Multiplies four rows with two tokens at a time.
inline void floatStrip(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                       std::size_t xStride, std::size_t tokens, float* y, std::size_t stride, std::byte* /*scratch*/) {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        std::size_t t = 0;
        for (; t + 2 <= tokens; t += 2) {
            F32x8 totals[4][2]{};
            float rest[4][2]{};
            std::size_t i = 0;
            for (; i + 8 <= columns; i += 8) {
                const F32x8 activations[2]{get<F32x8>(x + t * xStride + i), get<F32x8>(x + (t + 1) * xStride + i)};
                for (std::size_t k = 0; k < 4; ++k) {
                    const F32x8 weights = get<F32x8>(rows + (r + k) * rowStride + i);
                    totals[k][0] = multiplyAdd(weights, activations[0], totals[k][0]);
                    totals[k][1] = multiplyAdd(weights, activations[1], totals[k][1]);
                }
            }
            for (; i < columns; ++i) {
                for (std::size_t k = 0; k < 4; ++k) {
                    rest[k][0] += rows[(r + k) * rowStride + i] * x[t * xStride + i];
                    rest[k][1] += rows[(r + k) * rowStride + i] * x[(t + 1) * xStride + i];
                }
            }
            for (std::size_t k = 0; k < 4; ++k) {
                y[t * stride + r + k] += sumOf(totals[k][0]) + rest[k][0];
                y[(t + 1) * stride + r + k] += sumOf(totals[k][1]) + rest[k][1];
            }
        }
        for (; t < tokens; ++t) {
            for (std::size_t k = 0; k < 4; ++k) {
                y[t * stride + r + k] += dotFloats(rows + (r + k) * rowStride, x + t * xStride, columns);
            }
        }
    }
    for (; r < count; ++r) {
        for (std::size_t t = 0; t < tokens; ++t) {
            y[t * stride + r] += dotFloats(rows + r * rowStride, x + t * xStride, columns);
        }
    }
}

inline void installPortableProducts(gufo::ProductKernels& products) {
    products.floatStrip = floatStrip;
    products.floats[gufo::TensorType::F32] = dotDecoded<4, copyFloats>;
    products.floats[gufo::TensorType::F16] = dotDecoded<2, decodeF16>;
    products.floats[gufo::TensorType::BF16] = dotDecoded<2, decodeBF16>;
}

} // namespace
