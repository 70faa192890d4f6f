#include "formats/sets/front_matter.h"

#include "base/detail.h"
#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <vector>
#include <yaml.h>

namespace gufo {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD
constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::size_t kMaxLevels = 8; // of names; deeper values become texts
constexpr std::size_t kMaxDepth = 64; // of the YAML
constexpr std::size_t kMaxNodes = 65'536;
constexpr std::size_t kMaxVisits = 65'536; // aliases let a short text have many paths

std::string_view withoutEnd(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t\r\n");
    return line.substr(0, last == line.npos ? 0 : last + 1);
}

// The text between the two lines; nothing if one of them is missing.
std::optional<std::string_view> frontMatterOf(std::string_view text) {
    text = text.substr(0, kMaxBytes);
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    const std::size_t begin = text.find('\n');
    if (begin == text.npos || withoutEnd(text.substr(0, begin)) != "---") {
        return std::nullopt;
    }
    for (std::size_t at = begin + 1; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (withoutEnd(text.substr(at, end - at)) == "---") {
            return text.substr(begin + 1, at - begin - 1);
        }
        at = end + 1;
    }
    return std::nullopt;
}

std::string withReplacements(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Char c = decodeChar(text);
        out += c.isValid() ? text.substr(0, c.bytes) : kReplacement;
        text.remove_prefix(c.bytes);
    }
    return out;
}

Error syntaxError(Detail wanted, std::size_t line, std::size_t column) {
    // The line "---" comes before the YAML, and people count from 1.
    return fail(ErrorCode::BadSyntax, {}, {Argument(Detail::Expected, {wanted}), line + 2, column + 1}).error();
}

struct Node {
    enum class Kind : std::uint8_t { Scalar, List, Map, Alias };
    Kind kind = Kind::Scalar;
    bool plain = false;    // a scalar without quotes
    std::string text{};    // of a scalar
    std::size_t begin = 0; // its source, in characters
    std::size_t end = 0;
    std::vector<std::size_t> children{}; // nodes; of a map, names and values in turn
    std::size_t target = 0;              // of an alias
};

struct ParserDeleter {
    void operator()(yaml_parser_t* parser) const {
        yaml_parser_delete(parser);
        delete parser;
    }
};
struct EventDeleter {
    void operator()(yaml_event_t* event) const { yaml_event_delete(event); }
};

std::string_view textOf(const yaml_char_t* text, std::size_t length) {
    return {reinterpret_cast<const char*>(text), length};
}
std::string_view textOf(const yaml_char_t* text) {
    return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

// Builds the nodes of the first document; node 0 is the outermost.
class NodeReader {
public:
    explicit NodeReader(std::string_view yaml)
        : m_parser(new yaml_parser_t) {
        if (yaml_parser_initialize(m_parser.get()) == 0) {
            throw std::bad_alloc();
        }
        yaml_parser_set_encoding(m_parser.get(), YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(m_parser.get(), reinterpret_cast<const unsigned char*>(yaml.data()), yaml.size());
    }

    // The nodes before an error are kept, as far as the parser has passed them.
    std::optional<Error> read() {
        auto error = readDocument();
        for (const std::size_t open : m_open) {
            m_nodes[open].end = m_nodes.back().end;
        }
        return error;
    }

    [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }

private:
    std::optional<Error> readDocument() {
        yaml_event_t event{};
        for (bool ended = false; !ended;) {
            if (yaml_parser_parse(m_parser.get(), &event) == 0) {
                return syntaxError(Detail::Yaml, m_parser->problem_mark.line, m_parser->problem_mark.column);
            }
            const std::unique_ptr<yaml_event_t, EventDeleter> owner(&event);
            ended = event.type == YAML_DOCUMENT_END_EVENT || event.type == YAML_STREAM_END_EVENT;
            if (auto error = take(event)) {
                return error;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> take(const yaml_event_t& event) {
        switch (event.type) {
        case YAML_SCALAR_EVENT: {
            const auto& scalar = event.data.scalar;
            add({.kind = Node::Kind::Scalar,
                 .plain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nullptr,
                 .text = std::string(textOf(scalar.value, scalar.length))},
                event, scalar.anchor);
            break;
        }
        case YAML_SEQUENCE_START_EVENT:
            m_open.push_back(add({.kind = Node::Kind::List}, event, event.data.sequence_start.anchor));
            break;
        case YAML_MAPPING_START_EVENT:
            m_open.push_back(add({.kind = Node::Kind::Map}, event, event.data.mapping_start.anchor));
            break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            m_nodes[m_open.back()].end = event.end_mark.index;
            m_open.pop_back();
            break;
        case YAML_ALIAS_EVENT: {
            const auto anchor = m_anchors.find(textOf(event.data.alias.anchor));
            if (anchor == m_anchors.end()) {
                return syntaxError(Detail::YamlAnchor, event.start_mark.line, event.start_mark.column);
            }
            add({.kind = Node::Kind::Alias, .target = anchor->second}, event, nullptr);
            break;
        }
        default:
            break;
        }
        return m_open.size() > kMaxDepth ? std::optional(fail(ErrorCode::NestingTooDeep, {}, {kMaxDepth}).error())
               : m_nodes.size() > kMaxNodes
                   ? std::optional(
                         fail(ErrorCode::LimitExceeded, {}, {Detail::Values, m_nodes.size(), kMaxNodes}).error())
                   : std::nullopt;
    }

    std::size_t add(Node node, const yaml_event_t& event, const yaml_char_t* anchor) {
        const std::size_t index = m_nodes.size();
        node.begin = event.start_mark.index;
        node.end = event.end_mark.index;
        m_nodes.push_back(std::move(node));
        if (!m_open.empty()) {
            m_nodes[m_open.back()].children.push_back(index);
        }
        if (anchor != nullptr) {
            m_anchors[std::string(textOf(anchor))] = index;
        }
        return index;
    }

    std::unique_ptr<yaml_parser_t, ParserDeleter> m_parser;
    std::vector<Node> m_nodes;
    std::vector<std::size_t> m_open; // collections whose end has not been read
    std::map<std::string, std::size_t, std::less<>> m_anchors;
};

// Adds nodes as keys.
class Card {
public:
    Card(MetadataBuilder& metadata, std::string_view source, const std::vector<Node>& nodes, bool hasReplacements)
        : m_metadata(metadata)
        , m_source(source)
        , m_nodes(nodes)
        , m_hasReplacements(hasReplacements) {
        for (std::size_t at = 0; at < source.size(); ++at) {
            if (!isContinuationByte(source[at])) {
                m_offsets.push_back(static_cast<std::uint32_t>(at));
            }
        }
    }

    void read(const std::string& prefix) { addMap(prefix, m_nodes.front(), 0); }

private:
    [[nodiscard]] bool ended() { return m_keys == kMaxCardKeys || ++m_visits > kMaxVisits; }

    // An alias stands for the node that it names, which comes before it.
    [[nodiscard]] const Node& at(std::size_t index) const {
        const Node& node = m_nodes[index];
        return node.kind == Node::Kind::Alias ? m_nodes[node.target] : node;
    }

    void addMap(const std::string& prefix, const Node& map, std::size_t level) { // NOLINT(misc-no-recursion)
        for (std::size_t i = 0; i + 1 < map.children.size() && !ended(); i += 2) {
            const Node& name = at(map.children[i]);
            const std::string key = prefix + "." + (name.kind == Node::Kind::Scalar ? name.text : sourceOf(name));
            if (isReplaced(key)) {
                continue;
            }
            const Node& value = at(map.children[i + 1]);
            if (value.kind == Node::Kind::Map && !value.children.empty() && level + 1 < kMaxLevels) {
                addMap(key, value, level + 1);
            } else if (value.kind == Node::Kind::Scalar) {
                addScalar(key, value);
            } else if (value.kind != Node::Kind::List || !addList(key, value)) {
                addText(key, sourceOf(value));
            }
        }
    }

    // False if the list contains more than scalars.
    bool addList(const std::string& key, const Node& list) {
        std::vector<std::string> items;
        for (const std::size_t child : list.children) {
            const Node& item = at(child);
            if (item.kind != Node::Kind::Scalar) {
                return false;
            }
            if (ended()) {
                break;
            }
            if (!isNull(item) && !isReplaced(item.text)) {
                items.push_back(item.text);
            }
        }
        m_metadata.add(key, OwnedValue::strings(items));
        ++m_keys;
        return true;
    }

    static bool isNull(const Node& scalar) {
        return scalar.plain && (scalar.text.empty() || scalar.text == "~" || scalar.text == "null" ||
                                scalar.text == "Null" || scalar.text == "NULL");
    }

    void addScalar(const std::string& key, const Node& scalar) {
        const std::string& text = scalar.text;
        if (!scalar.plain) {
            addText(key, text);
            return;
        }
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        constexpr double kLargest = 0x1p53;
        const bool isNumber = error == std::errc() && end == text.data() + text.size();
        const std::size_t digits = text.starts_with('-') ? 1 : 0;
        const bool isWhole = isNumber && text.find_first_not_of("0123456789", digits) == text.npos &&
                             (text.size() == digits + 1 || text[digits] != '0'); // "007" is a name
        if (text == "true" || text == "True" || text == "TRUE" || text == "false" || text == "False" ||
            text == "FALSE") {
            const bool isTrue = text.front() == 't' || text.front() == 'T';
            addValue(key, BoolValue{isTrue ? std::uint8_t{1} : std::uint8_t{0}});
        } else if (isNumber && text.find('.') != text.npos) {
            addValue(key, number);
        } else if (isWhole && number >= -kLargest && number <= kLargest) {
            addValue(key, static_cast<std::int64_t>(number));
        } else {
            addText(key, isNull(scalar) ? std::string() : text);
        }
    }

    // The text of a node as it is written, with the indentation of its first line.
    [[nodiscard]] std::string sourceOf(const Node& node) const {
        const auto offset = [&](std::size_t character) {
            return character < m_offsets.size() ? m_offsets[character] : m_source.size();
        };
        std::size_t begin = offset(node.begin);
        const std::size_t end = std::max<std::size_t>(offset(node.end), begin);
        const std::size_t line = begin == 0 ? 0 : m_source.rfind('\n', begin - 1) + 1; // npos + 1 is 0
        if (m_source.substr(line, begin - line).find_first_not_of(' ') == m_source.npos) {
            begin = line;
        }
        return std::string(withoutEnd(m_source.substr(begin, end - begin)));
    }

    [[nodiscard]] bool isReplaced(std::string_view text) const {
        return m_hasReplacements && text.find(kReplacement) != text.npos;
    }

    void addText(const std::string& key, std::string text) {
        if (!isReplaced(text)) {
            m_metadata.addText(key, std::move(text));
            ++m_keys;
        }
    }
    void addValue(const std::string& key, const Value& value) {
        m_metadata.addView(key, value);
        ++m_keys;
    }

    MetadataBuilder& m_metadata;
    std::string_view m_source;
    const std::vector<Node>& m_nodes;
    bool m_hasReplacements;               // bytes that were not UTF-8 have become U+FFFD
    std::vector<std::uint32_t> m_offsets; // of the characters of the source
    std::size_t m_keys = 0;
    std::size_t m_visits = 0;
};

// Where the first byte is that is not UTF-8.
Error notUtf8(std::string_view text) {
    std::size_t line = 0;
    std::size_t column = 0;
    while (!text.empty()) {
        const Char c = decodeChar(text);
        if (!c.isValid()) {
            break;
        }
        column = c.code == '\n' ? 0 : column + 1;
        line += c.code == '\n' ? 1 : 0;
        text.remove_prefix(c.bytes);
    }
    return syntaxError(Detail::Utf8String, line, column);
}

} // namespace

FrontMatter addFrontMatter(MetadataBuilder& metadata, std::string_view text, const std::string& prefix) {
    const auto yaml = frontMatterOf(text);
    if (!yaml) {
        return {};
    }
    const bool valid = isValidUtf8(*yaml);
    const std::string source = valid ? std::string(*yaml) : withReplacements(*yaml);
    NodeReader reader(source);
    FrontMatter result{.found = true, .problem = reader.read()};
    if (!result.problem && !valid) {
        result.problem = notUtf8(*yaml);
    }
    if (reader.nodes().empty()) {
        return result;
    }
    if (reader.nodes().front().kind != Node::Kind::Map) {
        result.problem = result.problem ? result.problem : syntaxError(Detail::KeyObject, 0, 0);
        return result;
    }
    Card(metadata, source, reader.nodes(), !valid).read(prefix);
    return result;
}

} // namespace gufo
