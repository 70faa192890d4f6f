// The most memory that a piece of work takes in this process (Linux: /proc/self).
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace gufo::test {

// A field of /proc/self/status in bytes.
inline std::uint64_t statusBytes(std::string_view field) {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word && word != field) {
    }
    status >> kilobytes;
    return kilobytes * 1024;
}

// By how many bytes the resident memory grows at most while `work` runs. Sanitizers add their own.
inline std::uint64_t peakMemoryOf(const std::function<void()>& work) {
    std::ofstream("/proc/self/clear_refs") << "5"; // sets VmHWM to the present size
    const std::uint64_t before = statusBytes("VmRSS:");
    work();
    return statusBytes("VmHWM:") - std::min(before, statusBytes("VmHWM:"));
}

} // namespace gufo::test
