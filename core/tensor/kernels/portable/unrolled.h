// Fully unrolled loops. Accumulators in arrays stay in registers only if their indices are constants. Everything has
// internal linkage.
#pragma once

#include <cstddef>
#include <utility>

namespace gufo {

// Whether the kernels are compiled with sanitizers. Loops are then not unrolled, because compilers take minutes for
// heavily unrolled code with checks. Used as `unroll kChecked ? 1 : 8`.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kChecked = true;
#elif defined(__has_feature)
constexpr bool kChecked = __has_feature(address_sanitizer);
#else
constexpr bool kChecked = false;
#endif

} // namespace gufo

namespace {

// Calls work(0), work(1), …
template<std::size_t... i, typename Work>
[[gnu::always_inline]] inline void unrolled(std::index_sequence<i...> /*counts*/, const Work& work) {
    (work(i), ...);
}
template<std::size_t count>
using Times = std::make_index_sequence<count>;
#define GUFO_INLINE __attribute__((always_inline))
// For functions that are inlined at many places: compilers take minutes for all of them with checks.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GUFO_INLINE_UNCHECKED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GUFO_INLINE_UNCHECKED
#endif
#if !defined(GUFO_INLINE_UNCHECKED)
#define GUFO_INLINE_UNCHECKED GUFO_INLINE
#endif

} // namespace
