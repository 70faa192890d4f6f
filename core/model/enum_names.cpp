#include "base/ascii.h"
#include "model/file_type.h"
#include "model/hub_values.h"
#include "model/key_catalogue.h"
#include "model/token.h"

#include <algorithm>
#include <array>
#include <functional>

namespace gufo {
namespace {

constexpr std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

// Columns: value, name, tensor type, removed. Source: `enum llama_ftype` in llama.h; for mixes, the type that
// llama.cpp's quantiser uses most. Values from 138 on are ik_llama.cpp's.
constexpr auto kFileTypes = std::to_array<FileTypeFact>({
    {0, "F32", id(TensorType::F32), false},
    {1, "F16", id(TensorType::F16), false},
    {2, "Q4_0", id(TensorType::Q4_0), false},
    {3, "Q4_1", id(TensorType::Q4_1), false},
    {4, "Q4_1_SOME_F16", id(TensorType::Q4_1), false},
    {5, "Q4_2", 4, true},
    {6, "Q4_3", 5, true},
    {7, "Q8_0", id(TensorType::Q8_0), false},
    {8, "Q5_0", id(TensorType::Q5_0), false},
    {9, "Q5_1", id(TensorType::Q5_1), false},
    {10, "Q2_K", id(TensorType::Q2_K), false},
    {11, "Q3_K_S", id(TensorType::Q3_K), false},
    {12, "Q3_K_M", id(TensorType::Q3_K), false},
    {13, "Q3_K_L", id(TensorType::Q3_K), false},
    {14, "Q4_K_S", id(TensorType::Q4_K), false},
    {15, "Q4_K_M", id(TensorType::Q4_K), false},
    {16, "Q5_K_S", id(TensorType::Q5_K), false},
    {17, "Q5_K_M", id(TensorType::Q5_K), false},
    {18, "Q6_K", id(TensorType::Q6_K), false},
    {19, "IQ2_XXS", id(TensorType::IQ2_XXS), false},
    {20, "IQ2_XS", id(TensorType::IQ2_XS), false},
    {21, "Q2_K_S", id(TensorType::Q2_K), false},
    {22, "IQ3_XS", id(TensorType::IQ3_S), false},
    {23, "IQ3_XXS", id(TensorType::IQ3_XXS), false},
    {24, "IQ1_S", id(TensorType::IQ1_S), false},
    {25, "IQ4_NL", id(TensorType::IQ4_NL), false},
    {26, "IQ3_S", id(TensorType::IQ3_S), false},
    {27, "IQ3_M", id(TensorType::IQ3_S), false},
    {28, "IQ2_S", id(TensorType::IQ2_XS), false},
    {29, "IQ2_M", id(TensorType::IQ2_S), false},
    {30, "IQ4_XS", id(TensorType::IQ4_XS), false},
    {31, "IQ1_M", id(TensorType::IQ1_M), false},
    {32, "BF16", id(TensorType::BF16), false},
    {33, "Q4_0_4_4", 31, true},
    {34, "Q4_0_4_8", 32, true},
    {35, "Q4_0_8_8", 33, true},
    {36, "TQ1_0", id(TensorType::TQ1_0), false},
    {37, "TQ2_0", id(TensorType::TQ2_0), false},
    {38, "MXFP4_MOE", id(TensorType::MXFP4), false},
    {39, "NVFP4", id(TensorType::NVFP4), false},
    {40, "Q1_0", id(TensorType::Q1_0), false},
    {41, "Q2_0", id(TensorType::Q2_0), false},
    {138, "IQ2_K", id(TensorType::IQ2_K), false},
    {139, "IQ3_K", id(TensorType::IQ3_K), false},
    {140, "IQ4_K", id(TensorType::IQ4_K), false},
    {141, "IQ5_K", id(TensorType::IQ5_K), false},
    {142, "IQ6_K", id(TensorType::IQ6_K), false},
    {145, "IQ4_KS", id(TensorType::IQ4_KS), false},
    {146, "IQ3_KL", id(TensorType::IQ3_K), false},
    {147, "IQ2_KS", id(TensorType::IQ2_KS), false},
    {148, "IQ4_KSS", id(TensorType::IQ4_KSS), false},
    {150, "IQ5_KS", id(TensorType::IQ5_KS), false},
    {154, "IQ3_KS", id(TensorType::IQ3_KS), false},
    {155, "IQ2_KL", id(TensorType::IQ2_KL), false},
});
static_assert(std::ranges::adjacent_find(kFileTypes, std::ranges::greater_equal(), &FileTypeFact::value) ==
                  kFileTypes.end(),
              "ascending, each value once");

constexpr auto kFileTypeNames = [] {
    std::array<EnumName, kFileTypes.size()> names{};
    std::ranges::transform(kFileTypes, names.begin(), [](const FileTypeFact& fact) {
        return EnumName{static_cast<std::int64_t>(fact.value), fact.name};
    });
    return names;
}();

constexpr auto kTokenTypeNames = std::to_array<EnumName>({
    {0, "UNDEFINED"},
    {1, "NORMAL"},
    {2, "UNKNOWN"},
    {3, "CONTROL"},
    {4, "USER_DEFINED"},
    {5, "UNUSED"},
    {6, "BYTE"},
});
constexpr auto kPoolingTypes = std::to_array<EnumName>({
    {0, "NONE"},
    {1, "MEAN"},
    {2, "CLS"},
    {3, "LAST"},
    {4, "RANK"},
});
constexpr auto kGatingFunctions = std::to_array<EnumName>({
    {0, "NONE"},
    {1, "SOFTMAX"},
    {2, "SIGMOID"},
    {3, "SOFTMAX_WEIGHT"},
    {4, "SQRT_SOFTPLUS"},
});

struct EnumRow {
    std::string_view key; // as in the catalogue
    std::span<const EnumName> names;
};
constexpr auto kEnums = std::to_array<EnumRow>({
    {"general.file_type", kFileTypeNames},
    {kTokenTypesKey, kTokenTypeNames},
    {"{arch}.pooling_type", kPoolingTypes},
    {"{arch}.expert_gating_func", kGatingFunctions},
});

// The string values that runtimes know.
constexpr auto kKinds = std::to_array<std::string_view>({"model", "adapter", "imatrix", "mmproj"});
constexpr auto kRopeScaling = std::to_array<std::string_view>({"none", "linear", "yarn", "longrope"});
constexpr auto kLayouts = std::to_array<std::string_view>({"reference", "Meta AI original pth", "jploski"});
constexpr auto kAdapters = std::to_array<std::string_view>({"lora"});
constexpr auto kTokenizers = std::to_array<std::string_view>({"llama", "gpt2", "bert", "t5", "rwkv", "plamo2", "gemma4",
                                                              "hybriddna", "whitespace", "replit", "no_vocab", "none"});
constexpr auto kPreTokenizers = std::to_array<std::string_view>({
    "default",
    "llama3",
    "llama-v3",
    "llama-bpe",
    "falcon3",
    "falcon-h1",
    "pixtral",
    "midm-2.0",
    "lfm2",
    "jina-v5-nano",
    "deepseek-llm",
    "deepseek-coder",
    "deepseek-v3",
    "youtu",
    "falcon",
    "mpt",
    "starcoder",
    "gpt-2",
    "phi-2",
    "jina-es",
    "jina-de",
    "gigachat",
    "jina-v1-en",
    "jina-v2-es",
    "jina-v2-de",
    "jina-v2-code",
    "a.x-4.0",
    "mellum",
    "modern-bert",
    "roberta-bpe",
    "exaone",
    "exaone4",
    "exaone-moe",
    "refact",
    "command-r",
    "qwen2",
    "deepseek-r1-qwen",
    "kormo",
    "f2llmv2",
    "qwen35",
    "stablelm2",
    "olmo",
    "dbrx",
    "smaug-bpe",
    "poro-chat",
    "glm4",
    "chatglm-bpe",
    "viking",
    "jais",
    "jais-2",
    "tekken",
    "smollm",
    "codeshell",
    "bloom",
    "gpt3-finnish",
    "chameleon",
    "minerva-7b",
    "megrez",
    "gpt-4o",
    "llama4",
    "superbpe",
    "trillion",
    "granite-docling",
    "bailingmoe",
    "bailingmoe2",
    "llada-moe",
    "seed-coder",
    "hunyuan",
    "hunyuan-dense",
    "joyai-llm",
    "kimi-k2",
    "grok-2",
    "afmoe",
    "minimax-m2",
    "solar-open",
    "tiny_aya",
    "cohere2moe",
    "gemma4",
    "granite-embed-multi-311m",
    "granite-embed-multi-97m",
    "kanana2",
    "laguna",
    "mellum2",
    "minicpm5",
    "sarvam-moe",
    "talkie",
    "whitespace",
    "bert-bge",
    "bert-bge-large",
    "orion",
    "internlm2",
    "nomic-bert-moe",
});

struct ChoicesRow {
    std::string_view key;
    std::span<const std::string_view> values;
};
constexpr auto kChoices = std::to_array<ChoicesRow>({
    {"general.type", kKinds},
    {"{arch}.rope.scaling.type", kRopeScaling},
    {"{arch}.tensor_data_layout", kLayouts},
    {"adapter.type", kAdapters},
    {"tokenizer.ggml.model", kTokenizers},
    {"tokenizer.ggml.pre", kPreTokenizers},
});

} // namespace

std::span<const FileTypeFact> fileTypes() { return kFileTypes; }

const FileTypeFact* findFileType(std::uint64_t value) {
    const auto* row = std::ranges::find(kFileTypes, value & ~kFileTypeGuessed, &FileTypeFact::value);
    return row != kFileTypes.end() ? row : nullptr;
}

const FileTypeFact* findFileType(std::string_view name) {
    const auto* row =
        std::ranges::find_if(kFileTypes, [&](const FileTypeFact& fact) { return equalIgnoringCase(fact.name, name); });
    return row != kFileTypes.end() ? row : nullptr;
}

std::span<const EnumName> enumNames(std::string_view key, std::string_view architecture) {
    const KeyFact* fact = describeKey(key, architecture);
    const auto* row = fact != nullptr ? std::ranges::find(kEnums, fact->key, &EnumRow::key) : kEnums.end();
    return row != kEnums.end() ? row->names : std::span<const EnumName>();
}

std::optional<std::string_view> enumName(std::string_view key, std::string_view architecture, std::int64_t value) {
    const auto names = enumNames(key, architecture);
    const bool fileType = names.data() == kFileTypeNames.data();
    const std::int64_t plain = fileType ? value & ~static_cast<std::int64_t>(kFileTypeGuessed) : value;
    const auto row = std::ranges::find(names, plain, &EnumName::value);
    return row != names.end() ? std::optional(row->name) : std::nullopt;
}

std::span<const std::string_view> keyChoices(std::string_view key, std::string_view architecture) {
    const KeyFact* fact = describeKey(key, architecture);
    if (fact != nullptr && fact->key == "general.license") {
        return hubLicences();
    }
    const auto* row = fact != nullptr ? std::ranges::find(kChoices, fact->key, &ChoicesRow::key) : kChoices.end();
    return row != kChoices.end() ? row->values : std::span<const std::string_view>();
}

} // namespace gufo
