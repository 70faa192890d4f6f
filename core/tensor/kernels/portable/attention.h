// Attention in vectors of any width, in the compilers' portable notation. The translation unit of an instruction set
// includes it after it has defined, in its unnamed namespace:
//
//     Floats                                    a vector of floats
//     multiplyAdd(a, b, c)                      a × b + c, rounded once
//     halves(p), brains(p), signedBytes(p)      as many numbers from memory as a vector has
//     half(p)                                   one of them
//
// so that each set has its own copy, with internal linkage.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/tensor_type.h"

#include <cstdint>
#include <cstring>
#include <utility>

namespace {

constexpr std::size_t kFloats = sizeof(Floats) / sizeof(float);
constexpr std::size_t kQueries = 4;                                   // looked at together
constexpr std::size_t kSums = kFloats > 8 ? kFloats : std::size_t{8}; // that fit the registers, in whole vectors
constexpr std::size_t kParts = sizeof(Floats) == 32 ? 2 : 4;          // vectors of a row that are summed together
using Ints = std::int32_t __attribute__((vector_size(sizeof(Floats))));

inline Floats loadFloats(const void* from) {
    Floats v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
// The first `count`, then zeros.
inline Floats loadFloats(const float* from, std::size_t count) {
    float some[kFloats]{};
    std::memcpy(some, from, count * sizeof(float));
    return loadFloats(some);
}
inline void storeFloats(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }

// How the elements of a row are read, from element j on; the second one for a row that ends after `count` of them.
template<std::size_t bytes, Floats (*widen)(const std::byte*)>
struct NumberRow {
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
    static Floats load(const std::byte* row, std::size_t j) {
        const std::byte* group = row + j / 32 * 34;
        return signedBytes(group + 2 + j % 32) * half(group);
    }
    static Floats load(const std::byte* row, std::size_t j, std::size_t /*count*/) { return load(row, j); }
};

// Calls work(0), work(1), … without a loop: sums that are looked up by a variable would not stay in registers.
template<std::size_t... i, typename Work>
[[gnu::always_inline]] inline void unrolled(std::index_sequence<i...> /*counts*/, const Work& work) {
    (work(i), ...);
}
template<std::size_t count>
using Times = std::make_index_sequence<count>;
#define GUFO_INLINE __attribute__((always_inline))

// Of lanes `distance` apart the sums: of `a` where the lane's number has no such bit, else of `b`.
template<std::size_t distance, std::size_t... i>
[[gnu::always_inline]] inline Floats folded(Floats a, Floats b, std::index_sequence<i...> /*lanes*/) {
    const Floats own = __builtin_shufflevector(a, b, static_cast<int>((i & distance) == 0 ? i : i + kFloats)...);
    const Floats others =
        __builtin_shufflevector(a, b, static_cast<int>((i & distance) == 0 ? i + distance : i - distance + kFloats)...);
    return own + others;
}
// Lane i: the sum of v[i × stride]; of kFloats vectors, with stride 1.
template<std::size_t stride = 1>
[[gnu::always_inline]] inline Floats sumEach(const Floats* v) {
    if constexpr (stride == kFloats) {
        return v[0];
    } else { // the lanes of even and odd vectors lie one below the other until here
        return folded<stride>(sumEach<2 * stride>(v), sumEach<2 * stride>(v + stride), Times<kFloats>());
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

// Memory answers late, and these loops look too little ahead: the rows `first` to `end` of what comes next.
inline void fetchNext(const gufo::CachedRows& rows, std::size_t first, std::size_t end) {
    constexpr std::size_t kLine = 64;
    if (rows.next != nullptr) {
        for (std::size_t at = first * rows.rowBytes; at < end * rows.rowBytes; at += kLine) {
            __builtin_prefetch(rows.next + at);
        }
    }
}

template<typename Row>
void score(const gufo::CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    const std::size_t alone = queryCount % kQueries == 1 ? 1 : 0; // is not worth a group
    for (std::size_t first = 0; first < count; first += kSums / kQueries) {
        fetchNext(rows, first, first + kSums / kQueries);
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

// `parts` vectors of `queryCount` sums, from element j on.
template<typename Row, std::size_t parts, std::size_t queryCount, bool fetches = false>
inline void gatherTile(const gufo::CachedRows& rows, std::size_t count, std::size_t j, const float* weights,
                       std::size_t stride, float* sums) {
    Floats total[queryCount * parts];
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        total[i] = loadFloats(sums + i / parts * rows.length + j + i % parts * kFloats);
    });
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (fetches) {
            fetchNext(rows, i, i + 1);
        }
        Floats own[parts];
        unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE {
            own[p] = Row::load(rows.data + i * rows.rowBytes, j + p * kFloats);
        });
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
            const Floats weight = Floats{} + weights[q * stride + i];
            unrolled(Times<parts>(), [&](std::size_t p) GUFO_INLINE {
                total[q * parts + p] = multiplyAdd(own[p], weight, total[q * parts + p]);
            });
        });
    }
    unrolled(Times<queryCount * parts>(), [&](std::size_t i) GUFO_INLINE {
        storeFloats(sums + i / parts * rows.length + j + i % parts * kFloats, total[i]);
    });
}

template<typename Row, std::size_t queryCount>
inline void gatherSome(const gufo::CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                       float* sums) {
    std::size_t j = 0;
    if (kParts * kFloats <= rows.length) { // once is enough
        gatherTile<Row, kParts, queryCount, true>(rows, count, j, weights, stride, sums);
        j += kParts * kFloats;
    }
    for (; j + kParts * kFloats <= rows.length; j += kParts * kFloats) {
        gatherTile<Row, kParts, queryCount>(rows, count, j, weights, stride, sums);
    }
    for (; j + kFloats <= rows.length; j += kFloats) {
        gatherTile<Row, 1, queryCount>(rows, count, j, weights, stride, sums);
    }
    if (const std::size_t left = rows.length - j; left != 0) {
        for (std::size_t q = 0; q < queryCount; ++q) {
            float* to = sums + q * rows.length + j;
            Floats total = loadFloats(to, left);
            for (std::size_t i = 0; i < count; ++i) {
                total = multiplyAdd(Row::load(rows.data + i * rows.rowBytes, j, left),
                                    Floats{} + weights[q * stride + i], total);
            }
            std::memcpy(to, &total, left * sizeof(float));
        }
    }
}

template<typename Row>
void gather(const gufo::CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
            std::size_t queryCount, float* sums) {
    gufo::CachedRows own = rows;
    std::size_t q = 0;
    for (; q + kQueries <= queryCount; q += kQueries) {
        gatherSome<Row, kQueries>(own, count, weights + q * stride, stride, sums + q * rows.length);
        own.next = nullptr;
    }
    for (; q < queryCount; ++q) {
        gatherSome<Row, 1>(own, count, weights + q * stride, stride, sums + q * rows.length);
        own.next = nullptr;
    }
}

inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

float largest(const float* values, std::size_t count) {
    float most = values[0];
    std::size_t i = 0;
    if (count >= kFloats) {
        Floats best = loadFloats(values);
        for (i = kFloats; i + kFloats <= count; i += kFloats) {
            best = larger(best, loadFloats(values + i));
        }
        for (std::size_t k = 0; k < kFloats; ++k) {
            most = best[k] > most ? best[k] : most;
        }
    }
    for (; i < count; ++i) {
        most = values[i] > most ? values[i] : most;
    }
    return most;
}

// e^x for x ≤ 0 as 2^n × e^r with |r| ≤ ln 2 / 2; e^r by the polynomial of Cephes' expf (Moshier), good to 2 in the
// last place.
inline Floats exponential(Floats x) {
    constexpr float kLeast = -87;
    const Ints counts = x > kLeast; // all bits where true
    const Floats v = larger(x, Floats{} + kLeast);
    constexpr float kShift = 0x1.8p23F;
    const Floats n = (v * 1.44269504F + kShift) - kShift; // the nearest integer
    Floats r = multiplyAdd(n, Floats{} - 0.693359375F, v);
    r = multiplyAdd(n, Floats{} + 2.12194440e-4F, r);
    Floats p = Floats{} + 1.9875691500e-4F;
    p = multiplyAdd(p, r, Floats{} + 1.3981999507e-3F);
    p = multiplyAdd(p, r, Floats{} + 8.3334519073e-3F);
    p = multiplyAdd(p, r, Floats{} + 4.1665795894e-2F);
    p = multiplyAdd(p, r, Floats{} + 1.6666665459e-1F);
    p = multiplyAdd(p, r, Floats{} + 5.0000001201e-1F);
    p = multiplyAdd(p, r * r, r) + 1.0F;
    const Ints power = (__builtin_convertvector(n, Ints) + 127) << 23;
    return reinterpret_cast<Floats>(reinterpret_cast<Ints>(p * reinterpret_cast<Floats>(power)) & counts);
}

float exponentials(float* values, std::size_t count, float most) {
    Floats sums{};
    std::size_t i = 0;
    for (; i + kFloats <= count; i += kFloats) {
        const Floats e = exponential(loadFloats(values + i) - most);
        storeFloats(values + i, e);
        sums += e;
    }
    float total = 0;
    for (std::size_t k = 0; k < kFloats; ++k) {
        total += sums[k];
    }
    if (i < count) {
        const Floats e = exponential(loadFloats(values + i, count - i) - most);
        std::memcpy(values + i, &e, (count - i) * sizeof(float));
        for (std::size_t k = 0; k < count - i; ++k) {
            total += e[k];
        }
    }
    return total;
}

void installPortableAttention(gufo::AttentionKernels& kernels) {
    const auto set = [&](gufo::TensorType type, const gufo::AttentionKernels::OfType& functions) {
        kernels.types.data()[static_cast<std::size_t>(type)] = functions;
    };
    set(gufo::TensorType::F32, {score<F32Row>, gather<F32Row>});
    set(gufo::TensorType::F16, {score<F16Row>, gather<F16Row>});
    set(gufo::TensorType::BF16, {score<BF16Row>, gather<BF16Row>});
    set(gufo::TensorType::Q8_0, {score<Q8Row>, gather<Q8Row>});
    kernels.largest = largest;
    kernels.exponentials = exponentials;
}

#undef GUFO_INLINE

} // namespace
