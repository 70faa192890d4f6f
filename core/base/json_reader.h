// Reads JSON (RFC 8259) token by token, strictly, from text in memory. Nothing is built: memory is that of one string
// and of the nesting. Numbers are given as they are written, so that 64-bit integers and floats lose nothing.
//
// Threads: one at a time. Copies are cheap and go their own way: a place to come back to.
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

    // `text` must outlive the reader; a byte order mark at its front is skipped.
    explicit JsonReader(std::string_view text);

    // Errors: BadSyntax, also for text that is no UTF-8 and for half a surrogate pair; NestingTooDeep.
    [[nodiscard]] Result<Token> next();
    // Of a key or string, its characters; of a number, what is written. Valid until next().
    [[nodiscard]] const std::string& text() const { return m_text; }

    // Where in the text the last token begins.
    [[nodiscard]] std::size_t tokenBegin() const { return m_tokenAt; }

    // The next token must be of that kind; `what` is said where it is not ("a list of keys").
    [[nodiscard]] Result<> expect(Token token, std::string_view what);
    // Reads over the next value, whatever it is.
    [[nodiscard]] Result<> skipValue();
    // Reads over what is left of the value whose first token was given by next().
    [[nodiscard]] Result<> skipRest(Token first);
    // The last token is not what it should be.
    [[nodiscard]] std::unexpected<Error> expected(std::string_view what) const;

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

} // namespace gufo
