#include "base/json_reader.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/utf8.h"

#include <algorithm>

namespace gufo {

JsonReader::JsonReader(std::string_view text)
    : m_source(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        m_at = kByteOrderMark.size();
    }
}

void JsonReader::skipSpace() {
    while (m_at < m_source.size() && std::string_view(" \t\r\n").find(m_source[m_at]) != std::string_view::npos) {
        ++m_at;
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
    skipSpace();
    m_tokenAt = m_at;
    if (m_state == State::Done) {
        return m_at == m_source.size() ? Result<Token>(Token::End) : expected(Detail::EndOfText);
    }
    if (m_state == State::After) {
        const bool inObject = m_inObject.back();
        if (peek() == (inObject ? '}' : ']')) {
            return close(inObject ? Token::ObjectEnd : Token::ArrayEnd);
        }
        if (peek() != ',') {
            return expected(inObject ? Detail::CommaOrBrace : Detail::CommaOrBracket);
        }
        ++m_at;
        skipSpace();
        m_tokenAt = m_at;
        m_state = inObject ? State::Key : State::AnyValue;
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
        return expected(Detail::QuotedName);
    }
    if (auto read = string(); !read) {
        return std::unexpected(std::move(read).error());
    }
    skipSpace();
    if (peek() != ':') {
        m_tokenAt = m_at;
        return expected(Detail::Colon);
    }
    ++m_at;
    m_state = State::AnyValue;
    return Token::Key;
}

Result<JsonReader::Token> JsonReader::value() {
    const auto ended = [&](Result<Token> token) {
        m_state = m_inObject.empty() ? State::Done : State::After;
        return token;
    };
    switch (const char c = peek()) {
    case '{':
        return open(Token::ObjectStart);
    case '[':
        return open(Token::ArrayStart);
    case '"': {
        auto read = string();
        return ended(read ? Result<Token>(Token::String) : std::unexpected(std::move(read).error()));
    }
    case 't':
        return ended(word("true", Token::True));
    case 'f':
        return ended(word("false", Token::False));
    case 'n':
        return ended(word("null", Token::Null));
    default:
        return c == '-' || isAsciiDigit(c) ? ended(number()) : expected(Detail::Value);
    }
}

Result<JsonReader::Token> JsonReader::open(Token token) {
    if (m_inObject.size() == kMaxDepth) {
        return fail(ErrorCode::NestingTooDeep, {}, {std::to_string(kMaxDepth)});
    }
    ++m_at;
    m_inObject.push_back(token == Token::ObjectStart);
    m_state = token == Token::ObjectStart ? State::FirstKey : State::FirstElement;
    return token;
}

Result<JsonReader::Token> JsonReader::close(Token token) {
    ++m_at;
    m_inObject.pop_back();
    m_state = m_inObject.empty() ? State::Done : State::After;
    return token;
}

Result<> JsonReader::string() {
    m_text.clear();
    ++m_at;
    const std::size_t start = m_at;
    while (true) {
        const std::size_t end = m_source.find_first_of("\"\\", m_at);
        const std::string_view plain = m_source.substr(m_at, std::min(end, m_source.size()) - m_at);
        const auto control = std::ranges::find_if(plain, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
        if (end == std::string_view::npos || control != plain.end()) {
            m_tokenAt = control != plain.end() ? m_at + static_cast<std::size_t>(control - plain.begin()) : start;
            return expected(control != plain.end() ? Detail::NoControlCharacter : Detail::StringEnd);
        }
        m_text.append(plain);
        m_at = end + 1;
        if (m_source[end] == '"') {
            break;
        }
        if (auto read = escape(); !read) {
            return read;
        }
    }
    if (!isValidUtf8(m_text)) {
        return expected(Detail::Utf8String);
    }
    return {};
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
Result<> JsonReader::escape() {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    m_tokenAt = m_at - 1;
    const char c = peek();
    ++m_at;
    if (const std::size_t letter = kLetters.find(c); c != '\0' && letter != std::string_view::npos) {
        m_text += kMeanings[letter];
        return {};
    }
    auto code = c == 'u' ? hex4() : std::nullopt;
    if (!code) {
        return expected(Detail::Escape);
    }
    if (*code >= 0xD800 && *code < 0xDC00) {
        const bool followed = m_source.substr(m_at).starts_with("\\u");
        m_at += followed ? 2 : 0;
        const auto low = followed ? hex4() : std::nullopt;
        if (!low || *low < 0xDC00 || *low > 0xDFFF) {
            return expected(Detail::SurrogatePair);
        }
        code = 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00);
    } else if (*code >= 0xDC00 && *code <= 0xDFFF) {
        return expected(Detail::SurrogatePair);
    }
    appendUtf8(m_text, *code);
    return {};
}

Result<JsonReader::Token> JsonReader::number() {
    const std::size_t start = m_at;
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
        return expected(Detail::Number);
    }
    m_text.assign(m_source.substr(start, m_at - start));
    return Token::Number;
}

Result<JsonReader::Token> JsonReader::word(std::string_view word, Token token) {
    if (!m_source.substr(m_at).starts_with(word)) {
        return expected(Detail::Value);
    }
    m_at += word.size();
    return token;
}

Result<> JsonReader::expect(Token token, Argument what) {
    const auto found = next();
    return !found ? std::unexpected(found.error()) : *found != token ? Result<>(expected(std::move(what))) : Result<>();
}

Result<> JsonReader::skipValue() {
    const auto first = next();
    return first ? skipRest(*first) : std::unexpected(first.error());
}

Result<> JsonReader::skipRest(Token first) {
    if (first != Token::ObjectStart && first != Token::ArrayStart) {
        return {};
    }
    const std::size_t depth = m_inObject.size();
    while (m_inObject.size() >= depth) {
        if (const auto token = next(); !token) {
            return std::unexpected(token.error());
        }
    }
    return {};
}

} // namespace gufo
