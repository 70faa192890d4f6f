// Products of rows of 16-bit and 32-bit floats with vectors of floats, for AVX2 and NEON.
#pragma once

#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch_ahead.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/tensor_type.h"

namespace {

inline float sumOf(F32x8 v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

// --- products with one vector or a few

// The number formats of rows. load() reads eight numbers as floats.
struct FloatNumbers {
    static constexpr std::size_t kBytes = 4;
    static F32x8 load(const std::byte* from) { return get<F32x8>(from); }
};
struct HalfNumbers {
    static constexpr std::size_t kBytes = 2;
    static F32x8 load(const std::byte* from) { return eightHalves(from); }
};
struct BrainNumbers {
    static constexpr std::size_t kBytes = 2;
    static F32x8 load(const std::byte* from) { return eightBrains(from); }
};

// Multiplies a cache line of a row and sums all products but for eight lanes.
template<typename Numbers>
struct Line {
    static constexpr std::size_t kVectors = 64 / Numbers::kBytes / 8;
    F32x8 numbers[kVectors];

    explicit Line(const std::byte* from) {
#pragma GCC unroll kChecked ? 1 : 4
        for (std::size_t k = 0; k < kVectors; ++k) {
            numbers[k] = Numbers::load(from + 8 * k * Numbers::kBytes);
        }
    }
    [[gnu::always_inline]] F32x8 operator*(const float* x) const {
        F32x8 totals[2]{numbers[0] * get<F32x8>(x), numbers[1] * get<F32x8>(x + 8)};
#pragma GCC unroll kChecked ? 1 : 4
        for (std::size_t k = 2; k < kVectors; ++k) {
            totals[k % 2] = multiplyAdd(numbers[k], get<F32x8>(x + 8 * k), totals[k % 2]);
        }
        return totals[0] + totals[1];
    }
};

// Multiplies one row of each of `streams` streams, a cache line of each at a time, with one vector or with several. The
// totals of one vector stay in registers; the totals of several are in the L1 cache. The sum of a row depends neither
// on its position nor on the other vectors.
template<typename Numbers, std::size_t streams, bool one>
void dotStreamed(const gufo::EncodedRows& rows, std::size_t count, std::size_t streamStride, const float* x,
                 std::size_t xStride, std::size_t vectors, float* y, std::size_t stride) {
    constexpr std::size_t kLine = 64 / Numbers::kBytes;
    const std::size_t whole = rows.columns / kLine * kLine;
    vectors = one ? 1 : vectors;
    for (std::size_t r = 0; r < count; ++r) {
        const std::byte* at[streams];
        for (std::size_t s = 0; s < streams; ++s) {
            at[s] = rows.data + (s * streamStride + r) * rows.rowBytes;
        }
        F32x8 totals[one ? 1 : gufo::kFewFloatVectors][streams];
        std::memset(totals, 0, vectors * sizeof totals[0]);
        for (std::size_t i = 0; i < whole; i += kLine) {
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t s = 0; s < streams; ++s) {
                const Line<Numbers> line(at[s]);
                for (std::size_t t = 0; t < vectors; ++t) {
                    totals[t][s] += line * (x + t * xStride + i);
                }
                prefetchAhead<64, one>(at[s]);
                at[s] += 64;
            }
        }
        if (const std::size_t rest = rows.columns - whole; rest != 0) {
            for (std::size_t s = 0; s < streams; ++s) {
                std::byte filled[64]{};
                std::memcpy(filled, at[s], rest * Numbers::kBytes);
                const Line<Numbers> line(filled);
                for (std::size_t t = 0; t < vectors; ++t) {
                    float activations[kLine]{};
                    std::memcpy(activations, x + t * xStride + whole, rest * sizeof(float));
                    totals[t][s] += line * activations;
                }
            }
        }
        for (std::size_t t = 0; t < vectors; ++t) {
            for (std::size_t s = 0; s < streams; ++s) {
                y[t * stride + s * streamStride + r] = sumOf(totals[t][s]);
            }
        }
    }
}

template<typename Numbers>
void dotNumbers(const gufo::EncodedRows& rows, std::size_t count, const float* x, float* y) {
    dotStreamed<Numbers, 1, true>(rows, count, 0, x, 0, 1, y, 0);
}

template<typename Numbers>
void dotStreams(const gufo::EncodedRows& rows, std::size_t count, std::size_t streamStride, const float* x,
                std::size_t xStride, std::size_t vectors, float* y, std::size_t stride) {
    if (vectors == 1) {
        dotStreamed<Numbers, gufo::kStreams, true>(rows, count, streamStride, x, xStride, vectors, y, stride);
    } else {
        dotStreamed<Numbers, gufo::kStreams, false>(rows, count, streamStride, x, xStride, vectors, y, stride);
    }
}

// --- products with many vectors

// A tile of columns of a strip. A column is four vectors with one weight of each row; the tile stays in the L1 cache.
constexpr std::size_t kFloatColumns = 128;
struct FloatTile {
    F32x8 columns[kFloatColumns][gufo::kStripRows / 8];
};
static_assert(sizeof(FloatTile) <= gufo::kStripScratch);
constexpr std::size_t kFloatTokens = 6; // whose accumulators for sixteen rows fit into the registers

// Transposes an 8 × 8 matrix in place. With rows a … h:
//
//   pairs[0], [1]   a0 b0 a1 b1 │ a4 b4 a5 b5      a2 b2 a3 b3 │ a6 b6 a7 b7
//   fours[0]        a0 b0 c0 d0 │ a4 b4 c4 d4      fours[k]: columns k │ k + 4 of rows a … d
//   fours[4]        e0 f0 g0 h0 │ e4 f4 g4 h4      fours[4 + k]: the same of rows e … h
//   rows[0]         a0 b0 c0 d0 │ e0 f0 g0 h0      the low halves; rows[4] has the high halves
inline void transpose(F32x8 (&rows)[8]) {
    F32x8 pairs[8];
    for (std::size_t i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    F32x8 fours[8];
    for (std::size_t i = 0; i < 8; i += 4) {
        for (std::size_t k = 0; k < 2; ++k) {
            fours[i + 2 * k] = __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            fours[i + 2 * k + 1] = __builtin_shufflevector(pairs[i + k], pairs[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        rows[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Fills the tile with `width` columns of `count` rows; missing rows are zero.
inline void fillTile(const float* rows, std::size_t rowStride, std::size_t count, std::size_t width, FloatTile& tile) {
    for (std::size_t part = 0; part < gufo::kStripRows / 8; ++part) {
        for (std::size_t c = 0; c < width; c += 8) {
            F32x8 lines[8]{};
            for (std::size_t r = 0; r < 8 && 8 * part + r < count; ++r) {
                std::memcpy(&lines[r], rows + (8 * part + r) * rowStride + c,
                            width - c < 8 ? (width - c) * sizeof(float) : sizeof lines[r]);
            }
            transpose(lines);
            for (std::size_t i = 0; i < 8; ++i) {
                tile.columns[c + i][part] = lines[i];
            }
        }
    }
}

// Loads and stores `count` ≤ 16 sums of a token. If there are fewer than sixteen, they are copied through a local
// array, so that the compiler keeps the sums of all tokens in registers.
[[gnu::always_inline]] inline void loadSums(const float* from, std::size_t count, F32x8 (&sums)[2]) {
    float filled[16]{};
    if (count < 16) {
        std::memcpy(filled, from, count * sizeof(float));
        from = filled;
    }
    sums[0] = get<F32x8>(from);
    sums[1] = get<F32x8>(from + 8);
}
[[gnu::always_inline]] inline void storeSums(float* to, std::size_t count, const F32x8 (&sums)[2]) {
    float filled[16];
    float* const at = count < 16 ? filled : to;
    store8(at, sums[0]);
    store8(at + 8, sums[1]);
    if (count < 16) {
        std::memcpy(to, filled, count * sizeof(float));
    }
}

// Multiplies the tile with the activations of a few tokens and adds the result to y, in the order of the columns.
template<std::size_t tokens>
void multiplyTile(const FloatTile& tile, std::size_t count, std::size_t width, const float* x, std::size_t xStride,
                  float* y, std::size_t stride) {
    for (std::size_t row = 0; row < count; row += 16) {
        const std::size_t rows = count - row < 16 ? count - row : 16;
        F32x8 totals[tokens][2];
#pragma GCC unroll kChecked ? 1 : 6
        for (std::size_t t = 0; t < tokens; ++t) {
            loadSums(y + t * stride + row, rows, totals[t]);
        }
        for (std::size_t c = 0; c < width; ++c) {
            const F32x8* const weights = tile.columns[c] + row / 8;
#pragma GCC unroll kChecked ? 1 : 6
            for (std::size_t t = 0; t < tokens; ++t) {
                const F32x8 activation = x[t * xStride + c] - F32x8{}; // broadcast; x + 0 would change −0
                totals[t][0] = multiplyAdd(weights[0], activation, totals[t][0]);
                totals[t][1] = multiplyAdd(weights[1], activation, totals[t][1]);
            }
        }
#pragma GCC unroll kChecked ? 1 : 6
        for (std::size_t t = 0; t < tokens; ++t) {
            storeSums(y + t * stride + row, rows, totals[t]);
        }
    }
}

inline void floatStrip(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                       std::size_t xStride, std::size_t tokens, float* y, std::size_t stride, std::byte* memory) {
    auto& tile = *reinterpret_cast<FloatTile*>(memory);
    for (std::size_t begin = 0; begin < columns; begin += kFloatColumns) {
        const std::size_t width = columns - begin < kFloatColumns ? columns - begin : kFloatColumns;
        fillTile(rows + begin, rowStride, count, width, tile);
        std::size_t t = 0;
        const auto by = [&]<std::size_t together>() {
            for (; t + together <= tokens; t += together) {
                multiplyTile<together>(tile, count, width, x + t * xStride + begin, xStride, y + t * stride, stride);
            }
        };
        by.template operator()<kFloatTokens>();
        by.template operator()<3>();
        by.template operator()<1>();
    }
}

// --- measuring the peak

inline std::uint64_t multiplyFloatsOften() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 10; // more than the latency times the number of products started per cycle
    F32x8 sums[kChains];
#pragma GCC unroll 10
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = F32x8{} + static_cast<float>(k); // different, or the compiler would compute only one of them
    }
    const F32x8 weights = F32x8{} + 3;
    const F32x8 activations = F32x8{} - 0.5F;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 10
        for (std::size_t k = 0; k < kChains; ++k) {
            sums[k] = multiplyAdd(weights, activations, sums[k]);
        }
    }
#pragma GCC unroll 10
    for (std::size_t k = 0; k < kChains; ++k) {
        asm volatile("" : : "m"(sums[k]));
    }
    return kRounds * kChains * 8;
}

inline void installPortableProducts(gufo::ProductKernels& products) {
    using gufo::kStreams;
    using gufo::TensorType;
    products.floats[TensorType::F32] = dotNumbers<FloatNumbers>;
    products.floats[TensorType::F16] = dotNumbers<HalfNumbers>;
    products.floats[TensorType::BF16] = dotNumbers<BrainNumbers>;
    products.floatStreams[TensorType::F32] = dotStreams<FloatNumbers>;
    products.floatStreams[TensorType::F16] = dotStreams<HalfNumbers>;
    products.floatStreams[TensorType::BF16] = dotStreams<BrainNumbers>;
    products.floatStrip = floatStrip;
    products.peakFloats = multiplyFloatsOften;
}

} // namespace
