#include "base/ascii.h"
#include "base/utf8.h"
#include "model/finding_code.h"
#include "model/token.h"
#include "text/template/template_markers.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <map>

namespace gufo {
namespace {

constexpr std::uint64_t kStopEvery = 4096; // number of elements between checks for a stop request

// How a kind of tokenizer stores its tokens.
struct TokenizerRow {
    std::string_view name;
    bool merges = false;       // merges pairs by a list
    bool preTokenizer = false; // splits text by a rule that the file names
    bool escapedText = false;  // texts are escaped bytes, so the rules for plain texts do not apply
};
constexpr auto kTokenizers = std::to_array<TokenizerRow>({
    {.name = "llama"},
    {.name = "gpt2", .merges = true, .preTokenizer = true},
    {.name = "gemma4", .merges = true},
    {.name = "whitespace", .merges = true, .preTokenizer = true},
    {.name = "hybriddna", .merges = true, .preTokenizer = true},
    {.name = "bert"},
    {.name = "t5"},
    {.name = "plamo2"},
    {.name = "replit"},
    {.name = "rwkv", .escapedText = true},
});

// The only rule whose files may lack merges, because its vocabulary is sorted in the order of merging.
constexpr std::string_view kRuleWithoutMerges = "kimi-k2";

std::string_view tokenizerModel(const CheckContext& context) {
    return context.metadata.string("tokenizer.ggml.model").value_or(std::string_view());
}

const TokenizerRow* tokenizerRow(const CheckContext& context) {
    const auto* row = std::ranges::find(kTokenizers, tokenizerModel(context), &TokenizerRow::name);
    return row != kTokenizers.end() ? row : nullptr;
}

bool hasNoTokenizer(const CheckContext& context) {
    const std::string_view model = tokenizerModel(context);
    return model == "none" || model == "no_vocab";
}

// Returns a token for display: without bytes that are not text, and shortened.
std::string shown(std::string_view token) {
    constexpr std::size_t kLongest = 64;
    return isValidUtf8(token) && token.size() <= kLongest ? std::string(token) : std::string("…");
}

std::optional<std::uint64_t> specialToken(const CheckContext& context, std::string_view name) {
    return context.metadata.uint("tokenizer.ggml." + std::string(name) + "_token_id");
}

bool endsText(const CheckContext& context, std::uint64_t id) {
    for (const std::string_view name : {"eos", "eot", "eom"}) {
        if (specialToken(context, name) == id) {
            return true;
        }
    }
    const ArrayView* ids = context.metadata.array("tokenizer.ggml.eos_token_ids");
    for (std::uint64_t i = 0; ids != nullptr && i < std::min<std::uint64_t>(ids->length, 64); ++i) {
        if (uintElement(*ids, i) == id) {
            return true;
        }
    }
    return false;
}

// Whether the name of the model or of its file marks an instruction-tuned model.
bool isInstructModel(const CheckContext& context) {
    const auto says = [](std::string_view text) {
        std::string words = " ";
        std::ranges::transform(text, std::back_inserter(words),
                               [](char c) { return isAsciiLetter(c) ? asciiLower(c) : ' '; });
        words += ' ';
        return std::ranges::any_of(std::to_array<std::string_view>({" instruct ", " chat ", " it "}),
                                   [&](std::string_view word) { return words.find(word) != std::string::npos; });
    };
    const std::string file = context.model.files.empty() ? std::string() : context.model.path().stem().native();
    return says(file) || says(context.metadata.string("general.name").value_or("")) ||
           says(context.metadata.string("general.finetune").value_or(""));
}

void checkTemplateNames(const CheckContext& context, FindingList& findings) {
    const std::string key(text::kChatTemplateNamesKey);
    const ArrayView* names = context.metadata.array(key);
    std::optional<std::string> first;
    if (names != nullptr) {
        forEachText(*names, [&](std::uint64_t, std::string_view name) {
            if (context.metadata.find(text::chatTemplateKey(name)) == nullptr) {
                first = shown(name);
            }
            return !first;
        });
    }
    if (first) {
        findings.add(FindingCode::TemplateNotStored, Place::key(key), {*first});
    }
}

// GPT-2's alphabet: the printable characters of Latin-1 stand for their bytes, and those from U+0100 for the others, in
// order. Nothing if the bytes are not text.
std::optional<std::string> textOfToken(std::string_view token) {
    static const auto bytes = [] {
        std::map<char32_t, char> table;
        char32_t next = 0x100;
        for (int byte = 0; byte < 0x100; ++byte) {
            const bool isPrintable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
            table.emplace(isPrintable ? static_cast<char32_t>(byte) : next, static_cast<char>(byte));
            next += isPrintable ? 0 : 1;
        }
        return table;
    }();
    std::string text;
    const char* end = token.data() + token.size();
    for (const char* at = token.data(); at < end;) {
        const auto next = decodeChar(at, end);
        const auto byte = bytes.find(next.code);
        if (byte == bytes.end()) {
            return std::nullopt;
        }
        text += byte->second;
        at += next.bytes;
    }
    return isValidUtf8(text) ? std::optional(std::move(text)) : std::nullopt;
}

bool isSplit(const text::PreTokenizer& rule, std::string_view text) {
    std::size_t words = 0;
    static_cast<void>(text::splitWords(rule.stages, text, [&](std::string_view) { return ++words < 2; }));
    return words > 1;
}

// With the right rule, nearly every token is read from the text that it stands for. A rule of another model splits some
// of these texts, so that the tokens are never used.
void tryPreTokenizer(const CheckContext& context, FindingList& findings) {
    constexpr std::uint64_t kTried = 4000;
    constexpr std::size_t kFewTokens = 1000; // tell nothing
    constexpr std::size_t kUsualShare = 50;  // one token of so many may be split by the right rule
    constexpr std::size_t kFarBetter = 5;
    const text::PreTokenizer* stated =
        text::findPreTokenizer(context.metadata.string("tokenizer.ggml.pre").value_or(std::string_view()));
    if (stated == nullptr || stated->writing != text::Writing::ByteAlphabet || tokenizerModel(context) != "gpt2") {
        return;
    }
    std::vector<std::string> texts;
    const TokenTexts& vocabulary = context.vocabulary;
    const std::uint64_t step = std::max<std::uint64_t>(1, vocabulary.size() / kTried);
    for (std::uint64_t id = 0; id < vocabulary.size(); id += step) {
        auto text = vocabulary.is(id, TokenType::Normal) ? textOfToken(vocabulary.tokens()[id]) : std::nullopt;
        if (text && text->size() > 1) {
            texts.push_back(*std::move(text));
        }
    }
    const auto splitBy = [&](const text::PreTokenizer& rule) {
        return static_cast<std::size_t>(
            std::ranges::count_if(texts, [&](const std::string& text) { return isSplit(rule, text); }));
    };
    const std::size_t split = splitBy(*stated);
    if (texts.size() < kFewTokens || split * kUsualShare < texts.size()) {
        return;
    }
    std::size_t best = split;
    for (const text::PreTokenizer& rule : text::preTokenizers()) {
        // A rule without stages splits nothing, whatever the vocabulary.
        if (!rule.stages.empty() && rule.writing == text::Writing::ByteAlphabet && !context.job.stopRequested()) {
            best = std::min(best, splitBy(rule));
        }
    }
    if (best * kFarBetter <= split) {
        const auto first = std::ranges::find_if(texts, [&](const std::string& text) { return isSplit(*stated, text); });
        findings.add(FindingCode::PreTokenizerUnfit, Place::key("tokenizer.ggml.pre"),
                     {split, texts.size(), shown(*first)});
    }
}

} // namespace

void checkTemplateText(const CheckContext& context, const text::ChatTemplate& each, FindingList& findings) {
    const Place place = Place::key(std::string(each.key));
    if (text::withoutQuotes(each.source)) {
        findings.add(FindingCode::TemplateQuoted, place,
                     {std::string(1, each.source[each.source.find_first_not_of(" \t\r\n")])});
    }
    if (const auto newlines = text::literalNewlines(each.source); !newlines.empty()) {
        findings.add(FindingCode::TemplateLiteralNewline, place, {text::lineAt(each.source, newlines.front().offset)});
    }
    if (context.vocabulary.empty()) {
        return;
    }
    std::size_t line = 1;
    std::size_t counted = 0;
    for (const text::SourceRange& marker : text::printedMarkers(each.source)) {
        const std::string_view token = each.source.substr(marker.offset, marker.length);
        line += text::lineAt(each.source.substr(counted), marker.offset - counted) - 1;
        counted = marker.offset;
        if (!context.vocabulary.find(token)) {
            findings.add(FindingCode::TemplateTokenUnknown, place, {std::string(token), std::uint64_t{line}});
        }
    }
}

Result<CheckOutcome> checkTokenizer(const CheckContext& context, FindingList& findings) {
    if (context.kind != FileKind::Model && context.kind != FileKind::Vocabulary) {
        return CheckOutcome::NotApplicable;
    }
    const Value* model = context.metadata.find("tokenizer.ggml.model");
    const bool other = context.metadata.find("tokenizer.huggingface.json") != nullptr ||
                       context.metadata.find("tokenizer.rwkv.world") != nullptr;
    if (model == nullptr) {
        if (!other) {
            findings.add(FindingCode::TokenizerMissing);
        }
        return CheckOutcome::Ran;
    }
    if (hasNoTokenizer(context) || !asString(*model)) {
        return CheckOutcome::Ran;
    }
    const TokenizerRow* row = tokenizerRow(context);
    if (row == nullptr) {
        findings.add(FindingCode::TokenizerUnknown, Place::key("tokenizer.ggml.model"),
                     {shown(tokenizerModel(context))});
    }
    const ArrayView* tokens = context.metadata.array(kTokensKey);
    if (tokens == nullptr || tokens->length == 0) {
        findings.add(FindingCode::TokensMissing, Place::key(std::string(kTokensKey)));
    } else if (tokens->length > TokenTexts::kMaxTokens) {
        findings.add(FindingCode::VocabularyHuge, Place::key(std::string(kTokensKey)), {tokens->length});
    }
    const auto pre = context.metadata.string("tokenizer.ggml.pre");
    if (row != nullptr && row->preTokenizer) {
        const auto known = keyChoices("tokenizer.ggml.pre", context.architectureName);
        if (context.metadata.find("tokenizer.ggml.pre") == nullptr) {
            findings.add(FindingCode::MissingPreTokenizer, Place::key("tokenizer.ggml.pre"));
        } else if (pre && std::ranges::find(known, *pre) == known.end()) {
            findings.add(FindingCode::UnknownPreTokenizer, Place::key("tokenizer.ggml.pre"), {shown(*pre)});
        }
    }
    if (row != nullptr && row->merges && pre != kRuleWithoutMerges &&
        context.metadata.find("tokenizer.ggml.merges") == nullptr) {
        findings.add(FindingCode::MergesMissing, Place::key("tokenizer.ggml.merges"));
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkTokenArrays(const CheckContext& context, FindingList& findings) {
    const ArrayView* tokens = context.metadata.array(kTokensKey);
    if (tokens == nullptr) {
        return CheckOutcome::NotApplicable;
    }
    for (const std::string_view key : {kTokenScoresKey, kTokenTypesKey}) {
        const ArrayView* array = context.metadata.array(key);
        if (array != nullptr && array->length != tokens->length) {
            findings.add(FindingCode::TokenArrayLength, Place::key(std::string(key)),
                         {std::string(key), array->length, tokens->length});
        }
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkSpecialTokens(const CheckContext& context, FindingList& findings) {
    const ArrayView* tokens = context.metadata.array(kTokensKey);
    if (tokens == nullptr) {
        return CheckOutcome::NotApplicable;
    }
    for (const KeyValue& entry : context.metadata) {
        if (!entry.key.starts_with("tokenizer.ggml.") || !entry.key.ends_with("_token_id")) {
            continue;
        }
        // Negative ids are out of range too. Other types have their own finding.
        const auto id = asUInt(entry.value);
        if (valueTypeFact(typeOf(entry.value)).integer && (!id || *id >= tokens->length)) {
            const std::string text = id ? std::to_string(*id) : std::to_string(asInt(entry.value).value_or(-1));
            findings.add(FindingCode::TokenIdUnusable, Place::key(std::string(entry.key)), {text, tokens->length});
        }
    }
    // A text token must not end generation: runtimes would print and read it as text. RWKV is different, because a
    // blank line ends its turns.
    const TokenizerRow* row = tokenizerRow(context);
    for (const std::string_view name : {"bos", "eos"}) {
        const auto id = specialToken(context, name);
        if (row != nullptr && !row->escapedText && context.vocabulary.hasTypes() && id &&
            *id < context.vocabulary.size() &&
            (context.vocabulary.is(*id, TokenType::Normal) || context.vocabulary.is(*id, TokenType::Byte))) {
            findings.add(FindingCode::SpecialTokenNotControl,
                         Place::key("tokenizer.ggml." + std::string(name) + "_token_id"),
                         {*id, shown(context.vocabulary.tokens()[*id])});
        }
    }
    const auto padding = specialToken(context, "padding");
    if (padding && padding == specialToken(context, "eos")) {
        findings.add(FindingCode::PaddingEndsText, Place::key("tokenizer.ggml.padding_token_id"), {*padding});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkTokenTexts(const CheckContext& context, FindingList& findings) {
    const TokenTexts& vocabulary = context.vocabulary;
    if (vocabulary.empty()) {
        return CheckOutcome::NotApplicable;
    }
    std::uint64_t notText = 0;
    std::uint64_t first = 0;
    for (std::uint64_t id = 0; id < vocabulary.size(); ++id) {
        if (id % kStopEvery == 0 && context.job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::string_view text = vocabulary.tokens()[id];
        if (vocabulary.is(id, TokenType::Byte) || vocabulary.is(id, TokenType::Unused)) {
            continue;
        }
        if (!isValidUtf8(text)) {
            first = notText++ == 0 ? id : first;
        }
        const auto same = vocabulary.find(text);
        if (same && *same != id && !vocabulary.is(*same, TokenType::Byte) && !vocabulary.is(*same, TokenType::Unused)) {
            findings.add(FindingCode::DuplicateToken, Place::token(id), {shown(text), *same});
        }
    }
    if (notText != 0) {
        findings.add(FindingCode::TokensNotUtf8, Place::token(first), {notText});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkTokenTypes(const CheckContext& context, FindingList& findings) {
    const TokenTexts& vocabulary = context.vocabulary;
    if (vocabulary.empty() || !vocabulary.hasTypes()) {
        return CheckOutcome::NotApplicable;
    }
    std::uint64_t markup = 0;
    std::uint64_t first = 0;
    for (std::uint64_t id = 0; id < vocabulary.size(); ++id) {
        if (id % kStopEvery == 0 && context.job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::int64_t type = vocabulary.typeOf(id);
        if (!enumName(kTokenTypesKey, {}, type)) {
            findings.add(FindingCode::TokenTypeUnknown, Place::token(id), {type});
        }
        if (vocabulary.is(id, TokenType::Normal) && text::isMarker(vocabulary.tokens()[id])) {
            first = markup++ == 0 ? id : first;
        }
    }
    if (markup != 0) {
        findings.add(FindingCode::ControlTokenTypedNormal, Place::token(first),
                     {markup, shown(vocabulary.tokens()[first])});
    }
    return CheckOutcome::Ran;
}

// Each merge joins two tokens to a third, and the vocabulary must contain all three.
Result<CheckOutcome> checkMerges(const CheckContext& context, FindingList& findings) {
    const ArrayView* merges = context.metadata.array("tokenizer.ggml.merges");
    const TokenizerRow* row = tokenizerRow(context);
    if (merges == nullptr || merges->elementType != ValueType::String || context.vocabulary.empty() || row == nullptr ||
        !row->merges) {
        return CheckOutcome::NotApplicable;
    }
    std::uint64_t unknown = 0;
    std::uint64_t first = 0;
    std::string firstText;
    std::string joined;
    bool stopped = false;
    forEachText(*merges, [&](std::uint64_t i, std::string_view merge) {
        stopped = i % kStopEvery == 0 && context.job.stopRequested();
        const std::size_t space = merge.find(' ', 1); // from 1, because a token may begin with a space
        bool known = space != std::string_view::npos && space + 1 < merge.size();
        if (known) {
            joined.assign(merge.substr(0, space)).append(merge.substr(space + 1));
            known = context.vocabulary.find(merge.substr(0, space)) &&
                    context.vocabulary.find(merge.substr(space + 1)) && context.vocabulary.find(joined);
        }
        if (!known && unknown++ == 0) {
            first = i;
            firstText = shown(merge);
        }
        return !stopped;
    });
    if (stopped) {
        return fail(ErrorCode::Cancelled);
    }
    if (unknown != 0) {
        findings.add(FindingCode::MergesUnknown, Place::key("tokenizer.ggml.merges", first), {unknown, firstText});
    }
    tryPreTokenizer(context, findings);
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkChatTemplate(const CheckContext& context, FindingList& findings) {
    if (context.kind != FileKind::Model && context.kind != FileKind::Vocabulary) {
        return CheckOutcome::NotApplicable;
    }
    for (const text::ChatTemplate& each : text::chatTemplates(context.metadata)) {
        checkTemplateText(context, each, findings);
    }
    checkTemplateNames(context, findings);
    const auto source = context.metadata.string("tokenizer.chat_template");
    if (!source) {
        if (context.kind == FileKind::Model && isInstructModel(context)) {
            findings.add(FindingCode::ChatTemplateMissing);
        }
        return CheckOutcome::Ran;
    }
    // Markup with which templates end a turn and which means nothing else.
    constexpr auto kTurnEnds = std::to_array<std::string_view>({"<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>",
                                                                "<|return|>", "<|END_OF_TURN_TOKEN|>",
                                                                "<|end_of_turn|>", "<|eot|>", "<｜end▁of▁sentence｜>"});
    bool anyEnds = false;
    std::string_view firstThatDoesNot;
    for (const std::string_view end : kTurnEnds) {
        const auto id = source->find(end) != std::string_view::npos ? context.vocabulary.find(end) : std::nullopt;
        if (id) {
            anyEnds = anyEnds || endsText(context, *id);
            firstThatDoesNot = firstThatDoesNot.empty() ? end : firstThatDoesNot;
        }
    }
    if (!anyEnds && !firstThatDoesNot.empty()) {
        const auto eos = specialToken(context, "eos");
        const std::string ending =
            eos && *eos < context.vocabulary.size() ? shown(context.vocabulary.tokens()[*eos]) : std::string("—");
        findings.add(FindingCode::TurnEndDiffers, Place::key("tokenizer.chat_template"),
                     {std::string(firstThatDoesNot), ending});
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
