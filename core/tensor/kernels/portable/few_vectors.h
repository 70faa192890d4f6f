// Products of rows of encoded weights with one 8-bit vector or a few, for which a run of weights is unpacked only once.
//
// The code is the same for every instruction set whose sums of a run are a vector. A set describes a type of weights by
// a struct `Of`:
//
//   kRunBytes            bytes of 256 weights
//   Total                a vector of floats, whose lanes are summed at the end: sum(total)
//   Run(at, extent)      unpacks a run; multiplied(run, x) returns the Total of its products
//   kRowPairs            whether two rows share the lanes of a Total; then, instead of these:
//     Pair(first, second)     two runs for one vector; multiplied(pair, x) returns the Total of both
//     Alternating(first, second)     the same for several vectors; add(pairs, x, totals) adds the same Totals for
//                             several pairs
//     joined(first, second)   the Total of a pair from the Totals of its rows, whose pairs were twice the same run
//     sum(total, row)         of row 0 or 1; it does not depend on the other row
//   Whole, First         extents: all of the run, or only its parts within the row. The weights after them may be
//                        NaN or infinite in a damaged file, and activations of 0 alone would not keep those out of the
//                        sums.
#pragma once

#include "tensor/kernels/portable/prefetch_ahead.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/products.h"

#include <cstring>

namespace {

// The products of a row by itself.
template<typename Of, bool one>
GUFO_INLINE_UNCHECKED inline typename Of::Total ofOne(const typename Of::Run& run, const gufo::Int8TransposedRun& x) {
    if constexpr (Of::kRowPairs && one) {
        return Of::multiplied(typename Of::Pair(run, run), x);
    } else if constexpr (Of::kRowPairs) {
        const typename Of::Alternating pairs[1]{{run, run}};
        typename Of::Total total[1]{};
        Of::add(pairs, x, total);
        return total[0];
    } else {
        return Of::multiplied(run, x);
    }
}

// Multiplies rows of `streams` streams alternately, one row of each at a time, with one vector or with x.count vectors.
// The totals of one vector stay in registers; the totals of several are in the L1 cache.
template<typename Of, std::size_t streams, bool one>
void dotStreamed(const gufo::EncodedRows& rows, std::size_t count, std::size_t streamStride, const gufo::Int8Rows& x,
                 float* y, std::size_t stride) {
    using Run = typename Of::Run;
    constexpr bool kPairs = Of::kRowPairs && streams > 1 && !gufo::kChecked;
    constexpr std::size_t kPerTotal = kPairs ? 2 : 1; // rows
    // Runs that share loads from x. Runs of other sets than AVX-512 would not fit the registers together.
    constexpr std::size_t kTogether = !kPairs ? 1 : one ? 2 : 4;
    constexpr std::size_t kTotals = streams / kPerTotal;
    const std::size_t vectors = one ? 1 : x.count;
    const std::size_t runs = rows.columns / gufo::kRunWeights;
    const std::size_t rest = rows.rowBytes - runs * Of::kRunBytes;
    const std::size_t streamBytes = streamStride * rows.rowBytes;
    const typename Of::First parts(rows.columns % gufo::kRunWeights);
    const std::byte* end = rows.data + (streams - 1) * streamBytes + count * rows.rowBytes;
    for (std::size_t r = 0; r < count; ++r) {
        const std::byte* row = rows.data + r * rows.rowBytes;
        typename Of::Total totals[one ? 1 : gufo::kFewVectors][kTotals];
        for (std::size_t t = 0; t < vectors; ++t) {
            unrolled(Times<kTotals>(), [&](std::size_t s) GUFO_INLINE { totals[t][s] = typename Of::Total{}; });
        }
        const auto add = [&](const Run& run, std::size_t index, std::size_t t, std::size_t s)
                             GUFO_INLINE { totals[t][s] += ofOne<Of, one>(run, x.transposed[t * x.stride + index]); };
        for (std::size_t index = 0; index < runs; ++index) {
            const auto unpacked = [&](std::size_t s) GUFO_INLINE {
                const std::byte* at = row + s * streamBytes + index * Of::kRunBytes;
                prefetchAhead<Of::kRunBytes, one>(at);
                return Run(at, typename Of::Whole());
            };
            unrolled(Times<streams / kTogether>(), [&](std::size_t group) GUFO_INLINE {
                const std::size_t s = group * kTogether;
                if constexpr (kTogether == 1) {
                    const Run run = unpacked(s);
                    for (std::size_t t = 0; t < vectors; ++t) {
                        add(run, index, t, s);
                    }
                } else if constexpr (one) {
                    const Run run = unpacked(s);
                    const Run next = unpacked(s + 1);
                    totals[0][group] += Of::multiplied(typename Of::Pair(run, next), x.transposed[index]);
                } else {
                    const auto pairFrom = [&](std::size_t i) GUFO_INLINE {
                        const Run run = unpacked(i);
                        const Run next = unpacked(i + 1);
                        return typename Of::Alternating(run, next);
                    };
                    const typename Of::Alternating pairs[2]{pairFrom(s), pairFrom(s + 2)};
                    for (std::size_t t = 0; t < vectors; ++t) {
                        Of::add(pairs, x.transposed[t * x.stride + index], totals[t]);
                    }
                }
            });
        }
        if (rest != 0) {
            // A loop that is not unrolled, because each further copy of the code takes its time to compile. It has sums
            // of its own, since totals[t][s] would not stay in registers if s was a variable.
            typename Of::Total sums[one ? 1 : gufo::kFewVectors][streams];
            for (std::size_t s = 0; s < streams; ++s) {
                const std::byte* at = row + s * streamBytes + runs * Of::kRunBytes;
                prefetchAhead<Of::kRunBytes, one>(at);
                alignas(64) std::byte filledUp[Of::kRunBytes];
                if (end - at < static_cast<std::ptrdiff_t>(Of::kRunBytes)) { // otherwise the run ends in later rows
                    std::memset(filledUp, 0, sizeof filledUp);
                    at = static_cast<const std::byte*>(std::memcpy(filledUp, at, rest));
                }
                const Run run(at, parts);
                for (std::size_t t = 0; t < vectors; ++t) {
                    sums[t][s] = ofOne<Of, one>(run, x.transposed[t * x.stride + runs]);
                }
            }
            for (std::size_t t = 0; t < vectors; ++t) {
                unrolled(Times<kTotals>(), [&](std::size_t i) GUFO_INLINE {
                    if constexpr (kPairs) {
                        totals[t][i] += Of::joined(sums[t][2 * i], sums[t][2 * i + 1]);
                    } else {
                        totals[t][i] += sums[t][i];
                    }
                });
            }
        }
        for (std::size_t t = 0; t < vectors; ++t) {
            unrolled(Times<streams>(), [&](std::size_t s) GUFO_INLINE {
                float& result = y[t * stride + s * streamStride + r];
                if constexpr (Of::kRowPairs) {
                    result = Of::sum(totals[t][s / kPerTotal], s % kPerTotal);
                } else {
                    result = Of::sum(totals[t][s]);
                }
            });
        }
    }
}

template<typename Of>
void dotRows(const gufo::EncodedRows& rows, std::size_t count, const gufo::Int8Row& x, float* y) {
    dotStreamed<Of, 1, true>(rows, count, 0, {x.runs, x.transposed}, y, 0);
}

template<typename Of>
void dotStreams(const gufo::EncodedRows& rows, std::size_t count, std::size_t streamStride, const gufo::Int8Rows& x,
                float* y, std::size_t stride) {
    if (x.count == 1) {
        dotStreamed<Of, gufo::kStreams, true>(rows, count, streamStride, x, y, stride);
    } else {
        dotStreamed<Of, gufo::kStreams, false>(rows, count, streamStride, x, y, stride);
    }
}

} // namespace
