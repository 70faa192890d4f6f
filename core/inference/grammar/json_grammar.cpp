#include "inference/grammar/json_grammar.h"

#include "base/ascii.h"

#include <algorithm>
#include <cstdio>
#include <vector>

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
plain-value ::= plain-object | plain-array | plain-string | plain-number | boolean | null
plain-object ::= "{" ws ( plain-string ":" ws plain-value ws )? "}"
plain-array ::= "[" ws ( plain-value ws ("," ws plain-value ws)* )? "]"
plain-string ::= "\"" plain-char* "\""
plain-char ::= [^"\\\x00-\x1F] | "\\" (["\\bfnrt] | "u00" ("0" [0-7be-f] | "1" [0-9a-f]))
plain-number ::= "0" | "-"? ([1-9] [0-9]{0,5} ("." [0-9]{0,8} [1-9])? | [1-9] [0-9]{6,14} | "0." [0-9]{0,8} [1-9])
distinct-array ::= "["
distinct-object ::= "{"
never ::= [\x01] never
)";

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

} // namespace

std::string_view commonJsonRules() { return kCommon; }

std::shared_ptr<const Grammar> checkingDistinct(Grammar grammar, char quote) {
    grammar.quote = quote;
    for (const std::string_view name : {kDistinctArrayRule, kDistinctObjectRule}) {
        for (const Grammar::Rule& rule : grammar.rules) {
            if (rule.name == name) {
                grammar.nodes[rule.start].distinct = true;
            }
        }
        grammar.checksDistinct =
            grammar.checksDistinct || grammar.text.find(" " + std::string(name) + " ") != std::string::npos;
    }
    return std::make_shared<const Grammar>(std::move(grammar));
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

std::string grammarClass(const CodeSet& set) {
    std::string text = "[";
    for (const CodeRange& range : set) {
        text += codeText(range.lowest) + (range.lowest == range.highest ? "" : "-" + codeText(range.highest));
    }
    return text + "]";
}

std::string jsonCharacter(const CodeSet& set, char quote) {
    const auto quoteCode = static_cast<unsigned char>(quote);
    std::vector<std::string> parts;
    CodeSet escaped = inverted(set);
    escaped.insert(escaped.end(), {{0, 0x1F}, {quoteCode, quoteCode}, {'\\', '\\'}});
    if (const CodeSet raw = withoutSurrogates(inverted(united(std::move(escaped)))); !raw.empty()) {
        parts.push_back(grammarClass(raw));
    }
    const std::string shortOnes = std::string("\b\f\n\r\t\\") + quote;
    const std::string names = std::string("bfnrt\\") + quote;
    for (char32_t code = 0; code <= '\\'; ++code) {
        const bool isEscaped = code < 0x20 || code == quoteCode || code == '\\';
        if (!isEscaped || !holds(set, code)) {
            continue;
        }
        const std::size_t named = shortOnes.find(static_cast<char>(code));
        char text[8];
        std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code));
        parts.push_back(grammarLiteral(named == std::string_view::npos ? text : std::string("\\") + names[named]));
    }
    return joined(parts);
}

} // namespace gufo::inference
