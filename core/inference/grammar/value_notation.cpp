#include "inference/grammar/value_notation.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_pattern.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr char kBackslash = '\\';
constexpr std::string_view kIdentifier = "^[A-Za-z_][A-Za-z0-9_]{0,63}$";

bool isJsonNotation(const ValueNotation& notation) { return notation == ValueNotation(); }

// The length of the longest beginning of `word` that `text` ends with.
std::size_t matchedAtEnd(std::u32string_view text, std::u32string_view word) {
    std::size_t length = std::min(text.size(), word.size());
    while (!text.ends_with(word.substr(0, length))) {
        --length;
    }
    return length;
}

Automaton notEndingInBackslash() {
    const auto edges = [] {
        return std::vector<Automaton::Edge>{{.codes = {.lowest = 0, .highest = kBackslash - 1}, .to = 0},
                                            {.codes = {.lowest = kBackslash, .highest = kBackslash}, .to = 1},
                                            {.codes = {.lowest = kBackslash + 1, .highest = kLastCode}, .to = 0}};
    };
    return Automaton(
        std::vector<Automaton::State>{{.edges = edges(), .accepts = true}, {.edges = edges(), .accepts = false}});
}

// The text of a string between the quotes.
std::optional<std::string> contentsOf(std::string_view text, const ValueNotation& notation) {
    if (!notation.escapes) {
        const auto writable = writableStrings(notation, false);
        if (!writable || !writable->accepts(decodeUtf8(text))) {
            return std::nullopt;
        }
    }
    std::string out;
    for (const char c : text) {
        const bool isQuote = notation.hasPlainQuote() && c == notation.quote.front();
        if (isQuote) {
            out += {kBackslash, c};
        } else if (notation.escapes && c != '"') {
            const std::string quoted = canonicalJson({.kind = Kind::String, .text = std::string(1, c)});
            out += std::string_view(quoted).substr(1, quoted.size() - 2);
        } else {
            out += c;
        }
    }
    return out;
}

std::optional<std::string> stringText(std::string_view text, const ValueNotation& notation) {
    auto contents = contentsOf(text, notation);
    return contents ? std::optional(notation.quote + *contents + notation.quote) : std::nullopt;
}

std::optional<std::string> valueText(const JsonValue& value, const ValueNotation& notation, // NOLINT(misc-no-recursion)
                                     bool canonical) {
    std::string out;
    switch (value.kind) {
    case Kind::Object:
        for (const auto& [name, member] : value.members) {
            const bool isBare = notation.bareNames && isIdentifier(name);
            const auto key = isBare ? std::optional(name) : stringText(name, notation);
            const auto text = valueText(member, notation, canonical);
            if (!key || !text) {
                return std::nullopt;
            }
            out += (out.empty() ? "" : ",") + *key + ":" + *text;
        }
        return "{" + out + "}";
    case Kind::Array:
        for (const JsonValue& element : value.elements) {
            const auto text = valueText(element, notation, canonical);
            if (!text) {
                return std::nullopt;
            }
            out += (out.empty() ? "" : ",") + *text;
        }
        return "[" + out + "]";
    case Kind::String:
        return stringText(value.text, notation);
    case Kind::Number:
        return canonical ? canonicalJson(value) : value.text;
    case Kind::True:
        return notation.python ? "True" : "true";
    case Kind::False:
        return notation.python ? "False" : "false";
    case Kind::Null:
        return notation.python ? "None" : "null";
    }
    return std::nullopt;
}

} // namespace

char ValueNotation::distinctQuote() const {
    return hasPlainQuote() ? quote.front() : '"'; // <|"|> contains one, and other markers need none
}

Automaton textsBefore(std::string_view end) {
    const std::u32string word = decodeUtf8(end);
    std::u32string letters = word;
    std::ranges::sort(letters);
    letters.erase(std::ranges::unique(letters).begin(), letters.end());
    std::vector<Automaton::State> states(word.size());
    for (std::size_t matched = 0; matched < word.size(); ++matched) {
        Automaton::State& state = states[matched];
        const auto add = [&](char32_t lowest, char32_t highest, std::size_t to) {
            if (lowest <= highest && to < word.size()) { // the whole word leads nowhere
                state.edges.push_back(
                    {.codes = {.lowest = lowest, .highest = highest}, .to = static_cast<std::uint32_t>(to)});
            }
        };
        char32_t next = 0;
        for (const char32_t letter : letters) {
            if (letter > next) {
                add(next, letter - 1, 0);
            }
            add(letter, letter, matchedAtEnd(word.substr(0, matched) + letter, word));
            next = letter + 1;
        }
        add(next, kLastCode, 0);
        const std::u32string all = word.substr(0, matched) + word;
        state.accepts = all.find(word) == matched;
    }
    return word.empty() ? Automaton::everything() : Automaton(std::move(states));
}

Automaton readAsOthers(text::JsonTypes types, std::size_t& work) {
    using text::JsonTypes;
    static constexpr auto kForms = std::to_array<std::pair<JsonTypes, std::string_view>>(
        {{JsonTypes::Number, "-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"},
         {JsonTypes::Boolean, "[tT]rue|[fF]alse"},
         {JsonTypes::Null, "null|None"},
         {JsonTypes::Array, "[\\[(][\\s\\S]*"},
         {JsonTypes::Object, "\\{[\\s\\S]*"}});
    std::string all;
    for (const auto& [type, form] : kForms) {
        if (has(types, type)) {
            all += (all.empty() ? "" : "|") + std::string(form);
        }
    }
    auto automaton = automatonOfPattern("^[ \\t\\r\\n]*(" + all + ")[ \\t\\r\\n]*$", work);
    return all.empty() || !automaton ? Automaton() : *std::move(automaton);
}

bool isIdentifier(std::string_view name) {
    constexpr std::size_t kLongest = 64;
    return !name.empty() && name.size() <= kLongest && !isAsciiDigit(static_cast<unsigned char>(name.front())) &&
           std::ranges::all_of(name,
                               [](char c) { return c == '_' || isAsciiLetterOrDigit(static_cast<unsigned char>(c)); });
}

Automaton identifiers(std::size_t& work) {
    auto automaton = automatonOfPattern(kIdentifier, work);
    return automaton ? *std::move(automaton) : Automaton();
}

std::optional<Automaton> writableStrings(const ValueNotation& notation, bool unique) {
    Automaton all = notation.escapes           ? Automaton::everything()
                    : notation.hasPlainQuote() ? notEndingInBackslash()
                                               : textsBefore(notation.quote);
    if (!unique || notation.escapes) {
        return all;
    }
    // DistinctValues takes a backslash for an escape, and in strings between markers some characters for what follows a
    // string.
    CodeSet confusing{{kBackslash, kBackslash}};
    if (!notation.hasPlainQuote()) {
        confusing.push_back({'"', '"'});
    }
    if (!notation.hasPlainQuote() && notation.quote.find('"') == std::string::npos) {
        for (const char c : std::string_view("[]{},: \t\r\n<|")) {
            confusing.push_back({static_cast<unsigned char>(c), static_cast<unsigned char>(c)});
        }
    }
    return all.intersection(Automaton::textsOf(inverted(united(std::move(confusing)))));
}

std::string characterOf(const CodeSet& set, const ValueNotation& notation) {
    if (notation.escapes) {
        return jsonCharacter(set, notation.quote.front());
    }
    const CodeSet all = withoutSurrogates(united(set));
    if (!notation.hasPlainQuote()) {
        return grammarClass(all);
    }
    const auto quote = static_cast<unsigned char>(notation.quote.front());
    CodeSet others = inverted(all);
    others.push_back({quote, quote});
    const CodeSet plain = withoutSurrogates(inverted(united(std::move(others))));
    const bool hasQuote = std::ranges::any_of(
        all, [&](const CodeRange& range) { return range.lowest <= quote && quote <= range.highest; });
    const std::string escaped =
        hasQuote ? grammarLiteral(std::string{kBackslash, notation.quote.front()}) : std::string();
    return plain.empty() ? escaped : hasQuote ? "(" + grammarClass(plain) + " | " + escaped + ")" : grammarClass(plain);
}

std::optional<std::string> literalOf(const JsonValue& value, const ValueNotation& notation, bool canonical) {
    if (isJsonNotation(notation)) {
        return grammarLiteral(canonical ? canonicalJson(value) : writeJson(value));
    }
    const auto text = valueText(value, notation, canonical);
    return text ? std::optional(grammarLiteral(*text)) : std::nullopt;
}

std::string notationRules(const ValueNotation& notation, const std::string& string, const std::string& plainString,
                          const std::string& name) {
    const std::string_view common = commonJsonRules();
    if (isJsonNotation(notation)) {
        return std::string(common);
    }
    const std::array<std::pair<std::string_view, std::string>, 6> replaced{
        {{"object", R"("{" ws ( )" + name + R"( ":" ws value ws ("," ws )" + name + R"( ":" ws value ws)* )? "}")"},
         {"plain-object", R"("{" ws ( )" + name + R"( ":" ws plain-value ws )? "}")"},
         {"string", string},
         {"plain-string", plainString},
         {"boolean", notation.python ? R"("True" | "False")" : R"("true" | "false")"},
         {"null", notation.python ? R"("None")" : R"("null")"}}};
    std::string out;
    for (std::size_t at = 0; at < common.size();) {
        const std::size_t end = common.find('\n', at);
        const std::string_view line = common.substr(at, end - at);
        const std::string_view rule = line.substr(0, line.find(' '));
        const auto other = std::ranges::find(replaced, rule, [](const auto& each) { return each.first; });
        out += other != replaced.end() ? std::string(rule) + " ::= " + other->second : std::string(line);
        out += '\n';
        at = end + 1;
    }
    return out;
}

} // namespace gufo::inference
