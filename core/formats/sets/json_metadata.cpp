#include "formats/sets/json_metadata.h"

#include "base/detail.h"
#include "model/encode_value.h"

#include <charconv>
#include <optional>

namespace gufo {
namespace {

using Token = JsonReader::Token;

constexpr std::size_t kMaxJsonLevels = 4;
constexpr std::size_t kMaxMembers = 64;

template<typename T>
std::optional<T> numberOf(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// A number as its smallest kind: i64, u64 or f64. Nothing if it is too large for all of them.
std::optional<Value> valueOf(std::string_view number) {
    if (const auto integer = numberOf<std::int64_t>(number)) {
        return *integer;
    }
    if (const auto natural = numberOf<std::uint64_t>(number)) {
        return *natural;
    }
    const auto real = numberOf<double>(number);
    return real ? std::optional<Value>(*real) : std::nullopt;
}

class JsonKeys {
public:
    JsonKeys(MetadataBuilder& metadata, std::string_view text, const JsonMetadataOptions& options)
        : m_metadata(metadata)
        , m_text(text)
        , m_options(options)
        , m_reader(text, JsonDialect::Python) {}

    Result<> read(const std::string& prefix) {
        GUFO_TRY(m_reader.expect(Token::ObjectStart, Detail::KeyObject));
        GUFO_TRY(readMembers(prefix, 0));
        return m_reader.expect(Token::End, Detail::EndOfText);
    }

private:
    // Reads the members of an object whose start has been read.
    Result<> readMembers(const std::string& prefix, std::size_t level) {
        return m_reader.readMembers([&] {
            const std::string member = m_reader.text();
            if (level == 0 && m_options.skipped && m_options.skipped(member)) {
                return m_reader.skipValue();
            }
            return readValue(prefix.empty() ? member : prefix + "." + member, level);
        });
    }

    Result<> readValue(const std::string& key, std::size_t level) {
        const auto token = GUFO_TRY(m_reader.next());
        switch (token) {
        case Token::String:
            return added(m_metadata.addText(key, m_reader.text()), key);
        case Token::True:
        case Token::False:
            return added(m_metadata.addView(key, BoolValue{token == Token::True ? std::uint8_t{1} : std::uint8_t{0}}),
                         key);
        case Token::Number:
            if (const auto number = valueOf(m_reader.text())) {
                return added(m_metadata.addView(key, *number), key);
            }
            return asText(key, token);
        case Token::ObjectStart: {
            const auto flat = GUFO_TRY(isFlat());
            return flat && level + 1 < kMaxJsonLevels ? readMembers(key, level + 1) : asText(key, token);
        }
        case Token::ArrayStart: {
            const auto type = GUFO_TRY(elementType());
            return type ? readArray(key, *type) : asText(key, token);
        }
        default:
            return asText(key, token);
        }
    }

    // Keeps the value whose first token has just been read as it is written.
    Result<> asText(const std::string& key, Token first) {
        const std::size_t begin = m_reader.tokenBegin();
        GUFO_TRY(m_reader.skipRest(first));
        return added(m_metadata.addText(key, std::string(m_text.substr(begin, m_reader.tokenEnd() - begin))), key);
    }

    // Whether the object whose start has just been read has a moderate number of members.
    [[nodiscard]] Result<bool> isFlat() const {
        JsonReader lookahead = m_reader;
        for (std::size_t members = 0;; ++members) {
            const auto token = GUFO_TRY(lookahead.next());
            if (token == Token::ObjectEnd) {
                return members != 0;
            }
            if (members == kMaxMembers) {
                return false;
            }
            GUFO_TRY(lookahead.skipValue());
        }
    }

    // The type that all elements of the list whose start has just been read have or can be given; nothing if there is
    // none.
    [[nodiscard]] Result<std::optional<ValueType>> elementType() const {
        JsonReader lookahead = m_reader;
        std::optional<ValueType> common;
        while (true) {
            const auto token = GUFO_TRY(lookahead.next());
            std::optional<ValueType> type;
            switch (token) {
            case Token::ArrayEnd:
                return common ? common : std::optional(ValueType::String);
            case Token::String:
                type = ValueType::String;
                break;
            case Token::True:
            case Token::False:
                type = ValueType::Bool;
                break;
            case Token::Number:
                if (const auto value = valueOf(lookahead.text())) {
                    type = typeOf(*value);
                }
                break;
            default:
                break;
            }
            if (!common) {
                common = type;
            } else if (type != common) {
                // Floats may be written without a point. An i64 and a u64 have no common type.
                const bool mixed = (type == ValueType::Float64 && common == ValueType::Int64) ||
                                   (type == ValueType::Int64 && common == ValueType::Float64);
                common = mixed ? std::optional(ValueType::Float64) : std::nullopt;
            }
            if (!type || !common) {
                return std::nullopt;
            }
        }
    }

    Result<> readArray(const std::string& key, ValueType type) {
        ArrayBuilder array(type);
        while (true) {
            const auto token = GUFO_TRY(m_reader.next());
            if (token == Token::ArrayEnd) {
                return added(m_metadata.add(key, OwnedValue(Value(array.view()))), key);
            }
            if (type == ValueType::String) {
                array.add(std::string_view(m_reader.text()));
            } else if (type == ValueType::Bool) {
                array.add(BoolValue{token == Token::True ? std::uint8_t{1} : std::uint8_t{0}});
            } else if (type == ValueType::Float64) {
                array.add(numberOf<double>(m_reader.text()).value_or(0));
            } else {
                array.add(*valueOf(m_reader.text()));
            }
        }
    }

    Result<> added(bool fresh, const std::string& key) {
        if (!fresh && m_options.repeated) {
            m_options.repeated(key);
        }
        if (++m_keys > kMaxJsonKeys) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::KeyValues, m_keys, kMaxJsonKeys});
        }
        return {};
    }

    MetadataBuilder& m_metadata;
    std::string_view m_text;
    const JsonMetadataOptions& m_options;
    JsonReader m_reader;
    std::size_t m_keys = 0;
};

} // namespace

Result<> addJsonMetadata(MetadataBuilder& metadata, std::string_view text, const std::string& prefix,
                         const JsonMetadataOptions& options) {
    return JsonKeys(metadata, text, options).read(prefix);
}

} // namespace gufo
