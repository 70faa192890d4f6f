// Fully unrolled loops. Accumulators in arrays stay in registers only if their indices are constants. Everything has
// internal linkage.
#pragma once

#include <cstddef>
#include <utility>

namespace {

// Calls work(0), work(1), …
template<std::size_t... i, typename Work>
[[gnu::always_inline]] inline void unrolled(std::index_sequence<i...> /*counts*/, const Work& work) {
    (work(i), ...);
}
template<std::size_t count>
using Times = std::make_index_sequence<count>;
#define GUFO_INLINE __attribute__((always_inline))

} // namespace
