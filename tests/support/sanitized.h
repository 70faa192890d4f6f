// Whether the program is built with a sanitizer that reserves address space and memory.
#pragma once

namespace gufo::test {

#ifdef __clang__ // it does not define the macros below, and GCC has no features until Qt defines them all as 0
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace gufo::test
