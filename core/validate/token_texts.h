// The tokens of a model as the checks need them: views of the file's bytes, with an index by text.
#pragma once

#include "base/job_context.h"
#include "model/array_index.h"
#include "model/metadata.h"
#include "model/token.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gufo {

// Calls use(index, text) for each string of the array, until it returns false or the bytes end.
template<typename Use>
void forEachText(const ArrayView& array, const Use& use) {
    if (array.elementType == ValueType::String) {
        forEachElement(array,
                       [&](std::uint64_t i, const Value& text) { return use(i, std::get<std::string_view>(text)); });
    }
}

class TokenTexts {
public:
    // Ten times the size of any known vocabulary. Larger ones are reported and not examined.
    static constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 22U;

    // Empty if tokenizer.ggml.tokens is missing, too large or not an array of strings, or on a stop request.
    TokenTexts() = default;
    TokenTexts(const Metadata& metadata, const JobContext& job);

    [[nodiscard]] bool empty() const { return m_tokens.empty(); }
    [[nodiscard]] std::uint64_t size() const { return m_tokens.size(); }
    [[nodiscard]] const std::vector<std::string_view>& tokens() const { return m_tokens; }
    // Returns the first token with this text.
    [[nodiscard]] std::optional<std::uint64_t> find(std::string_view text) const;
    // Returns the token's entry in tokenizer.ggml.token_type; Normal if there is none.
    [[nodiscard]] std::int64_t typeOf(std::uint64_t id) const;
    [[nodiscard]] bool is(std::uint64_t id, TokenType type) const {
        return typeOf(id) == static_cast<std::int64_t>(type);
    }
    // Whether tokenizer.ggml.token_type exists and holds integers.
    [[nodiscard]] bool hasTypes() const { return m_types != nullptr; }

private:
    std::vector<std::string_view> m_tokens;
    std::unordered_map<std::string_view, std::uint32_t> m_byText;
    const ArrayView* m_types = nullptr;
};

// The first tokens that only fill a row of the embedding, so that another token can take their place; at most `atMost`.
// None if tokens have no types, because the type has to change, too.
[[nodiscard]] std::vector<std::uint64_t> spareTokens(const TokenTexts& vocabulary, const Metadata& metadata,
                                                     std::size_t atMost);

} // namespace gufo
