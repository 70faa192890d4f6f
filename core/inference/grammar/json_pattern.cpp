#include "base/ascii.h"
#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/json_grammar.h"

#include <algorithm>

namespace gufo::inference {
namespace {

using Text = std::expected<std::string, Argument>;

constexpr std::size_t kMaxNesting = 100;
const CodeSet kDigits{{'0', '9'}};
const CodeSet kWord{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const CodeSet kSpace{{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                     {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const CodeSet kLineEnds{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

std::unexpected<Argument> unsupported(Argument what) { return std::unexpected(std::move(what)); }

std::string shown(char32_t code) {
    std::string text;
    appendUtf8(text, code);
    return text;
}

class PatternReader {
public:
    explicit PatternReader(std::string_view pattern)
        : m_codes(decodeUtf8(pattern)) {} // the schema was checked to be UTF-8

    Text read() {
        Text text = alternatives(0);
        if (text && m_at < m_codes.size()) {
            return unsupported(Detail::PatternUnopened);
        }
        return text;
    }

private:
    [[nodiscard]] char32_t peek(std::size_t offset = 0) const {
        return m_at + offset < m_codes.size() ? m_codes[m_at + offset] : U'\0';
    }
    [[nodiscard]] bool atEnd() const { return m_at >= m_codes.size(); }
    bool take(char32_t code) {
        const bool is = !atEnd() && peek() == code;
        m_at += is ? 1 : 0;
        return is;
    }

    // Where the pattern is not anchored, any text may come before or after the match.
    Text alternatives(std::size_t nesting) {
        if (nesting > kMaxNesting) {
            return unsupported(Detail::PatternTooDeep);
        }
        std::string out;
        do {
            const bool outermost = nesting == 0;
            std::string one = outermost && !take('^') ? "char* " : "";
            bool ended = false;
            while (!atEnd() && peek() != '|' && peek() != ')') {
                if (outermost && peek() == '$' && (m_at + 1 == m_codes.size() || peek(1) == '|')) {
                    ++m_at;
                    ended = true;
                    break;
                }
                const Text item = quantified(nesting);
                if (!item) {
                    return item;
                }
                one += *item + " ";
            }
            one += outermost && !ended ? "char*" : "";
            out += (out.empty() ? "" : " | ") + (one.empty() ? std::string("\"\"") : one);
        } while (take('|'));
        return "(" + out + ")";
    }

    Text quantified(std::size_t nesting) {
        const Text item = atom(nesting);
        if (!item) {
            return item;
        }
        std::string repeat;
        if (peek() == '*' || peek() == '+' || peek() == '?') {
            repeat = shown(m_codes[m_at++]);
        } else if (peek() == '{') {
            const auto end = std::find(m_codes.begin() + static_cast<std::ptrdiff_t>(m_at), m_codes.end(), U'}');
            if (end == m_codes.end()) {
                return unsupported(Detail::PatternUnclosedBrace);
            }
            for (const auto stop = static_cast<std::size_t>(end - m_codes.begin()) + 1; m_at < stop; ++m_at) {
                const char32_t c = peek();
                if (c != '{' && c != '}' && c != ',' && (c < '0' || c > '9')) {
                    return unsupported(Detail::PatternBadCounts);
                }
                repeat += static_cast<char>(c);
            }
        }
        if (!repeat.empty()) {
            take('?'); // a lazy quantifier matches the same texts
        }
        return *item + repeat;
    }

    Text atom(std::size_t nesting) {
        const char32_t c = m_codes[m_at++];
        switch (c) {
        case '(':
            return group(nesting);
        case '[':
            return characterClass();
        case '.':
            return jsonCharacter(inverted(kLineEnds));
        case '^':
        case '$':
            return unsupported({Detail::PatternAnchor, {shown(c)}});
        case '*':
        case '+':
        case '?':
        case '{':
            return unsupported({Detail::PatternNothingBefore, {shown(c)}});
        case '\\': {
            const auto set = escape();
            return set ? Text(jsonCharacter(*set)) : std::unexpected(set.error());
        }
        default:
            return jsonCharacter({{c, c}});
        }
    }

    Text group(std::size_t nesting) {
        if (take('?') && !take(':')) {
            return unsupported({Detail::PatternGroup, {shown(peek())}});
        }
        const Text inside = alternatives(nesting + 1);
        if (inside && !take(')')) {
            return unsupported(Detail::PatternUnclosed);
        }
        return inside;
    }

    std::expected<CodeSet, Argument> escape() {
        if (atEnd()) {
            return unsupported(Detail::PatternBackslash);
        }
        const char32_t c = m_codes[m_at++];
        switch (c) {
        case 'd':
            return kDigits;
        case 'D':
            return inverted(kDigits);
        case 'w':
            return kWord;
        case 'W':
            return inverted(kWord);
        case 's':
            return kSpace;
        case 'S':
            return inverted(kSpace);
        case 't':
            return CodeSet{{'\t', '\t'}};
        case 'n':
            return CodeSet{{'\n', '\n'}};
        case 'r':
            return CodeSet{{'\r', '\r'}};
        case 'f':
            return CodeSet{{'\f', '\f'}};
        case 'v':
            return CodeSet{{'\v', '\v'}};
        case 'x':
        case 'u': {
            const auto code = hex(c == 'x' ? 2 : 4);
            if (!code || isSurrogate(*code)) {
                return unsupported({Detail::PatternEscape, {shown(c)}});
            }
            return CodeSet{{*code, *code}};
        }
        default:
            break;
        }
        if (isAsciiLetterOrDigit(c)) {
            return unsupported({Detail::PatternEscape, {shown(c)}});
        }
        return CodeSet{{c, c}};
    }

    std::optional<char32_t> hex(int digits) {
        const bool braces = digits == 4 && take('{');
        char32_t code = 0;
        for (int i = 0; braces ? peek() != '}' : i < digits; ++i) {
            const int digit = hexDigitValue(peek());
            code = code * 16 + static_cast<char32_t>(std::max(digit, 0));
            if (digit < 0 || code > kLastCode) {
                return std::nullopt;
            }
            ++m_at;
        }
        return !braces || take('}') ? std::optional(code) : std::nullopt;
    }

    Text characterClass() {
        const bool negated = take('^');
        CodeSet set;
        while (!take(']')) {
            if (atEnd()) {
                return unsupported(Detail::PatternUnclosedClass);
            }
            const auto first = member();
            if (!first) {
                return std::unexpected(first.error());
            }
            const bool isRange = peek() == '-' && peek(1) != ']' && m_at + 1 < m_codes.size();
            if (!isRange) {
                set.insert(set.end(), first->begin(), first->end());
                continue;
            }
            ++m_at;
            const auto last = member();
            if (!last) {
                return std::unexpected(last.error());
            }
            const bool single = first->size() == 1 && last->size() == 1 &&
                                first->front().lowest == first->front().highest &&
                                last->front().lowest == last->front().highest;
            if (!single || first->front().lowest > last->front().lowest) {
                return unsupported(Detail::PatternRange);
            }
            set.push_back({first->front().lowest, last->front().lowest});
        }
        set = united(std::move(set));
        set = withoutSurrogates(negated ? inverted(set) : set);
        if (set.empty()) {
            return unsupported(Detail::PatternEmptyClass);
        }
        return jsonCharacter(set);
    }

    std::expected<CodeSet, Argument> member() {
        const char32_t c = m_codes[m_at++];
        if (c == '\\') {
            if (peek() == 'b') {
                ++m_at;
                return CodeSet{{'\b', '\b'}};
            }
            return escape();
        }
        return CodeSet{{c, c}};
    }

    std::u32string m_codes;
    std::size_t m_at = 0;
};

} // namespace

std::expected<std::string, Argument> patternCharacters(std::string_view pattern) {
    return PatternReader(pattern).read();
}

} // namespace gufo::inference
