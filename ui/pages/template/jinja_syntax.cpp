#include "ui/pages/template/jinja_syntax.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace gufo::ui {
namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"and",     "block",     "break",  "call",          "continue", "elif",     "else",   "endblock",
     "endcall", "endfilter", "endfor", "endgeneration", "endif",    "endmacro", "endraw", "endset",
     "endwith", "filter",    "for",    "generation",    "if",       "in",       "is",     "macro",
     "not",     "or",        "raw",    "recursive",     "set",      "with",     "true",   "false",
     "none",    "True",      "False",  "None"});
// The functions and variables of every template, and the most common filters and tests.
constexpr auto kNames = std::to_array<std::string_view>({"add_generation_prompt",
                                                         "caller",
                                                         "cycler",
                                                         "default",
                                                         "defined",
                                                         "dict",
                                                         "dictsort",
                                                         "documents",
                                                         "first",
                                                         "int",
                                                         "items",
                                                         "iterable",
                                                         "join",
                                                         "joiner",
                                                         "last",
                                                         "length",
                                                         "list",
                                                         "loop",
                                                         "lower",
                                                         "map",
                                                         "mapping",
                                                         "namespace",
                                                         "number",
                                                         "raise_exception",
                                                         "range",
                                                         "reject",
                                                         "rejectattr",
                                                         "replace",
                                                         "safe",
                                                         "select",
                                                         "selectattr",
                                                         "sequence",
                                                         "sort",
                                                         "strftime_now",
                                                         "string",
                                                         "tojson",
                                                         "trim",
                                                         "undefined",
                                                         "upper"});
constexpr auto kOpening =
    std::to_array<std::string_view>({"block", "call", "filter", "for", "generation", "if", "macro", "with"});

bool contains(const auto& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

bool isWord(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_text(text) {}

    std::vector<JinjaRun> run() {
        while (m_at < m_text.size()) {
            const std::string_view rest = m_text.substr(m_at);
            if (rest.starts_with("{#")) {
                emitTo(JinjaPart::Comment, endOf("#}", m_at + 2));
            } else if (rest.starts_with("{{")) {
                tag("}}");
            } else if (rest.starts_with("{%")) {
                tag("%}");
                if (m_raw) {
                    m_raw = false;
                    skipRaw();
                }
            } else {
                emitTo(JinjaPart::Text, nextTag(m_at + 1));
            }
        }
        return std::move(m_runs);
    }

private:
    void emitTo(JinjaPart part, std::size_t end) {
        if (end > m_at && (m_runs.empty() || m_runs.back().part != part)) {
            m_runs.push_back({m_at, part});
        }
        m_at = std::max(m_at, end);
    }

    [[nodiscard]] std::size_t endOf(std::string_view end, std::size_t from) const {
        const std::size_t found = m_text.find(end, std::min(from, m_text.size()));
        return found == std::string_view::npos ? m_text.size() : found + end.size();
    }

    [[nodiscard]] std::size_t nextTag(std::size_t from) const {
        for (std::size_t i = from; i + 1 < m_text.size(); ++i) {
            if (m_text[i] == '{' && (m_text[i + 1] == '{' || m_text[i + 1] == '%' || m_text[i + 1] == '#')) {
                return i;
            }
        }
        return m_text.size();
    }

    // Skips a raw block, whose content is text up to its closing tag.
    void skipRaw() {
        for (std::size_t i = m_at; (i = m_text.find("{%", i)) != std::string_view::npos; i += 2) {
            const std::size_t name = m_text.find_first_not_of("-+ \t\r\n", i + 2);
            if (name != std::string_view::npos && m_text.substr(name).starts_with("endraw")) {
                emitTo(JinjaPart::Text, i);
                return;
            }
        }
        emitTo(JinjaPart::Text, m_text.size());
    }

    void tag(std::string_view close) {
        std::size_t begin = m_at + 2;
        begin += begin < m_text.size() && (m_text[begin] == '-' || m_text[begin] == '+') ? 1 : 0;
        emitTo(JinjaPart::Delimiter, std::min(begin, m_text.size()));
        int depth = 0;
        bool first = close == "%}";
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const std::string_view rest = m_text.substr(m_at);
            const bool isSigned = (c == '-' || c == '+') && rest.substr(1).starts_with(close);
            if ((isSigned || rest.starts_with(close)) && (depth == 0 || close == "%}")) {
                emitTo(JinjaPart::Delimiter, m_at + close.size() + (isSigned ? 1 : 0));
                return;
            }
            if (c == '\'' || c == '"') {
                string(c);
            } else if (isWord(c)) {
                word(first);
                first = false;
            } else {
                depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
                emitTo(JinjaPart::Operator, m_at + 1);
            }
        }
    }

    void string(char quote) {
        std::size_t i = m_at + 1;
        while (i < m_text.size() && m_text[i] != quote) {
            i += m_text[i] == '\\' ? 2 : 1;
        }
        emitTo(JinjaPart::String, std::min(i + 1, m_text.size()));
    }

    void word(bool isTag) {
        std::size_t end = m_at;
        while (end < m_text.size() && isWord(m_text[end])) {
            ++end;
        }
        const std::string_view word = m_text.substr(m_at, end - m_at);
        m_raw = m_raw || (isTag && word == "raw");
        const bool isMember = m_at > 0 && m_text[m_at - 1] == '.';
        const bool isNumber = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
        emitTo(isNumber                                 ? JinjaPart::Number
               : !isMember && contains(kKeywords, word) ? JinjaPart::Keyword
               : !isMember && contains(kNames, word)    ? JinjaPart::Name
                                                        : JinjaPart::Word,
               end);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_raw = false;
    std::vector<JinjaRun> m_runs;
};

// The name after "{%", "{%-" or "{%+", and whether the tag contains an assignment, which a set block does not.
struct TagName {
    std::string_view name;
    bool assigns = false;
};

TagName nameOf(std::string_view tag) {
    const std::size_t begin = std::min(tag.find_first_not_of("{%-+ \t\r\n"), tag.size());
    std::size_t end = begin;
    while (end < tag.size() && isWord(tag[end])) {
        ++end;
    }
    // Any "=" counts as an assignment. A keyword argument of a filter in a block set is mistaken for one, but is rare.
    return {tag.substr(begin, end - begin), tag.find('=', end) != std::string_view::npos};
}

} // namespace

std::vector<JinjaRun> jinjaRuns(std::string_view text) { return Scanner(text).run(); }

std::vector<JinjaFold> jinjaFolds(std::string_view text) {
    const std::vector<JinjaRun> runs = jinjaRuns(text);
    std::vector<JinjaFold> folds(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
    std::vector<std::size_t> open; // lines at which blocks begin
    std::size_t line = 0;
    std::size_t counted = 0;
    const auto lineOf = [&](std::size_t at) {
        for (; counted < at; ++counted) {
            if (text[counted] == '\n') {
                folds[++line].level = static_cast<int>(open.size());
            }
        }
        return line;
    };
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t begin = runs[i].begin;
        if (runs[i].part != JinjaPart::Delimiter || !text.substr(begin).starts_with("{%")) {
            continue;
        }
        std::size_t last = i + 1;
        while (last < runs.size() && runs[last].part != JinjaPart::Delimiter) {
            ++last;
        }
        const std::size_t end = last < runs.size() ? runs[last].begin : text.size();
        const auto [name, assigns] = nameOf(text.substr(begin, end - begin));
        const std::size_t at = lineOf(begin);
        if (contains(kOpening, name) || (name == "set" && !assigns) || name == "raw") {
            open.push_back(at);
        } else if (name.starts_with("end") && !open.empty()) {
            folds[open.back()].isHead = folds[open.back()].isHead || open.back() < at;
            open.pop_back();
            // The closing line belongs to its block.
        }
    }
    lineOf(text.size());
    for (const std::size_t begin : open) {
        folds[begin].isHead = folds[begin].isHead || begin + 1 < folds.size();
    }
    return folds;
}

} // namespace gufo::ui
