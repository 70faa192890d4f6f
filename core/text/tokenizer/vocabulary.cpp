#include "text/tokenizer/vocabulary.h"

#include "base/detail.h"
#include "base/try.h"
#include "model/array_index.h"
#include "model/finding_code.h"
#include "model/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo::text {
namespace {

constexpr auto kKinds = std::to_array<std::pair<std::string_view, TokenizerKind>>({
    {"llama", TokenizerKind::SentencePiece},
    {"gpt2", TokenizerKind::Bpe},
    {"gemma4", TokenizerKind::Gemma4},
    {"whitespace", TokenizerKind::WhitespaceBpe},
    {"hybriddna", TokenizerKind::DnaBpe},
    {"bert", TokenizerKind::WordPiece},
    {"t5", TokenizerKind::Unigram},
    {"rwkv", TokenizerKind::Rwkv},
    {"plamo2", TokenizerKind::Plamo2},
});

struct RoleKeyRow {
    std::string_view key;
    std::optional<TokenId> SpecialTokens::* role;
};

// If a role has several keys, the first one that is present is used. "seperator" is the specification's spelling.
constexpr auto kRoleKeys = std::to_array<RoleKeyRow>({
    {"tokenizer.ggml.bos_token_id", &SpecialTokens::bos},
    {"tokenizer.ggml.cls_token_id", &SpecialTokens::bos},
    {"tokenizer.ggml.eos_token_id", &SpecialTokens::eos},
    {"tokenizer.ggml.eot_token_id", &SpecialTokens::eot},
    {"tokenizer.ggml.eom_token_id", &SpecialTokens::eom},
    {"tokenizer.ggml.unknown_token_id", &SpecialTokens::unknown},
    {"tokenizer.ggml.seperator_token_id", &SpecialTokens::separator},
    {"tokenizer.ggml.separator_token_id", &SpecialTokens::separator},
    {"tokenizer.ggml.padding_token_id", &SpecialTokens::padding},
    {"tokenizer.ggml.mask_token_id", &SpecialTokens::mask},
});

// The ids of these tokens in SentencePiece, T5 and PLaMo 2 where the file does not state them.
struct DefaultRoleRow {
    TokenizerKind kind;
    std::optional<TokenId> SpecialTokens::* role;
    std::uint32_t id;
    TokenType type; // the default applies only to a token of this type
};
constexpr auto kDefaultRoles = std::to_array<DefaultRoleRow>({
    {TokenizerKind::SentencePiece, &SpecialTokens::bos, 1, TokenType::Control},
    {TokenizerKind::SentencePiece, &SpecialTokens::eos, 2, TokenType::Control},
    {TokenizerKind::SentencePiece, &SpecialTokens::unknown, 0, TokenType::Unknown},
    {TokenizerKind::Unigram, &SpecialTokens::eos, 1, TokenType::Control},
    {TokenizerKind::Unigram, &SpecialTokens::unknown, 2, TokenType::Unknown},
    {TokenizerKind::Unigram, &SpecialTokens::padding, 0, TokenType::Control},
    {TokenizerKind::Plamo2, &SpecialTokens::bos, 1, TokenType::Control},
    {TokenizerKind::Plamo2, &SpecialTokens::eos, 2, TokenType::Control},
    {TokenizerKind::Plamo2, &SpecialTokens::unknown, 0, TokenType::Unknown},
    {TokenizerKind::Plamo2, &SpecialTokens::padding, 3, TokenType::Control},
});

// Texts of the tokens that end a turn or an answer in published models, whatever ids the file names.
constexpr auto kEndTexts = std::to_array<std::string_view>({
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eom_id|>",
    "<|eom|>",
    "<end_of_turn>",
    "<|endofprompt|>",
    "<|EOT|>",
    "<EOT>",
    "_<EOT>",
    "< EOT >",
    "[EOT]",
    "[EOS]",
    "</s>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "[e~[",
    "<|eos|>",
    "<|END_OF_TURN_TOKEN|>",
    "<end_of_utterance>",
    "<\xEF\xBD\x9C"
    "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>", // with full-width bars, and U+2581 between the words
});

// Reads an array of numbers that must be as long as the token list. Empty if the key is missing.
template<typename T, typename Convert>
Result<std::vector<T>> readNumbers(const Metadata& metadata, std::string_view key, std::size_t count,
                                   ValueType expected, const Convert& convert) {
    std::vector<T> numbers;
    const Value* value = metadata.find(key);
    if (value == nullptr) {
        return numbers;
    }
    const std::string name(key);
    const ArrayView* array = asArray(*value);
    if (array == nullptr || valueTypeFact(array->elementType).bytes == 0) {
        return fail(ErrorCode::WrongValueType, Place::key(name), {arrayTypeArgument(expected), typeArgument(*value)});
    }
    if (array->length != count) {
        return fail(ErrorCode::UnequalArrays, Place::key(name),
                    {array->length, std::string("tokenizer.ggml.tokens"), count});
    }
    numbers.reserve(count);
    const std::uint64_t width = valueTypeFact(array->elementType).bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto element = valueAt(array->elementType, array->bytes.subspan(i * width, width), array->layout);
        const std::optional<T> number = convert(element->value);
        if (!number) {
            return fail(ErrorCode::WrongValueType, Place::key(name),
                        {arrayTypeArgument(expected), typeArgument(*value)});
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<unsigned char> parseByteText(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>') {
        return std::nullopt;
    }
    unsigned value = 0;
    const char* end = text.data() + 5;
    const auto parsed = std::from_chars(text.data() + 3, end, value, 16);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(static_cast<unsigned char>(value))
                                                         : std::nullopt;
}

} // namespace

Result<Vocabulary> Vocabulary::read(const Metadata& metadata, const JobContext& job) {
    constexpr std::string_view kModelKey = "tokenizer.ggml.model";
    const Value* model = metadata.find(kModelKey);
    if (model == nullptr) {
        return fail(ErrorCode::NoSuchKey, {}, {std::string(kModelKey)});
    }
    const auto name = asString(*model);
    if (!name) {
        return fail(ErrorCode::WrongValueType, Place::key(std::string(kModelKey)),
                    {valueTypeFact(ValueType::String).name, valueTypeFact(typeOf(*model)).name});
    }
    const auto* row = std::ranges::find(kKinds, *name, &std::pair<std::string_view, TokenizerKind>::first);
    if (row == kKinds.end()) {
        return fail(ErrorCode::NotSupported, Place::key(std::string(kModelKey)),
                    {Argument(Detail::UnknownTokenizer, {*name})});
    }
    Vocabulary vocabulary;
    vocabulary.m_kind = row->second;
    vocabulary.m_tokens = GUFO_TRY(StringList::read(metadata, "tokenizer.ggml.tokens", job));
    GUFO_TRY(vocabulary.readTypesAndScores(metadata));
    GUFO_TRY(job.check());
    vocabulary.indexTokens();
    vocabulary.findSpecials(metadata);
    return vocabulary;
}

Result<> Vocabulary::readTypesAndScores(const Metadata& metadata) {
    m_types = GUFO_TRY(readNumbers<TokenType>(metadata, "tokenizer.ggml.token_type", size(), ValueType::Int32,
                                              [](const Value& value) -> std::optional<TokenType> {
                                                  const auto number = asInt(value);
                                                  if (!number) {
                                                      return std::nullopt;
                                                  }
                                                  return *number >= 0 && *number <= 6 ? static_cast<TokenType>(*number)
                                                                                      : TokenType::Undefined;
                                              }));
    m_scores = GUFO_TRY(readNumbers<float>(metadata, "tokenizer.ggml.scores", size(), ValueType::Float32,
                                           [](const Value& value) -> std::optional<float> {
                                               const auto* number = std::get_if<float>(&value);
                                               return number != nullptr ? std::optional(*number) : std::nullopt;
                                           }));
    return {};
}

void Vocabulary::indexTokens() {
    m_index = StringIndex(size());
    m_byteTokens.assign(256, std::nullopt);
    for (std::size_t i = 0; i < size(); ++i) {
        const TokenId id(i);
        const std::string_view token = text(id);
        switch (type(id)) {
        case TokenType::Control:
        case TokenType::Unknown:
            continue;
        case TokenType::Byte:
            if (const auto byte = byteOf(id); byte && !m_byteTokens[*byte]) {
                m_byteTokens[*byte] = id;
            }
            continue;
        default:
            break;
        }
        if (!token.empty() && !find(token)) {
            m_index.add(hashBytes(token), id.value);
            m_longestText = std::max(m_longestText, token.size());
        }
    }
}

void Vocabulary::findSpecials(const Metadata& metadata) {
    for (const RoleKeyRow& row : kRoleKeys) {
        const Value* value = metadata.find(row.key);
        if (value == nullptr || m_specials.*row.role) {
            continue;
        }
        const auto id = asUInt(*value);
        if (id && *id < size()) {
            m_specials.*row.role = TokenId(static_cast<std::size_t>(*id));
        } else {
            m_findings.push_back(
                {.code = FindingCode::TokenIdUnusable,
                 .place = Place::key(std::string(row.key)),
                 .args = {id ? std::to_string(*id) : std::string(valueTypeFact(typeOf(*value)).name), size()}});
        }
    }
    for (const DefaultRoleRow& row : kDefaultRoles) {
        const TokenId id(row.id);
        if (row.kind == m_kind && !(m_specials.*row.role) && row.id < size() && type(id) == row.type) {
            m_specials.*row.role = id;
        }
    }
    auto& ends = m_specials.endOfGeneration;
    for (const auto& role : {m_specials.eos, m_specials.eot, m_specials.eom}) {
        if (role) {
            ends.push_back(*role);
        }
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const TokenId id(i);
        const TokenType kind = type(id);
        if ((kind == TokenType::Control || kind == TokenType::UserDefined) &&
            std::ranges::find(kEndTexts, text(id)) != kEndTexts.end()) {
            ends.push_back(id);
        }
    }
    // A turn of gpt-oss has several messages: "<|end|>" ends one of them, "<|return|>" or "<|call|>" the turn.
    const auto ended = [&](std::string_view by) {
        return std::ranges::any_of(ends, [&](TokenId id) { return text(id) == by; });
    };
    if (ended("<|return|>") && ended("<|call|>")) {
        std::erase_if(ends, [&](TokenId id) { return text(id) == "<|end|>" && m_specials.eos != id; });
    }
    std::ranges::sort(ends);
    ends.erase(std::ranges::unique(ends).begin(), ends.end());
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
    const auto number = m_index.find(hashBytes(text), [&](std::uint32_t i) { return m_tokens[i] == text; });
    return number ? std::optional(TokenId(*number)) : std::nullopt;
}

std::optional<unsigned char> Vocabulary::byteOf(TokenId id) const {
    return type(id) == TokenType::Byte ? parseByteText(text(id)) : std::nullopt;
}

std::optional<VocabularyDifference> findDifference(const Vocabulary& first, const Vocabulary& other) {
    VocabularyDifference difference{.size = first.size(), .otherSize = other.size()};
    for (std::size_t i = 0; i < std::min(first.size(), other.size()); ++i) {
        const TokenId id(i);
        if (first.text(id) != other.text(id)) {
            difference.token = id;
            difference.text = first.text(id);
            difference.otherText = other.text(id);
            return difference;
        }
    }
    return first.size() != other.size() ? std::optional(difference) : std::nullopt;
}

} // namespace gufo::text
