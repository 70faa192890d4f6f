// Attention in vectors of any width, in the compilers' portable notation. The translation unit of an instruction set
// includes it after it has defined, in its unnamed namespace:
//
//     Floats                                    a vector of floats
//     multiplyAdd(a, b, c)                      a × b + c, rounded once
//     halves(p), brains(p), signedBytes(p)      as many numbers from memory as a vector has
//     half(p)                                   one of them
//     kTogether                                 how many queries' scores fit the registers: 4 or 8
//
// so that each set has its own copy, with internal linkage.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/floats.h"
#include "tensor/kernels/portable/tiles.h"
#include "tensor/tensor_type.h"

namespace {

constexpr std::size_t kQueries = 4;                                   // looked at together
constexpr std::size_t kParts = sizeof(Floats) == 32 ? 2 : 4;          // vectors of a row that are summed together
constexpr std::size_t kSums = kFloats > 8 ? kFloats : std::size_t{8}; // that fit the registers, in whole vectors

// How the elements of a row are read, from element j on; the second one for a row that ends after `count` of them.
template<std::size_t bytes, Floats (*widen)(const std::byte*)>
struct NumberRow {
    static constexpr std::size_t kBytes = bytes; // of an element
    static Floats load(const std::byte* row, std::size_t j) { return widen(row + bytes * j); }
    static Floats load(const std::byte* row, std::size_t j, std::size_t count) {
        std::byte some[bytes * kFloats]{};
        std::memcpy(some, row + bytes * j, bytes * count);
        return widen(some);
    }
};
inline Floats numbers(const std::byte* from) { return loadFloats(from); }
using F32Row = NumberRow<4, numbers>;
using F16Row = NumberRow<2, halves>;
using BF16Row = NumberRow<2, brains>;
struct Q8Row {
    static constexpr std::size_t kBytes = 1; // and a little
    static Floats load(const std::byte* row, std::size_t j) {
        const std::byte* group = row + j / 32 * 34;
        return signedBytes(group + 2 + j % 32) * half(group);
    }
    static Floats load(const std::byte* row, std::size_t j, std::size_t /*count*/) { return load(row, j); }
};

// Lanes of a, then of b.
template<std::size_t... lanes>
[[gnu::always_inline]] inline Floats picked(Floats a, Floats b, std::index_sequence<lanes...> /*lanes*/) {
    return __builtin_shufflevector(a, b, static_cast<int>(lanes)...);
}
// What goes to lane i where a and b are `stride` vectors apart. Strides 1 and 2 stay within 16 bytes, which processors
// do fastest: elements of a and b (pairs of them) in turn, from the lower or upper half. Then whole 16 bytes: the even
// or the odd ones.
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
// Lane i: the sum of v[i], of kFloats vectors.
template<std::size_t count = kFloats>
[[gnu::always_inline]] inline Floats sumEach(const Floats* v) {
    if constexpr (count == 1) {
        return v[0];
    } else {
        return folded<count / 2>(sumEach<count / 2>(v), sumEach<count / 2>(v + count / 2), Times<kFloats>());
    }
}

// Scores of `queryCount` queries and kSums / queryCount rows; of rows and queries past `here` and `some` they are left
// out, and the last one is taken again.
template<typename Row, std::size_t queryCount, bool whole>
[[gnu::always_inline]] inline void scoreTile(const gufo::CachedRows& rows, std::size_t first, std::size_t here,
                                             const float* queries, std::size_t some, float* scores,
                                             std::size_t stride) {
    constexpr std::size_t kRows = kSums / queryCount;
    const std::size_t length = rows.length;
    const std::byte* begin = rows.data + first * rows.rowBytes;
    const auto row = [&](std::size_t r)
                         GUFO_INLINE { return begin + (whole || r < here ? r : here - 1) * rows.rowBytes; };
    const auto query = [&](std::size_t q) GUFO_INLINE { return queries + (whole || q < some ? q : some - 1) * length; };
    Floats sums[kSums]{};
    const auto add = [&](const Floats* own, std::size_t q, Floats x) GUFO_INLINE {
        unrolled(Times<kRows>(),
                 [&](std::size_t r) GUFO_INLINE { sums[q * kRows + r] = multiplyAdd(own[r], x, sums[q * kRows + r]); });
    };
    std::size_t j = 0;
    for (; j + kFloats <= length; j += kFloats) {
        Floats own[kRows];
        unrolled(Times<kRows>(), [&](std::size_t r) GUFO_INLINE { own[r] = Row::load(row(r), j); });
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE { add(own, q, loadFloats(query(q) + j)); });
    }
    if (j < length) {
        Floats own[kRows];
        unrolled(Times<kRows>(), [&](std::size_t r) GUFO_INLINE { own[r] = Row::load(row(r), j, length - j); });
        unrolled(Times<queryCount>(),
                 [&](std::size_t q) GUFO_INLINE { add(own, q, loadFloats(query(q) + j, length - j)); });
    }
    float each[kSums];
    unrolled(Times<kSums / kFloats>(),
             [&](std::size_t part) GUFO_INLINE { storeFloats(each + part * kFloats, sumEach(sums + part * kFloats)); });
    unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
        float* to = scores + q * stride + first;
        if constexpr (whole) { // a length that the compiler knows
            std::memcpy(to, each + q * kRows, sizeof(float) * kRows);
        } else if (q < some) {
            std::memcpy(to, each + q * kRows, sizeof(float) * here);
        }
    });
}

template<typename Row, std::size_t queryCount>
inline void scoreSome(const gufo::CachedRows& rows, std::size_t first, std::size_t count, const float* queries,
                      std::size_t some, float* scores, std::size_t stride) {
    constexpr std::size_t kRows = kSums / queryCount;
    const std::size_t here = count - first < kRows ? count - first : kRows;
    if (here == kRows && some == queryCount) {
        scoreTile<Row, queryCount, true>(rows, first, here, queries, some, scores, stride);
    } else {
        scoreTile<Row, queryCount, false>(rows, first, here, queries, some, scores, stride);
    }
}

template<typename Row>
void score(const gufo::CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    const std::size_t alone = queryCount % kQueries == 1 ? 1 : 0; // is not worth a group
    for (std::size_t first = 0; first < count; first += kSums / kQueries) {
        for (std::size_t q = 0; q + alone < queryCount; q += kQueries) {
            const std::size_t some = queryCount - alone - q < kQueries ? queryCount - alone - q : kQueries;
            scoreSome<Row, kQueries>(rows, first, count, queries + q * rows.length, some, scores + q * stride, stride);
        }
    }
    if (alone != 0) {
        const std::size_t q = queryCount - 1;
        for (std::size_t first = 0; first < count; first += kSums) {
            scoreSome<Row, 1>(rows, first, count, queries + q * rows.length, 1, scores + q * stride, stride);
        }
    }
}

// What is fetched beside: as many bytes of what is read next, one half of them, the other half and some of what is read
// later, or only of that.
enum class Fetched : std::uint8_t { Next, FirstHalf, SecondHalf, Later };

// `parts` vectors of `queryCount` sums, from element j on.
template<typename Row, std::size_t parts, std::size_t queryCount, Fetched what>
inline void gatherTile(const gufo::CachedRows& rows, std::size_t count, std::size_t j, const float* weights,
                       std::size_t stride, float* sums) {
    Floats total[queryCount * parts];
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        total[i] = loadFloats(sums + i / parts * rows.length + j + i % parts * kFloats);
    });
    const std::byte* row = rows.data;
    const Ahead ahead{rows.data, count * rows.rowBytes, rows.next, count * rows.rowBytes};
    const std::size_t begin = rows.rowBytes * j / rows.length;
    const std::size_t turn = ahead.rowsBefore(rows.rowBytes);
    const std::byte* fetched = ahead.of(begin);
    gufo::Later later = rows.later != nullptr ? *rows.later : gufo::Later();
    for (std::size_t i = 0; i < count; ++i, row += rows.rowBytes) {
        if constexpr (what != Fetched::Later) {
            constexpr std::size_t kLines = (parts * kFloats * Row::kBytes + kLine - 1) / kLine;
            constexpr std::size_t kFirst = what == Fetched::SecondHalf ? (kLines + 1) / 2 : 0;
            constexpr std::size_t kEnd = what == Fetched::FirstHalf ? (kLines + 1) / 2 : kLines;
            fetched = i == turn ? ahead.of(i * rows.rowBytes + begin) : fetched;
            unrolled(Times<kEnd - kFirst>(),
                     [&](std::size_t line) GUFO_INLINE { __builtin_prefetch(fetched + (kFirst + line) * kLine); });
            fetched += rows.rowBytes;
        }
        if constexpr (what == Fetched::SecondHalf || what == Fetched::Later) {
            fetch(later);
        }
        Floats own[parts];
        unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE { own[p] = Row::load(row, j + p * kFloats); });
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
            const Floats weight = splat(weights[q * stride + i]);
            unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE {
                total[q * parts + p] = multiplyAdd(own[p], weight, total[q * parts + p]);
            });
        });
    }
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        storeFloats(sums + i / parts * rows.length + j + i % parts * kFloats, total[i]);
    });
    if (rows.later != nullptr) {
        *rows.later = later;
    }
}

template<typename Row, std::size_t queryCount, Fetched what>
inline void gatherSome(const gufo::CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                       float* sums) {
    std::size_t j = 0;
    for (; j + kParts * kFloats <= rows.length; j += kParts * kFloats) {
        gatherTile<Row, kParts, queryCount, what>(rows, count, j, weights, stride, sums);
    }
    for (; j + kFloats <= rows.length; j += kFloats) {
        gatherTile<Row, 1, queryCount, Fetched::Later>(rows, count, j, weights, stride, sums);
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
    // Rows that stay in the first cache for the next queries; with each of them one of the next as many is fetched.
    constexpr std::size_t kFewest = 32;
    const std::size_t atOnce = rows.rowBytes * kFewest < kAhead ? kAhead / rows.rowBytes : kFewest;
    for (std::size_t first = 0; first < count; first += atOnce) {
        const std::size_t here = count - first < atOnce ? count - first : atOnce;
        gufo::CachedRows own = rows;
        own.data += first * rows.rowBytes;
        own.next = first + here < count ? own.data + here * rows.rowBytes : rows.next;
        std::size_t q = 0;
        const auto some = [&]<std::size_t together>(std::index_sequence<together> /*count*/) {
            for (; q + together <= queryCount; q += together) {
                const float* ownWeights = weights + q * stride + first;
                float* to = sums + q * rows.length;
                if (q == 0 && queryCount >= 2 * kQueries) {
                    gatherSome<Row, together, Fetched::FirstHalf>(own, here, ownWeights, stride, to);
                } else if (q == 0) {
                    gatherSome<Row, together, Fetched::Next>(own, here, ownWeights, stride, to);
                } else if (q == kQueries && queryCount >= 2 * kQueries) {
                    gatherSome<Row, together, Fetched::SecondHalf>(own, here, ownWeights, stride, to);
                } else {
                    gatherSome<Row, together, Fetched::Later>(own, here, ownWeights, stride, to);
                }
            }
        };
        some(std::index_sequence<kQueries>());
        some(std::index_sequence<1>());
    }
}

inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

// All lanes put together, in pairs that lie apart as far as `distance` first.
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
    float most = reduced(larger(larger(best[0], best[1]), larger(best[2], best[3])), larger);
    for (; i < count; ++i) {
        most = values[i] > most ? values[i] : most;
    }
    return most;
}

// e^x for x ≤ 0 as 2^n × 2^f with |f| ≤ 1/2; 2^f as 1 and the polynomial of fifth degree whose largest relative error
// is least (5e-7).
inline Floats exponential(Floats x) {
    constexpr float kLeast = -87; // below it no more than 2^-126, the smallest whose bits are put together as here
    constexpr float kShift = 0x1.8p23F;
    const Floats turns = splat(1.44269504F);
    const Floats shifted = multiplyAdd(x, turns, splat(kShift)); // its last bits: the nearest integer
    const Floats f = multiplyAdd(x, turns, kShift - shifted);
    Floats p = splat(1.11255073e-3F);
    p = multiplyAdd(p, f, splat(9.66628268e-3F));
    p = multiplyAdd(p, f, splat(5.55740036e-2F));
    p = multiplyAdd(p, f, splat(2.40223512e-1F));
    p = multiplyAdd(p, f, splat(6.93142831e-1F));
    p = multiplyAdd(p, f, splat(1));
    const Bits power = reinterpret_cast<Bits>(shifted) << 23; // of two, to be added to the exponent
    return reinterpret_cast<Floats>((reinterpret_cast<Bits>(p) + power) & reinterpret_cast<Bits>(x > kLeast));
}

float exponentials(float* values, std::size_t count, float most) {
    Floats sums{};
    std::size_t i = 0;
#pragma GCC unroll 4
    for (; i + kFloats <= count; i += kFloats) {
        const Floats e = exponential(loadFloats(values + i) - most);
        storeFloats(values + i, e);
        sums += e;
    }
    if (i < count) {
        const std::size_t left = count - i;
        float some[kFloats];
        storeFloats(some, splat(-__builtin_inff())); // the rest does not count
        std::memcpy(some, values + i, left * sizeof(float));
        const Floats e = exponential(loadFloats(some) - most);
        std::memcpy(values + i, &e, left * sizeof(float));
        sums += e;
    }
    return reduced(sums, [](Floats a, Floats b) { return a + b; });
}

void installPortableAttention(gufo::AttentionKernels& kernels) {
    const auto set = [&](gufo::TensorType type, const gufo::AttentionKernels::OfType& functions) {
        kernels.types.data()[static_cast<std::size_t>(type)] = functions;
    };
    set(gufo::TensorType::F32, {score<F32Row>, scoreTiles<F32Tile>, gather<F32Row>});
    set(gufo::TensorType::F16, {score<F16Row>, scoreTiles<F16Tile>, gather<F16Row>});
    set(gufo::TensorType::BF16, {score<BF16Row>, scoreTiles<BF16Tile>, gather<BF16Row>});
    set(gufo::TensorType::Q8_0, {score<Q8Row>, scoreTiles<Q8Tile>, gather<Q8Row>});
    kernels.largest = largest;
    kernels.exponentials = exponentials;
}

#undef GUFO_INLINE

} // namespace
