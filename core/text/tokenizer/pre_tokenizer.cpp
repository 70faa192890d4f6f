#include "text/tokenizer/pre_tokenizer.h"

#include "text/tokenizer/pre_scanners.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr auto kDefault =
    std::to_array<Stage>({scan::punctuationGroupNoBacktick, scan::gpt2, scan::numbers, scan::threeDigits});
constexpr auto kLlama3 = std::to_array<Stage>({scan::llama3});
constexpr auto kQwen2 = std::to_array<Stage>({scan::qwen2});
constexpr auto kGpt2 = std::to_array<Stage>({scan::gpt2});
constexpr auto kStarcoder = std::to_array<Stage>({scan::oneNumber, scan::gpt2});
constexpr auto kFalcon = std::to_array<Stage>({scan::punctuationGroup, scan::gpt2, scan::threeDigits});
constexpr auto kBloom = std::to_array<Stage>({scan::bloomWord});
constexpr auto kViking = std::to_array<Stage>({scan::bloomWord, scan::oneNumber});
constexpr auto kDeepseekLlm = std::to_array<Stage>({scan::lineBreak, scan::deepseekLetters, scan::deepseekPunctuation,
                                                    scan::trailingSpace, scan::deepseekAsian, scan::numbers});
constexpr auto kDeepseekCoder = std::to_array<Stage>(
    {scan::lineBreak, scan::spaceAndLetters, scan::spaceAndPunctuation, scan::deepseekAsian, scan::oneNumber});
constexpr auto kDeepseek3 = std::to_array<Stage>({scan::upToThreeNumbers, scan::hanAndKana, scan::deepseek3});
constexpr auto kTekken = std::to_array<Stage>({scan::tekken});
constexpr auto kGpt4o = std::to_array<Stage>({scan::gpt4o});

enum Rule : std::uint8_t {
    Default,
    Llama3,
    Dbrx,
    Qwen2,
    Gpt2,
    Starcoder,
    Falcon,
    Bloom,
    Viking,
    DeepseekLlm,
    DeepseekCoder,
    Deepseek3,
    Tekken,
    Gpt4o,
};

// In the order of Rule.
constexpr auto kRules = std::to_array<PreTokenizer>({
    {"default", kDefault, false, false},
    {"llama3", kLlama3, true, true},
    {"dbrx", kLlama3, false, false},
    {"qwen2", kQwen2, false, false},
    {"gpt-2", kGpt2, false, false},
    {"starcoder", kStarcoder, false, false},
    {"falcon", kFalcon, false, false},
    {"bloom", kBloom, false, false},
    {"viking", kViking, false, false},
    {"deepseek-llm", kDeepseekLlm, false, false},
    {"deepseek-coder", kDeepseekCoder, false, false},
    {"deepseek-v3", kDeepseek3, false, false},
    {"tekken", kTekken, true, true},
    {"gpt-4o", kGpt4o, false, false},
});

struct Name {
    std::string_view pre;
    Rule rule;
};

// Values of tokenizer.ggml.pre that converters write. Sorted.
constexpr auto kNames = std::to_array<Name>({
    {"a.x-4.0", Gpt2},
    {"bloom", Bloom},
    {"chatglm-bpe", Dbrx},
    {"codeshell", Starcoder},
    {"command-r", Starcoder},
    {"dbrx", Dbrx},
    {"deepseek-coder", DeepseekCoder},
    {"deepseek-llm", DeepseekLlm},
    {"deepseek-r1-qwen", Qwen2},
    {"deepseek-v3", Deepseek3},
    {"default", Default},
    {"exaone", Starcoder},
    {"falcon", Falcon},
    {"falcon-h1", Llama3},
    {"falcon3", Llama3},
    {"gigachat", Gpt2},
    {"glm4", Dbrx},
    {"gpt-2", Gpt2},
    {"gpt-4o", Gpt4o},
    {"gpt3-finnish", Bloom},
    {"granite-docling", Gpt2},
    {"grok-2", Qwen2},
    {"hunyuan", Qwen2},
    {"hunyuan-dense", Deepseek3},
    {"jais", Gpt2},
    {"jina-de", Gpt2},
    {"jina-es", Gpt2},
    {"jina-v1-en", Gpt2},
    {"jina-v2-code", Gpt2},
    {"jina-v2-de", Gpt2},
    {"jina-v2-es", Gpt2},
    {"kormo", Qwen2},
    {"lfm2", Llama3},
    {"llama-bpe", Llama3},
    {"llama-v3", Llama3},
    {"llama3", Llama3},
    {"llama4", Gpt4o},
    {"megrez", Qwen2},
    {"mellum", Gpt2},
    {"midm-2.0", Llama3},
    {"minerva-7b", Starcoder},
    {"mpt", Gpt2},
    {"olmo", Gpt2},
    {"phi-2", Gpt2},
    {"pixtral", Llama3},
    {"poro-chat", Bloom},
    {"qwen2", Qwen2},
    {"refact", Starcoder},
    {"roberta-bpe", Gpt2},
    {"smaug-bpe", Dbrx},
    {"smollm", Starcoder},
    {"stablelm2", Qwen2},
    {"starcoder", Starcoder},
    {"tekken", Tekken},
    {"trillion", Gpt2},
    {"viking", Viking},
});
static_assert(std::ranges::is_sorted(kNames, {}, &Name::pre));

constexpr auto kNameList = [] {
    std::array<std::string_view, kNames.size()> names{};
    std::ranges::transform(kNames, names.begin(), &Name::pre);
    return names;
}();

} // namespace

const PreTokenizer* findPreTokenizer(std::string_view pre) {
    const auto* row = std::ranges::lower_bound(kNames, pre, {}, &Name::pre);
    return row != kNames.end() && row->pre == pre ? &kRules[row->rule] : nullptr;
}

const PreTokenizer& defaultPreTokenizer() { return kRules[Default]; }

std::span<const std::string_view> preTokenizerNames() { return kNameList; }

} // namespace gufo::text
