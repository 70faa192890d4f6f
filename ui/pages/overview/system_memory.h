// How much memory this machine has, and how much of it is free for a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo::ui {

struct SystemMemory {
    std::uint64_t total = 0;     // bytes
    std::uint64_t available = 0; // without swapping: free, and caches that can go
};

// Nothing where the system does not say.
[[nodiscard]] std::optional<SystemMemory> systemMemory();

// The figures in the text of Linux's /proc/meminfo.
[[nodiscard]] std::optional<SystemMemory> parseMemInfo(std::string_view text);

} // namespace gufo::ui
