#include "convert/vocabulary/pre_tokenizer_rule.h"

#include <algorithm>
#include <array>
#include <set>

namespace gufo::convert {
namespace {

using text::PreTokenizer;

struct NodeRow {
    std::string_view canonical; // PreTokenizerNode::canonical()
    std::string_view name;
};

#define GUFO_GPT2                                                                                                      \
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"                                    \
    "\n"
#define GUFO_CONTRACTIONS R"((?i:'s|'t|'re|'ve|'m|'ll|'d))"
#define GUFO_CL100K_HEAD GUFO_CONTRACTIONS R"(|[^\r\n\p{L}\p{N}]?\p{L}+|)"
#define GUFO_TAIL                                                                                                      \
    R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"                                                           \
    "\n"
#define GUFO_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define GUFO_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define GUFO_CASED(suffix)                                                                                             \
    R"([^\r\n\p{L}\p{N}]?)" GUFO_UPPER "*" GUFO_LOWER "+" suffix R"(|[^\r\n\p{L}\p{N}]?)" GUFO_UPPER "+" GUFO_LOWER    \
    "*" suffix
#define GUFO_SLASH_TAIL                                                                                                \
    R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"                                                          \
    "\n"

constexpr auto kNodes = std::to_array<NodeRow>({
    {GUFO_GPT2, "gpt-2"},
    {R"(\p{N})"
     "\n" GUFO_GPT2,
     "starcoder"},
    {GUFO_CL100K_HEAD R"(\p{N}{1,3})" GUFO_TAIL, "llama-bpe"},
    {GUFO_CL100K_HEAD R"(\p{N})" GUFO_TAIL, "qwen2"},
    {GUFO_CASED(GUFO_CONTRACTIONS "?") R"(|\p{N}{1,3})" GUFO_SLASH_TAIL, "gpt-4o"},
    {GUFO_CASED("") R"(|\p{N})" GUFO_SLASH_TAIL, "tekken"},
    {R"([\p{P}!-/:-@\[-`{-~]+)"
     "\n" GUFO_GPT2 R"(\p{N}+)"
     "\n"
     R"([0-9][0-9][0-9])"
     "\n",
     "falcon"},
    {R"(\p{N}{1,3})"
     "\n"
     "[一-龥぀-ゟ゠-ヿ]+\n"
     R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
     "\n",
     "deepseek-v3"},
});

#undef GUFO_GPT2
#undef GUFO_CONTRACTIONS
#undef GUFO_CL100K_HEAD
#undef GUFO_TAIL
#undef GUFO_UPPER
#undef GUFO_LOWER
#undef GUFO_CASED
#undef GUFO_SLASH_TAIL

// The name that converters write for the models of an architecture, where several name the same rule.
struct FamilyRow {
    std::string_view architecture;
    std::string_view name;
};
constexpr auto kFamilies = std::to_array<FamilyRow>({
    {"bloom", "bloom"},
    {"chatglm", "chatglm-bpe"},
    {"command-r", "command-r"},
    {"cohere2", "command-r"},
    {"deepseek2", "deepseek-v3"},
    {"exaone", "exaone"},
    {"falcon", "falcon"},
    {"falcon-h1", "falcon-h1"},
    {"glm4", "glm4"},
    {"gpt-oss", "gpt-4o"},
    {"gptneox", "olmo"},
    {"granite", "refact"},
    {"granitemoe", "refact"},
    {"jais", "jais"},
    {"lfm2", "lfm2"},
    {"llama4", "llama4"},
    {"mamba", "olmo"},
    {"mamba2", "olmo"},
    {"modern-bert", "modern-bert"},
    {"mpt", "mpt"},
    {"olmo", "olmo"},
    {"olmo2", "dbrx"},
    {"olmoe", "olmo"},
    {"phi2", "phi-2"},
    {"refact", "refact"},
    {"stablelm", "stablelm2"},
    {"starcoder", "starcoder"},
    {"starcoder2", "starcoder"},
});

// The names that are preferred where a rule has several and neither the table nor the architecture chooses one.
constexpr auto kUsualNames = std::to_array<std::string_view>(
    {"llama-bpe", "dbrx", "qwen2", "gpt-2", "starcoder", "bloom", "deepseek-v3", "gpt-4o", "tiny_aya", "gemma4"});

constexpr std::string_view kCheckText =
    "Hello, World! It's what we're testing; I'll say they've DON'T and YOU'RE, we\u2019re.\n"
    "def f(x_1):\n\treturn x**2  # comment\n\n\n    if (a<=b) && c!=d:\r\n        print('%d' % 12345678)\r\n"
    "1 12 123 1234 12345 123456 1234567 3.14159 1,000,000 2026-11-23 0xFF \u0663\u0664\u0665\u0666 \u00bd \u2167\n"
    "camelCaseText HTTPServer iPhone XMLHttp\u00c9cole na\u00efve fa\u00e7ade re\u0301sume\u0301 "
    "\u0141\u00f3d\u017a stra\u00dfe \u0130stanbul\n"
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002\u3053\u3093\u306b\u3061\u306f\u30c6\u30b9\u30c8\u3001\uc548\ub155\ud558"
    "\uc138\uc694 \u4e2d\u6587abc123\u6df7\u5408 ABC\u4e2d\u6587\n"
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u0393\u03b5\u03b9\u03ac \u0645\u0631\u062d\u0628\u0627 "
    "\u05e9\u05dc\u05d5\u05dd \u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 "
    "\u1019\u103c\u1014\u103a\u1019\u102c\n"
    "\U0001F600\U0001F680 \u2764\ufe0f \U0001F468\u200d\U0001F469\u200d\U0001F467 \u20ac100 \u00a35 $7 +=-- "
    "<|im_end|> [INST] {\"k\": [1, 2]} a/b//c/// \\n ''' \"\"\" ``` ... !!! \u2026 \u2014 \u00ab\u00bb\n"
    "a  1   22    333 a  b   c    d     e\t\tf \t g\u00a0h\u3000i  \n  \n\n \r\n   trailing   ";

// The bounds of the words, as offsets of the text.
std::set<std::size_t> boundsOf(const std::vector<std::string>& words) {
    std::set<std::size_t> bounds;
    std::size_t at = 0;
    for (const std::string& word : words) {
        bounds.insert(at += word.size());
    }
    return bounds;
}

std::vector<std::string> splitByRule(const PreTokenizer& rule, std::string_view text) {
    std::vector<std::string> words;
    text::splitWords(rule.stages, text, [&](std::string_view word) {
        words.emplace_back(word);
        return true;
    });
    return words;
}

// How many of the first words are found again among the second, in order and at the same place of the text.
std::size_t sameWords(const std::vector<std::string>& words, const std::vector<std::string>& others) {
    const std::set<std::size_t> bounds = boundsOf(others);
    std::size_t same = 0;
    std::size_t at = 0;
    for (const std::string& word : words) {
        const bool begins = at == 0 || bounds.contains(at);
        at += word.size();
        const auto end = bounds.lower_bound(at - word.size() + 1);
        same += begins && end != bounds.end() && *end == at ? 1 : 0;
    }
    return same;
}

bool sameStages(const PreTokenizer& a, const PreTokenizer& b) {
    return std::ranges::equal(a.stages, b.stages) && a.writing == b.writing;
}

// The name for a rule. Only names with the rule's stages fit. Names that treat merges alike come first; among these the
// architecture's, then the preferred one.
std::string nameOf(const PreTokenizer& rule, bool ignoreMerges, std::string_view architecture,
                   std::string_view preferred) {
    const auto fits = [&](std::string_view name, bool alsoMerges) {
        const PreTokenizer* other = text::findPreTokenizer(name);
        return other != nullptr && sameStages(*other, rule) && (!alsoMerges || other->ignoreMerges == ignoreMerges);
    };
    const auto* family = std::ranges::find(kFamilies, architecture, &FamilyRow::architecture);
    for (const bool alsoMerges : {true, false}) {
        if (family != kFamilies.end() && fits(family->name, alsoMerges)) {
            return std::string(family->name);
        }
        if (!preferred.empty() && fits(preferred, alsoMerges)) {
            return std::string(preferred);
        }
        for (const std::string_view name : kUsualNames) {
            if (fits(name, alsoMerges)) {
                return std::string(name);
            }
        }
        for (const std::string_view name : text::preTokenizerNames()) {
            if (fits(name, alsoMerges)) {
                return std::string(name);
            }
        }
    }
    return std::string(rule.name);
}

const PreTokenizer* nearestRule(const std::vector<std::string>& words) {
    const PreTokenizer* nearest = nullptr;
    std::size_t maximum = 0;
    for (const PreTokenizer& rule : text::preTokenizers()) {
        if (rule.writing != text::Writing::ByteAlphabet) {
            continue;
        }
        const std::size_t same = sameWords(words, splitByRule(rule, kCheckText));
        if (nearest == nullptr || same > maximum) {
            nearest = &rule;
            maximum = same;
        }
    }
    return nearest;
}

} // namespace

std::string_view preTokenizerCheckText() { return kCheckText; }

RecognisedRule recognisePreTokenizer(const PreTokenizerNode& node, bool ignoreMerges, std::string_view architecture) {
    const auto* row = std::ranges::find(kNodes, node.canonical(), &NodeRow::canonical);
    const PreTokenizer* rule = row == kNodes.end() ? nullptr : text::findPreTokenizer(row->name);
    RecognisedRule out;
    out.known = rule != nullptr;
    const auto words = splitByNode(node, kCheckText);
    if (words && rule == nullptr) {
        rule = nearestRule(*words);
    }
    if (rule == nullptr) {
        rule = &text::defaultPreTokenizer();
    }
    out.name = nameOf(*rule, ignoreMerges, architecture, row == kNodes.end() ? std::string_view() : row->name);
    if (words) {
        out.check = RecognisedRule::Check{words->size(), sameWords(*words, splitByRule(*rule, kCheckText))};
    }
    return out;
}

} // namespace gufo::convert
