#include "formats/front_matter.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace gufo {
namespace {

constexpr std::string_view kSpace = " \t\r";
constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::size_t kMaxLevels = 8;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpace);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::string unquoted(std::string_view text) {
    const bool quoted =
        text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    if (!quoted) {
        return std::string(text);
    }
    const char quote = text.front();
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escapes = i + 1 < text.size() && (quote == '"' ? text[i] == '\\' : text.substr(i, 2) == "''");
        i += escapes ? 1 : 0;
        out += escapes && quote == '"' && text[i] == 'n' ? '\n' : text[i];
    }
    return out;
}

// Removes a comment, which begins with "#" at the start of the text or after a space.
std::string_view withoutComment(std::string_view text) {
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote != 0) {
            quote = text[i] == quote ? 0 : quote;
        } else if ((text[i] == '"' || text[i] == '\'') && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '[')) {
            quote = text[i];
        } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ')) {
            return trimmed(text.substr(0, i));
        }
    }
    return trimmed(text);
}

// The elements of "[a, b]".
std::vector<std::string> flowList(std::string_view text) {
    text = text.substr(1, text.size() - 2);
    std::vector<std::string> items;
    while (!trimmed(text).empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        items.push_back(unquoted(trimmed(text.substr(0, comma))));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return items;
}

struct Line {
    std::size_t indent = 0;
    std::string_view text; // without indentation and comment; not empty
    std::string_view raw;
};

class Card {
public:
    Card(MetadataBuilder& metadata, std::vector<Line> lines)
        : m_metadata(metadata)
        , m_lines(std::move(lines)) {}

    void read(const std::string& prefix) { readMap(prefix, 0, 0); }

private:
    [[nodiscard]] bool ended() const { return m_at == m_lines.size() || m_keys == kMaxCardKeys; }

    // Reads "name: value" lines of one indentation.
    void readMap(const std::string& prefix, std::size_t indent, std::size_t level) {
        while (!ended() && m_lines[m_at].indent >= indent) {
            const Line line = m_lines[m_at++];
            const std::size_t colon = nameEnd(line.text);
            if (line.indent != indent || colon == line.text.npos) {
                continue; // of a form that is not read
            }
            const std::string key = prefix + "." + unquoted(trimmed(line.text.substr(0, colon)));
            readValue(key, trimmed(line.text.substr(colon + 1)), indent, level);
        }
    }

    // The position of the colon after a name, which may be quoted.
    static std::size_t nameEnd(std::string_view text) {
        const bool quoted = text.starts_with('"') || text.starts_with('\'');
        for (std::size_t i = quoted ? std::min(text.find(text[0], 1), text.size()) : 0; i < text.size(); ++i) {
            if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) {
                return i;
            }
        }
        return text.npos;
    }

    void readValue(const std::string& key, std::string_view value, std::size_t indent, std::size_t level) {
        const bool isBlock = value.starts_with('|') || value.starts_with('>');
        if (isBlock) {
            add(key, blockText(indent, value.front() == '|' ? '\n' : ' '));
        } else if (value.starts_with('[') && value.ends_with(']') && value.size() >= 2) {
            addList(key, flowList(value));
        } else if (!value.empty()) {
            addScalar(key, value);
        } else if (ended() || (m_lines[m_at].indent <= indent && !startsItem(m_lines[m_at], indent))) {
            add(key, {});
        } else if (m_lines[m_at].text.starts_with("- ") || m_lines[m_at].text == "-") {
            readList(key, m_lines[m_at].indent);
        } else if (level + 1 < kMaxLevels) {
            readMap(key, m_lines[m_at].indent, level + 1);
        } else {
            add(key, blockText(indent, '\n'));
        }
    }

    // The items of a list may be indented as its name is.
    static bool startsItem(const Line& line, std::size_t indent) {
        return line.indent == indent && (line.text.starts_with("- ") || line.text == "-");
    }

    void readList(const std::string& key, std::size_t indent) {
        std::vector<std::string> items;
        const std::size_t first = m_at;
        bool scalars = true;
        while (!ended() && (startsItem(m_lines[m_at], indent) || m_lines[m_at].indent > indent)) {
            const Line& line = m_lines[m_at++];
            if (line.indent > indent || line.text.size() < 2) {
                scalars = false; // a list of names or of lists
                continue;
            }
            const std::string_view item = trimmed(line.text.substr(2));
            scalars = scalars && nameEnd(item) == item.npos;
            items.push_back(unquoted(item));
        }
        if (scalars) {
            addList(key, items);
            return;
        }
        std::string text;
        for (std::size_t i = first; i < m_at; ++i) {
            text.append(text.empty() ? "" : "\n").append(m_lines[i].raw);
        }
        add(key, std::move(text));
    }

    std::string blockText(std::size_t indent, char separator) {
        std::string text;
        for (; m_at != m_lines.size() && m_lines[m_at].indent > indent; ++m_at) {
            text.append(text.empty() ? 0 : 1, separator).append(trimmed(m_lines[m_at].raw));
        }
        return text;
    }

    void addScalar(const std::string& key, std::string_view value) {
        double number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        constexpr double kLargest = 0x1p53;
        const bool isNumber = error == std::errc() && end == value.data() + value.size();
        const bool isWhole = isNumber && value.find_first_not_of("-0123456789") == value.npos;
        if (value == "true" || value == "false") {
            addValue(key, BoolValue{value == "true" ? std::uint8_t{1} : std::uint8_t{0}});
        } else if (isNumber && value.find('.') != value.npos) {
            addValue(key, number);
        } else if (isWhole && number >= -kLargest && number <= kLargest) {
            addValue(key, static_cast<std::int64_t>(number));
        } else {
            add(key, unquoted(value));
        }
    }

    void add(const std::string& key, std::string text) {
        m_metadata.addText(key, std::move(text));
        ++m_keys;
    }
    void addValue(const std::string& key, const Value& value) {
        m_metadata.addView(key, value);
        ++m_keys;
    }
    void addList(const std::string& key, const std::vector<std::string>& items) {
        m_metadata.add(key, OwnedValue::strings(items));
        ++m_keys;
    }

    MetadataBuilder& m_metadata;
    std::vector<Line> m_lines;
    std::size_t m_at = 0;
    std::size_t m_keys = 0;
};

} // namespace

bool addFrontMatter(MetadataBuilder& metadata, std::string_view text, const std::string& prefix) {
    text = text.substr(0, kMaxBytes);
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    std::vector<Line> lines;
    for (bool first = true; !text.empty(); first = false) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view raw = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (first) {
            if (trimmed(raw) != "---") {
                return false;
            }
            continue;
        }
        if (trimmed(raw) == "---") {
            Card(metadata, std::move(lines)).read(prefix);
            return true;
        }
        const std::string_view content = withoutComment(raw);
        if (!content.empty()) {
            lines.push_back({.indent = raw.find_first_not_of(' '), .text = content, .raw = raw});
        }
    }
    return false; // the end is missing
}

} // namespace gufo
