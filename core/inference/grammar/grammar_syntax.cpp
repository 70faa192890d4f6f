#include "inference/grammar/grammar_syntax.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/utf8.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {
namespace {

using Kind = Expression::Kind;

bool isNameCharacter(char c) { return isAsciiLetterOrDigit(c) || c == '-' || c == '_'; }

class Reader {
public:
    explicit Reader(std::string_view text)
        : m_text(text) {}

    Result<GrammarSyntax> read() {
        for (;;) {
            skipSpace(true);
            if (atEnd()) {
                return std::move(m_syntax);
            }
            GUFO_TRY(readRule());
        }
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] char peek(std::size_t offset = 0) const {
        return m_at + offset < m_text.size() ? m_text[m_at + offset] : '\0';
    }
    void advance() {
        if (m_text[m_at] == '\n') {
            ++m_place.line;
            m_place.column = 0;
        }
        ++m_at;
        ++m_place.column;
    }
    [[nodiscard]] std::unexpected<Error> expected(Argument what) const {
        return badGrammar({Detail::Expected, {std::move(what)}}, m_place);
    }

    void skipSpace(bool lines) {
        while (!atEnd()) {
            const char c = peek();
            if (c == '#') {
                while (!atEnd() && peek() != '\n') {
                    advance();
                }
            } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
                advance();
            } else {
                return;
            }
        }
    }

    // Whether the next line begins with "|" and continues the rule.
    [[nodiscard]] bool nextLineGoesOn() {
        const std::size_t at = m_at;
        const TextPlace place = m_place;
        skipSpace(true);
        if (peek() == '|') {
            return true;
        }
        m_at = at;
        m_place = place;
        return false;
    }

    Result<std::size_t> add(Expression expression) {
        if (m_syntax.expressions.size() == Grammar::kMaxNodes) {
            return fail(ErrorCode::LimitExceeded, {},
                        {Detail::GrammarElements, m_syntax.expressions.size() + 1, Grammar::kMaxNodes});
        }
        m_syntax.expressions.push_back(std::move(expression));
        return m_syntax.expressions.size() - 1;
    }

    std::string readName() {
        const std::size_t begin = m_at;
        while (isNameCharacter(peek())) {
            advance();
        }
        return std::string(m_text.substr(begin, m_at - begin));
    }

    std::size_t ruleNumber(const std::string& name, TextPlace place) {
        const auto [at, added] = m_syntax.byName.try_emplace(name, m_syntax.rules.size());
        if (added) {
            m_syntax.rules.push_back({.name = name, .expression = {}, .place = place});
        }
        return at->second;
    }

    Result<> readRule() {
        const TextPlace place = m_place;
        const std::string name = readName();
        if (name.empty()) {
            return expected(Detail::RuleName);
        }
        skipSpace(false);
        if (!m_text.substr(m_at).starts_with("::=")) {
            return expected(std::string_view("::="));
        }
        for (int i = 0; i < 3; ++i) {
            advance();
        }
        const std::size_t number = ruleNumber(name, place);
        if (m_syntax.rules[number].expression) {
            return badGrammar({Detail::RuleDefinedTwice, {name}}, place);
        }
        skipSpace(true);
        m_syntax.rules[number].expression = GUFO_TRY(readChoice(0));
        m_syntax.rules[number].place = place;
        skipSpace(false);
        if (!atEnd() && peek() != '\n') {
            return peek() == ')' ? badGrammar(Detail::UnopenedParenthesis, m_place) : expected(Detail::ItemOrLineEnd);
        }
        return {};
    }

    Result<std::size_t> readChoice(std::size_t nesting) {
        if (nesting > Grammar::kMaxNesting) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::NestedGroups, nesting, Grammar::kMaxNesting});
        }
        Expression choice{.kind = Kind::Choice};
        for (;;) {
            const auto sequence = GUFO_TRY(readSequence(nesting));
            choice.parts.push_back(sequence);
            if (peek() != '|' && (nesting > 0 || !nextLineGoesOn())) {
                break;
            }
            advance();
            skipSpace(true);
        }
        return choice.parts.size() == 1 ? Result<std::size_t>(choice.parts.front()) : add(std::move(choice));
    }

    Result<std::size_t> readSequence(std::size_t nesting) {
        Expression sequence{.kind = Kind::Sequence};
        for (;;) {
            skipSpace(nesting > 0);
            auto item = GUFO_TRY(readItem(nesting));
            if (!item) {
                break;
            }
            auto repeated = GUFO_TRY(readRepeats(*item, nesting));
            sequence.parts.push_back(repeated);
        }
        return sequence.parts.size() == 1 ? Result<std::size_t>(sequence.parts.front()) : add(std::move(sequence));
    }

    using Item = Result<std::optional<std::size_t>>;

    static Item item(Result<std::size_t> expression) {
        return expression ? Item(*expression) : std::unexpected(std::move(expression.error()));
    }

    // Returns nothing where no item begins.
    Item readItem(std::size_t nesting) {
        switch (const char c = peek(); c) {
        case '"':
            return item(readLiteral());
        case '[':
            return item(readClass());
        case '.':
            advance();
            return item(add({.kind = Kind::Class, .set = withoutSurrogates({{0, kLastCode}})}));
        case '(':
            return item(readGroup(nesting));
        case '<':
        case '!':
            return item(readToken());
        case '*':
        case '+':
        case '?':
        case '{':
            return expected({Detail::ItemBefore, {std::string(1, c)}});
        default:
            break;
        }
        if (!isNameCharacter(peek())) {
            return std::nullopt;
        }
        const TextPlace place = m_place;
        const std::string name = readName();
        return item(add({.kind = Kind::Reference, .number = ruleNumber(name, place)}));
    }

    Result<std::size_t> readGroup(std::size_t nesting) {
        advance();
        const auto inner = GUFO_TRY(readChoice(nesting + 1));
        if (peek() != ')') {
            return expected(Detail::ItemOrGroupEnd);
        }
        advance();
        return inner;
    }

    std::optional<char32_t> readHex(int digits) {
        char32_t code = 0;
        for (int i = 0; i < digits; ++i) {
            const int digit = hexDigitValue(peek());
            if (digit < 0) {
                return std::nullopt;
            }
            code = code * 16 + static_cast<char32_t>(digit);
            advance();
        }
        return code;
    }

    Result<char32_t> readEscape() {
        advance();
        const char c = peek();
        const int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits != 0) {
            advance();
            const auto code = readHex(digits);
            if (!code) {
                return expected({Detail::HexDigits, {digits}});
            }
            if (*code > kLastCode || isSurrogate(*code)) {
                return expected(Detail::CodePointBefore);
            }
            return *code;
        }
        constexpr std::string_view kNames = "nrt\"\\[]-^";
        constexpr std::string_view kMeanings = "\n\r\t\"\\[]-^";
        const std::size_t which = c == '\0' ? std::string_view::npos : kNames.find(c);
        if (which == std::string_view::npos) {
            return expected(Detail::EscapeLetter);
        }
        advance();
        return static_cast<unsigned char>(kMeanings[which]);
    }

    // Reads one character of a literal or class, escaped or not.
    Result<char32_t> readCharacter() {
        if (peek() == '\\') {
            return readEscape();
        }
        const Char c = decodeChar(m_text.substr(m_at)); // the whole text was checked to be UTF-8
        advance();
        m_at += c.bytes - 1;
        return c.code;
    }

    Result<std::size_t> readLiteral() {
        advance();
        Expression literal{.kind = Kind::Literal};
        while (peek() != '"') {
            if (atEnd() || peek() == '\n') {
                return expected(Detail::LiteralEnd);
            }
            const auto code = GUFO_TRY(readCharacter());
            appendUtf8(literal.bytes, code);
        }
        advance();
        return add(std::move(literal));
    }

    Result<std::size_t> readClass() {
        const TextPlace place = m_place;
        advance();
        const bool negated = peek() == '^';
        if (negated) {
            advance();
        }
        CodeSet set;
        while (peek() != ']') {
            if (atEnd() || peek() == '\n') {
                return expected(Detail::ClassEnd);
            }
            const auto lowest = GUFO_TRY(readCharacter());
            char32_t highest = lowest;
            if (peek() == '-' && peek(1) != ']') {
                advance();
                if (atEnd() || peek() == '\n') {
                    return expected(Detail::RangeEnd);
                }
                const auto end = GUFO_TRY(readCharacter());
                if (end < lowest) {
                    return expected(Detail::AscendingRange);
                }
                highest = end;
            }
            set.push_back({lowest, highest});
        }
        advance();
        set = united(std::move(set));
        set = withoutSurrogates(negated ? inverted(set) : set);
        if (set.empty()) {
            return badGrammar({Detail::Expected, {Detail::NonEmptyClass}}, place);
        }
        return add({.kind = Kind::Class, .set = std::move(set)});
    }

    Result<std::size_t> readToken() {
        Grammar::TokenReference token{.line = m_place.line, .column = m_place.column};
        if (peek() == '!') {
            token.negated = true;
            advance();
        }
        if (peek() != '<') {
            return expected(Detail::TokenReference);
        }
        const std::size_t begin = m_at;
        const bool byId = peek(1) == '[';
        const std::size_t end = m_text.find(byId ? "]>" : ">", begin);
        const std::size_t line = m_text.find('\n', begin);
        if (end == std::string_view::npos || line < end) {
            return expected(byId ? Detail::TokenIdEnd : Detail::TokenTextEnd);
        }
        const std::string_view inside = m_text.substr(begin + 2, end - begin - 2);
        const bool isNumber = !inside.empty() && inside.size() <= 9 && std::ranges::all_of(inside, isAsciiDigit);
        if (byId && !isNumber) {
            return expected(Detail::TokenIdText);
        }
        if (byId) {
            token.id = static_cast<std::uint32_t>(std::stoul(std::string(inside)));
        } else {
            token.text = m_text.substr(begin, end + 1 - begin);
        }
        while (m_at < end + (byId ? 2 : 1)) {
            advance();
        }
        m_syntax.tokens.push_back(std::move(token));
        return add({.kind = Kind::Token, .number = m_syntax.tokens.size() - 1});
    }

    std::optional<std::uint64_t> readNumber() {
        std::uint64_t number = 0;
        if (!isAsciiDigit(peek())) {
            return std::nullopt;
        }
        while (isAsciiDigit(peek())) {
            number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(peek() - '0'),
                                             Grammar::kMaxRepeats + 1);
            advance();
        }
        return number;
    }

    Result<std::size_t> readRepeats(std::size_t expression, std::size_t nesting) {
        for (std::size_t count = 0;; ++count) {
            skipSpace(nesting > 0);
            Expression repeat{.kind = Kind::Repeat, .parts = {expression}};
            const char c = peek();
            if (c == '*' || c == '+' || c == '?') {
                advance();
                repeat.minimum = c == '+' ? 1 : 0;
                repeat.maximum = c == '?' ? 1 : Expression::kUnlimited;
            } else if (c == '{') {
                GUFO_TRY(readCounts(repeat));
            } else {
                return expression;
            }
            if (count == Grammar::kMaxStacked) {
                return fail(ErrorCode::LimitExceeded, {},
                            {Detail::StackedRepetitions, count + 1, Grammar::kMaxStacked});
            }
            expression = GUFO_TRY(add(std::move(repeat)));
        }
    }

    // {n} {n,} {n,m}
    Result<> readCounts(Expression& repeat) {
        const auto number = [&]() -> Result<std::uint64_t> {
            skipSpace(false);
            const TextPlace place = m_place;
            const auto read = readNumber();
            if (!read) {
                return expected(Detail::RepetitionCount);
            }
            if (*read > Grammar::kMaxRepeats) {
                return badGrammar({Detail::Expected, {Argument(Detail::MaxRepetitions, {Grammar::kMaxRepeats})}},
                                  place);
            }
            skipSpace(false);
            return *read;
        };
        advance();
        const auto minimum = GUFO_TRY(number());
        repeat.minimum = minimum;
        repeat.maximum = minimum;
        if (peek() == ',') {
            advance();
            skipSpace(false);
            repeat.maximum = Expression::kUnlimited;
            if (peek() != '}') {
                const auto maximum = GUFO_TRY(number());
                if (maximum < minimum) {
                    return expected(Detail::AscendingCounts);
                }
                repeat.maximum = maximum;
            }
        }
        if (peek() != '}') {
            return expected(std::string_view("}"));
        }
        advance();
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    TextPlace m_place;
    GrammarSyntax m_syntax;
};

} // namespace

std::unexpected<Error> badGrammar(Argument what, TextPlace place) {
    return fail(ErrorCode::BadSyntax, {}, {std::move(what), place.line, place.column});
}

Result<GrammarSyntax> readGrammar(std::string_view text) { return Reader(text).read(); }

} // namespace gufo::inference
