#include "validate/token_texts.h"

#include "base/ascii.h"
#include "model/hyper_parameters.h"
#include "model/token.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo {
namespace {

// Whether vocabularies have such a token only to fill rows of the embedding: "[PAD12]", "<|reserved_special_token_3|>".
bool isSpare(const TokenTexts& vocabulary, std::uint64_t id) {
    if (vocabulary.is(id, TokenType::Unused)) {
        return true;
    }
    std::string text = asciiLowerText(vocabulary.tokens()[id]);
    std::erase_if(text, [](char c) { return c == '<' || c == '>' || c == '[' || c == ']' || c == '|'; });
    const bool isNumbered = !text.empty() && isAsciiDigit(text.back());
    constexpr auto kNames =
        std::to_array<std::string_view>({"pad", "unused", "reserved", "extra", "placeholder", "dummy", "special_"});
    return isNumbered && text.size() < vocabulary.tokens()[id].size() &&
           std::ranges::any_of(kNames, [&](std::string_view name) { return text.starts_with(name); });
}

bool isNamedByKey(const Metadata& metadata, std::uint64_t id) {
    return std::ranges::any_of(metadata, [&](const KeyValue& entry) {
        return entry.key.starts_with("tokenizer.ggml.") && entry.key.ends_with("_token_id") &&
               asUInt(entry.value) == id;
    });
}

} // namespace

TokenTexts::TokenTexts(const Metadata& metadata, const JobContext& job) {
    const ArrayView* types = metadata.array(kTokenTypesKey);
    if (types != nullptr && valueTypeFact(types->elementType).integer) {
        m_types = types;
    }
    const ArrayView* tokens = metadata.array(kTokensKey);
    if (tokens == nullptr || tokens->elementType != ValueType::String || tokens->length > kMaxTokens) {
        return;
    }
    forEachText(*tokens, [&](std::uint64_t i, std::string_view text) {
        m_tokens.push_back(text);
        m_byText.try_emplace(text, static_cast<std::uint32_t>(i));
        return i % 4096 != 0 || !job.stopRequested();
    });
}

std::optional<std::uint64_t> TokenTexts::find(std::string_view text) const {
    const auto found = m_byText.find(text);
    return found != m_byText.end() ? std::optional<std::uint64_t>(found->second) : std::nullopt;
}

std::int64_t TokenTexts::typeOf(std::uint64_t id) const {
    if (m_types == nullptr || id >= m_types->length) {
        return static_cast<std::int64_t>(TokenType::Normal);
    }
    // Negative and huge numbers are not types.
    const auto type = uintElement(*m_types, id);
    return type && *type <= 0xFFFF ? static_cast<std::int64_t>(*type) : -1;
}

std::vector<std::uint64_t> spareTokens(const TokenTexts& vocabulary, const Metadata& metadata, std::size_t atMost) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t id = 0; id < vocabulary.size() && vocabulary.hasTypes() && found.size() < atMost; ++id) {
        if (isSpare(vocabulary, id) && !isNamedByKey(metadata, id)) {
            found.push_back(id);
        }
    }
    return found;
}

} // namespace gufo
