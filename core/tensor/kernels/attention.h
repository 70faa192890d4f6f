// Attention over keys and values in their encoded form: each row is read and widened once for several queries.
#pragma once

#include <array>
#include <cstddef>

namespace gufo {

// Rows one after another, of which the first `length` elements count. Types: F32, F16, BF16, Q8_0 (whose last group is
// there as a whole).
struct CachedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t length = 0;
    const std::byte* next = nullptr; // as many bytes that will be read soon, to be fetched meanwhile; null: none
};

struct AttentionKernels {
    // scores[q × stride + i] = query q · row i for `count` rows and `queryCount` queries of `length` floats, one after
    // another.
    using Score = void (*)(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                           float* scores, std::size_t stride);
    // sums[q × length + j] += weights[q × stride + i] × row i [j], row by row in their order.
    using Gather = void (*)(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                            std::size_t queryCount, float* sums);
    struct OfType {
        Score score = nullptr; // null: not for this type
        Gather gather = nullptr;
    };
    std::array<OfType, 64> types{}; // by type id

    float (*largest)(const float* values, std::size_t count) = nullptr; // count > 0, no NaN
    // values[i] = e^(values[i] − largest), 0 below e^−87; their sum. None is above `largest`.
    float (*exponentials)(float* values, std::size_t count, float largest) = nullptr;
};

} // namespace gufo
