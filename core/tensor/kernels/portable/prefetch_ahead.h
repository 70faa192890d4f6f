// Prefetching for products that read several rows alternately.
#pragma once

#include <cstddef>

namespace {

// Prefetches the `count` bytes that will be read about one memory latency after `at`, if four streams are read
// alternately. GCC takes a function that only prefetches for one without effect and drops calls that are not inlined
// early.
template<std::size_t count>
[[gnu::always_inline]] inline void prefetchAhead(const std::byte* at) {
    constexpr std::size_t kPrefetchDistance = 2048;
    for (std::size_t line = 0; line < count; line += 64) {
        __builtin_prefetch(at + kPrefetchDistance + line);
    }
}

} // namespace
