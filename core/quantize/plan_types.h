// The types that plans choose from: which of them the program has that is to run the model, and how fast this machine
// multiplies by weights of each.
//
// Threads: all functions are thread-safe. measureTypes() computes for about a tenth of a second for each type, so it
// must not be called on the UI thread.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

// The programs that are to run a quantised model.
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

using TypeSeconds = std::map<std::uint32_t, double>; // per weight, of one thread, with weights from the cache

// Measures the kernels of the engine, so that plans can prefer fast types. Types for which there is no kernel are left
// out. Progress counts types. Errors: Cancelled; the errors of encode().
[[nodiscard]] Result<TypeSeconds> measureTypes(const std::vector<std::uint32_t>& types, const JobContext& job);

} // namespace gufo
