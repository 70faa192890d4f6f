// Matching the names of tensors with patterns.
#include "base/ascii.h"
#include "base/detail.h"
#include "convert/architecture.h"
#include "convert/dense_modules.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo::convert {
namespace {

// The layers of a model that draft tokens. They follow the layers of the model itself.
constexpr std::string_view kDraftLayers = "mtp.layers.";
constexpr std::uint64_t kMaxDraftLayers = 1'000;

// Left out before names are matched, as often as they occur: bare models do not have them, and models of several
// modalities have two.
constexpr auto kPrefixes = std::to_array<std::string_view>(
    {"language_model.", "text_model.", "model.", "transformer.", "backbone.", "gpt_neox.", "bert.", "roberta."});

constexpr auto kSuffixes = std::to_array<std::string_view>({".weight", ".bias", ".scale", ".input_scale"});

struct DroppedRow {
    std::string_view part;
    std::string_view reason;
};
constexpr auto kDroppedSuffixes = std::to_array<DroppedRow>({
    {".rotary_emb.inv_freq", "computed"},
    {".attention.bias", "mask"},
    {".attention.masked_bias", "mask"},
    {".attn.bias", "mask"},
    {".attn.masked_bias", "mask"},
    {"embeddings.position_ids", "computed"},
});
constexpr auto kDroppedPrefixes = std::to_array<DroppedRow>({
    {"vision_tower.", "other_modality"},
    {"vision_model.", "other_modality"},
    {"vision_encoder.", "other_modality"},
    {"vision_language_adapter.", "other_modality"},
    {"visual.", "other_modality"},
    {"audio_tower.", "other_modality"},
    {"audio_model.", "other_modality"},
    {"multi_modal_projector.", "other_modality"},
    {"multimodal_projector.", "other_modality"},
    {"mm_projector.", "other_modality"},
    {"pre_mm_projector_norm.", "other_modality"},
    {"patch_merger.", "other_modality"},
    {"embed_vision.", "other_modality"},
    {"embed_audio.", "other_modality"},
    {"image_newline", "other_modality"},
    {"mlp1.", "other_modality"}, // InternVL's projector
    {"talker.", "other_modality"},
    {"token2wav.", "other_modality"},
    {kDenseModules, "dense_layer"},
    {"mtp.", "draft_layers"},
    {"cls.", "training_head"},
});

std::string_view withoutPrefixes(std::string_view name) {
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view prefix : kPrefixes) {
            if (name.starts_with(prefix)) {
                name.remove_prefix(prefix.size());
                again = true;
            }
        }
    }
    return name;
}

struct Numbers {
    std::optional<std::uint64_t> block{};
    std::optional<std::uint64_t> expert{};
};

// The numbers that stand in the name in place of the pattern's placeholders. Nothing if the name does not match.
std::optional<Numbers> match(std::string_view pattern, std::string_view name) {
    Numbers numbers;
    while (!pattern.empty()) {
        if (!pattern.starts_with('{')) {
            const std::size_t plain = std::min(pattern.find('{'), pattern.size());
            if (!name.starts_with(pattern.substr(0, plain))) {
                return std::nullopt;
            }
            pattern.remove_prefix(plain);
            name.remove_prefix(plain);
            continue;
        }
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (error != std::errc()) {
            return std::nullopt;
        }
        (pattern[1] == 'b' ? numbers.block : numbers.expert) = number;
        name.remove_prefix(static_cast<std::size_t>(end - name.data()));
        pattern.remove_prefix(3);
    }
    return name.empty() ? std::optional(numbers) : std::nullopt;
}

std::string filledIn(std::string_view target, const Numbers& numbers) {
    std::string text(target);
    const std::size_t at = text.find('{');
    return at == text.npos || !numbers.block ? text : text.replace(at, 3, std::to_string(*numbers.block));
}

void addMatches(std::vector<Placement>& placements, std::span<const TensorPattern> patterns, std::string_view name,
                std::uint64_t blocks) {
    const auto suffix = std::ranges::find_if(kSuffixes, [&](std::string_view s) { return name.ends_with(s); });
    for (const TensorPattern& pattern : patterns) {
        const bool whole = pattern.source.starts_with('=');
        if (!whole && suffix == kSuffixes.end()) {
            continue;
        }
        auto numbers = whole ? match(pattern.source.substr(1), name)
                             : match(pattern.source, name.substr(0, name.size() - suffix->size()));
        if (numbers) {
            if (pattern.target.find("{d}") != pattern.target.npos) {
                numbers->block = blocks;
            }
            std::string target = filledIn(pattern.target, *numbers);
            target += whole || target.empty() ? std::string_view() : *suffix;
            placements.push_back({std::move(target), &pattern, numbers->block, numbers->expert});
        }
    }
}

} // namespace

std::vector<Placement> placementsOf(const Architecture& architecture, std::string_view name, std::uint64_t blocks) {
    name = withoutPrefixes(name);
    std::string drafting;
    if (architecture.draftBlocks && name.starts_with(kDraftLayers)) {
        std::uint64_t layer = 0;
        const char* number = name.data() + kDraftLayers.size();
        const auto [end, error] = std::from_chars(number, name.data() + name.size(), layer);
        if (error == std::errc() && layer < kMaxDraftLayers) {
            drafting = "layers." + std::to_string(blocks + layer) + std::string(end, name.data() + name.size());
            name = drafting;
        }
    }
    std::vector<Placement> placements;
    addMatches(placements, architecture.tensors, name, blocks);
    if (placements.empty() && architecture.commonTensors) {
        addMatches(placements, commonTensors(), name, blocks);
    }
    return placements;
}

std::string_view reasonForDropping(std::string_view name) {
    const auto* bySuffix =
        std::ranges::find_if(kDroppedSuffixes, [&](const DroppedRow& d) { return name.ends_with(d.part); });
    if (bySuffix != kDroppedSuffixes.end()) {
        return bySuffix->reason;
    }
    const std::string_view bare = withoutPrefixes(name);
    const auto* byPrefix =
        std::ranges::find_if(kDroppedPrefixes, [&](const DroppedRow& d) { return bare.starts_with(d.part); });
    return byPrefix != kDroppedPrefixes.end() ? byPrefix->reason : std::string_view();
}

const Architecture* findArchitecture(std::string_view modelClass) {
    const auto found = std::ranges::find_if(architectures(), [&](const Architecture& architecture) {
        return std::ranges::find(architecture.classes, modelClass) != architecture.classes.end();
    });
    return found != architectures().end() ? &*found : nullptr;
}

Result<const Architecture*> architectureOf(const ModelFacts& facts) {
    if (facts.source().isMistralFormat()) {
        return &mistralArchitecture(facts);
    }
    if (!facts.source().hasConfig()) {
        return std::unexpected(fail(ErrorCode::FileNotFound).error().in(facts.source().folder() / "config.json"));
    }
    if (facts.modelClass().empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NoModelClass});
    }
    const Architecture* architecture = findArchitecture(facts.modelClass());
    architecture = architecture != nullptr ? architecture : findArchitecture(facts.outerClass());
    if (architecture != nullptr && architecture->name == "qwen3" && isReranker(facts)) {
        return &rerankerArchitecture(facts);
    }
    if (architecture == nullptr) {
        return fail(ErrorCode::NotSupported, {},
                    {Argument(Detail::ClassNotSupported, {facts.modelClass(), supportedClasses()})});
    }
    return architecture;
}

std::string supportedClasses() {
    std::vector<std::string_view> names;
    for (const Architecture& architecture : architectures()) {
        names.insert(names.end(), architecture.classes.begin(), architecture.classes.end());
    }
    std::ranges::sort(names);
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

} // namespace gufo::convert
