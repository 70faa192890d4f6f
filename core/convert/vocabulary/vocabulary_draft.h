// A vocabulary before its keys are written: the tokens of one kind of tokenizer, as GGUF represents them.
#pragma once

#include "convert/vocabulary/special_tokens.h"
#include "convert/vocabulary/vocabulary_files.h"
#include "model/finding_list.h"

namespace gufo::convert {

struct VocabularyDraft {
    std::string model;           // the value of tokenizer.ggml.model: "gpt2"
    std::string pre = "default"; // empty: the kind has no rules
    TokenTable tokens;
    bool scores = false;
    OwnedValue merges; // an array of strings
    std::uint64_t mergeCount = 0;
    std::string from; // the file that the tokens come from
    // Of SentencePiece; empty where runtimes take the default.
    std::optional<bool> spacePrefix{};
    std::optional<bool> removeExtraWhitespaces{};
    std::string charsmap;
    SpecialTokenDefaults specials;
};

// `rows` is the number of tokens that the model needs, where that is known: the draft has as many. Each reconciliation
// of files that disagree is a finding.
struct DraftContext {
    const VocabularyFiles& files;
    std::optional<std::uint64_t> rows;
    std::string_view architecture;
    FindingList& findings;
    bool mistralFormat = false; // Mistral's own format, in which no file names the special tokens
};

// Makes a draft from the model file of SentencePiece. Errors: LimitExceeded.
[[nodiscard]] Result<VocabularyDraft> draftOfPieces(const DraftContext& context);
// Makes a draft from tokenizer.json. Errors: LimitExceeded; NotSupported (Detail::UnknownTokenizer).
[[nodiscard]] Result<VocabularyDraft> draftOfTokenizerJson(const DraftContext& context);

// Makes a draft from tekken.json, a list of tiktoken, vocab.json or vocab.txt. Errors: LimitExceeded, Cancelled.
[[nodiscard]] Result<VocabularyDraft> draftOfList(const DraftContext& context, const JobContext& job);

// Places the tokens of added_tokens.json and of the added_tokens_decoder of tokenizer_config.json. Tokens beyond the
// rows that the model has are left out. Errors: LimitExceeded.
[[nodiscard]] Result<> placeAddedTokens(TokenTable& tokens, const DraftContext& context);
// Gives the table as many tokens as the model has rows. Errors: LimitExceeded.
[[nodiscard]] Result<> fitToRows(TokenTable& tokens, const DraftContext& context);

// Whether tokenizer.json describes BPE of bytes in GPT-2's alphabet, which no SentencePiece model describes as well.
[[nodiscard]] bool isByteLevel(const TokenizerJson& tokenizer);

} // namespace gufo::convert
