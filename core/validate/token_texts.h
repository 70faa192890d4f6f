// The tokens of a model, as checks need them: views of the file's bytes, and where each text stands.
#pragma once

#include "base/job_context.h"
#include "model/array_index.h"
#include "model/metadata.h"
#include "model/token_type.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gufo {

// Calls use(index, text) for each string of an array of strings until it returns false or the bytes end.
template<typename Use>
void forEachText(const ArrayView& array, const Use& use) {
    if (array.elementType == ValueType::String) {
        forEachElement(array,
                       [&](std::uint64_t i, const Value& text) { return use(i, std::get<std::string_view>(text)); });
    }
}

class TokenTexts {
public:
    // No vocabulary is a tenth as large; larger ones are reported and not looked into.
    static constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 22U;

    // Empty where there is no array of strings tokenizer.ggml.tokens, where it is too large, or when the job is
    // stopped.
    TokenTexts() = default;
    TokenTexts(const Metadata& metadata, const JobContext& job);

    [[nodiscard]] bool empty() const { return m_tokens.empty(); }
    [[nodiscard]] std::uint64_t size() const { return m_tokens.size(); }
    [[nodiscard]] const std::vector<std::string_view>& tokens() const { return m_tokens; }
    // The first token with that text.
    [[nodiscard]] std::optional<std::uint64_t> find(std::string_view text) const;
    // The number in tokenizer.ggml.token_type, Normal where the file has none for the token.
    [[nodiscard]] std::int64_t typeOf(std::uint64_t id) const;
    [[nodiscard]] bool is(std::uint64_t id, TokenType type) const {
        return typeOf(id) == static_cast<std::int64_t>(type);
    }
    // The token's type is stated and is an integer.
    [[nodiscard]] bool hasTypes() const { return m_types != nullptr; }

private:
    std::vector<std::string_view> m_tokens;
    std::unordered_map<std::string_view, std::uint32_t> m_byText;
    const ArrayView* m_types = nullptr;
};

} // namespace gufo
