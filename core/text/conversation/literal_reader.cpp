#include "text/conversation/literal_reader.h"

#include "base/ascii.h"
#include "base/json_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gufo::text {
namespace {

using LiteralState = LiteralReading::State;
constexpr std::size_t kDeepest = 60; // below the limit of JsonReader, which reads the result

class LiteralParser {
public:
    LiteralParser(std::string_view text, const LiteralStyle& style, bool atEnd)
        : m_text(text)
        , m_style(style)
        , m_atEnd(atEnd) {}

    LiteralReading read() {
        std::string json;
        const LiteralState state = value(json, 0);
        return state == LiteralState::Whole ? LiteralReading{.state = state, .bytes = m_at, .json = std::move(json)}
                                            : LiteralReading{.state = state};
    }

private:
    // What to answer where the text ends within the value.
    [[nodiscard]] LiteralState ended() const { return m_atEnd ? LiteralState::Invalid : LiteralState::Partial; }
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }
    void skipSpace() { m_at += spaceAt(m_text, m_at); }

    LiteralState value(std::string& json, std::size_t depth) {
        skipSpace();
        if (m_at == m_text.size()) {
            return ended();
        }
        if (depth == kDeepest) {
            return LiteralState::Invalid;
        }
        const char first = m_text[m_at];
        if (const auto quote = quoteHere()) {
            return string(*quote, json);
        }
        if (!m_atEnd && m_style.quote.size() > 1 && m_style.quote.starts_with(rest())) {
            return LiteralState::Partial;
        }
        if (first == '{') {
            return list('}', json, depth);
        }
        if (first == '[' || first == '(') {
            return list(first == '[' ? ']' : ')', json, depth);
        }
        return word(json);
    }

    [[nodiscard]] std::optional<std::string_view> quoteHere() const {
        if (!m_style.quote.empty() && rest().starts_with(m_style.quote)) {
            return m_style.quote;
        }
        const char c = m_text[m_at];
        return c == '"' || c == '\'' ? std::optional(rest().substr(0, 1)) : std::nullopt;
    }

    // Whether a quote before `at` closes its string: something that may follow a value comes next. Strings are not
    // always escaped, so a quote may also be part of one.
    [[nodiscard]] LiteralState closes(std::size_t at) const {
        at += spaceAt(m_text, at);
        if (at == m_text.size()) {
            return m_atEnd ? LiteralState::Whole : LiteralState::Partial;
        }
        return std::string_view(",)]}:=<").find(m_text[at]) != std::string_view::npos ? LiteralState::Whole
                                                                                      : LiteralState::Invalid;
    }

    LiteralState string(std::string_view quote, std::string& json) {
        const bool own = quote == m_style.quote;
        const bool escapes = own ? m_style.escapes : true;
        m_at += quote.size();
        std::string out;
        for (;;) {
            if (m_at == m_text.size()) {
                return ended();
            }
            if (rest().starts_with(quote)) {
                const LiteralState end = quote.size() > 1 ? LiteralState::Whole : closes(m_at + quote.size());
                if (end == LiteralState::Partial) {
                    return LiteralState::Partial;
                }
                if (end == LiteralState::Whole) {
                    m_at += quote.size();
                    json += jsonString(out);
                    return LiteralState::Whole;
                }
            } else if (m_text[m_at] == '\\') {
                if (const LiteralState escaped = escape(quote, escapes, out); escaped != LiteralState::Whole) {
                    return escaped;
                }
                continue;
            }
            out += m_text[m_at++];
        }
    }

    LiteralState escape(std::string_view quote, bool escapes, std::string& out) {
        if (m_at + 1 == m_text.size()) {
            return ended();
        }
        constexpr std::array<std::pair<char, char>, 5> kEscapes{
            {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'b', '\b'}, {'f', '\f'}}};
        const char c = m_text[m_at + 1];
        if (c == quote.front() && quote.size() == 1) {
            out += c;
        } else if (!escapes) {
            out += '\\';
            ++m_at;
            return LiteralState::Whole;
        } else if (const auto known = std::ranges::find(kEscapes, c, &std::pair<char, char>::first);
                   known != kEscapes.end()) {
            out += known->second;
        } else if (c == 'u') {
            return unicode(out);
        } else if (c == '"' || c == '\'' || c == '\\' || c == '/') {
            out += c;
        } else {
            out += {'\\', c};
        }
        m_at += 2;
        return LiteralState::Whole;
    }

    // Reads \uXXXX, and a second one if the first is half of a surrogate pair, through the JSON reader.
    LiteralState unicode(std::string& out) {
        constexpr std::size_t kUnit = 6;
        for (const std::size_t length : {2 * kUnit, kUnit}) {
            const std::string_view units = rest().substr(0, length);
            JsonReader reader(m_scratch = '"' + std::string(units) + '"');
            if (const auto token = reader.next(); units.size() == length && token) {
                if (length == kUnit || units.substr(kUnit).starts_with("\\u")) {
                    out += reader.text();
                    m_at += length;
                    return LiteralState::Whole;
                }
            }
        }
        if (!m_atEnd && rest().size() < 2 * kUnit) {
            return LiteralState::Partial;
        }
        out += "\\u";
        m_at += 2;
        return LiteralState::Whole;
    }

    LiteralState list(char close, std::string& json, std::size_t depth) {
        const bool isObject = close == '}';
        ++m_at;
        json += isObject ? '{' : '[';
        for (bool isFirst = true;; isFirst = false) {
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] == ',' && !isFirst) {
                ++m_at;
                skipSpace();
            } else if (!isFirst && m_at < m_text.size() && m_text[m_at] != close) {
                return LiteralState::Invalid;
            }
            if (m_at == m_text.size()) {
                return ended();
            }
            if (m_text[m_at] == close) {
                ++m_at;
                json += isObject ? '}' : ']';
                return LiteralState::Whole;
            }
            json += isFirst ? "" : ",";
            if (isObject) {
                if (const LiteralState named = key(json); named != LiteralState::Whole) {
                    return named;
                }
            }
            if (const LiteralState read = value(json, depth + 1); read != LiteralState::Whole) {
                return read;
            }
        }
    }

    LiteralState key(std::string& json) {
        if (const auto quote = quoteHere()) {
            if (const LiteralState read = string(*quote, json); read != LiteralState::Whole) {
                return read;
            }
            skipSpace();
            if (m_at == m_text.size()) {
                return ended();
            }
        } else {
            const std::size_t end = m_text.find_first_of(":={}[](),", m_at);
            if (end == std::string_view::npos) {
                return ended();
            }
            json += jsonString(withoutSpace(m_text.substr(m_at, end - m_at)));
            m_at = end;
        }
        if (m_text[m_at] != ':' && m_text[m_at] != '=') {
            return LiteralState::Invalid;
        }
        ++m_at;
        json += ':';
        return LiteralState::Whole;
    }

    LiteralState word(std::string& json) {
        const std::size_t end = std::min(m_text.find_first_of(",)]}", m_at), m_text.size());
        if (end == m_text.size() && !m_atEnd) {
            return LiteralState::Partial;
        }
        const std::string_view text = withoutSpace(m_text.substr(m_at, end - m_at));
        if (text.empty()) {
            return LiteralState::Invalid;
        }
        m_at = end;
        constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kWords{{{"true", "true"},
                                                                                       {"True", "true"},
                                                                                       {"false", "false"},
                                                                                       {"False", "false"},
                                                                                       {"None", "null"},
                                                                                       {"null", "null"}}};
        if (const auto known = std::ranges::find(kWords, text, &std::pair<std::string_view, std::string_view>::first);
            known != kWords.end()) {
            json += known->second;
            return LiteralState::Whole;
        }
        JsonReader reader(text);
        const auto token = reader.next();
        const bool isNumber = token && *token == JsonReader::Token::Number && reader.tokenEnd() == text.size();
        json += isNumber ? std::string(text) : jsonString(text);
        return LiteralState::Whole;
    }

    std::string_view m_text;
    LiteralStyle m_style;
    bool m_atEnd;
    std::size_t m_at = 0;
    std::string m_scratch;
};

} // namespace

LiteralReading readLiteral(std::string_view text, const LiteralStyle& style, bool atEnd) {
    return LiteralParser(text, style, atEnd).read();
}

std::size_t balancedLength(std::string_view text) {
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && (depth == 0 || --depth == 0)) {
            return i + 1;
        }
    }
    return 0;
}

} // namespace gufo::text
