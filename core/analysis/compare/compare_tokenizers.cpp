#include "analysis/compare/compare_tokenizers.h"

#include "base/detail.h"
#include "model/array_index.h"
#include "model/name_index.h"

#include <bit>

namespace gufo {
namespace {

constexpr std::uint64_t kTokensPerStopCheck = 4096;
constexpr std::uint64_t kMaxTokens = 1U << 28U; // far fewer than NameIndex can number; no real vocabulary is larger

const ArrayView* arrayOf(const Metadata& metadata, std::string_view key, ValueType type) {
    const ArrayView* array = metadata.array(key);
    return array != nullptr && array->elementType == type ? array : nullptr;
}

class Tokens {
public:
    static Result<Tokens> read(const Metadata& metadata, const JobContext& job) {
        Tokens tokens;
        tokens.m_scores = arrayOf(metadata, "tokenizer.ggml.scores", ValueType::Float32);
        tokens.m_types = arrayOf(metadata, "tokenizer.ggml.token_type", ValueType::Int32);
        const ArrayView* texts = arrayOf(metadata, "tokenizer.ggml.tokens", ValueType::String);
        if (texts == nullptr) {
            return tokens;
        }
        if (texts->length > kMaxTokens) {
            return fail(ErrorCode::LimitExceeded, Place::key("tokenizer.ggml.tokens"),
                        {Detail::Tokens, texts->length, kMaxTokens});
        }
        Bytes rest = texts->bytes;
        for (std::uint64_t i = 0; i < texts->length; ++i) {
            if (i % kTokensPerStopCheck == 0 && job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            const auto value = valueAt(ValueType::String, rest, texts->layout);
            if (!value) {
                return fail(ErrorCode::Truncated, Place::key("tokenizer.ggml.tokens", i), {Detail::Token, i + 1, i});
            }
            rest = rest.subspan(value->bytes);
            tokens.m_texts.push_back(std::get<std::string_view>(value->value));
            tokens.m_index.add(tokens.m_texts.back(), static_cast<std::uint32_t>(i),
                               [&](std::uint32_t at) { return tokens.m_texts[at]; });
        }
        return tokens;
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_texts.size()); }
    [[nodiscard]] std::string_view text(std::uint32_t id) const { return m_texts[id]; }
    // The id of a text; `preferred` if that id has the text.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text, std::uint32_t preferred) const {
        if (preferred < size() && m_texts[preferred] == text) {
            return preferred;
        }
        return m_index.find(text, [&](std::uint32_t at) { return m_texts[at]; });
    }
    [[nodiscard]] std::optional<float> score(std::uint32_t id) const { return element<float>(m_scores, id); }
    [[nodiscard]] std::optional<std::int32_t> type(std::uint32_t id) const {
        return element<std::int32_t>(m_types, id);
    }

private:
    template<typename T>
    static std::optional<T> element(const ArrayView* array, std::uint32_t id) {
        if (array == nullptr || id >= array->length) {
            return std::nullopt;
        }
        return load<T>(array->bytes.data() + std::size_t{id} * sizeof(T), array->layout.order);
    }

    std::vector<std::string_view> m_texts;
    NameIndex m_index;
    const ArrayView* m_scores = nullptr;
    const ArrayView* m_types = nullptr;
};

bool sameScore(std::optional<float> a, std::optional<float> b) {
    return a.has_value() == b.has_value() &&
           (!a || std::bit_cast<std::uint32_t>(*a) == std::bit_cast<std::uint32_t>(*b));
}

} // namespace

Result<TokenizerDifference> compareTokenizers(const Metadata& reference, const Metadata& other, std::size_t maxTokens,
                                              const JobContext& job) {
    const auto from = GUFO_TRY(Tokens::read(reference, job));
    const auto to = GUFO_TRY(Tokens::read(other, job));
    TokenizerDifference difference{.referenceTokens = from.size(), .otherTokens = to.size()};
    for (std::uint32_t id = 0; id < from.size(); ++id) {
        if (id % kTokensPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        TokenDifference token{.text = from.text(id),
                              .referenceId = id,
                              .otherId = to.find(from.text(id), id),
                              .referenceScore = from.score(id),
                              .referenceType = from.type(id)};
        if (token.otherId) {
            token.otherScore = to.score(*token.otherId);
            token.otherType = to.type(*token.otherId);
        }
        const bool ids = token.otherId && *token.otherId != id;
        const bool scores = token.otherId && !sameScore(token.referenceScore, token.otherScore);
        const bool types = token.otherId && token.referenceType != token.otherType;
        difference.onlyInReference += token.otherId ? 0U : 1U;
        difference.otherIds += ids ? 1U : 0U;
        difference.otherScores += scores ? 1U : 0U;
        difference.otherTypes += types ? 1U : 0U;
        if ((!token.otherId || ids || scores || types) && difference.first.size() < maxTokens) {
            difference.first.push_back(token);
        }
    }
    std::size_t kept = 0;
    for (std::uint32_t id = 0; id < to.size(); ++id) {
        if (id % kTokensPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (from.find(to.text(id), id)) {
            continue;
        }
        ++difference.onlyInOther;
        if (kept < maxTokens) {
            ++kept;
            difference.first.push_back(
                {.text = to.text(id), .otherId = id, .otherScore = to.score(id), .otherType = to.type(id)});
        }
    }
    return difference;
}

} // namespace gufo
