#include "convert/vocabulary/pre_tokenizer_rule.h"
#include "convert/vocabulary/vocabulary_draft.h"
#include "model/token.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

// The rule of models whose tokenizer is a list of ranks; their regular expression is in program code.
struct ArchitectureRow {
    std::string_view architecture;
    std::string_view pre;
};
constexpr auto kRankedRules = std::to_array<ArchitectureRow>({
    {"deepseek2", "kimi-k2"},
    {"hunyuan-dense", "hunyuan-dense"},
    {"hunyuan-moe", "hunyuan"},
    {"kimi-linear", "kimi-k2"},
    {"llama", "llama-bpe"},
    {"qwen", "qwen2"},
});
constexpr std::string_view kOtherRule = "gpt-4o";

void setMerges(VocabularyDraft& draft, RankedMerges merges) {
    draft.merges = std::move(merges.merges);
    draft.mergeCount = merges.count;
}

Result<VocabularyDraft> ofTekken(const Tekken& tekken, const JobContext& job) {
    VocabularyDraft draft{.model = "gpt2", .pre = "tekken"};
    draft.from = "tekken.json";
    draft.specials = mistralSpecialTokens();
    for (const std::string& text : tekken.special) {
        GUFO_TRY(draft.tokens.place(draft.tokens.size(), {text, TokenType::Control, 0}));
    }
    GUFO_TRY(placeRanked(draft.tokens, tekken.tokens, tekken.special.size()));
    auto merges = GUFO_TRY(mergesOfRanks(tekken.tokens, job));
    setMerges(draft, std::move(merges));
    return draft;
}

Result<VocabularyDraft> ofRanked(const DraftContext& context, const JobContext& job) {
    const auto* row = std::ranges::find(kRankedRules, context.architecture, &ArchitectureRow::architecture);
    VocabularyDraft draft{.model = "gpt2", .pre = std::string(row == kRankedRules.end() ? kOtherRule : row->pre)};
    draft.from = context.files.rankedFile;
    context.findings.add(FindingCode::PreTokenizerUnverified, Place::key("tokenizer.ggml.pre"), {draft.pre});
    GUFO_TRY(placeRanked(draft.tokens, *context.files.ranked, 0));
    auto merges = GUFO_TRY(mergesOfRanks(*context.files.ranked, job));
    setMerges(draft, std::move(merges));
    return draft;
}

// The files of GPT-2's first tokenizer, whose rule is known.
VocabularyDraft ofVocabJson(const DraftContext& context) {
    VocabularyDraft draft{.model = "gpt2", .pre = "gpt-2"};
    draft.from = "vocab.json";
    draft.tokens = *context.files.vocabJson;
    if (context.files.merges) {
        draft.merges = context.files.merges->merges;
        draft.mergeCount = context.files.merges->count;
    }
    return draft;
}

Result<VocabularyDraft> ofVocabText(const DraftContext& context) {
    VocabularyDraft draft{.model = "bert", .pre = "bert-bge"};
    draft.from = "vocab.txt";
    draft.specials = {
        .texts = {{"cls", "[CLS]"}, {"sep", "[SEP]"}, {"unk", "[UNK]"}, {"pad", "[PAD]"}, {"mask", "[MASK]"}},
        .addBos = true,
        .addEos = true};
    for (const std::string& text : *context.files.vocabText) {
        const auto& specials = draft.specials.texts;
        const bool special = std::ranges::find(specials, text, &SpecialTokenDefaults::RoleText::text) != specials.end();
        const TokenType type = special ? TokenType::Control : TokenType::Normal;
        GUFO_TRY(draft.tokens.place(draft.tokens.size(), {text, type, 0}));
    }
    return draft;
}

} // namespace

Result<VocabularyDraft> draftOfList(const DraftContext& context, const JobContext& job) {
    const VocabularyFiles& files = context.files;
    auto draft = GUFO_TRY(files.tekken      ? ofTekken(*files.tekken, job)
                          : files.ranked    ? ofRanked(context, job)
                          : files.vocabJson ? Result<VocabularyDraft>(ofVocabJson(context))
                                            : ofVocabText(context));
    GUFO_TRY(placeAddedTokens(draft.tokens, context));
    GUFO_TRY(fitToRows(draft.tokens, context));
    if (draft.model == "bert") {
        markWords(draft.tokens);
    }
    return draft;
}

} // namespace gufo::convert
