// The tokens of a vocabulary while it is put together from the files of a folder: each id has a text, a type and a
// score. Ids that no file mentions are holes, which become unused tokens "[PADn]" in the end, because runtimes need a
// token for every row of the embedding.
#pragma once

#include "base/error.h"
#include "convert/vocabulary/key_list.h"
#include "model/token.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

// More than any tokenizer has. It bounds the memory that an id or size stated by a file can claim.
inline constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 21U;

// The scores of tokens whose file has none, as converters write them.
inline constexpr float kAddedScore = -1000;
inline constexpr float kUnusedScore = -10000;

struct TokenRow {
    std::string text;
    TokenType type = TokenType::Undefined; // of a hole
    float score = kUnusedScore;

    [[nodiscard]] bool isHole() const { return type == TokenType::Undefined; }
};

class TokenTable {
public:
    // Sets the token of an id, replacing an earlier one. Errors: LimitExceeded.
    [[nodiscard]] Result<> place(std::uint64_t id, TokenRow row);
    // Appends holes, or cuts tokens off, until there are `count` ids. Errors: LimitExceeded.
    [[nodiscard]] Result<> resize(std::uint64_t count);
    // Turns holes into unused tokens.
    void fillHoles();

    [[nodiscard]] std::size_t size() const { return m_rows.size(); }
    [[nodiscard]] TokenRow& operator[](std::size_t id) { return m_rows[id]; }
    [[nodiscard]] const TokenRow& operator[](std::size_t id) const { return m_rows[id]; }
    [[nodiscard]] std::vector<TokenRow>& rows() { return m_rows; }
    [[nodiscard]] const std::vector<TokenRow>& rows() const { return m_rows; }
    // The lowest id of a text.
    [[nodiscard]] std::optional<std::uint64_t> find(std::string_view text) const;

    // Sets tokenizer.ggml.tokens, .scores (if `scores`) and .token_type.
    void addKeys(KeyList& keys, bool scores, const std::string& from) const;

private:
    std::vector<TokenRow> m_rows;
};

// Converts WordPiece's marks: marks the beginnings of words (U+2581), where WordPiece marks their continuations ("##").
// Special tokens remain.
void markWords(TokenTable& tokens);

// Whether an added token is treated as special although its file does not say so: "<|im_end|>", "<unused7>".
[[nodiscard]] bool looksSpecial(std::string_view text);
// The row of an added token. A user-defined token contains spaces rather than the marks U+2581 that stand for them.
[[nodiscard]] TokenRow addedToken(std::string text, bool special);

} // namespace gufo::convert
