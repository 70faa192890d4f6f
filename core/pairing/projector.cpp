#include "pairing/projector.h"

#include "base/checked.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace gufo {
namespace {

constexpr std::string_view kVisionTokens = "<|vision_start|> <|vision_end|>";
constexpr std::string_view kImageTokens = "<|image_start|> <|image_end|>";
constexpr std::string_view kMediaTokens = "<|media_start|> <|media_end|>";

constexpr auto kProjectors = std::to_array<ProjectorFact>({
    {"gemma3", "mm.input_projection.weight", 0, "gemma3", "<start_of_image> <end_of_image>"}, // stored transposed
    {"gemma4uv", "mm.input_projection.weight", 1, "gemma4", "<|image> <image|>"},
    {"gemma4v", "mm.input_projection.weight", 1, "gemma4", "<|image> <image|>"},
    {"glm4v", "mm.down.weight", 1, "glm4,glm4moe,chatglm", "<|begin_of_image|> <|end_of_image|>"},
    {"idefics3", "mm.model.fc.weight", 1, {}, "<fake_token_around_image>"},
    {"internvl", "mm.model.mlp.3.weight", 1, {}, "<img> </img>"},
    {"kimivl", "mm.2.weight", 1, "deepseek2", kMediaTokens},
    {"lfm2", "mm.2.weight", 1, "lfm2,lfm2moe", kImageTokens},
    {"lightonocr", "mm.2.weight,mm.1.weight", 1},
    {"llama4", "mm.model.fc.weight", 1, "llama4", kImageTokens},
    {"mlp", "mm.2.weight,mm.0.weight", 1},
    {"pixtral", "mm.2.weight,mm.1.weight", 1, {}, "[IMG_END]"},
    {"qwen2.5vl_merger", "mm.2.weight", 1, "qwen2vl", kVisionTokens},
    {"qwen2vl_merger", "mm.2.weight", 1, "qwen2vl", kVisionTokens},
    {"qwen3vl_merger", "mm.2.weight", 1, "qwen3vl,qwen3vlmoe,qwen35,qwen35moe", kVisionTokens},
    {"resampler", "resampler.query", 0, {}, "<image> </image>"},
});

// The number of blocks of the encoder whose states enter deeper blocks of the model ("v.deepstack.N.fc2.weight").
std::uint64_t deepstackBlocks(const Model& projector) {
    return static_cast<std::uint64_t>(std::ranges::count_if(projector.tensors, [](const TensorInfo& tensor) {
        return tensor.name.starts_with("v.deepstack.") && tensor.name.ends_with(".fc2.weight");
    }));
}

} // namespace

std::string_view projectorType(const Model& projector) {
    for (const char* key : {"clip.projector_type", "clip.vision.projector_type"}) {
        if (const auto type = projector.metadata.string(key); type && !type->empty()) {
            return *type == "qwen2.5o" ? "qwen2.5vl_merger" : *type;
        }
    }
    return {};
}

const ProjectorFact* findProjector(std::string_view type) {
    const auto* const row = std::ranges::find(kProjectors, type, &ProjectorFact::type);
    return row != kProjectors.end() ? row : nullptr;
}

std::optional<std::uint64_t> projectorWidth(const Model& projector) {
    const ProjectorFact* fact = findProjector(projectorType(projector));
    if (fact == nullptr) {
        return std::nullopt;
    }
    for (const auto& name : fact->tensors | std::views::split(',')) {
        if (const auto index = projector.findTensor(std::string_view(name))) {
            return checkedMultiply(projector.tensor(*index).shape[fact->dimension], 1 + deepstackBlocks(projector));
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> pictureWidth(const Model& model) {
    const auto width = model.metadata.uint(model.metadata.architectureKey("embedding_length"));
    if (!width) {
        return std::nullopt;
    }
    const std::uint64_t deeper = model.metadata.uint(model.metadata.architectureKey("n_deepstack_layers")).value_or(0);
    const auto parts = checkedAdd(deeper, 1);
    return parts ? checkedMultiply(*width, *parts) : std::nullopt;
}

} // namespace gufo
