// Whether the program is built with a sanitizer that reserves address space and memory.
#pragma once

namespace gufo::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace gufo::test
