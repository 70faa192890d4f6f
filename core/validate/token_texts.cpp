#include "validate/token_texts.h"

#include "model/hyper_parameters.h"

namespace gufo {

TokenTexts::TokenTexts(const Metadata& metadata, const JobContext& job) {
    const ArrayView* types = metadata.array("tokenizer.ggml.token_type");
    if (types != nullptr && valueTypeInfo(types->elementType).integer) {
        m_types = types;
    }
    const ArrayView* tokens = metadata.array("tokenizer.ggml.tokens");
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

} // namespace gufo
