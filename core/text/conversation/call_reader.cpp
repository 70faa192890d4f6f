#include "text/conversation/call_reader.h"

#include "base/ascii.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <optional>

namespace gufo::text {
namespace {

using CallState = CallReading::State;
using Token = JsonReader::Token;

constexpr std::size_t kLongestName = 256;

// Characters that are part of no name and no identifier.
bool endsName(char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("<>[](){}\"'|,=;`").find(c) != std::string_view::npos;
}

class CallParser {
public:
    CallParser(std::string_view text, const CallFormat& format, const ToolSchemas& tools, bool atEnd)
        : m_text(text)
        , m_format(format)
        , m_tools(tools)
        , m_atEnd(atEnd) {}

    CallReading read() {
        CallState state = CallState::None;
        if (m_format.style == CallStyle::Json) {
            state = json();
        } else {
            state = head();
            state = state != CallState::Whole                ? state
                    : m_format.style == CallStyle::NamedJson ? namedJson()
                    : m_format.style == CallStyle::Tagged    ? tagged()
                                                             : literals();
        }
        if (state == CallState::Whole) {
            m_call.bytes = m_at;
        }
        m_call.state = state == CallState::Partial && m_atEnd ? CallState::None : state;
        return std::move(m_call);
    }

private:
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_text.size(); }
    void skipSpace() { m_at += spaceAt(m_text, m_at); }
    [[nodiscard]] bool mayContinue(std::string_view marker) const {
        return !m_atEnd && matchMarker(rest(), marker).state == MarkerMatch::State::Partial;
    }
    [[nodiscard]] bool pass(std::string_view marker) {
        const MarkerMatch match = matchMarker(rest(), marker);
        m_at += match.bytes;
        return match.state == MarkerMatch::State::Whole;
    }

    // Passes the tags of a marker. Models omit some of them; one that cannot be confused with text must be there. Where
    // no tag is like that, all must be.
    CallState tags(std::string_view marker) {
        const std::vector<std::string> all = tagsOf(marker);
        const bool hasTag = std::ranges::any_of(all, isTag);
        bool found = false;
        std::size_t end = m_at; // of the last tag that is there
        for (const std::string& tag : all) {
            m_at = end;
            skipSpace();
            if (pass(tag)) {
                found = found || isTag(tag);
                end = m_at;
            } else if (mayContinue(tag)) {
                return CallState::Partial;
            } else if (!hasTag) {
                return CallState::None;
            }
        }
        m_at = end;
        return found || !hasTag ? CallState::Whole : CallState::None;
    }

    // Passes the marker after a call. `needed`: it is the only sign of the call's end.
    CallState close(bool needed) {
        const std::size_t before = m_at;
        const CallState state = tags(m_format.close);
        if (state == CallState::Partial || (state == CallState::None && needed)) {
            return state;
        }
        m_at = state == CallState::None ? before : m_at;
        return CallState::Whole;
    }

    CallState head() {
        for (std::size_t i = 0; i < m_format.head.size(); ++i) {
            const CallHeadPart& part = m_format.head[i];
            if (part.kind == CallHeadPart::Kind::Marker) {
                const CallState passed = i == 0 ? tags(part.marker) : whole(part.marker);
                if (passed != CallState::Whole) {
                    return passed;
                }
                continue;
            }
            const std::string_view next =
                i + 1 < m_format.head.size() ? std::string_view(m_format.head[i + 1].marker) : argumentsMarker();
            const CallState read = slot(part.kind == CallHeadPart::Kind::Name ? m_call.name : m_call.id, next);
            if (read != CallState::Whole) {
                return read;
            }
        }
        if (m_format.numbered) {
            takeNumber();
        }
        return m_call.name.empty() || isForeign() ? CallState::None : CallState::Whole;
    }

    // Without a marker, only the name of a tool shows that this is a call.
    [[nodiscard]] bool isForeign() const {
        return !m_format.hasMarker() && !m_tools.isEmpty() && !m_tools.has(m_call.name);
    }

    CallState whole(std::string_view marker) {
        if (marker.empty()) {
            return CallState::Whole;
        }
        skipSpace();
        return pass(marker) ? CallState::Whole : mayContinue(marker) ? CallState::Partial : CallState::None;
    }

    [[nodiscard]] std::string_view argumentsMarker() const {
        return m_format.style == CallStyle::Literals ? std::string_view(m_format.argumentsOpen)
               : m_format.style == CallStyle::Tagged ? std::string_view(m_format.keyOpen)
                                                     : std::string_view("{");
    }

    CallState slot(std::string& to, std::string_view next) {
        skipSpace();
        const std::size_t begin = m_at;
        for (;;) {
            if (isAtEnd()) {
                return CallState::Partial;
            }
            if (endsName(m_text[m_at]) ||
                (!next.empty() && matchMarker(rest(), next).state == MarkerMatch::State::Whole)) {
                break;
            }
            if (m_at - begin == kLongestName) {
                return CallState::None;
            }
            ++m_at;
        }
        to = m_text.substr(begin, m_at - begin);
        return to.empty() ? CallState::None : CallState::Whole;
    }

    // "functions.f:0" is the id of a call to "f".
    void takeNumber() {
        constexpr std::string_view kFunctions = "functions.";
        if (m_call.name.starts_with(kFunctions)) {
            m_call.name.erase(0, kFunctions.size());
        }
        const std::size_t colon = m_call.name.rfind(':');
        const bool isNumber = colon != std::string::npos && colon + 1 < m_call.name.size() &&
                              std::ranges::all_of(m_call.name.substr(colon + 1), isAsciiDigit);
        if (isNumber) {
            m_call.id = std::string(kFunctions) + m_call.name;
            m_call.name.erase(colon);
        }
    }

    // Reads the object here. `json` receives it, or its beginning as it is written.
    CallState object(std::string& json) {
        skipSpace();
        if (isAtEnd()) {
            return CallState::Partial;
        }
        if (m_text[m_at] == '"') { // an object in a string
            const LiteralReading literal = readLiteral(rest(), {}, m_atEnd);
            if (literal.state != LiteralReading::State::Whole) {
                return literal.state == LiteralReading::State::Partial ? CallState::Partial : CallState::None;
            }
            JsonReader reader(literal.json);
            const auto inside = reader.next() ? objectIn(reader.text()) : std::nullopt;
            json = inside.value_or(std::string());
            m_at += literal.bytes;
            return inside ? CallState::Whole : CallState::None;
        }
        if (m_text[m_at] != '{') {
            return CallState::None;
        }
        const std::size_t length = balancedLength(rest());
        json = rest().substr(0, length == 0 ? rest().size() : length);
        if (length != 0) {
            JsonReader reader(json);
            const auto first = reader.next();
            if (auto compact = first ? compactJson(reader, *first) : std::unexpected(first.error())) {
                json = *std::move(compact);
                m_at += length;
                return CallState::Whole;
            }
        }
        // Line breaks in strings, single quotes or trailing commas.
        LiteralReading literal = readLiteral(rest(), {}, m_atEnd);
        if (literal.state != LiteralReading::State::Whole) {
            const bool isOver = length != 0 && literal.state == LiteralReading::State::Invalid;
            return isOver ? CallState::None : CallState::Partial;
        }
        m_at += literal.bytes;
        json = std::move(literal.json);
        return CallState::Whole;
    }

    CallState namedJson() {
        const CallState read = object(m_call.arguments);
        return read == CallState::Whole ? close(false) : read;
    }

    CallState json() {
        if (m_format.open.empty()) {
            skipSpace();
        } else if (const CallState opened = optionalOpen(); opened != CallState::Whole) {
            return opened;
        }
        std::string object;
        const CallState read = this->object(object);
        if (read == CallState::Partial) {
            showBeginning(object);
            if (isForeign()) { // an object for the user that looks like a call
                m_call = {};
            }
        }
        if (read != CallState::Whole) {
            return read;
        }
        if (!take(object) || isForeign()) {
            return CallState::None;
        }
        return close(false);
    }

    // In a list, only the first call may have the marker before it.
    CallState optionalOpen() {
        const std::size_t before = m_at;
        const CallState opened = tags(m_format.open);
        if (opened == CallState::None) {
            m_at = before;
            skipSpace();
            return !isAtEnd() && m_text[m_at] == '{' ? CallState::Whole : CallState::None;
        }
        return opened;
    }

    // Reads {"name": …, "arguments": {…}}, whose members may have other names, in any order.
    [[nodiscard]] bool take(std::string_view json, int depth = 0) {
        JsonReader reader(json);
        if (const auto first = reader.next(); !first || *first != Token::ObjectStart) {
            return false;
        }
        std::optional<std::string> name;
        std::optional<std::string> arguments;
        std::string wrapped;
        const auto read = gufo::text::readMembers(reader, [&](const std::string& member, Token value) -> Result<> {
            const bool isId = member == m_format.idKey || member == "id" || member == "tool_call_id";
            if (value == Token::String && isNameKey(member)) {
                name = reader.text();
                return {};
            }
            if (value == Token::String && isId) {
                m_call.id = reader.text();
                return {};
            }
            const bool takesArguments = isArgumentsKey(member) || m_format.nameKey.empty();
            if (value == Token::String && takesArguments) { // an object in a string
                arguments = objectIn(reader.text());
                return {};
            }
            if (value != Token::ObjectStart) {
                return reader.skipRest(value);
            }
            auto object = GUFO_TRY(compactJson(reader, value));
            if (takesArguments) {
                arguments = std::move(object);
                name = m_format.nameKey.empty() && !name ? member : name;
            } else if (member == m_format.wrapperKey || member == "function") {
                wrapped = std::move(object);
            }
            return {};
        });
        if (!read) {
            return false;
        }
        if (!wrapped.empty() && !(name && arguments)) {
            return depth == 0 && take(wrapped, depth + 1);
        }
        if (!name || !arguments) {
            return false;
        }
        m_call.name = *std::move(name);
        m_call.arguments = *std::move(arguments);
        return !m_call.name.empty();
    }

    [[nodiscard]] bool isNameKey(std::string_view key) const {
        return !m_format.nameKey.empty() && (key == m_format.nameKey || key == "name");
    }
    [[nodiscard]] bool isArgumentsKey(std::string_view key) const {
        return key == m_format.argumentsKey || key == "arguments" || key == "parameters";
    }
    static std::optional<std::string> objectIn(std::string_view text) {
        JsonReader reader(text);
        const auto first = reader.next();
        if (!first || *first != Token::ObjectStart) {
            return std::nullopt;
        }
        auto object = compactJson(reader, *first);
        return object ? std::optional(*std::move(object)) : std::nullopt;
    }

    // Finds the name and the beginning of the arguments in the beginning of a call.
    void showBeginning(std::string_view json) {
        JsonReader reader(json);
        std::string key;
        std::size_t members = 1; // the depth of the name and the arguments
        for (std::size_t depth = 0;;) {
            const auto token = reader.next();
            if (!token) {
                return;
            }
            const bool isObject = depth == members && *token == Token::ObjectStart;
            const bool isNamed = isObject && m_format.nameKey.empty();
            m_call.name = isNamed ? key : std::move(m_call.name);
            if (isNamed || (isObject && isArgumentsKey(key) && !m_call.name.empty())) {
                const std::string_view arguments = json.substr(reader.tokenBegin());
                const std::size_t length = balancedLength(arguments); // an id may follow
                m_call.arguments = arguments.substr(0, length != 0 ? length : arguments.size());
                return;
            }
            if (isObject && members == 1 && (key == m_format.wrapperKey || key == "function")) {
                members = 2;
            }
            if (*token == Token::Key) {
                key = reader.text();
            } else if (*token == Token::String && depth == members && isNameKey(key)) {
                m_call.name = reader.text();
            } else if (*token == Token::ObjectStart || *token == Token::ArrayStart) {
                ++depth;
            } else if (*token == Token::ObjectEnd || *token == Token::ArrayEnd) {
                --depth;
            }
        }
    }

    CallState tagged() {
        m_call.arguments = "{";
        for (;;) {
            skipSpace();
            if (isAtEnd()) {
                return CallState::Partial;
            }
            if (pass(m_format.keyOpen)) {
                if (const CallState read = argument(); read != CallState::Whole) {
                    return read;
                }
                continue;
            }
            if (mayContinue(m_format.keyOpen)) {
                return CallState::Partial;
            }
            const CallState closed = m_format.close.empty() ? CallState::Whole : close(true);
            if (closed == CallState::Whole) {
                m_call.arguments += '}';
            }
            return closed;
        }
    }

    CallState argument() {
        const std::size_t begin = m_at;
        const ValueOpening* opening = nullptr;
        for (; opening == nullptr; ++m_at) {
            if (isAtEnd()) {
                return CallState::Partial;
            }
            bool mayBegin = false;
            for (const ValueOpening& each : m_format.valueOpen) {
                const std::string_view marker = withoutSpace(each.marker);
                const MarkerMatch match = matchMarker(rest(), marker);
                if (match.state == MarkerMatch::State::Whole) {
                    opening = &each;
                    break;
                }
                mayBegin = mayBegin || match.state == MarkerMatch::State::Partial;
            }
            if (opening != nullptr) {
                break;
            }
            if (mayBegin) {
                return CallState::Partial;
            }
            if (m_text[m_at] == '\n' || m_at - begin == kLongestName) {
                return CallState::None;
            }
        }
        const std::string key(withoutSpace(m_text.substr(begin, m_at - begin)));
        (void)pass(withoutSpace(opening->marker));
        m_call.arguments += (m_call.arguments.size() > 1 ? "," : "") + jsonString(key) + ':';
        // The white space that the template writes around a value is not part of it.
        const auto [before, after] = spaceAround(opening->marker);
        const std::string_view value = rest();
        const std::size_t end = valueEnd(value);
        if (end == std::string_view::npos) {
            return CallState::Partial;
        }
        m_call.arguments += valueJson(stripped(value.substr(0, end), before, after), key, *opening);
        m_at += end;
        (void)pass(withoutSpace(m_format.valueClose));
        return CallState::Whole;
    }

    struct Space {
        std::string_view before;
        std::string_view after;
    };
    [[nodiscard]] Space spaceAround(std::string_view opening) const {
        const std::string_view close = m_format.valueClose;
        return {.before = opening.substr(opening.size() - trailingSpace(opening)),
                .after = close.substr(0, spaceAt(close, 0))};
    }
    static std::size_t trailingSpace(std::string_view text) {
        return text.size() - (text.find_last_not_of(" \t\r\n") + 1);
    }
    static std::string_view stripped(std::string_view value, std::string_view before, std::string_view after) {
        value.remove_prefix(value.starts_with(before) ? before.size() : 0);
        value.remove_suffix(value.ends_with(after) ? after.size() : 0);
        return value;
    }

    // The end of the value that begins `text`: a closing marker after which the next argument or the end of the call
    // follows. Others are part of the value.
    [[nodiscard]] std::size_t valueEnd(std::string_view text) const {
        const std::string_view marker = withoutSpace(m_format.valueClose);
        const std::vector<std::string> closing = tagsOf(m_format.close);
        for (std::size_t at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + 1)) {
            std::size_t after = at + marker.size();
            after += spaceAt(text, after);
            const std::string_view next = text.substr(after);
            const auto follows = [&](std::string_view tag) {
                const MarkerMatch::State state = matchMarker(next, tag).state;
                return state == MarkerMatch::State::Whole || (m_atEnd && state == MarkerMatch::State::Partial);
            };
            if (follows(m_format.keyOpen) || std::ranges::any_of(closing, follows)) {
                return at;
            }
            const auto mayFollow = [&](std::string_view tag) {
                return matchMarker(next, tag).state == MarkerMatch::State::Partial;
            };
            if (mayFollow(m_format.keyOpen) || std::ranges::any_of(closing, mayFollow)) {
                return std::string_view::npos; // not certain yet
            }
            if (closing.empty()) {
                return at;
            }
        }
        return std::string_view::npos;
    }

    [[nodiscard]] std::string valueJson(std::string_view value, std::string_view key,
                                        const ValueOpening& opening) const {
        if (opening.isString) {
            return *opening.isString ? jsonString(value) : argumentJson(value, JsonTypes::None);
        }
        return argumentJson(value, m_tools.typesOf(m_call.name, key));
    }

    CallState literals() {
        if (const CallState opened = whole(m_format.argumentsOpen); opened != CallState::Whole) {
            return opened;
        }
        m_call.arguments = "{";
        const LiteralStyle style{.quote = m_format.quote, .escapes = m_format.escapes};
        for (;;) {
            skipSpace();
            if (isAtEnd()) {
                return CallState::Partial;
            }
            if (pass(m_format.argumentsClose)) {
                m_call.arguments += '}';
                return close(false);
            }
            if (m_call.arguments.size() > 1) {
                if (m_text[m_at] != ',') {
                    return CallState::None;
                }
                ++m_at;
                skipSpace();
                if (!isAtEnd() && rest().starts_with(m_format.argumentsClose)) {
                    continue; // a trailing comma
                }
            }
            const std::size_t assign = m_text.find(m_format.assign, m_at);
            const std::size_t stop = m_text.find_first_of("\n(){}[],", m_at);
            if (assign == std::string_view::npos || assign > stop) {
                return stop == std::string_view::npos ? CallState::Partial : CallState::None;
            }
            std::string_view key = withoutSpace(m_text.substr(m_at, assign - m_at));
            for (const std::string_view quote :
                 {std::string_view(m_format.quote), std::string_view("\""), std::string_view("'")}) {
                if (!quote.empty() && key.size() >= 2 * quote.size() && key.starts_with(quote) &&
                    key.ends_with(quote)) {
                    key = key.substr(quote.size(), key.size() - 2 * quote.size());
                }
            }
            if (key.empty() || key.size() > kLongestName) {
                return CallState::None;
            }
            const std::size_t valueAt = assign + m_format.assign.size();
            LiteralReading value = readLiteral(m_text.substr(valueAt), style, m_atEnd);
            if (value.state != LiteralReading::State::Whole) {
                return value.state == LiteralReading::State::Partial ? CallState::Partial : CallState::None;
            }
            m_call.arguments += (m_call.arguments.size() > 1 ? "," : "") + jsonString(key) + ':' + value.json;
            m_at = valueAt + value.bytes;
        }
    }

    std::string_view m_text;
    const CallFormat& m_format;
    const ToolSchemas& m_tools;
    bool m_atEnd;
    std::size_t m_at = 0;
    CallReading m_call;
};

} // namespace

CallReading readCall(std::string_view text, const CallFormat& format, const ToolSchemas& tools, bool atEnd) {
    return CallParser(text, format, tools, atEnd).read();
}

} // namespace gufo::text
