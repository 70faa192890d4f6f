#include "convert/vocabulary/vocabulary_draft.h"

#include <algorithm>
#include <charconv>

namespace gufo::convert {
namespace {

using Kind = JsonValue::Kind;

// The tokens with which fairseq's vocabularies begin, instead of the first three pieces of their model file.
constexpr std::string_view kFairseqFile = "sentencepiece.bpe.model";

void shiftLikeFairseq(std::vector<TokenRow>& rows) {
    constexpr std::size_t kReplaced = 3;
    if (rows.size() <= kReplaced) {
        return;
    }
    rows.pop_back(); // so that the number of tokens remains
    rows.erase(rows.begin(), rows.begin() + kReplaced);
    const std::vector<TokenRow> first{{"<s>", TokenType::Control, 0},
                                      {"<pad>", TokenType::Control, 0},
                                      {"</s>", TokenType::Control, 0},
                                      {"<unk>", TokenType::Unknown, 0}};
    rows.insert(rows.begin(), first.begin(), first.end());
}

Result<> placeAdded(TokenTable& tokens, const DraftContext& context, std::uint64_t id, TokenRow row) {
    if (context.rows && id >= *context.rows) {
        context.findings.add(FindingCode::AddedTokenLeftOut, Place::token(id), {row.text, *context.rows});
        return {};
    }
    if (id < tokens.size() && !tokens[static_cast<std::size_t>(id)].isHole()) {
        const std::string& before = tokens[static_cast<std::size_t>(id)].text;
        if (before != row.text) {
            context.findings.add(FindingCode::TokenReplaced, Place::token(id), {before, row.text});
        }
    }
    return tokens.place(id, std::move(row));
}

} // namespace

Result<> placeAddedTokens(TokenTable& tokens, const DraftContext& context) {
    if (context.files.addedTokens) {
        for (const auto& [text, value] : context.files.addedTokens->members) {
            const auto id = value.whole();
            if (!id || *id < 0) {
                continue;
            }
            const TokenRow row{text, TokenType::UserDefined, kAddedScore};
            GUFO_TRY(placeAdded(tokens, context, static_cast<std::uint64_t>(*id), row));
        }
    }
    const JsonValue* config = context.files.config();
    const JsonValue* decoder = config == nullptr ? nullptr : config->find("added_tokens_decoder");
    if (decoder == nullptr) {
        return {};
    }
    for (const auto& [name, token] : decoder->members) {
        std::uint64_t id = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
        const JsonValue* text = token.find("content");
        if (error != std::errc() || end != name.data() + name.size() || text == nullptr || !text->is(Kind::String)) {
            continue;
        }
        const JsonValue* special = token.find("special");
        auto row = addedToken(text->text, special != nullptr && special->is(Kind::True));
        GUFO_TRY(placeAdded(tokens, context, id, std::move(row)));
    }
    return {};
}

Result<> fitToRows(TokenTable& tokens, const DraftContext& context) {
    const std::uint64_t stated = tokens.size();
    const std::uint64_t wanted = context.rows.value_or(stated);
    if (wanted < stated) {
        context.findings.add(FindingCode::VocabularyCut, {}, {stated, wanted});
    } else if (wanted > stated) {
        context.findings.add(FindingCode::VocabularyPadded, {}, {stated, wanted});
    }
    auto resized = tokens.resize(wanted);
    tokens.fillHoles();
    return resized;
}

Result<VocabularyDraft> draftOfPieces(const DraftContext& context) {
    const SentencePieceModel& model = *context.files.pieces;
    VocabularyDraft draft;
    draft.from = context.files.piecesFile;
    draft.scores = true;
    if (context.mistralFormat && context.files.config() == nullptr) {
        draft.specials = mistralSpecialTokens();
    }
    draft.tokens = model.pieces;
    const bool unigram = model.algorithm == SentencePieceModel::Algorithm::Unigram;
    draft.model = unigram ? "t5" : "llama";
    if (unigram) {
        draft.spacePrefix = model.addDummyPrefix;
        draft.removeExtraWhitespaces = model.removeExtraWhitespaces;
        draft.charsmap = model.charsmap;
    }
    const bool fairseq = unigram && draft.from == kFairseqFile;
    if (!fairseq) {
        GUFO_TRY(placeAddedTokens(draft.tokens, context));
    }
    GUFO_TRY(fitToRows(draft.tokens, context));
    if (fairseq) {
        shiftLikeFairseq(draft.tokens.rows());
    }
    return draft;
}

} // namespace gufo::convert
