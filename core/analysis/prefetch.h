// Prefetching of the encoded bytes of the next piece, while the kernels compute with the last one.
#pragma once

#include "base/byte_source.h"

#include <cstddef>

namespace gufo {

// Loads the bytes into the L2 cache. The hardware does not look as far ahead as a piece. GCC drops calls of a function
// that only prefetches unless it is inlined early.
[[gnu::always_inline]] inline void prefetch(Bytes bytes) {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < bytes.size(); at += kLine) {
        __builtin_prefetch(bytes.data() + at, 0, 2);
    }
}

} // namespace gufo
