// Whether the kernels are compiled with the checks of sanitizers in them: then loops are left as they are, since
// compilers take minutes for what is unrolled many times with the checks in it. Written as `unroll kChecked ? 1 : 8`.
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
