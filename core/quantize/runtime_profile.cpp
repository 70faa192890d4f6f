#include "quantize/runtime_profile.h"

#include "base/ascii.h"
#include "tensor/encode.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

using enum TensorType;

constexpr auto kProfiles = std::to_array<RuntimeProfile>({
    {Runtime::LlamaCpp, "llama.cpp"},
    {Runtime::IkLlama, "ik_llama.cpp"},
    {Runtime::Ollama, "Ollama"},
});

// MXFP4 is left out: inside mixes it lost against Q4_K, and publishers have withdrawn such files.
constexpr auto kEverywhere = std::to_array<TensorType>({Q2_K, Q3_K, Q4_0, Q4_K, Q4_1, Q5_0, Q5_K, Q5_1, Q6_K, Q8_0});
// Ollama's own engine marks them as not supported (fs/ggml/type.go).
constexpr auto kNotOllama =
    std::to_array<TensorType>({IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ4_XS, IQ4_NL});
constexpr auto kOnlyLlama = std::to_array<TensorType>({TQ1_0, TQ2_0});
constexpr auto kOnlyIk =
    std::to_array<TensorType>({IQ2_KS, IQ2_K, IQ2_KL, IQ3_KS, IQ3_K, IQ4_KSS, IQ4_KS, IQ4_K, IQ5_KS, IQ5_K, IQ6_K});

} // namespace

std::span<const RuntimeProfile> runtimeProfiles() { return kProfiles; }

std::optional<Runtime> runtimeNamed(std::string_view name) {
    const auto* found = std::ranges::find_if(
        kProfiles, [&](const RuntimeProfile& profile) { return equalIgnoringCase(profile.name, name); });
    return found != kProfiles.end() ? std::optional(found->runtime) : std::nullopt;
}

std::vector<std::uint32_t> plannedTypes(Runtime runtime) {
    std::vector<std::uint32_t> types;
    const auto add = [&](std::span<const TensorType> some) {
        for (const TensorType type : some) {
            if (isEncodable(static_cast<std::uint32_t>(type))) {
                types.push_back(static_cast<std::uint32_t>(type));
            }
        }
    };
    add(kEverywhere);
    if (runtime != Runtime::Ollama) {
        add(kNotOllama);
    }
    if (runtime == Runtime::LlamaCpp) {
        add(kOnlyLlama);
    }
    if (runtime == Runtime::IkLlama) {
        add(kOnlyIk);
    }
    return types;
}

} // namespace gufo
