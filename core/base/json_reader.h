// A strict pull parser for JSON (RFC 8259) in memory. It builds no document: it needs memory only for one string and
// for the nesting. Numbers are returned as they are written, so 64-bit integers and floats keep their full precision.
//
// Threads: one at a time. A copy is cheap and independent, so it can serve as a position to return to.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo {

class JsonReader {
public:
    static constexpr std::size_t kMaxDepth = 64;

    enum class Token : std::uint8_t {
        ObjectStart,
        ObjectEnd,
        ArrayStart,
        ArrayEnd,
        Key,
        String,
        Number,
        True,
        False,
        Null,
        End, // of the text
    };

    // `text` must outlive the reader. A leading byte order mark is skipped.
    explicit JsonReader(std::string_view text);

    // Errors: BadSyntax, which includes invalid UTF-8 and unpaired surrogates; NestingTooDeep.
    [[nodiscard]] Result<Token> next();
    // The characters of a key or string, or a number as it is written. Valid until the next call of next().
    [[nodiscard]] const std::string& text() const { return m_text; }

    // The offset at which the last token begins.
    [[nodiscard]] std::size_t tokenBegin() const { return m_tokenAt; }

    // The offset behind the last token.
    [[nodiscard]] std::size_t tokenEnd() const { return m_at; }

    // Reads a token that must be of the given kind; otherwise the error says that `what` (such as a list of keys) was
    // expected.
    [[nodiscard]] Result<> expect(Token token, Argument what);
    // Reads the rest of an object whose start has been read. `member()` is called behind each key, which is in text(),
    // and reads the member's value. Errors: those of next() and of `member`.
    template<typename Member>
    [[nodiscard]] Result<> readMembers(Member&& member);
    // Reads the rest of an array whose start has been read. `element(Token)` is called with the first token of each
    // element and reads the rest of it. Errors: those of next() and of `element`.
    template<typename Element>
    [[nodiscard]] Result<> readElements(Element&& element);
    // Skips the next value, whatever its kind.
    [[nodiscard]] Result<> skipValue();
    // Skips the rest of the value whose first token next() has just returned.
    [[nodiscard]] Result<> skipRest(Token first);
    // The error for a last token that is not `what`.
    [[nodiscard]] std::unexpected<Error> expected(Argument what) const;

private:
    enum class State : std::uint8_t { AnyValue, FirstKey, Key, FirstElement, After, Done };

    void skipSpace();
    [[nodiscard]] Result<Token> value();
    [[nodiscard]] Result<Token> open(Token token);
    [[nodiscard]] Result<Token> close(Token token);
    [[nodiscard]] Result<> string();
    [[nodiscard]] Result<> escape();
    [[nodiscard]] std::optional<std::uint32_t> hex4();
    [[nodiscard]] Result<Token> number();
    [[nodiscard]] Result<Token> word(std::string_view word, Token token);
    [[nodiscard]] char peek() const { return m_at < m_source.size() ? m_source[m_at] : '\0'; }

    std::string_view m_source;
    std::size_t m_at = 0;
    std::size_t m_tokenAt = 0;
    State m_state = State::AnyValue;
    std::vector<bool> m_inObject;
    std::string m_text;
};

template<typename Member>
Result<> JsonReader::readMembers(Member&& member) {
    while (true) {
        const auto token = next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::ObjectEnd) {
            return {};
        }
        if (Result<> read = member(); !read) {
            return read;
        }
    }
}

template<typename Element>
Result<> JsonReader::readElements(Element&& element) {
    while (true) {
        const auto token = next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == Token::ArrayEnd) {
            return {};
        }
        if (Result<> read = element(*token); !read) {
            return read;
        }
    }
}

} // namespace gufo
