// A strict pull parser for JSON (RFC 8259) in memory. It builds no document: it needs memory only for one string and
// for the nesting. Numbers are returned as they are written, so 64-bit integers and floats keep their full precision.
//
// The dialect of Python's json module, in which the configurations of models are written, also has the numbers NaN,
// Infinity and -Infinity, which std::from_chars reads, and unpaired surrogates, each of which becomes U+FFFD because
// UTF-8 cannot express it.
//
// Threads: one at a time. A copy is cheap and independent, so it can serve as a position to return to.
#pragma once

#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gufo {

enum class JsonDialect : std::uint8_t { Strict, Python };

class JsonReader {
public:
    static constexpr std::size_t kMaxDepth = 64; // one bit of m_objects each

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
    explicit JsonReader(std::string_view text, JsonDialect dialect = JsonDialect::Strict);

    // Errors: BadSyntax, which includes invalid UTF-8 and, unless the dialect has them, unpaired surrogates;
    // NestingTooDeep.
    [[nodiscard]] Result<Token> next();
    // The characters of a key or string, or a number as it is written. Valid until the next call of next().
    [[nodiscard]] const std::string& text() const;
    // The same without a copy, unless the string is written with escapes.
    [[nodiscard]] std::string_view textView() const { return textInSource().value_or(std::string_view(m_text)); }
    // The same as a range of the source; nothing if the string is written with escapes.
    [[nodiscard]] std::optional<std::string_view> textInSource() const {
        return m_escaped ? std::nullopt : std::optional(m_source.substr(m_textAt, m_textBytes));
    }

    // The offset at which the last token begins.
    [[nodiscard]] std::size_t tokenBegin() const { return m_tokenAt; }

    // The offset after the last token, or the one at which reading ended on an error; at most the size of the text.
    [[nodiscard]] std::size_t tokenEnd() const { return m_at; }

    // Reads a token that must be of the given kind; otherwise the error says that `what` (such as a list of keys) was
    // expected.
    template<typename What>
    [[nodiscard]] Result<> expect(Token token, What&& what);
    // Reads the rest of an object whose start has been read. `member()` is called after each key, which is in text(),
    // and reads the member's value. Errors: the errors of next() and of `member`.
    template<typename Member>
    [[nodiscard]] Result<> readMembers(Member&& member);
    // Reads the rest of an array whose start has been read. `element(Token)` is called with the first token of each
    // element and reads the rest of it. Errors: the errors of next() and of `element`.
    template<typename Element>
    [[nodiscard]] Result<> readElements(Element&& element);
    // Skips the next value, whatever its kind.
    [[nodiscard]] Result<> skipValue();
    // Skips the rest of the value whose first token next() has just returned.
    [[nodiscard]] Result<> skipRest(Token first);
    // Continues at `end`, the offset after the value that follows the last key, which the caller has read by itself.
    void passValue(std::size_t end) {
        m_at = end;
        m_state = State::After;
    }
    // The error for a last token that is not `what`.
    [[nodiscard]] std::unexpected<Error> expected(Argument what) const;

private:
    enum class State : std::uint8_t { AnyValue, FirstKey, Key, FirstElement, After, Done };

    // These return nothing, or false, after wants() or on too deep nesting; next() turns this into an error. An Error
    // is much larger than a token, and returning a Result from each step took a third of the time.
    [[nodiscard]] std::optional<Token> scan();
    [[nodiscard]] std::optional<Token> value();
    [[nodiscard]] std::optional<Token> open(Token token);
    [[nodiscard]] Token close(Token token);
    [[nodiscard]] bool string();
    [[nodiscard]] bool escape();
    [[nodiscard]] std::optional<std::uint32_t> hex4();
    [[nodiscard]] bool number();
    [[nodiscard]] bool word(std::string_view word);
    [[nodiscard]] bool notFinite();
    bool wants(Detail what) {
        m_wanted = what;
        return false;
    }

    void skipSpace();
    [[nodiscard]] char peek() const { return m_at < m_source.size() ? m_source[m_at] : '\0'; }
    [[nodiscard]] bool inObject() const { return (m_objects & 1U) != 0; }

    std::string_view m_source;
    JsonDialect m_dialect;
    std::size_t m_at = 0;
    std::size_t m_tokenAt = 0;
    State m_state = State::AnyValue;
    std::size_t m_depth = 0;
    std::uint64_t m_objects = 0;    // one bit for each open object (1) or array (0), the innermost the lowest
    std::optional<Detail> m_wanted; // what was expected instead of the last token; nothing: the nesting is too deep
    std::size_t m_textAt = 0;       // where the text begins in the source, and its length there
    std::size_t m_textBytes = 0;
    bool m_escaped = false;     // the text differs from the source and is in m_text
    mutable std::string m_text; // made when it is needed
    mutable bool m_hasText = true;
};

template<typename What>
Result<> JsonReader::expect(Token token, What&& what) {
    const auto found = GUFO_TRY(next());
    return found == token ? Result<>() : expected(Argument(std::forward<What>(what)));
}

template<typename Member>
Result<> JsonReader::readMembers(Member&& member) {
    while (true) {
        const auto token = GUFO_TRY(next());
        if (token == Token::ObjectEnd) {
            return {};
        }
        GUFO_TRY(member());
    }
}

template<typename Element>
Result<> JsonReader::readElements(Element&& element) {
    while (true) {
        const auto token = GUFO_TRY(next());
        if (token == Token::ArrayEnd) {
            return {};
        }
        GUFO_TRY(element(token));
    }
}

} // namespace gufo
