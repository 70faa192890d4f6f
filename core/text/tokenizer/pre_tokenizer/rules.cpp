#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr auto kDefault =
    std::to_array<Stage>({scan::punctuationGroupNoBacktick, scan::gpt2, scan::numbers, scan::threeDigits});
constexpr auto kLlama3 = std::to_array<Stage>({scan::llama3});
constexpr auto kQwen2 = std::to_array<Stage>({scan::qwen2});
constexpr auto kQwen35 = std::to_array<Stage>({scan::qwen35});
constexpr auto kSeedCoder = std::to_array<Stage>({scan::seedCoder});
constexpr auto kMiniCpm5 = std::to_array<Stage>({scan::upToThreeNumbers, scan::miniCpm5});
constexpr auto kExaoneMoe = std::to_array<Stage>({scan::exaoneMoe});
constexpr auto kJais2 = std::to_array<Stage>({scan::jais2});
constexpr auto kLaguna = std::to_array<Stage>({scan::lines, scan::qwen2});
constexpr auto kGpt2 = std::to_array<Stage>({scan::gpt2});
constexpr auto kStarcoder = std::to_array<Stage>({scan::oneNumber, scan::gpt2});
constexpr auto kFalcon = std::to_array<Stage>({scan::punctuationGroup, scan::gpt2, scan::threeDigits});
constexpr auto kChameleon = std::to_array<Stage>({scan::sentinelToken, scan::imageToken, scan::tabsAndIndents,
                                                  scan::oneNumber, scan::oneAsciiOrPunctuation, scan::gpt2});
constexpr auto kBloom = std::to_array<Stage>({scan::bloomWord});
constexpr auto kViking = std::to_array<Stage>({scan::bloomWord, scan::oneNumber});
constexpr auto kDeepseekLlm = std::to_array<Stage>({scan::lineBreak, scan::deepseekLetters, scan::deepseekPunctuation,
                                                    scan::trailingSpace, scan::deepseekAsian, scan::numbers});
constexpr auto kDeepseekCoder = std::to_array<Stage>(
    {scan::lineBreak, scan::spaceAndLetters, scan::spaceAndPunctuation, scan::deepseekAsian, scan::oneNumber});
constexpr auto kDeepseek3 = std::to_array<Stage>({scan::upToThreeNumbers, scan::hanAndKana, scan::deepseek3});
constexpr auto kAfmoe = std::to_array<Stage>({scan::numbersInThrees, scan::afmoeAsian, scan::deepseek3});
constexpr auto kTekken = std::to_array<Stage>({scan::tekken});
constexpr auto kGpt4o = std::to_array<Stage>({scan::gpt4o});
constexpr auto kYoutu = std::to_array<Stage>({scan::youtuAsian, scan::youtu});
constexpr auto kTinyAya = std::to_array<Stage>({scan::digitsInThreesAtBoundary, scan::gpt4o});
constexpr auto kKimiK2 = std::to_array<Stage>({scan::kimiK2});
constexpr auto kSuperBpe = std::to_array<Stage>({scan::numbers, scan::digitThrees});
constexpr auto kLines = std::to_array<Stage>({scan::lines});
constexpr auto kWhitespace = std::to_array<Stage>({scan::notSpace});

enum Rule : std::uint8_t {
    Default,
    Llama3,
    Dbrx,
    Qwen2,
    Qwen35,
    SeedCoder,
    MiniCpm5,
    ExaoneMoe,
    Jais2,
    Laguna,
    Gpt2,
    Starcoder,
    Falcon,
    Chameleon,
    Bloom,
    Viking,
    DeepseekLlm,
    DeepseekCoder,
    Deepseek3,
    Afmoe,
    Tekken,
    Gpt4o,
    GraniteEmbedding,
    Youtu,
    TinyAya,
    KimiK2,
    SuperBpe,
    Gemma4,
    Sarvam,
    Whitespace,
};

// In the order of Rule.
constexpr auto kRules = std::to_array<PreTokenizer>({
    {.name = "default", .stages = kDefault},
    {.name = "llama3", .stages = kLlama3, .ignoreMerges = true, .addBos = AddBos::Yes},
    {.name = "dbrx", .stages = kLlama3},
    {.name = "qwen2", .stages = kQwen2},
    {.name = "qwen35", .stages = kQwen35},
    {.name = "seed-coder", .stages = kSeedCoder},
    {.name = "minicpm5", .stages = kMiniCpm5, .ignoreMerges = true},
    {.name = "exaone-moe", .stages = kExaoneMoe},
    {.name = "jais-2", .stages = kJais2},
    {.name = "laguna", .stages = kLaguna},
    {.name = "gpt-2", .stages = kGpt2},
    {.name = "starcoder", .stages = kStarcoder},
    {.name = "falcon", .stages = kFalcon},
    {.name = "chameleon", .stages = kChameleon, .addBos = AddBos::Yes},
    {.name = "bloom", .stages = kBloom},
    {.name = "viking", .stages = kViking},
    {.name = "deepseek-llm", .stages = kDeepseekLlm},
    {.name = "deepseek-coder", .stages = kDeepseekCoder},
    {.name = "deepseek-v3", .stages = kDeepseek3},
    {.name = "afmoe", .stages = kAfmoe},
    {.name = "tekken", .stages = kTekken, .ignoreMerges = true, .addBos = AddBos::Yes},
    {.name = "gpt-4o", .stages = kGpt4o},
    {.name = "granite-embed-multi-97m", .stages = kGpt4o, .ignoreMerges = true},
    {.name = "youtu", .stages = kYoutu, .ignoreMerges = true},
    {.name = "tiny_aya", .stages = kTinyAya},
    {.name = "kimi-k2", .stages = kKimiK2, .ranksAreIds = true},
    {.name = "superbpe", .stages = kSuperBpe},
    {.name = "gemma4",
     .stages = kLines,
     .addBos = AddBos::Always, // files converted early say no by mistake (ggml-org/llama.cpp#21500)
     .writing = Writing::Utf8SpaceMarks,
     .wholeLineBreaks = true},
    {.name = "sarvam-moe", .stages = kLines, .writing = Writing::Utf8SpaceMarks},
    {.name = "whitespace", .stages = kWhitespace, .writing = Writing::Utf8},
});

struct NameRow {
    std::string_view pre;
    Rule rule;
};

// The values of tokenizer.ggml.pre that converters write, from src/llama-vocab.cpp of ggml-org/llama.cpp, sorted. The
// expression of bailingmoe's family there differs from qwen2's only in spelling.
constexpr auto kNames = std::to_array<NameRow>({
    {"a.x-4.0", Gpt2},
    {"afmoe", Afmoe},
    {"bailingmoe", Qwen2},
    {"bailingmoe2", Qwen2},
    {"bloom", Bloom},
    {"chameleon", Chameleon},
    {"chatglm-bpe", Dbrx},
    {"codeshell", Starcoder},
    {"cohere2moe", TinyAya},
    {"command-r", Starcoder},
    {"dbrx", Dbrx},
    {"deepseek-coder", DeepseekCoder},
    {"deepseek-llm", DeepseekLlm},
    {"deepseek-r1-qwen", Qwen2},
    {"deepseek-v3", Deepseek3},
    {"default", Default},
    {"exaone", Starcoder},
    {"exaone-moe", ExaoneMoe},
    {"exaone4", Gpt2},
    {"f2llmv2", Qwen2},
    {"falcon", Falcon},
    {"falcon-h1", Llama3},
    {"falcon3", Llama3},
    {"gemma4", Gemma4},
    {"gigachat", Gpt2},
    {"glm4", Dbrx},
    {"gpt-2", Gpt2},
    {"gpt-4o", Gpt4o},
    {"gpt3-finnish", Bloom},
    {"granite-docling", Gpt2},
    {"granite-embed-multi-311m", Gemma4},
    {"granite-embed-multi-97m", GraniteEmbedding},
    {"grok-2", Qwen2},
    {"hunyuan", Qwen2},
    {"hunyuan-dense", Deepseek3},
    {"jais", Gpt2},
    {"jais-2", Jais2},
    {"jina-de", Gpt2},
    {"jina-es", Gpt2},
    {"jina-v1-en", Gpt2},
    {"jina-v2-code", Gpt2},
    {"jina-v2-de", Gpt2},
    {"jina-v2-es", Gpt2},
    {"jina-v5-nano", Llama3},
    {"joyai-llm", Deepseek3},
    {"kanana2", Gpt4o},
    {"kimi-k2", KimiK2},
    {"kormo", Qwen2},
    {"laguna", Laguna},
    {"lfm2", Llama3},
    {"llada-moe", Qwen2},
    {"llama-bpe", Llama3},
    {"llama-v3", Llama3},
    {"llama3", Llama3},
    {"llama4", Gpt4o},
    {"megrez", Qwen2},
    {"mellum", Gpt2},
    {"mellum2", Starcoder},
    {"midm-2.0", Llama3},
    {"minerva-7b", Starcoder},
    {"minicpm5", MiniCpm5},
    {"minimax-m2", Gpt4o},
    {"modern-bert", Gpt2},
    {"mpt", Gpt2},
    {"olmo", Gpt2},
    {"phi-2", Gpt2},
    {"pixtral", Llama3},
    {"poro-chat", Bloom},
    {"qwen2", Qwen2},
    {"qwen35", Qwen35},
    {"refact", Starcoder},
    {"roberta-bpe", Gpt2},
    {"sarvam-moe", Sarvam},
    {"seed-coder", SeedCoder},
    {"smaug-bpe", Dbrx},
    {"smollm", Starcoder},
    {"solar-open", Qwen2},
    {"stablelm2", Qwen2},
    {"starcoder", Starcoder},
    {"superbpe", SuperBpe},
    {"talkie", Gpt4o},
    {"tekken", Tekken},
    {"tiny_aya", TinyAya},
    {"trillion", Gpt2},
    {"viking", Viking},
    {"whitespace", Whitespace},
    {"youtu", Youtu},
});
static_assert(std::ranges::is_sorted(kNames, {}, &NameRow::pre));

constexpr auto kNameList = [] {
    std::array<std::string_view, kNames.size()> names{};
    std::ranges::transform(kNames, names.begin(), &NameRow::pre);
    return names;
}();

} // namespace

const PreTokenizer* findPreTokenizer(std::string_view pre) {
    const auto* row = std::ranges::lower_bound(kNames, pre, {}, &NameRow::pre);
    return row != kNames.end() && row->pre == pre ? &kRules[row->rule] : nullptr;
}

const PreTokenizer& defaultPreTokenizer() { return kRules[Default]; }

std::span<const std::string_view> preTokenizerNames() { return kNameList; }

std::span<const PreTokenizer> preTokenizers() { return kRules; }

} // namespace gufo::text
