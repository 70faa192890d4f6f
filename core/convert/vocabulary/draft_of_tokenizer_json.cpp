#include "base/detail.h"
#include "convert/vocabulary/pre_tokenizer_rule.h"
#include "convert/vocabulary/vocabulary_draft.h"
#include "model/token.h"

#include <QByteArray>

#include <algorithm>
#include <array>
#include <map>

namespace gufo::convert {
namespace {

using JsonKind = JsonValue::Kind;

constexpr std::string_view kFile = "tokenizer.json";
constexpr std::string_view kGemma4 = "gemma4"; // an architecture, and its kind of tokenizer
// Gemma 4's special tokens that programs have to see in an answer, because channels and calls of tools begin and end
// with them. Runtimes print user-defined tokens, but not control tokens.
constexpr auto kGemma4Shown = std::to_array<std::string_view>(
    {"<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>", "<|\"|>"});
constexpr std::string_view kBertPre = "bert-bge"; // all names of WordPiece mean the same rule

std::string text(const JsonValue* value) { return value != nullptr && value->is(JsonKind::String) ? value->text : ""; }

// The node itself or the first of its inner nodes that has the type; null if there is none.
const JsonValue* nodeOfType(const JsonValue& node, std::string_view type) { // NOLINT(misc-no-recursion)
    if (text(node.find("type")) == type) {
        return &node;
    }
    for (const std::string_view list : {"normalizers", "pretokenizers", "decoders"}) {
        const JsonValue* inner = node.find(list);
        if (inner == nullptr) {
            continue;
        }
        for (const JsonValue& element : inner->elements) {
            if (const JsonValue* found = nodeOfType(element, type)) {
                return found;
            }
        }
    }
    return nullptr;
}

bool isByteToken(std::string_view text) {
    return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
           text.find_first_not_of("0123456789ABCDEFabcdef", 3) == 5;
}

// Whether a space is put before the text, which becomes the mark of the first word.
bool prependsSpace(const TokenizerJson& tokenizer) {
    if (nodeOfType(tokenizer.normalizer, "Prepend") != nullptr) {
        return true;
    }
    const JsonValue* marks = nodeOfType(tokenizer.preTokenizer, "Metaspace");
    if (marks == nullptr) {
        return false;
    }
    const std::string scheme = text(marks->find("prepend_scheme"));
    const JsonValue* old = marks->find("add_prefix_space");
    return scheme.empty() ? old == nullptr || !old->is(JsonKind::False) : scheme != "never";
}

// Tokens that are added to the model's own, whose scores remain where they have some.
Result<> placeAdded(VocabularyDraft& draft, const DraftContext& context) {
    for (const AddedToken& added : context.files.tokenizer->added) {
        if (context.rows && added.id >= *context.rows) {
            context.findings.add(FindingCode::AddedTokenLeftOut, Place::token(added.id), {added.text, *context.rows});
            continue;
        }
        TokenRow row = addedToken(added.text, added.special);
        if (added.id < draft.tokens.size()) {
            const TokenRow& before = draft.tokens[static_cast<std::size_t>(added.id)];
            row.score = before.isHole() ? row.score : before.score;
            if (!before.isHole() && before.text != row.text) {
                context.findings.add(FindingCode::TokenReplaced, Place::token(added.id), {before.text, row.text});
            }
            if (before.type == TokenType::Unknown) {
                row.type = TokenType::Unknown;
            }
        }
        GUFO_TRY(draft.tokens.place(added.id, std::move(row)));
    }
    return {};
}

void recogniseRule(VocabularyDraft& draft, const DraftContext& context) {
    const TokenizerJson& tokenizer = *context.files.tokenizer;
    const RecognisedRule rule =
        recognisePreTokenizer(readPreTokenizer(tokenizer.preTokenizer), tokenizer.ignoreMerges, context.architecture);
    draft.pre = rule.name;
    if (rule.check && !rule.check->passed()) {
        context.findings.add(FindingCode::PreTokenizerNearest, Place::key("tokenizer.ggml.pre"),
                             {rule.name, rule.check->words - rule.check->same, rule.check->words});
    } else if (!rule.check && !rule.known) {
        context.findings.add(FindingCode::PreTokenizerUnverified, Place::key("tokenizer.ggml.pre"), {rule.name});
    }
}

// A token that merges make gets the rank of its first merge as score, by which SentencePiece's BPE merges in the same
// order. Byte tokens and single characters are never the result of a merge.
void scoreByMerges(TokenTable& tokens, const OwnedValue& merges) {
    const ArrayView* array = asArray(merges.value());
    if (array == nullptr) {
        return;
    }
    std::map<std::string, std::uint64_t, std::less<>> ranks;
    const std::byte* at = array->bytes.data();
    for (std::uint64_t rank = 0; rank < array->length; ++rank) {
        const std::uint64_t length = array->layout.loadLength(at);
        at += array->layout.lengthBytes();
        std::string merge(reinterpret_cast<const char*>(at), static_cast<std::size_t>(length));
        at += length;
        if (const std::size_t space = merge.find(' '); space != merge.npos) {
            merge.erase(space, 1);
        }
        ranks.try_emplace(std::move(merge), rank + 1);
    }
    for (TokenRow& row : tokens.rows()) {
        const auto rank = row.type == TokenType::Normal ? ranks.find(row.text) : ranks.end();
        if (rank != ranks.end()) {
            row.score = -static_cast<float>(rank->second);
        }
    }
}

void typeSentencePieces(VocabularyDraft& draft, const TokenizerJson& tokenizer) {
    for (TokenRow& row : draft.tokens.rows()) {
        if (row.type == TokenType::Normal && isByteToken(row.text)) {
            row.type = TokenType::Byte;
        } else if (row.type == TokenType::Normal && !tokenizer.unknownText.empty() &&
                   row.text == tokenizer.unknownText) {
            row.type = TokenType::Unknown;
        }
    }
}

void draftBpe(VocabularyDraft& draft, const DraftContext& context) {
    const TokenizerJson& tokenizer = *context.files.tokenizer;
    if (isByteLevel(tokenizer)) {
        draft.model = "gpt2";
        draft.merges = tokenizer.merges;
        draft.mergeCount = tokenizer.mergeCount;
        recogniseRule(draft, context);
        return;
    }
    draft.scores = true;
    typeSentencePieces(draft, tokenizer);
    scoreByMerges(draft.tokens, tokenizer.merges);
    if (context.architecture == kGemma4) { // runtimes merge its text by the merges themselves
        draft.model = kGemma4;
        draft.pre.clear();
        draft.merges = tokenizer.merges;
        draft.mergeCount = tokenizer.mergeCount;
        return;
    }
    draft.model = "llama";
    draft.spacePrefix = prependsSpace(tokenizer);
}

void draftUnigram(VocabularyDraft& draft, const DraftContext& context) {
    const TokenizerJson& tokenizer = *context.files.tokenizer;
    draft.model = "t5";
    draft.scores = true;
    draft.spacePrefix = prependsSpace(tokenizer);
    const JsonValue* replace = nodeOfType(tokenizer.normalizer, "Replace");
    const JsonValue* pattern = replace == nullptr ? nullptr : replace->find("pattern");
    draft.removeExtraWhitespaces = pattern != nullptr && text(pattern->find("Regex")) == " {2,}";
    if (const JsonValue* compiled = nodeOfType(tokenizer.normalizer, "Precompiled")) {
        const std::string base64 = text(compiled->find("precompiled_charsmap"));
        draft.charsmap = QByteArray::fromBase64(QByteArray::fromStdString(base64)).toStdString();
    }
    typeSentencePieces(draft, tokenizer);
    if (tokenizer.unknown && *tokenizer.unknown < draft.tokens.size()) {
        draft.tokens[static_cast<std::size_t>(*tokenizer.unknown)].type = TokenType::Unknown;
    }
}

} // namespace

bool isByteLevel(const TokenizerJson& tokenizer) {
    return (tokenizer.model == "BPE" || tokenizer.model.empty()) &&
           (nodeOfType(tokenizer.preTokenizer, "ByteLevel") != nullptr ||
            nodeOfType(tokenizer.decoder, "ByteLevel") != nullptr || !tokenizer.byteFallback);
}

Result<VocabularyDraft> draftOfTokenizerJson(const DraftContext& context) {
    const TokenizerJson& tokenizer = *context.files.tokenizer;
    VocabularyDraft draft;
    draft.from = kFile;
    draft.tokens = tokenizer.tokens;
    if (tokenizer.model == "BPE" || tokenizer.model.empty()) {
        draftBpe(draft, context);
    } else if (tokenizer.model == "Unigram") {
        draftUnigram(draft, context);
    } else if (tokenizer.model == "WordPiece") {
        draft.model = "bert";
        draft.pre = kBertPre;
    } else {
        return fail(ErrorCode::NotSupported, {}, {Argument(Detail::UnknownTokenizer, {tokenizer.model})});
    }
    GUFO_TRY(placeAdded(draft, context));
    if (draft.model == kGemma4) {
        for (const std::string_view shown : kGemma4Shown) {
            if (const auto id = draft.tokens.find(shown)) {
                draft.tokens[static_cast<std::size_t>(*id)].type = TokenType::UserDefined;
            }
        }
    }
    GUFO_TRY(fitToRows(draft.tokens, context));
    if (draft.model == "bert") {
        markWords(draft.tokens);
    }
    return draft;
}

} // namespace gufo::convert
