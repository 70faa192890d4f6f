#include "base/json_reader.h"

#include "base/ascii.h"
#include "base/byte_order.h"
#include "base/detail.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gufo {
namespace {

// The bytes at the beginning of a text that are neither a quote nor a backslash nor a control character.
struct PlainRun {
    std::size_t bytes = 0;
    bool ascii = true; // false may also be due to the bytes after the run
};

PlainRun plainRun(std::string_view text) {
    // Eight bytes at a time. hasLess() is exact for the lowest byte that it reports, which is the one that ends the run
    // (Bit Twiddling Hacks, "Determine if a word has a byte less than n").
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHigh = 0x8080808080808080;
    const auto hasLess = [](std::uint64_t word, std::uint64_t n) { return (word - kOnes * n) & ~word & kHigh; };
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t seen = 0;
    while (end - at >= 8) {
        const auto word = load<std::uint64_t>(reinterpret_cast<const std::byte*>(at));
        seen |= word;
        const std::uint64_t stops =
            hasLess(word, ' ') | hasLess(word ^ kOnes * '"', 1) | hasLess(word ^ kOnes * '\\', 1);
        if (stops != 0) {
            at += std::countr_zero(stops) / 8;
            return {static_cast<std::size_t>(at - text.data()), (seen & kHigh) == 0};
        }
        at += 8;
    }
    for (; at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= ' '; ++at) {
        seen |= static_cast<unsigned char>(*at);
    }
    return {static_cast<std::size_t>(at - text.data()), (seen & kHigh) == 0};
}

} // namespace

JsonReader::JsonReader(std::string_view text, JsonDialect dialect)
    : m_source(text)
    , m_dialect(dialect) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        m_at = kByteOrderMark.size();
    }
}

void JsonReader::skipSpace() {
    for (; m_at < m_source.size(); ++m_at) {
        const char c = m_source[m_at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return;
        }
    }
}

std::unexpected<Error> JsonReader::expected(Argument what) const {
    const std::string_view before = m_source.substr(0, m_tokenAt);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return fail(ErrorCode::BadSyntax, {},
                {Argument(Detail::Expected, {std::move(what)}), line, before.size() - start + 1});
}

Result<JsonReader::Token> JsonReader::next() {
    if (const auto token = scan()) {
        return *token;
    }
    return m_wanted ? expected(*m_wanted) : fail(ErrorCode::NestingTooDeep, {}, {kMaxDepth});
}

std::optional<JsonReader::Token> JsonReader::scan() {
    skipSpace();
    m_tokenAt = m_at;
    if (m_state == State::Done) {
        return m_at == m_source.size() || wants(Detail::EndOfText) ? std::optional(Token::End) : std::nullopt;
    }
    if (m_state == State::After) {
        if (peek() == (inObject() ? '}' : ']')) {
            return close(inObject() ? Token::ObjectEnd : Token::ArrayEnd);
        }
        if (peek() != ',') {
            wants(inObject() ? Detail::CommaOrBrace : Detail::CommaOrBracket);
            return std::nullopt;
        }
        ++m_at;
        skipSpace();
        m_tokenAt = m_at;
        m_state = inObject() ? State::Key : State::AnyValue;
    }
    if (m_state == State::FirstKey && peek() == '}') {
        return close(Token::ObjectEnd);
    }
    if (m_state == State::FirstElement && peek() == ']') {
        return close(Token::ArrayEnd);
    }
    if (m_state != State::FirstKey && m_state != State::Key) {
        return value();
    }
    if (peek() != '"') {
        wants(Detail::QuotedName);
        return std::nullopt;
    }
    if (!string()) {
        return std::nullopt;
    }
    skipSpace();
    if (peek() != ':') {
        m_tokenAt = m_at;
        wants(Detail::Colon);
        return std::nullopt;
    }
    ++m_at;
    m_state = State::AnyValue;
    return Token::Key;
}

std::optional<JsonReader::Token> JsonReader::value() {
    const auto ended = [&](bool valid, Token token) {
        m_state = m_depth == 0 ? State::Done : State::After;
        return valid ? std::optional(token) : std::nullopt;
    };
    switch (const char c = peek()) {
    case '{':
        return open(Token::ObjectStart);
    case '[':
        return open(Token::ArrayStart);
    case '"':
        return ended(string(), Token::String);
    case 't':
        return ended(word("true"), Token::True);
    case 'f':
        return ended(word("false"), Token::False);
    case 'n':
        return ended(word("null"), Token::Null);
    default:
        return ended(notFinite() || (c == '-' || isAsciiDigit(c) ? number() : wants(Detail::Value)), Token::Number);
    }
}

std::optional<JsonReader::Token> JsonReader::open(Token token) {
    if (m_depth == kMaxDepth) {
        m_wanted = std::nullopt;
        return std::nullopt;
    }
    ++m_at;
    ++m_depth;
    m_objects = m_objects << 1U | (token == Token::ObjectStart ? 1U : 0U);
    m_state = token == Token::ObjectStart ? State::FirstKey : State::FirstElement;
    return token;
}

JsonReader::Token JsonReader::close(Token token) {
    ++m_at;
    --m_depth;
    m_objects >>= 1U;
    m_state = m_depth == 0 ? State::Done : State::After;
    return token;
}

const std::string& JsonReader::text() const {
    if (!m_hasText) {
        m_text.assign(m_source.substr(m_textAt, m_textBytes));
        m_hasText = true;
    }
    return m_text;
}

bool JsonReader::string() {
    m_textAt = ++m_at;
    m_escaped = false;
    m_hasText = false;
    bool ascii = true;
    while (true) {
        const PlainRun run = plainRun(m_source.substr(m_at));
        if (m_escaped) {
            m_text.append(m_source, m_at, run.bytes);
        }
        m_at += run.bytes;
        ascii = ascii && run.ascii;
        if (m_at == m_source.size()) {
            m_tokenAt = m_textAt;
            return wants(Detail::StringEnd);
        }
        const char c = m_source[m_at];
        if (c != '"' && c != '\\') {
            m_tokenAt = m_at;
            return wants(Detail::NoControlCharacter);
        }
        if (c == '"') {
            break;
        }
        if (!m_escaped) {
            m_text.assign(m_source.substr(m_textAt, m_at - m_textAt));
            m_escaped = true;
            m_hasText = true;
        }
        ++m_at;
        if (!escape()) {
            return false;
        }
    }
    m_textBytes = m_at - m_textAt;
    ++m_at;
    m_tokenAt = m_textAt - 1; // escape() has moved it
    return ascii || isValidUtf8(textView()) || wants(Detail::Utf8String);
}

std::optional<std::uint32_t> JsonReader::hex4() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++m_at) {
        const int digit = hexDigitValue(peek());
        if (digit < 0) {
            return std::nullopt;
        }
        code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code;
}

// Reads what follows a backslash.
bool JsonReader::escape() {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    m_tokenAt = m_at - 1;
    const char c = peek();
    m_at += m_at < m_source.size() ? 1 : 0; // the text may end after the backslash
    if (const std::size_t letter = kLetters.find(c); c != '\0' && letter != std::string_view::npos) {
        m_text += kMeanings[letter];
        return true;
    }
    auto code = c == 'u' ? hex4() : std::nullopt;
    if (!code) {
        return wants(Detail::Escape);
    }
    if (*code >= 0xD800 && *code <= 0xDFFF) {
        const std::size_t next = m_at;
        const bool followed = *code < 0xDC00 && m_source.substr(m_at).starts_with("\\u");
        m_at += followed ? 2 : 0;
        const auto low = followed ? hex4() : std::nullopt;
        if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
            code = 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00);
        } else if (m_dialect == JsonDialect::Python) {
            constexpr std::uint32_t kReplacement = 0xFFFD;
            code = kReplacement;
            m_at = next; // an escape that follows is a character of its own
        } else {
            return wants(Detail::SurrogatePair);
        }
    }
    appendUtf8(m_text, *code); // well formed, so it needs no check
    return true;
}

bool JsonReader::number() {
    m_escaped = false;
    m_hasText = false;
    m_textAt = m_at;
    const auto digits = [&] {
        const std::size_t first = m_at;
        while (isAsciiDigit(peek())) {
            ++m_at;
        }
        return m_at - first;
    };
    m_at += peek() == '-' ? 1 : 0;
    const bool zero = peek() == '0';
    const std::size_t whole = digits();
    bool valid = whole > 0 && (!zero || whole == 1);
    if (peek() == '.') {
        ++m_at;
        valid = digits() > 0 && valid;
    }
    if (peek() == 'e' || peek() == 'E') {
        ++m_at;
        m_at += peek() == '+' || peek() == '-' ? 1 : 0;
        valid = digits() > 0 && valid;
    }
    if (!valid) {
        return wants(Detail::Number);
    }
    m_textBytes = m_at - m_textAt;
    return true;
}

// Whether one of Python's names for numbers that are not finite follows, which is then read.
bool JsonReader::notFinite() {
    if (m_dialect != JsonDialect::Python) {
        return false;
    }
    constexpr auto kNames = std::to_array<std::string_view>({"NaN", "Infinity", "-Infinity"});
    const std::string_view rest = m_source.substr(m_at);
    const auto* name = std::ranges::find_if(kNames, [&](std::string_view n) { return rest.starts_with(n); });
    if (name == kNames.end()) {
        return false;
    }
    m_escaped = false;
    m_hasText = false;
    m_textAt = m_at;
    m_textBytes = name->size();
    m_at += name->size();
    return true;
}

bool JsonReader::word(std::string_view word) {
    if (!m_source.substr(m_at).starts_with(word)) {
        return wants(Detail::Value);
    }
    m_at += word.size();
    return true;
}

Result<> JsonReader::skipValue() {
    const auto first = GUFO_TRY(next());
    return skipRest(first);
}

Result<> JsonReader::skipRest(Token first) {
    if (first != Token::ObjectStart && first != Token::ArrayStart) {
        return {};
    }
    const std::size_t depth = m_depth;
    while (m_depth >= depth) {
        GUFO_TRY(next());
    }
    return {};
}

} // namespace gufo
