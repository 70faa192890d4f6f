// The vocabulary of a model, read from the keys tokenizer.ggml.* and validated.
//
// Thread contract: immutable once read.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/index.h"
#include "model/token.h"
#include "text/string_list.h"
#include "text/tokenizer/string_index.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

// The values of tokenizer.ggml.model.
enum class TokenizerKind : std::uint8_t {
    SentencePiece, // "llama"
    Bpe,           // "gpt2"
    Gemma4,        // "gemma4": BPE of UTF-8, with its own pre-tokenizer
    WhitespaceBpe, // "whitespace": BPE that drops white space
    DnaBpe,        // "hybriddna": BPE, with DNA sequences in groups of six
    WordPiece,     // "bert"
    Unigram,       // "t5"
    Rwkv,          // "rwkv"
    Plamo2,        // "plamo2"
};

// Token ids by role; empty where the model has none.
struct SpecialTokens {
    std::optional<TokenId> bos{};
    std::optional<TokenId> eos{};
    std::optional<TokenId> eot{};
    std::optional<TokenId> eom{};
    std::optional<TokenId> unknown{};
    std::optional<TokenId> separator{};
    std::optional<TokenId> padding{};
    std::optional<TokenId> mask{};
    std::vector<TokenId> endOfGeneration{}; // sorted: eos, eot, eom, and end tokens known by their text
};

class Vocabulary {
public:
    // Errors: the errors of StringList::read; WrongValueType and UnequalArrays for scores and token types; NotSupported
    // for an unknown tokenizer.
    [[nodiscard]] static Result<Vocabulary> read(const Metadata& metadata, const JobContext& job);

    [[nodiscard]] TokenizerKind kind() const { return m_kind; }
    [[nodiscard]] std::size_t size() const { return m_tokens.size(); }
    [[nodiscard]] std::string_view text(TokenId id) const { return m_tokens[id.value]; } // as stored in the file
    // Returns Undefined for a number that is not a type.
    [[nodiscard]] TokenType type(TokenId id) const { return m_types.empty() ? TokenType::Normal : m_types[id.value]; }
    [[nodiscard]] bool hasScores() const { return !m_scores.empty(); }
    [[nodiscard]] float score(TokenId id) const { return m_scores.empty() ? 0.0F : m_scores[id.value]; }
    [[nodiscard]] std::size_t longestText() const { return m_longestText; } // in bytes

    // Returns the token with exactly this text, if plain text may become that token: control, unknown, byte and empty
    // tokens are not found. Among tokens of equal text the lowest id wins.
    [[nodiscard]] std::optional<TokenId> find(std::string_view text) const;

    // Returns the token of type Byte with the text "<0xNN>".
    [[nodiscard]] std::optional<TokenId> byteToken(unsigned char byte) const { return m_byteTokens[byte]; }
    // Returns the byte that a token of type Byte represents; nothing if its text is not "<0xNN>".
    [[nodiscard]] std::optional<unsigned char> byteOf(TokenId id) const;

    [[nodiscard]] const SpecialTokens& specials() const { return m_specials; }
    [[nodiscard]] const std::vector<Finding>& findings() const { return m_findings; }

private:
    Vocabulary() = default;
    [[nodiscard]] Result<> readTypesAndScores(const Metadata& metadata);
    void indexTokens();
    void findSpecials(const Metadata& metadata);

    TokenizerKind m_kind = TokenizerKind::SentencePiece;
    StringList m_tokens;
    std::vector<TokenType> m_types; // empty: all Normal
    std::vector<float> m_scores;    // empty: all 0
    std::size_t m_longestText = 0;
    StringIndex m_index;
    std::vector<std::optional<TokenId>> m_byteTokens; // 256
    SpecialTokens m_specials;
    std::vector<Finding> m_findings;
};

// Compares two vocabularies. Unless token ids mean the same, the probabilities of two models cannot be compared.
struct VocabularyDifference {
    std::size_t size = 0;      // tokens of the first vocabulary
    std::size_t otherSize = 0; // tokens of the other vocabulary
    // The first id with different texts, as stored; empty if one vocabulary is a prefix of the other.
    std::optional<TokenId> token{};
    std::string_view text{}; // a view of the vocabulary
    std::string_view otherText{};
};

// Returns nothing if all ids have equal texts.
[[nodiscard]] std::optional<VocabularyDifference> findDifference(const Vocabulary& first, const Vocabulary& other);

} // namespace gufo::text
