#include "inference/engine/binding/architecture.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

using enum NormKind;
using enum RopeKind;
using enum Activation;

constexpr auto kArchitectures = std::to_array<Architecture>({
    {.name = "llama", .norm = Rms, .rope = Interleaved},
    {.name = "qwen2", .norm = Rms, .rope = HalfSplit},
    {.name = "qwen2moe", .norm = Rms, .rope = HalfSplit, .expertWeights = ExpertWeights::AsTheyAre},
    {.name = "qwen3", .norm = Rms, .rope = HalfSplit},
    {.name = "qwen3moe", .norm = Rms, .rope = HalfSplit},
    {.name = "gemma", .norm = Rms, .rope = HalfSplit, .activation = Gelu, .scaledEmbedding = true},
    {.name = "gemma2",
     .norm = Rms,
     .rope = HalfSplit,
     .activation = Gelu,
     .queryScale = QueryScale::HeadSizeOrShare,
     .largestBlocks = 46,
     .scaledEmbedding = true},
    {.name = "gemma3",
     .norm = Rms,
     .rope = HalfSplit,
     .activation = Gelu,
     .queryScale = QueryScale::HeadSizeOrShare,
     .largestBlocks = 62,
     .scaledEmbedding = true,
     .windowRopeBase = 10'000},
    {.name = "phi2", .norm = Layer, .rope = HalfSplit, .activation = Gelu, .residual = Residual::Parallel},
    {.name = "phi3", .norm = Rms, .rope = HalfSplit},
    {.name = "gpt2", .norm = Layer, .activation = Gelu},
    {.name = "starcoder", .norm = Layer, .activation = Gelu},
    {.name = "gptneox", .norm = Layer, .rope = HalfSplit, .activation = Gelu, .residual = Residual::ParallelByKey},
    {.name = "gptj", .norm = Layer, .rope = Interleaved, .activation = Gelu, .residual = Residual::Parallel},
    {.name = "bloom", .norm = Layer, .activation = Gelu, .alibi = 8},
    {.name = "falcon", .norm = Layer, .rope = HalfSplit, .activation = Gelu, .residual = Residual::Parallel},
    {.name = "mpt", .norm = Layer, .activation = Gelu},
    {.name = "starcoder2", .norm = Layer, .rope = HalfSplit, .activation = Gelu},
    {.name = "stablelm", .norm = Layer, .rope = HalfSplit, .residual = Residual::ParallelByNorms},
    {.name = "olmo2", .norm = Rms, .rope = HalfSplit, .unstretchedWindows = true},
    {.name = "command-r", .norm = Layer, .rope = Interleaved, .residual = Residual::Parallel},
    {.name = "deepseek2",
     .family = Family::LatentAttention,
     .norm = Rms,
     .rope = Interleaved,
     .expertWeights = ExpertWeights::AsTheyAre},
    {.name = "mamba", .family = Family::Mamba, .norm = Rms},
    {.name = "rwkv6", .family = Family::Rwkv6, .norm = Layer},
});

} // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture* findEngineArchitecture(std::string_view name) {
    const auto* row = std::ranges::find(kArchitectures, name, &Architecture::name);
    return row != kArchitectures.end() ? row : nullptr;
}

} // namespace gufo::inference
