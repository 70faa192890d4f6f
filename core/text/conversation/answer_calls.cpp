// The calls in an answer, as AnswerParser reads them: whether what looks like a call is one, which calls follow it, and
// which part of a call is shown while the model writes it.
#include "text/conversation/answer_parser.h"
#include "text/conversation/call_reader.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <utility>

namespace gufo::text {
namespace {

// `id` is empty where the model wrote none.
std::string callJson(std::string_view id, std::string_view name, std::string_view arguments) {
    return (id.empty() ? "{" : R"({"id": )" + jsonString(id) + ", ") + R"("type": "function", "function": {"name": )" +
           jsonString(name) + R"(, "arguments": )" + std::string(arguments) + "}}";
}

// Returns JSON, which may be cut off, without the white space between its tokens.
std::string withoutSpaceBetween(std::string_view json) {
    std::string out;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString && c == '\\') {
            if (i + 1 == json.size()) {
                break;
            }
            out += c;
            out += json[++i];
            continue;
        }
        inString = inString != (c == '"');
        if (inString || std::string_view(" \t\r\n").find(c) == std::string_view::npos) {
            out += c;
        }
    }
    return out;
}

bool isPartial(std::string_view text, std::string_view marker) {
    return matchMarker(text, marker).state == MarkerMatch::State::Partial;
}

} // namespace

// The position of the call itself: after the marker of a section, if there is one, and the bracket of a list.
std::size_t AnswerParser::beginOfCall(const CallFormat& format, bool atEnd, bool& waits) const {
    const std::string_view text = rest();
    std::size_t at = spaceAt(text, 0);
    if (!format.sectionOpen.empty()) {
        const MarkerMatch section = matchMarker(text.substr(at), format.sectionOpen);
        waits = section.state == MarkerMatch::State::Partial && !atEnd;
        at += section.bytes;
    }
    if (format.style != CallStyle::Json && format.style != CallStyle::Literals) {
        return at;
    }
    if (format.style == CallStyle::Json && !format.open.empty()) { // <tool_call>[{…}, {…}]</tool_call>
        const MarkerMatch open = matchMarker(text.substr(at), format.open);
        const std::size_t bracket = at + open.bytes + spaceAt(text, at + open.bytes);
        if (open.state == MarkerMatch::State::Whole && bracket < text.size() && text[bracket] == '[') {
            return bracket + 1;
        }
        waits = waits || (open.state == MarkerMatch::State::Whole && bracket == text.size() && !atEnd);
        if (open.state != MarkerMatch::State::No) {
            return at;
        }
    }
    const std::size_t bracket = at + spaceAt(text, at);
    waits = waits || (bracket == text.size() && !atEnd);
    return bracket < text.size() && text[bracket] == '[' ? bracket + 1 : at;
}

bool AnswerParser::firstCall(bool atEnd, std::vector<AnswerPiece>& pieces) {
    for (const std::size_t candidate : m_candidates) {
        const CallFormat& format = m_format->calls[candidate];
        if (!format.hasMarker() && format.style == CallStyle::Literals && m_schemas.isEmpty()) {
            continue; // a word before brackets is a call only if it names a tool
        }
        bool waits = false;
        const std::size_t begin = beginOfCall(format, atEnd, waits);
        if (waits) {
            return false;
        }
        const CallReading reading = readCall(rest().substr(begin), format, m_schemas, atEnd);
        if (reading.state == CallReading::State::Partial) {
            showCall(reading, false, pieces);
            return false;
        }
        if (reading.state == CallReading::State::Whole) {
            m_call = candidate;
            drop(begin + reading.bytes);
            takeCall(reading, pieces);
            return true;
        }
    }
    refuseCall(m_trigger.size(), pieces);
    return true;
}

// What looked like a call is text.
void AnswerParser::refuseCall(std::size_t bytes, std::vector<AnswerPiece>& pieces) {
    m_refused += 1;
    m_mode = Mode::Text;
    const std::string_view text = rest().substr(0, bytes);
    if (m_shown.empty()) {
        emitPiece(Part::Text, text, pieces);
    } else { // it has been shown as a call
        m_content += text;
        addSpan(Part::Text, m_dropped + m_begin, m_dropped + m_begin + bytes);
    }
    m_shown.clear();
    drop(bytes);
}

bool AnswerParser::nextCall(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const CallFormat& format = m_format->calls[*m_call];
    const bool isList = format.style == CallStyle::Json || format.style == CallStyle::Literals;
    const std::string_view text = rest();
    const std::size_t at = std::min(text.find_first_not_of(isList ? " \t\r\n,;[]" : " \t\r\n,;"), text.size());
    const std::string_view here = text.substr(at);
    if (here.empty() && !atEnd) {
        return false;
    }
    // In a list, the marker after a call follows the last one only.
    for (const std::string_view close :
         {std::string_view(format.sectionClose), isList ? std::string_view(format.close) : std::string_view()}) {
        if (close.empty() || here.empty()) {
            continue;
        }
        if (const MarkerMatch match = matchMarker(here, close); match.state == MarkerMatch::State::Whole) {
            drop(at + match.bytes);
            m_mode = close == format.sectionClose ? Mode::Start : Mode::Call;
            return true;
        }
        if (isPartial(here, close) && (!atEnd || here.size() >= tagsOf(close).front().size())) {
            drop(atEnd ? text.size() : 0); // the token that ends the answer has no text
            return false;
        }
    }
    const CallReading reading = here.empty() ? CallReading() : readCall(here, format, m_schemas, atEnd);
    if (reading.state == CallReading::State::Partial) {
        showCall(reading, false, pieces);
        return false;
    }
    if (reading.state == CallReading::State::Whole) {
        drop(at + reading.bytes);
        takeCall(reading, pieces);
        return true;
    }
    // White space belongs to the text that follows.
    const std::size_t last = text.substr(0, at).find_last_not_of(" \t\r\n");
    drop(last == std::string_view::npos ? 0 : last + 1);
    m_mode = Mode::Start;
    return !rest().empty();
}

// Reports what has been added to a call.
void AnswerParser::showCall(const CallReading& reading, bool isWhole, std::vector<AnswerPiece>& pieces) {
    if (reading.name.empty() || reading.arguments.empty()) {
        return;
    }
    const std::string all = R"({"name": )" + jsonString(reading.name) + R"(, "arguments": )" +
                            withoutSpaceBetween(reading.arguments) + (isWhole ? "}" : "");
    std::string added;
    if (m_shown.empty()) {
        added = (m_calls.empty() ? "" : "\n") + all;
    } else if (all.starts_with(m_shown)) {
        added = all.substr(m_shown.size());
    } else if (isWhole) { // the model's spelling differs
        added = '\n' + all;
    }
    if (!added.empty()) {
        m_shown = all;
        emitPiece(Part::ToolCall, added, pieces);
    }
}

void AnswerParser::takeCall(const CallReading& reading, std::vector<AnswerPiece>& pieces) {
    showCall(reading, true, pieces);
    addSpan(Part::ToolCall, m_callBegin, m_dropped + m_begin, std::exchange(m_shown, {}));
    m_callBegin = m_dropped + m_begin;
    m_calls.push_back(callJson(reading.id, reading.name, reading.arguments));
}

bool AnswerParser::hasWholeCalls() const {
    if (m_mode == Mode::ChannelCall) { // only the end of the answer follows its arguments
        const std::size_t message = rest().find(kHeaderEnd);
        const std::string_view arguments =
            message != rest().npos ? withoutSpace(rest().substr(message + kHeaderEnd.size())) : std::string_view();
        return !arguments.empty() && balancedLength(arguments) == arguments.size();
    }
    const bool isBetween = m_mode == Mode::Call && m_call && rest().find_first_not_of(" \t\r\n,;]") == rest().npos;
    return !m_calls.empty() && (isBetween || m_mode == Mode::Start || m_mode == Mode::Text);
}

std::optional<AnswerSpan> AnswerParser::openCall() const {
    return (m_mode == Mode::Call || m_mode == Mode::ChannelCall) && !m_shown.empty()
               ? std::optional(AnswerSpan{
                     .part = Part::ToolCall, .begin = m_callBegin, .end = m_dropped + m_buffer.size(), .call = m_shown})
               : std::nullopt;
}

} // namespace gufo::text
