#include "inference/grammar/json_pattern.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/try.h"
#include "base/utf8.h"
#include "inference/grammar/nondeterministic_automaton.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::inference {
namespace {

constexpr std::size_t kMaxNesting = 100;
constexpr std::uint64_t kMaxRepeats = 100'000; // n and m of {n,m}
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

    std::expected<Automaton, Argument> read() {
        const Part part = GUFO_TRY(alternatives(0));
        if (m_at < m_codes.size()) {
            return unsupported(Detail::PatternUnopened);
        }
        // Where the pattern is not anchored, any text may come before the match; what follows it is part of each
        // alternative.
        const auto automaton = m_nodes.determined(m_nodes.sequence(m_nodes.anything(), part));
        return automaton ? std::expected<Automaton, Argument>(*automaton) : unsupported(Detail::PatternTooLarge);
    }

    [[nodiscard]] std::size_t work() const { return m_nodes.work(); }

private:
    using Part = NondeterministicAutomaton::Part;
    using Read = std::expected<Part, Argument>;

    [[nodiscard]] char32_t peek(std::size_t offset = 0) const {
        return m_at + offset < m_codes.size() ? m_codes[m_at + offset] : U'\0';
    }
    [[nodiscard]] bool atEnd() const { return m_at >= m_codes.size(); }
    bool take(char32_t code) {
        const bool is = !atEnd() && peek() == code;
        m_at += is ? 1 : 0;
        return is;
    }

    Read alternatives(std::size_t nesting) { // NOLINT(misc-no-recursion)
        if (nesting > kMaxNesting) {
            return unsupported(Detail::PatternTooDeep);
        }
        const Part all{m_nodes.add(), m_nodes.add()};
        do {
            const Part one = GUFO_TRY(sequence(nesting));
            m_nodes.connect(all.entry, one.entry);
            m_nodes.connect(one.exit, all.exit);
        } while (take('|'));
        return all;
    }

    // An alternative. Outside of groups it includes the text after the match, so that look-ahead can be intersected
    // with everything that follows it.
    Read sequence(std::size_t nesting) { // NOLINT(misc-no-recursion)
        Part all = m_nodes.nothing();
        while (!atEnd() && peek() != '|' && peek() != ')') {
            const bool ahead = peek() == '(' && peek(1) == '?' && (peek(2) == '=' || peek(2) == '!');
            if (ahead && nesting == 0) {
                const auto rest = GUFO_TRY(lookAhead());
                return m_nodes.sequence(all, rest);
            }
            const Part item = GUFO_TRY(quantified(nesting));
            all = m_nodes.sequence(all, item);
            if (m_nodes.tooMany()) {
                return unsupported(Detail::PatternTooLarge);
            }
        }
        return nesting == 0 ? m_nodes.sequence(all, m_nodes.anything()) : all;
    }

    // Reads look-ahead and the rest of the alternative.
    Read lookAhead() { // NOLINT(misc-no-recursion)
        constexpr std::size_t kMostAheads = 10;
        if (++m_aheads > kMostAheads) {
            return unsupported(Detail::PatternTooLarge);
        }
        const bool negated = peek(2) == '!';
        const auto anchorsBefore = m_begins;
        m_at += 3;
        const Part inside = GUFO_TRY(alternatives(1));
        if (!take(')')) {
            return unsupported(Detail::PatternUnclosed);
        }
        const auto ahead = m_nodes.determined(m_nodes.sequence(inside, m_nodes.anything()));
        const Part following = GUFO_TRY(sequence(0));
        if (m_begins != anchorsBefore) { // the automata would take their own beginning for the beginning of the text
            return unsupported({Detail::PatternAnchor, {std::string("^")}});
        }
        const auto rest = m_nodes.determined(following);
        const auto both =
            ahead && rest ? (negated ? ahead->complement() : *ahead).intersection(*rest) : std::optional<Automaton>();
        return both ? Read(m_nodes.inserted(*both)) : unsupported(Detail::PatternTooLarge);
    }

    Read quantified(std::size_t nesting) { // NOLINT(misc-no-recursion)
        const std::uint32_t first = m_nodes.size();
        const Part item = GUFO_TRY(atom(nesting));
        const std::uint32_t end = m_nodes.size();
        std::uint64_t minimum = 1;
        std::optional<std::uint64_t> maximum = 1;
        if (take('*')) {
            minimum = 0;
            maximum = std::nullopt;
        } else if (take('+')) {
            maximum = std::nullopt;
        } else if (take('?')) {
            minimum = 0;
        } else if (peek() == '{') {
            const auto counts = GUFO_TRY(braces());
            minimum = counts.first;
            maximum = counts.second;
        } else {
            return item;
        }
        take('?'); // a lazy quantifier matches the same texts
        return repeated(item, first, end, minimum, maximum);
    }

    // The nodes of the item are [first, end).
    Read repeated(Part item, std::uint32_t first, std::uint32_t end, std::uint64_t minimum,
                  std::optional<std::uint64_t> maximum) {
        const std::uint64_t copies = maximum.value_or(minimum + 1);
        if (copies * (end - first + std::uint64_t{2}) > NondeterministicAutomaton::kMaxNodes) {
            return unsupported(Detail::PatternTooLarge);
        }
        // The item is kept as the source of the copies.
        Part all = m_nodes.nothing();
        const std::uint32_t last = m_nodes.add();
        std::vector<std::uint32_t> exits;
        for (std::uint64_t i = 0; i < copies; ++i) {
            if (i >= minimum) {
                exits.push_back(all.exit);
            }
            const Part one = m_nodes.copy(item, first, end);
            if (!maximum && i + 1 == copies) {
                const Part loop = m_nodes.nothing();
                m_nodes.connect(loop.exit, one.entry);
                m_nodes.connect(one.exit, loop.entry);
                m_nodes.connect(all.exit, loop.entry);
                all.exit = loop.exit;
                break;
            }
            all = m_nodes.sequence(all, one);
        }
        exits.push_back(all.exit);
        for (const std::uint32_t exit : exits) {
            m_nodes.connect(exit, last);
        }
        return Part{all.entry, last};
    }

    std::expected<std::pair<std::uint64_t, std::optional<std::uint64_t>>, Argument> braces() {
        ++m_at;
        const auto number = [&]() -> std::optional<std::uint64_t> {
            std::optional<std::uint64_t> value;
            while (!atEnd() && peek() >= '0' && peek() <= '9') {
                value = std::min(kMaxRepeats, value.value_or(0) * 10 + (m_codes[m_at++] - U'0'));
            }
            return value;
        };
        const auto minimum = number();
        auto maximum = minimum;
        if (take(',')) {
            maximum = number();
        }
        if (std::find(m_codes.begin() + static_cast<std::ptrdiff_t>(m_at), m_codes.end(), U'}') == m_codes.end()) {
            return unsupported(Detail::PatternUnclosedBrace);
        }
        if (!minimum || !take('}') || (maximum && *maximum < *minimum)) {
            return unsupported(Detail::PatternBadCounts);
        }
        if (maximum.value_or(*minimum) >= kMaxRepeats) {
            return unsupported(Detail::PatternTooLarge);
        }
        return std::pair(*minimum, maximum);
    }

    Read atom(std::size_t nesting) { // NOLINT(misc-no-recursion)
        const char32_t c = m_codes[m_at++];
        switch (c) {
        case '(':
            return group(nesting);
        case '[': {
            auto set = GUFO_TRY(characterClass());
            return Read(m_nodes.characters(std::move(set)));
        }
        case '.':
            return m_nodes.characters(inverted(kLineEnds));
        case '^':
            ++m_begins;
            return m_nodes.assertion(NondeterministicAutomaton::Step::AtBegin);
        case '$':
            return m_nodes.assertion(NondeterministicAutomaton::Step::AtEnd);
        case '*':
        case '+':
        case '?':
        case '{':
            return unsupported({Detail::PatternNothingBefore, {shown(c)}});
        case '\\': {
            auto set = GUFO_TRY(escape());
            return Read(m_nodes.characters(std::move(set)));
        }
        default:
            return m_nodes.characters({{c, c}});
        }
    }

    Read group(std::size_t nesting) { // NOLINT(misc-no-recursion)
        if (take('?') && !take(':')) {
            const bool isNamed = peek() == '<' && peek(1) != '=' && peek(1) != '!';
            if (!isNamed) {
                return unsupported({Detail::PatternGroup, {shown(peek())}});
            }
            while (!atEnd() && !take('>')) {
                ++m_at;
            }
        }
        const Read inside = alternatives(nesting + 1);
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

    std::expected<CodeSet, Argument> characterClass() {
        const bool negated = take('^');
        CodeSet set;
        while (!take(']')) {
            if (atEnd()) {
                return unsupported(Detail::PatternUnclosedClass);
            }
            const auto first = GUFO_TRY(member());
            const bool isRange = peek() == '-' && peek(1) != ']' && m_at + 1 < m_codes.size();
            if (!isRange) {
                set.insert(set.end(), first.begin(), first.end());
                continue;
            }
            ++m_at;
            const auto last = GUFO_TRY(member());
            const bool single = first.size() == 1 && last.size() == 1 &&
                                first.front().lowest == first.front().highest &&
                                last.front().lowest == last.front().highest;
            if (!single || first.front().lowest > last.front().lowest) {
                return unsupported(Detail::PatternRange);
            }
            set.push_back({first.front().lowest, last.front().lowest});
        }
        set = united(std::move(set));
        set = withoutSurrogates(negated ? inverted(set) : set);
        if (set.empty()) {
            return unsupported(Detail::PatternEmptyClass);
        }
        return set;
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

    NondeterministicAutomaton m_nodes;
    std::u32string m_codes;
    std::size_t m_at = 0;
    std::size_t m_aheads = 0;
    std::size_t m_begins = 0; // anchors at the beginning
};

struct FormatRow {
    std::string_view format;
    std::string_view pattern;
};
// Dates and times: RFC 3339. Host names and IPv4: RFC 1123 and 2673. Addresses of mail: RFC 5321 without quoted strings
// and literal hosts. IPv6: RFC 4291 without an IPv4 part. URIs: RFC 3986, whose authority is not checked.
#define GUFO_DATE                                                                                                      \
    "([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])" \
    ")"                                                                                                                \
    "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26]|00)00)-02-29)"
#define GUFO_TIME "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])"
#define GUFO_HOST "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
#define GUFO_BYTE "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
#define GUFO_URI_REST                                                                                                  \
    "([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(#([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
#define GUFO_GROUP "[0-9A-Fa-f]{1,4}"
constexpr auto kFormats = std::to_array<FormatRow>({
    {"date", "^" GUFO_DATE "$"},
    {"time", "^" GUFO_TIME "$"},
    {"date-time", "^" GUFO_DATE "T" GUFO_TIME "$"},
    {"uuid", "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"},
    {"email", "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@" GUFO_HOST "$"},
    {"hostname", "^" GUFO_HOST "$"},
    {"ipv4", "^(" GUFO_BYTE "\\.){3}" GUFO_BYTE "$"},
    {"ipv6", "^((" GUFO_GROUP ":){7}" GUFO_GROUP "|:((:" GUFO_GROUP "){1,7}|:)|(" GUFO_GROUP ":){1,7}:|(" GUFO_GROUP
             ":){1,6}:" GUFO_GROUP "|(" GUFO_GROUP ":){1,5}(:" GUFO_GROUP "){2}|(" GUFO_GROUP ":){1,4}(:" GUFO_GROUP
             "){3}|(" GUFO_GROUP ":){1,3}(:" GUFO_GROUP "){4}|(" GUFO_GROUP ":){1,2}(:" GUFO_GROUP "){5}|" GUFO_GROUP
             ":(:" GUFO_GROUP "){6})$"},
    {"uri", "^[A-Za-z][A-Za-z0-9+.-]*:" GUFO_URI_REST "$"},
});
#undef GUFO_DATE
#undef GUFO_TIME
#undef GUFO_HOST
#undef GUFO_BYTE
#undef GUFO_URI_REST
#undef GUFO_GROUP

} // namespace

std::expected<Automaton, Argument> automatonOfPattern(std::string_view pattern, std::size_t& work) {
    PatternReader reader(pattern);
    auto automaton = reader.read();
    work += reader.work();
    return automaton;
}

std::string_view patternOfFormat(std::string_view format) {
    const auto at = std::ranges::find(kFormats, format, &FormatRow::format);
    return at == kFormats.end() ? std::string_view() : at->pattern;
}

} // namespace gufo::inference
