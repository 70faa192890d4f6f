// Wall-clock time, for figures about speed.
#pragma once

#include <chrono>

namespace gufo::inference {

[[nodiscard]] inline double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace gufo::inference
