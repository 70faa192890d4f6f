// Whether the kernels are compiled with sanitizers. Loops are then not unrolled, because compilers take minutes for
// heavily unrolled code with checks. Used as `unroll kChecked ? 1 : 8`.
#pragma once

namespace gufo {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kChecked = true;
#elif defined(__has_feature)
constexpr bool kChecked = __has_feature(address_sanitizer);
#else
constexpr bool kChecked = false;
#endif

} // namespace gufo
