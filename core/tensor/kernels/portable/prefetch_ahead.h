// Prefetching for products that read several rows alternately. Everything but the distance has internal linkage.
#pragma once

#include <cstddef>

namespace gufo {

// How many bytes ahead of the read position a stream is prefetched, if four streams are read alternately. It depends on
// the processor:
//
// - Zen 3 and Zen 4: 256. Their hardware prefetchers bring the streams into the L2 cache in time, and a prefetch only
//   has to move a line on to the L1 cache. One that has to wait for memory occupies a buffer for outstanding loads,
//   which the loads need. On Zen 4, with 48 GB/s for two threads, 2,048 bytes are 14 % slower for Q4_0 and 20 % for
//   Q8_0, with one thread as well as with two; 512 are 4 and 9 % slower. No prefetches at all: 4 % slower and as fast.
// - Others: 2,048. On Zen 5, 1,024 bytes are 2 % faster if two threads read 45 GB/s but 8 % slower at 70 GB/s; 1,536
//   bytes are 3 % slower for 4-bit types at 60 GB/s. The few rows that are left after four streams were not measured.
extern const std::size_t kStreamPrefetchDistance; // in kernels/dispatch.cpp

// The same for products with several vectors, which read the streams more slowly, so that the hardware prefetchers have
// not reached the next lines in time. On Zen 4, 768 bytes are 8 to 25 % faster than 256 for three to eight vectors of
// Q4_K, Q6_K and Q8_0, and as fast for two; 512 and 1,024 are 0 to 3 % slower, 2,048 up to 10 %. Floats and
// Zen 3 were not measured. On AVX2, no distance was clearly the best.
extern const std::size_t kSeveralPrefetchDistance;

} // namespace gufo

namespace {

// Prefetches `count` bytes at the distance from `at` that suits one vector or several. GCC takes a function that only
// prefetches for one without effect and drops calls that are not inlined early.
template<std::size_t count, bool one = true>
[[gnu::always_inline]] inline void prefetchAhead(const std::byte* at) {
    const std::size_t distance = one ? gufo::kStreamPrefetchDistance : gufo::kSeveralPrefetchDistance;
    for (std::size_t line = 0; line < count; line += 64) {
        __builtin_prefetch(at + distance + line);
    }
}

} // namespace
