// The programs that are to run a quantised model, and the types that each of them has.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

enum class Runtime : std::uint8_t { LlamaCpp, IkLlama, Ollama };

struct RuntimeProfile {
    Runtime runtime;
    std::string_view name; // "llama.cpp"
};
[[nodiscard]] std::span<const RuntimeProfile> runtimeProfiles();
[[nodiscard]] std::optional<Runtime> runtimeNamed(std::string_view name); // ignores letter case

// The types that plans for a program choose from: those that it runs and that encode() writes. Types that need an
// importance matrix are among them; tensorCosts() leaves them out where there is none.
[[nodiscard]] std::vector<std::uint32_t> plannedTypes(Runtime runtime = Runtime::LlamaCpp);

} // namespace gufo
