// Attention with vectors of any width, in the compilers' portable vector extensions. The translation unit of an
// instruction set includes this file after it has defined, in its unnamed namespace:
//
//     Floats                                    a vector of floats
//     multiplyAdd(a, b, c)                      a × b + c, rounded once
//     loadF16(p), loadBf16(p), signedBytes(p)   loads one number per lane and converts it
//     half(p)                                   loads one half
//     kTogether                                 number of queries whose scores fit in registers: 4 or 8
//
// so that each set has its own copy, with internal linkage.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/kernels/portable/floats.h"
#include "tensor/kernels/portable/tiles.h"
#include "tensor/tensor_type.h"

namespace {

constexpr std::size_t kQueries = 4;                                   // queries processed together
constexpr std::size_t kParts = sizeof(Floats) == 32 ? 2 : 4;          // vectors of a row that are accumulated together
constexpr std::size_t kSums = kFloats > 8 ? kFloats : std::size_t{8}; // accumulators that fit in registers, in whole
                                                                      // vectors

// Reads the elements of a row from element j on. The second overload reads only `count` elements, at the end of a row.
template<std::size_t bytes, Floats (*widen)(const std::byte*)>
struct NumberRow {
    static constexpr std::size_t kBytes = bytes; // bytes of an element
    static Floats load(const std::byte* row, std::size_t j) { return widen(row + bytes * j); }
    static Floats load(const std::byte* row, std::size_t j, std::size_t count) {
        std::byte filled[bytes * kFloats]{};
        std::memcpy(filled, row + bytes * j, bytes * count);
        return widen(filled);
    }
};
inline Floats numbers(const std::byte* from) { return loadFloats(from); }
using F32Row = NumberRow<4, numbers>;
using BF16Row = NumberRow<2, loadBf16>;
struct F16Row {
    static constexpr std::size_t kBytes = 2;
    static Floats load(const std::byte* row, std::size_t j, std::size_t count = kFloats) {
        using Codes = std::int16_t __attribute__((vector_size(2 * kFloats)));
        Codes codes{};
        std::memcpy(&codes, row + 2 * j, 2 * count);
        return __builtin_convertvector(codes, Floats) *
               splat(scaleOfCodes(row + j / gufo::kBlock16 * gufo::kBlock16 * 2));
    }
};
struct Q8Row {
    static constexpr std::size_t kBytes = 1; // approximately, because scales are ignored
    static Floats load(const std::byte* row, std::size_t j) {
        const std::byte* group = row + j / 32 * 34;
        return signedBytes(group + 2 + j % 32) * half(group);
    }
    static Floats load(const std::byte* row, std::size_t j, std::size_t /*count*/) { return load(row, j); }
};

// Codes of 4 or 5 bits in groups of 32 (scalar/attention.cpp says how they are stored), unpacked in words of eight
// bytes. The bytes of a row must be in the order of x86 and ARM.
template<bool fiveBits, bool hasMinimum>
struct NibbleRow {
    static constexpr std::size_t kBytes = 1; // at most
    static Floats load(const std::byte* row, std::size_t j) {
        using Words = std::uint64_t __attribute__((vector_size(kFloats < 8 ? 8 : kFloats)));
        constexpr std::size_t kHalves = hasMinimum ? 4 : 2;
        constexpr std::size_t kCodes = kHalves + (fiveBits ? 4 : 0);
        constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
        const std::byte* group = row + j / 32 * (kCodes + 16);
        const std::size_t at = j % 32;
        Words codes{};
        std::memcpy(&codes, group + kCodes + at % 16, kFloats);
        codes = (at < 16 ? codes : codes >> 4) & (15 * kEach);
        if constexpr (fiveBits) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, group + kHalves, sizeof bits);
            Words high{};
            for (std::size_t word = 0; word < sizeof(Words) / 8; ++word) {
                high[word] = (bits >> (at + 8 * word) & 0xFFU) * kEach;
            }
            // Byte i keeps bit i only. Adding 127 then sets bit 7 of the bytes that are not 0, without a carry: the
            // bits 0b101 become the bytes 0x01 0x00 0x04, then 0x80 0x7F 0x83, and then 16, 0 and 16.
            high &= 0x8040'2010'0804'0201;
            codes |= (high + 127 * kEach) >> 3 & (16 * kEach);
        }
        std::byte bytes[sizeof(Words)];
        std::memcpy(bytes, &codes, sizeof bytes);
        const Floats scale = splat(half(group));
        const Floats least = hasMinimum ? splat(half(group + 2)) : scale * splat(fiveBits ? -16 : -8);
        return multiplyAdd(signedBytes(bytes), scale, least);
    }
    static Floats load(const std::byte* row, std::size_t j, std::size_t /*count*/) { return load(row, j); }
};

// Selects lanes of the concatenation of a and b.
template<std::size_t... lanes>
[[gnu::always_inline]] inline Floats picked(Floats a, Floats b, std::index_sequence<lanes...> /*lanes*/) {
    return __builtin_shufflevector(a, b, static_cast<int>(lanes)...);
}
// Sums vectors pairwise, so that log2(kFloats) steps give the sums of kFloats vectors in one vector. A step adds two
// shuffles of a and b. Strides 1 and 2 stay within groups of four lanes (16 bytes), which processors shuffle fastest:
//
//   stride 1    a0 b0 a1 b1  +  a2 b2 a3 b3      in each group of four lanes
//   stride 2    a0 a1 b0 b1  +  a2 a3 b2 b3
//   stride ≥ 4  A0 A2 … B0 B2 …  +  A1 A3 … B1 B3 …      A0, A1 …: groups of four lanes
//
// foldedLane() is the lane that goes to lane i of the first shuffle or, if `odd`, of the second.
template<std::size_t stride, bool odd>
constexpr std::size_t foldedLane(std::size_t i) {
    if (stride < 4) {
        return i / stride % 2 * kFloats + i / 4 * 4 + i % 4 / (2 * stride) * stride + i % stride + (odd ? 2 : 0);
    }
    return (i / 4 * 2 + (odd ? 1 : 0)) * 4 + i % 4;
}
template<std::size_t stride, std::size_t... i>
[[gnu::always_inline]] inline Floats folded(Floats a, Floats b, std::index_sequence<i...> /*lanes*/) {
    return picked(a, b, std::index_sequence<foldedLane<stride, false>(i)...>()) +
           picked(a, b, std::index_sequence<foldedLane<stride, true>(i)...>());
}
// Returns the sums of kFloats vectors: lane i is the sum of the lanes of v[i].
template<std::size_t count = kFloats>
[[gnu::always_inline]] inline Floats sumEach(const Floats* v) {
    if constexpr (count == 1) {
        return v[0];
    } else {
        return folded<count / 2>(sumEach<count / 2>(v), sumEach<count / 2>(v + count / 2), Times<kFloats>());
    }
}

// Computes scores of `queryCount` queries and kSums / queryCount rows. Only the first `rowCount` rows and `usedQueries`
// queries exist; the last one is computed again in place of the others, and those results are not stored.
template<typename Row, std::size_t queryCount, bool whole>
[[gnu::always_inline]] inline void scoreTile(const gufo::CachedRows& rows, std::size_t first, std::size_t rowCount,
                                             const float* queries, std::size_t usedQueries, float* scores,
                                             std::size_t stride) {
    constexpr std::size_t kRows = kSums / queryCount;
    const std::size_t length = rows.length;
    const std::byte* begin = rows.data + first * rows.rowBytes;
    const auto row = [&](std::size_t r)
                         GUFO_INLINE { return begin + (whole || r < rowCount ? r : rowCount - 1) * rows.rowBytes; };
    const auto query = [&](std::size_t q)
                           GUFO_INLINE { return queries + (whole || q < usedQueries ? q : usedQueries - 1) * length; };
    Floats sums[kSums]{};
    const auto add = [&](const Floats* elements, std::size_t q, Floats x) GUFO_INLINE {
        unrolled(Times<kRows>(), [&](std::size_t r) GUFO_INLINE {
            sums[q * kRows + r] = multiplyAdd(elements[r], x, sums[q * kRows + r]);
        });
    };
    std::size_t j = 0;
    for (; j + kFloats <= length; j += kFloats) {
        Floats elements[kRows];
        unrolled(Times<kRows>(), [&](std::size_t r) GUFO_INLINE { elements[r] = Row::load(row(r), j); });
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE { add(elements, q, loadFloats(query(q) + j)); });
    }
    if (j < length) {
        Floats elements[kRows];
        unrolled(Times<kRows>(), [&](std::size_t r) GUFO_INLINE { elements[r] = Row::load(row(r), j, length - j); });
        unrolled(Times<queryCount>(),
                 [&](std::size_t q) GUFO_INLINE { add(elements, q, loadFloats(query(q) + j, length - j)); });
    }
    float each[kSums];
    unrolled(Times<kSums / kFloats>(),
             [&](std::size_t part) GUFO_INLINE { storeFloats(each + part * kFloats, sumEach(sums + part * kFloats)); });
    unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
        float* to = scores + q * stride + first;
        if constexpr (whole) { // a constant length
            std::memcpy(to, each + q * kRows, sizeof(float) * kRows);
        } else if (q < usedQueries) {
            std::memcpy(to, each + q * kRows, sizeof(float) * rowCount);
        }
    });
}

template<typename Row, std::size_t queryCount>
inline void scoreGroup(const gufo::CachedRows& rows, std::size_t first, std::size_t count, const float* queries,
                       std::size_t usedQueries, float* scores, std::size_t stride) {
    constexpr std::size_t kRows = kSums / queryCount;
    const std::size_t rowCount = count - first < kRows ? count - first : kRows;
    if (rowCount == kRows && usedQueries == queryCount) {
        scoreTile<Row, queryCount, true>(rows, first, rowCount, queries, usedQueries, scores, stride);
    } else {
        scoreTile<Row, queryCount, false>(rows, first, rowCount, queries, usedQueries, scores, stride);
    }
}

template<typename Row>
void score(const gufo::CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    const std::size_t alone = queryCount % kQueries == 1 ? 1 : 0; // a single query is not worth a group
    for (std::size_t first = 0; first < count; first += kSums / kQueries) {
        for (std::size_t q = 0; q + alone < queryCount; q += kQueries) {
            const std::size_t groupQueries = queryCount - alone - q < kQueries ? queryCount - alone - q : kQueries;
            scoreGroup<Row, kQueries>(rows, first, count, queries + q * rows.length, groupQueries, scores + q * stride,
                                      stride);
        }
    }
    if (alone != 0) {
        const std::size_t q = queryCount - 1;
        for (std::size_t first = 0; first < count; first += kSums) {
            scoreGroup<Row, 1>(rows, first, count, queries + q * rows.length, 1, scores + q * stride, stride);
        }
    }
}

template<typename Row>
void scoreRowsOfTiles(const gufo::CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                      std::size_t queryCount, float* scores, std::size_t stride) {
    score<Row>(tiles.rowsFrom(first), count, queries, queryCount, scores, stride);
}

// The data that is prefetched during the computation: as many bytes of the next rows as are read, the first half of
// these, the second half and some of the upcoming range, or only the upcoming range.
enum class Prefetched : std::uint8_t { NextRows, FirstHalf, SecondHalf, UpcomingOnly };

// Accumulates `parts` vectors of `queryCount` sums, from element j on.
template<typename Row, std::size_t parts, std::size_t queryCount, Prefetched what>
inline void gatherTile(const gufo::CachedRows& rows, std::size_t count, std::size_t j, const float* weights,
                       std::size_t stride, float* sums) {
    Floats total[queryCount * parts];
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        total[i] = loadFloats(sums + i / parts * rows.length + j + i % parts * kFloats);
    });
    const std::byte* row = rows.data;
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next, count * rows.rowBytes};
    const std::size_t begin = rows.rowBytes * j / rows.length;
    const std::size_t switchRow = window.rowsBefore(rows.rowBytes);
    const std::byte* prefetchAt = window.addressFor(begin);
    gufo::PrefetchRange upcoming = rows.upcoming != nullptr ? *rows.upcoming : gufo::PrefetchRange();
    for (std::size_t i = 0; i < count; ++i, row += rows.rowBytes) {
        if constexpr (what != Prefetched::UpcomingOnly) {
            constexpr std::size_t kLines = (parts * kFloats * Row::kBytes + kLine - 1) / kLine;
            constexpr std::size_t kFirst = what == Prefetched::SecondHalf ? (kLines + 1) / 2 : 0;
            constexpr std::size_t kEnd = what == Prefetched::FirstHalf ? (kLines + 1) / 2 : kLines;
            prefetchAt = i == switchRow ? window.addressFor(i * rows.rowBytes + begin) : prefetchAt;
            unrolled(Times<kEnd - kFirst>(),
                     [&](std::size_t line) GUFO_INLINE { prefetchFar(prefetchAt + (kFirst + line) * kLine); });
            prefetchAt += rows.rowBytes;
        }
        if constexpr (what == Prefetched::SecondHalf || what == Prefetched::UpcomingOnly) {
            prefetchLine(upcoming);
        }
        Floats elements[parts];
        unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE { elements[p] = Row::load(row, j + p * kFloats); });
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
            const Floats weight = splat(weights[q * stride + i]);
            unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE {
                total[q * parts + p] = multiplyAdd(elements[p], weight, total[q * parts + p]);
            });
        });
    }
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        storeFloats(sums + i / parts * rows.length + j + i % parts * kFloats, total[i]);
    });
    if (rows.upcoming != nullptr) {
        *rows.upcoming = upcoming;
    }
}

template<typename Row, std::size_t queryCount, Prefetched what>
inline void gatherGroup(const gufo::CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                        float* sums) {
    std::size_t j = 0;
    for (; j + kParts * kFloats <= rows.length; j += kParts * kFloats) {
        gatherTile<Row, kParts, queryCount, what>(rows, count, j, weights, stride, sums);
    }
    for (; j + kFloats <= rows.length; j += kFloats) {
        gatherTile<Row, 1, queryCount, Prefetched::UpcomingOnly>(rows, count, j, weights, stride, sums);
    }
    if (const std::size_t left = rows.length - j; left != 0) {
        for (std::size_t q = 0; q < queryCount; ++q) {
            float* to = sums + q * rows.length + j;
            Floats total = loadFloats(to, left);
            for (std::size_t i = 0; i < count; ++i) {
                total = multiplyAdd(Row::load(rows.data + i * rows.rowBytes, j, left), splat(weights[q * stride + i]),
                                    total);
            }
            std::memcpy(to, &total, left * sizeof(float));
        }
    }
}

template<typename Row>
void gather(const gufo::CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
            std::size_t queryCount, float* sums) {
    // The number of rows that stay in the L1 cache for the following queries. The same number of next rows is
    // prefetched with them.
    constexpr std::size_t kMinRows = 32;
    constexpr std::size_t kPiece = 8192; // bytes
    const std::size_t atOnce = rows.rowBytes * kMinRows < kPiece ? kPiece / rows.rowBytes : kMinRows;
    for (std::size_t first = 0; first < count; first += atOnce) {
        const std::size_t pieceRows = count - first < atOnce ? count - first : atOnce;
        gufo::CachedRows piece = rows;
        piece.data += first * rows.rowBytes;
        piece.next = first + pieceRows < count ? piece.data + pieceRows * rows.rowBytes : rows.next;
        std::size_t q = 0;
        const auto runGroups = [&]<std::size_t together>(std::index_sequence<together> /*count*/) {
            for (; q + together <= queryCount; q += together) {
                const float* groupWeights = weights + q * stride + first;
                float* to = sums + q * rows.length;
                if (q == 0 && queryCount >= 2 * kQueries) {
                    gatherGroup<Row, together, Prefetched::FirstHalf>(piece, pieceRows, groupWeights, stride, to);
                } else if (q == 0) {
                    gatherGroup<Row, together, Prefetched::NextRows>(piece, pieceRows, groupWeights, stride, to);
                } else if (q == kQueries && queryCount >= 2 * kQueries) {
                    gatherGroup<Row, together, Prefetched::SecondHalf>(piece, pieceRows, groupWeights, stride, to);
                } else {
                    gatherGroup<Row, together, Prefetched::UpcomingOnly>(piece, pieceRows, groupWeights, stride, to);
                }
            }
        };
        runGroups(std::index_sequence<kQueries>());
        runGroups(std::index_sequence<1>());
    }
}

inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

// Reduces all lanes: combines lanes that are `distance` apart, then half as far, and so on.
template<std::size_t distance, std::size_t... i>
[[gnu::always_inline]] inline Floats swapped(Floats v, std::index_sequence<i...> /*lanes*/) {
    return __builtin_shufflevector(v, v, static_cast<int>(i ^ distance)...);
}
template<std::size_t distance = kFloats / 2, typename Both>
[[gnu::always_inline]] inline float reduced(Floats v, const Both& both) {
    if constexpr (distance == 0) {
        return v[0];
    } else {
        return reduced<distance / 2>(both(v, swapped<distance>(v, Times<kFloats>())), both);
    }
}

float largest(const float* values, std::size_t count) {
    constexpr std::size_t kAtOnce = 4;
    Floats best[kAtOnce];
    unrolled(Times<kAtOnce>(), [&](std::size_t k) GUFO_INLINE { best[k] = splat(values[0]); });
    std::size_t i = 0;
    for (; i + kAtOnce * kFloats <= count; i += kAtOnce * kFloats) {
        unrolled(Times<kAtOnce>(),
                 [&](std::size_t k) GUFO_INLINE { best[k] = larger(best[k], loadFloats(values + i + k * kFloats)); });
    }
    for (; i + kFloats <= count; i += kFloats) {
        best[0] = larger(best[0], loadFloats(values + i));
    }
    float maximum = reduced(larger(larger(best[0], best[1]), larger(best[2], best[3])), larger);
    for (; i < count; ++i) {
        maximum = values[i] > maximum ? values[i] : maximum;
    }
    return maximum;
}

// e^x for x ≤ 0 as 2^n × 2^f with |f| ≤ 1/2. 2^f is a minimax polynomial of degree 5 with constant term 1 and a
// relative error of at most 5e-7.
inline Floats exponential(Floats x) {
    constexpr float kMinimum = -87; // smaller results would be below 2^-126, the smallest number that this construction
                                    // can represent
    constexpr float kShift = 0x1.8p23F;
    const Floats log2e = splat(1.44269504F);
    const Floats shifted = multiplyAdd(x, log2e, splat(kShift)); // its lowest bits are the nearest integer
    const Floats f = multiplyAdd(x, log2e, kShift - shifted);
    Floats p = splat(1.11255073e-3F);
    p = multiplyAdd(p, f, splat(9.66628268e-3F));
    p = multiplyAdd(p, f, splat(5.55740036e-2F));
    p = multiplyAdd(p, f, splat(2.40223512e-1F));
    p = multiplyAdd(p, f, splat(6.93142831e-1F));
    p = multiplyAdd(p, f, splat(1));
    const Bits power = reinterpret_cast<Bits>(shifted) << 23; // exponent n, to be added to the exponent of 2^f
    return reinterpret_cast<Floats>((reinterpret_cast<Bits>(p) + power) & reinterpret_cast<Bits>(x > kMinimum));
}

float exponentials(float* values, std::size_t count, float maximum) {
    Floats sums{};
    std::size_t i = 0;
#pragma GCC unroll 4
    for (; i + kFloats <= count; i += kFloats) {
        const Floats e = exponential(loadFloats(values + i) - maximum);
        storeFloats(values + i, e);
        sums += e;
    }
    if (i < count) {
        const std::size_t left = count - i;
        float filled[kFloats];
        storeFloats(filled, splat(-__builtin_inff())); // unused lanes contribute 0
        std::memcpy(filled, values + i, left * sizeof(float));
        const Floats e = exponential(loadFloats(filled) - maximum);
        std::memcpy(values + i, &e, left * sizeof(float));
        sums += e;
    }
    return reduced(sums, [](Floats a, Floats b) { return a + b; });
}

void installPortableAttention(gufo::AttentionKernels& kernels) {
    const auto set = [&](gufo::TensorType type, const gufo::AttentionKernels::OfType& functions) {
        kernels.types[type] = functions;
    };
    set(gufo::TensorType::F32, {score<F32Row>, scoreTiles<F32Tile>, gather<F32Row>});
    set(gufo::TensorType::F16, {score<F16Row>, scoreTiles<F16Tile>, gather<F16Row>});
    set(gufo::TensorType::BF16, {score<BF16Row>, scoreTiles<BF16Tile>, gather<BF16Row>});
    set(gufo::TensorType::Q8_0, {score<Q8Row>, scoreTiles<Q8Tile>, gather<Q8Row>});
    const auto setNibbles = [&]<bool fiveBits, bool hasMinimum>(gufo::TensorType type) {
        using Row = NibbleRow<fiveBits, hasMinimum>;
        set(type, {score<Row>, scoreRowsOfTiles<Row>, gather<Row>});
    };
    setNibbles.operator()<false, false>(gufo::TensorType::Q4_0);
    setNibbles.operator()<false, true>(gufo::TensorType::Q4_1);
    setNibbles.operator()<true, false>(gufo::TensorType::Q5_0);
    setNibbles.operator()<true, true>(gufo::TensorType::Q5_1);
    kernels.largest = largest;
    kernels.exponentials = exponentials;
}

#undef GUFO_INLINE

} // namespace
