// Whether the program is built with a sanitizer that reserves address space and memory.
#pragma once

namespace gufo::test {

// clang defines no macros for sanitizers. __has_feature does not identify clang, because Qt defines it for GCC, too.
#ifdef __clang__
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace gufo::test
