#include "formats/ggml/families.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::ggml {
namespace {

constexpr auto kNumber = HyperParameter::Kind::Number;
constexpr auto kFloat = HyperParameter::Kind::Float;

constexpr auto kLlama = std::to_array<HyperParameter>(
    {{"n_vocab"}, {"n_embd"}, {"n_mult"}, {"n_head"}, {"n_layer"}, {"n_rot"}, {"ftype", kNumber}});
constexpr auto kGpt2 =
    std::to_array<HyperParameter>({{"n_vocab"}, {"n_ctx"}, {"n_embd"}, {"n_head"}, {"n_layer"}, {"ftype", kNumber}});
constexpr auto kGptJ = std::to_array<HyperParameter>(
    {{"n_vocab"}, {"n_ctx"}, {"n_embd"}, {"n_head"}, {"n_layer"}, {"n_rot"}, {"ftype", kNumber}});
constexpr auto kGptNeox = std::to_array<HyperParameter>(
    {{"n_vocab"}, {"n_ctx"}, {"n_embd"}, {"n_head"}, {"n_layer"}, {"n_rot"}, {"par_res", kNumber}, {"ftype", kNumber}});
constexpr auto kMpt = std::to_array<HyperParameter>({{"d_model"},
                                                     {"max_seq_len"},
                                                     {"n_heads"},
                                                     {"n_layers"},
                                                     {"n_vocab"},
                                                     {"alibi_bias_max", kFloat},
                                                     {"clip_qkv", kFloat},
                                                     {"ftype", kNumber}});
constexpr auto kWhisper = std::to_array<HyperParameter>({{"n_vocab"},
                                                         {"n_audio_ctx"},
                                                         {"n_audio_state"},
                                                         {"n_audio_head"},
                                                         {"n_audio_layer"},
                                                         {"n_text_ctx"},
                                                         {"n_text_state"},
                                                         {"n_text_head"},
                                                         {"n_text_layer"},
                                                         {"n_mels"},
                                                         {"ftype", kNumber}});
constexpr auto kRwkv = std::to_array<HyperParameter>({{"n_vocab"}, {"n_embed"}, {"n_layer"}, {"data_type", kNumber}});
constexpr auto kLora = std::to_array<HyperParameter>({{"r"}, {"alpha", kNumber}});

// Several families that stored the same hyper-parameters are one row: GPT-2 and StarCoder, GPT-NeoX and Dolly. Families
// that repeat n_vocab come first, because the headers of GPT-2 and LLaMA (and of GPT-J and GPT-NeoX) have the same
// length: only the repeated number distinguishes them.
constexpr auto kUnversioned = std::to_array<Family>({
    {.name = "gpt-2", .hyperParameters = kGpt2, .repeatsCount = true},
    {.name = "gpt-j", .hyperParameters = kGptJ, .repeatsCount = true},
    {.name = "llama",
     .hyperParameters = kLlama,
     .vocabulary = VocabularyForm::SentencePiece,
     .rotatesWholeHeads = true},
    {.name = "gpt-neox", .hyperParameters = kGptNeox},
    {.name = "mpt", .hyperParameters = kMpt},
    {.name = "whisper", .hyperParameters = kWhisper, .repeatsCount = true, .melFilters = true},
});
constexpr auto kScoredLlama = std::to_array<Family>(
    {{.name = "llama", .hyperParameters = kLlama, .vocabulary = VocabularyForm::SentencePiece, .scores = true}});
constexpr auto kPaddedLlama = std::to_array<Family>({{.name = "llama",
                                                      .hyperParameters = kLlama,
                                                      .vocabulary = VocabularyForm::SentencePiece,
                                                      .scores = true,
                                                      .padding = 32}});
constexpr auto kRwkvFamily = std::to_array<Family>(
    {{.name = "rwkv", .hyperParameters = kRwkv, .vocabulary = VocabularyForm::None, .rwkvTypeNumbers = true}});
constexpr auto kAdapter = std::to_array<Family>(
    {{.name = "lora", .hyperParameters = kLora, .vocabulary = VocabularyForm::None, .padding = 32}});

constexpr auto kFormats = std::to_array<Format>({
    // The magic number is a little-endian u32: 0x67676d6c for "ggml".
    {.container = "ggml", .magic = "lmgg", .versioned = false},
    {.container = "ggmf", .magic = "fmgg"},
    {.container = "ggjt", .magic = "tjgg"},
    {.container = "ggla", .magic = "algg"},
});

constexpr auto kVersions = std::to_array<Version>({
    {.container = "ggml", .version = 0, .layoutInFileType = true, .families = kUnversioned},
    {.container = "ggmf", .version = 1, .families = kScoredLlama},
    {.container = "ggmf", .version = 100, .families = kRwkvFamily},
    {.container = "ggmf", .version = 101, .layout = DataLayout::V3, .families = kRwkvFamily},
    {.container = "ggjt", .version = 1, .families = kPaddedLlama},
    {.container = "ggjt", .version = 2, .layout = DataLayout::V2, .families = kPaddedLlama},
    {.container = "ggjt", .version = 3, .layout = DataLayout::V3, .families = kPaddedLlama},
    {.container = "ggla", .version = 1, .layout = DataLayout::V3, .families = kAdapter},
});

} // namespace

std::span<const Format> formats() { return kFormats; }

const Version* findVersion(std::string_view container, std::uint32_t version) {
    const auto* row = std::ranges::find_if(kVersions, [&](const Version& candidate) {
        return candidate.container == container && candidate.version == version;
    });
    return row != kVersions.end() ? row : nullptr;
}

namespace {

using Types = std::array<std::optional<TensorType>, 3>; // by DataLayout

constexpr Types always(TensorType type) { return {type, type, type}; }
constexpr Types only1(TensorType type) { return {type, std::nullopt, std::nullopt}; }
constexpr Types only3(TensorType type) { return {std::nullopt, std::nullopt, type}; }

struct Row {
    std::uint32_t number;              // in ggml
    std::optional<std::uint32_t> rwkv; // in rwkv.cpp
    std::string_view name;
    Types types;
};

// Q4_2 and Q4_3 were removed with version 2. K-quants came after version 3.
constexpr auto kRows = std::to_array<Row>({
    {0, 0, "F32", always(TensorType::F32)},
    {1, 1, "F16", always(TensorType::F16)},
    {2, 2, "Q4_0", {TensorType::Q4_0_GGJT1, TensorType::Q4_0_GGJT2, TensorType::Q4_0}},
    {3, 3, "Q4_1", {TensorType::Q4_1_GGJT1, TensorType::Q4_1_GGJT2, TensorType::Q4_1}},
    {4, std::nullopt, "Q4_2", only1(TensorType::Q4_2)},
    {5, std::nullopt, "Q4_3", only1(TensorType::Q4_3)},
    {6, 7, "Q5_0", {TensorType::Q5_0_GGJT1, TensorType::Q5_0, TensorType::Q5_0}},
    {7, 8, "Q5_1", {TensorType::Q5_1_GGJT1, TensorType::Q5_1, TensorType::Q5_1}},
    {8, 9, "Q8_0", {TensorType::Q8_0_GGJT1, TensorType::Q8_0_GGJT1, TensorType::Q8_0}},
    {10, std::nullopt, "Q2_K", only3(TensorType::Q2_K)},
    {11, std::nullopt, "Q3_K", only3(TensorType::Q3_K)},
    {12, std::nullopt, "Q4_K", only3(TensorType::Q4_K)},
    {13, std::nullopt, "Q5_K", only3(TensorType::Q5_K)},
    {14, std::nullopt, "Q6_K", only3(TensorType::Q6_K)},
});

} // namespace

StoredType storedType(std::uint32_t number, DataLayout layout, bool rwkvNumbers) {
    const auto* row = std::ranges::find_if(kRows, [&](const Row& candidate) {
        return rwkvNumbers ? candidate.rwkv == number : candidate.number == number;
    });
    if (row == kRows.end()) {
        return {};
    }
    const auto type = row->types[static_cast<std::size_t>(layout)];
    return {.info = type ? &tensorTypeFact(*type) : nullptr, .name = row->name};
}

bool isKnownFileType(std::uint32_t fileType) {
    constexpr std::uint32_t kLast = 18; // MOSTLY_Q6_K
    return fileType <= kLast;
}

} // namespace gufo::ggml
