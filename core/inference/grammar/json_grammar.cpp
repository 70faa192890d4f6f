#include "inference/grammar/json_grammar.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace gufo::inference {
namespace {

// White space and digits are limited, because a model might otherwise produce them without end. Lone surrogates are
// excluded, because many programs cannot read them.
constexpr std::string_view kCommon = R"(ws ::= | " " | "\n" [ \t]{0,20}
value ::= object | array | string | number | boolean | null
object ::= "{" ws ( string ":" ws value ws ("," ws string ":" ws value ws)* )? "}"
array ::= "[" ws ( value ws ("," ws value ws)* )? "]"
string ::= "\"" char* "\""
char ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" ([0-9a-cA-CefEF] hex{3} | [dD] [0-7] hex{2}))
hex ::= [0-9a-fA-F]
integer ::= "0" | "-"? [1-9] [0-9]{0,17}
natural ::= ("0" | [1-9] [0-9]{0,17}) ("." [0-9]{1,17})? ([eE] [-+]? [0-9]{1,2})?
number ::= "-"? natural
boolean ::= "true" | "false"
null ::= "null"
format-date ::= "\"" date "\""
format-time ::= "\"" time "\""
format-date-time ::= "\"" date "T" time "\""
format-uuid ::= "\"" hex{8} ("-" hex{4}){3} "-" hex{12} "\""
date ::= [0-9]{4} "-" (("0" [13578] | "1" [02]) "-" (day28 | "29" | "3" [01]) | ("0" [469] | "11") "-" (day28 | "29" | "30") | "02-" day28) | leap "-02-29"
day28 ::= "0" [1-9] | "1" [0-9] | "2" [0-8]
leap ::= [0-9]{2} four | (four | "00") "00"
four ::= "0" [48] | [2468] [048] | [13579] [26]
time ::= hour ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,9})? ("Z" | [-+] hour ":" [0-5] [0-9])
hour ::= [01] [0-9] | "2" [0-3]
)";

constexpr std::array<std::string_view, 4> kFormats{"format-date", "format-time", "format-date-time", "format-uuid"};

std::string codeText(char32_t code) {
    if (isAsciiLetterOrDigit(code)) {
        return {static_cast<char>(code)};
    }
    char text[16];
    std::snprintf(text, sizeof text,
                  code < 0x80      ? "\\x%02x"
                  : code < 0x10000 ? "\\u%04x"
                                   : "\\U%08x",
                  static_cast<unsigned>(code));
    return text;
}

std::string classText(const CodeSet& set) {
    std::string text = "[";
    for (const CodeRange& range : set) {
        text += codeText(range.lowest) + (range.lowest == range.highest ? "" : "-" + codeText(range.highest));
    }
    return text + "]";
}

bool holds(const CodeSet& set, char32_t code) {
    return std::ranges::any_of(set, [&](const CodeRange& r) { return code >= r.lowest && code <= r.highest; });
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() ? "" : " | ") + part;
    }
    return parts.size() == 1 ? text : "(" + text + ")";
}

std::string digit(char lowest, char highest) {
    return lowest == highest ? grammarLiteral({&lowest, 1}) : std::string("[") + lowest + "-" + highest + "]";
}
std::string anyDigits(std::size_t count) {
    return count == 0 ? "" : count == 1 ? " [0-9]" : " [0-9]{" + std::to_string(count) + "}";
}

// Matches the numbers between two bounds of the same number of digits.
std::string sameLength(std::string_view minimum, std::string_view maximum) {
    if (minimum.empty()) {
        return "\"\"";
    }
    const std::string_view minimumRest = minimum.substr(1);
    const std::string_view maximumRest = maximum.substr(1);
    if (minimum[0] == maximum[0]) {
        return digit(minimum[0], minimum[0]) + (minimumRest.empty() ? "" : " " + sameLength(minimumRest, maximumRest));
    }
    std::vector<std::string> parts;
    char from = minimum[0];
    char to = maximum[0];
    if (minimumRest.find_first_not_of('0') != std::string_view::npos) {
        parts.push_back(digit(from, from) + " " + sameLength(minimumRest, std::string(minimumRest.size(), '9')));
        ++from;
    }
    const bool cut = maximumRest.find_first_not_of('9') != std::string_view::npos;
    if (cut) {
        --to;
    }
    if (from <= to) {
        parts.push_back(digit(from, to) + anyDigits(minimumRest.size()));
    }
    if (cut) {
        parts.push_back(digit(maximum[0], maximum[0]) + " " +
                        sameLength(std::string(maximumRest.size(), '0'), maximumRest));
    }
    return joined(parts);
}

constexpr std::size_t kMaxDigits = 18; // of a number without an upper bound

// Matches numbers from `minimum` to `maximum`; without `maximum`, up to kMaxDigits digits.
std::string naturalRange(std::uint64_t minimum, std::optional<std::uint64_t> maximum) {
    const std::string first = std::to_string(minimum);
    const std::string last = maximum ? std::to_string(*maximum) : std::string(std::max(kMaxDigits, first.size()), '9');
    if (first.size() == last.size()) {
        return sameLength(first, last);
    }
    std::vector<std::string> parts{sameLength(first, std::string(first.size(), '9'))};
    if (first.size() + 1 < last.size()) {
        parts.push_back("[1-9] [0-9]{" + std::to_string(first.size()) + "," + std::to_string(last.size() - 2) + "}");
    }
    parts.push_back(sameLength("1" + std::string(last.size() - 1, '0'), last));
    return joined(parts);
}

std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

struct NameTree {
    std::map<char32_t, NameTree> next;
    bool ends = false;
};

// Matches the rest of a key so that the key is none of the names.
std::string otherThan(const NameTree& tree) {
    CodeSet known{{0, 0x1F}, {'"', '"'}, {'\\', '\\'}};
    std::vector<std::string> parts;
    for (const auto& [code, below] : tree.next) {
        if (code < 0x20 || code == '"' || code == '\\') {
            continue; // keys are matched without escapes
        }
        known.push_back({code, code});
        parts.push_back(classText({{code, code}}) + " " + otherThan(below));
    }
    parts.push_back(classText(withoutSurrogates(inverted(united(std::move(known))))) + R"( [^"\\\x00-\x1F]*)");
    if (tree.ends) {
        return joined(parts);
    }
    return "(" + joined(parts) + ")?";
}

} // namespace

std::string_view commonJsonRules() { return kCommon; }

std::string_view formatRule(std::string_view format) {
    const auto at = std::ranges::find_if(kFormats, [&](std::string_view rule) { return rule.substr(7) == format; });
    return at == kFormats.end() ? std::string_view() : *at;
}

std::string grammarLiteral(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += std::string("\\") + c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += codeText(byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string jsonCharacter(const CodeSet& set) {
    std::vector<std::string> parts;
    CodeSet escaped = inverted(set);
    escaped.insert(escaped.end(), {{0, 0x1F}, {'"', '"'}, {'\\', '\\'}});
    if (const CodeSet raw = withoutSurrogates(inverted(united(std::move(escaped)))); !raw.empty()) {
        parts.push_back(classText(raw));
    }
    constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
    constexpr std::string_view kNames = "bfnrt\"\\";
    for (char32_t code = 0; code <= '\\'; ++code) {
        const bool isEscaped = code < 0x20 || code == '"' || code == '\\';
        if (!isEscaped || !holds(set, code)) {
            continue;
        }
        const std::size_t named = kShort.find(static_cast<char>(code));
        char text[8];
        std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code));
        parts.push_back(grammarLiteral(named == std::string_view::npos ? text : std::string("\\") + kNames[named]));
    }
    return joined(parts);
}

std::string integerRange(std::optional<std::int64_t> minimum, std::optional<std::int64_t> maximum) {
    std::vector<std::string> parts;
    if (!minimum || *minimum < 0) {
        const std::uint64_t smallest = !maximum || *maximum >= 0 ? 1 : magnitude(*maximum);
        parts.push_back("\"-\" " + naturalRange(smallest, minimum ? std::optional(magnitude(*minimum)) : std::nullopt));
    }
    if (!maximum || *maximum >= 0) {
        const std::uint64_t smallest = minimum && *minimum > 0 ? magnitude(*minimum) : 0;
        parts.push_back(naturalRange(smallest, maximum ? std::optional(magnitude(*maximum)) : std::nullopt));
    }
    return joined(parts);
}

std::string otherKeys(const std::vector<std::string_view>& names) {
    NameTree tree;
    for (const std::string_view name : names) {
        NameTree* at = &tree;
        for (const char32_t code : decodeUtf8(name)) {
            at = &at->next[code];
        }
        at->ends = true;
    }
    return otherThan(tree);
}

} // namespace gufo::inference
