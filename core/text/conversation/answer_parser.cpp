#include "text/conversation/answer_parser.h"

#include "text/conversation/call_reader.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::text {
namespace {

using Part = AnswerPiece::Part;

// gpt-oss divides a turn into messages, each with a header that names its channel and, for a call, the recipient.
constexpr std::string_view kChannel = "<|channel|>";
constexpr std::string_view kHeaderEnd = "<|message|>";
constexpr std::string_view kMessageEnd = "<|end|>";
constexpr std::string_view kCallEnd = "<|call|>";
constexpr std::string_view kNextMessage = "<|start|>assistant";
constexpr std::string_view kAnalysis = "analysis";
constexpr std::string_view kFinal = "final";
constexpr std::string_view kRecipient = "to=functions.";

constexpr std::size_t kMostRefused = 256; // triggers that are no calls; further ones count as text

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

AnswerParser::AnswerParser(std::shared_ptr<const AnswerFormat> format, std::string_view prompt, std::string_view tools)
    : m_format(std::move(format))
    , m_schemas(tools)
    , m_tools(!m_schemas.isEmpty()) {
    open(prompt);
}

AnswerParser::AnswerParser(std::string_view prompt, bool tools)
    : m_format(usualAnswerFormat())
    , m_tools(tools) {
    open(prompt);
}

void AnswerParser::open(std::string_view prompt) {
    for (std::size_t i = 0; i < m_format->calls.size(); ++i) {
        const CallFormat& format = m_format->calls[i];
        if (!format.hasMarker()) {
            m_bare.push_back(i);
        }
        for (std::string& tag : format.triggers()) {
            auto known = std::ranges::find(m_triggers, tag, &Trigger::text);
            if (known == m_triggers.end()) {
                known = m_triggers.insert(known, {.text = std::move(tag)});
            }
            known->formats.push_back(i);
        }
    }
    // The longest first: "<|tool_call|>" begins like "<|tool_call".
    std::ranges::sort(m_triggers, {},
                      [](const Trigger& each) { return std::pair(-std::ssize(each.text), each.formats.front()); });
    m_first = kMessageEnd.front();
    const auto addFirst = [&](std::string_view marker) {
        if (!marker.empty() && m_first.find(marker.front()) == std::string::npos) {
            m_first += marker.front();
        }
    };
    for (const Trigger& trigger : m_triggers) {
        addFirst(trigger.text);
    }
    for (std::size_t i = 0; i < m_format->ownThoughts; ++i) {
        addFirst(m_format->thoughts[i].open);
        addFirst(m_format->thoughts[i].close);
    }
    addFirst(m_format->header);
    addFirst(m_format->contentClose);
    const std::string_view end = withoutSpace(prompt);
    for (const ThoughtFormat& each : m_format->thoughts) {
        if (end.ends_with(each.open) && m_mode != Mode::Thought) {
            enterThought(each);
            m_inChannels = each.open.starts_with(kChannel);
            m_mayAnswer = m_format->answersInThought;
        }
    }
    if (m_mode != Mode::Thought && !m_format->contentOpen.empty() && end.ends_with(m_format->contentOpen)) {
        m_mode = Mode::Text;
    }
}

void AnswerParser::enterThought(const ThoughtFormat& thought) {
    m_mode = Mode::Thought;
    m_close = thought.close;
    m_closing = thought.closing.empty() ? thought.close : thought.closing;
    m_hasThought = true;
    m_newThought = !m_reasoning.empty();
}

std::vector<AnswerPiece> AnswerParser::push(std::string_view text) {
    m_buffer += text;
    const bool isCall = m_mode == Mode::Call || m_mode == Mode::Start;
    return isCall && rest().size() < m_retry ? std::vector<AnswerPiece>() : work(false);
}

std::vector<AnswerPiece> AnswerParser::finish(bool isComplete) {
    std::vector<AnswerPiece> pieces = work(true);
    if (isComplete && m_mayAnswer && m_mode == Mode::Thought) {
        m_mode = Mode::Text;
        m_content = std::exchange(m_reasoning, {});
        m_hasThought = false;
        for (AnswerSpan& span : m_spans) {
            span.part = Part::Text;
        }
    }
    return pieces;
}

std::vector<AnswerPiece> AnswerParser::work(bool atEnd) {
    std::vector<AnswerPiece> pieces;
    for (bool goesOn = true; goesOn;) {
        m_retry = 0;
        switch (m_mode) {
        case Mode::Start:
            goesOn = start(atEnd, pieces);
            break;
        case Mode::Thought:
            goesOn = thought(atEnd, pieces);
            break;
        case Mode::Text:
            goesOn = plainText(atEnd, pieces);
            break;
        case Mode::Call:
            goesOn = m_call ? nextCall(atEnd, pieces) : firstCall(atEnd, pieces);
            break;
        case Mode::ChannelCall:
            goesOn = channelCall(atEnd, pieces);
            break;
        }
    }
    m_buffer.erase(0, m_begin);
    m_dropped += std::exchange(m_begin, 0);
    // An unfinished call is read from its beginning each time; a long one not for each token.
    constexpr std::size_t kShort = 4096;
    constexpr std::size_t kShare = 64;
    const bool waits = (m_mode == Mode::Call || m_mode == Mode::Start) && m_buffer.size() > kShort;
    m_retry = waits ? m_buffer.size() + m_buffer.size() / kShare : 0;
    return pieces;
}

// Skips white space, and decides what follows.
bool AnswerParser::start(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const std::size_t begin = spaceAt(rest(), 0);
    const std::string_view text = rest().substr(begin);
    if (text.empty()) {
        if (atEnd && !m_content.empty()) {
            drop(begin);
        }
        return false;
    }
    if (const auto goesOn = channelHeader(begin, atEnd)) {
        return *goesOn;
    }
    if (const auto goesOn = closing(begin, atEnd)) {
        return *goesOn;
    }
    bool mayBegin = false;
    for (const ThoughtFormat& each : m_format->thoughts) {
        const MarkerMatch match = matchMarker(text, each.open);
        if (match.state == MarkerMatch::State::Whole) {
            drop(begin + match.bytes);
            enterThought(each);
            return true;
        }
        mayBegin = mayBegin || match.state == MarkerMatch::State::Partial;
    }
    for (std::size_t i = 0; i < m_format->ownThoughts; ++i) { // closed without having been opened
        const MarkerMatch match = matchMarker(text, m_format->thoughts[i].close);
        if (match.state == MarkerMatch::State::Whole) {
            drop(begin + match.bytes);
            return true;
        }
        mayBegin = mayBegin || match.state == MarkerMatch::State::Partial;
    }
    for (const std::string_view marker :
         {std::string_view(m_format->header), std::string_view(m_format->contentOpen)}) {
        const MarkerMatch match = marker.empty() ? MarkerMatch() : matchMarker(text, marker);
        if (match.state == MarkerMatch::State::Whole) {
            drop(begin + match.bytes);
            m_mode = marker == m_format->contentOpen ? Mode::Text : Mode::Start;
            return true;
        }
        mayBegin = mayBegin || match.state == MarkerMatch::State::Partial;
    }
    if (mayBegin && !atEnd) {
        return false;
    }
    if (m_tools && m_content.empty() && m_calls.empty() && m_refused == 0 && !m_bare.empty()) {
        drop(begin);
        m_mode = Mode::Call;
        m_callBegin = m_dropped + m_begin;
        m_trigger.clear();
        m_candidates = m_bare;
        m_call.reset();
        return true;
    }
    drop(m_content.empty() ? begin : 0);
    m_mode = Mode::Text;
    (void)pieces;
    return true;
}

// Drops what closes the text for the user, or the answer before the token that ends it. Returns nothing if there is no
// such marker.
std::optional<bool> AnswerParser::closing(std::size_t begin, bool atEnd) {
    if (m_format->contentClose.empty()) {
        return std::nullopt;
    }
    const std::string_view text = rest().substr(begin);
    for (const std::string_view marker :
         {std::string_view(m_format->contentClose), withoutSpace(m_format->afterAnswer)}) {
        const MarkerMatch match = marker.empty() ? MarkerMatch() : matchMarker(text, marker);
        if (match.state == MarkerMatch::State::Whole) {
            drop(begin + match.bytes);
            return true;
        }
        const bool hasTag = match.state == MarkerMatch::State::Partial && text.size() >= tagsOf(marker).front().size();
        if (atEnd && hasTag) { // the token that ends the answer has no text
            drop(rest().size());
            return false;
        }
        if (!atEnd && match.state == MarkerMatch::State::Partial) {
            return false;
        }
    }
    return std::nullopt;
}

// Enters the message of a channel when its header is complete. Returns nothing if there is no header.
std::optional<bool> AnswerParser::channelHeader(std::size_t begin, bool atEnd) {
    const std::string_view text = rest().substr(begin);
    const bool isCall = m_format->channels && text.starts_with(kRecipient);
    if (!text.starts_with(kChannel) && !text.starts_with(kNextMessage) && !isCall) {
        const bool mayBegin = kChannel.starts_with(text) || kNextMessage.starts_with(text) ||
                              (m_format->channels && kRecipient.starts_with(text));
        return mayBegin && !atEnd ? std::optional(false) : std::nullopt;
    }
    if (!m_format->channels && m_format != usualAnswerFormat() && !text.starts_with(kChannel)) {
        return std::nullopt; // the template's own header, perhaps
    }
    const std::size_t end = text.find(kHeaderEnd);
    const std::size_t recipient = text.find(kRecipient);
    const auto enterCall = [&] {
        m_inChannels = true;
        m_mode = Mode::ChannelCall;
        m_callBegin = m_dropped + m_begin + begin;
        drop(begin + recipient + kRecipient.size());
        m_shown.clear();
        return true;
    };
    if (end == std::string_view::npos) {
        if (atEnd) { // a header without a message has no content
            drop(rest().size());
        }
        return !atEnd && recipient != std::string_view::npos && enterCall();
    }
    m_inChannels = true;
    const std::string_view header = text.substr(0, end);
    const std::size_t channel =
        std::min(header.find(kChannel), header.size() - std::min(header.size(), kChannel.size())) + kChannel.size();
    m_isFinal = channel <= header.size() && header.substr(channel).starts_with(kFinal);
    if (recipient < end) {
        return enterCall();
    }
    drop(begin + end + kHeaderEnd.size());
    if (channel <= header.size() && header.substr(channel).starts_with(kAnalysis)) {
        enterThought({.close = std::string(kMessageEnd)});
    } else {
        m_mode = Mode::Text;
    }
    return true;
}

bool AnswerParser::thought(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const std::string_view text = rest();
    // The first word of the marker is looked for; the rest may follow with any white space.
    const std::vector<std::string> tags = tagsOf(m_close);
    const std::string_view first = tags.empty() ? std::string_view() : std::string_view(tags.front());
    std::size_t at = first.empty() ? std::string_view::npos : text.find(first);
    while (at != std::string_view::npos) {
        const MarkerMatch match = matchMarker(text.substr(at), m_close);
        if (match.state == MarkerMatch::State::Whole) {
            emitPiece(Part::Thought, text.substr(0, at), pieces);
            drop(at + match.bytes);
            m_mode = Mode::Start;
            m_mayAnswer = false;
            return true;
        }
        if (match.state == MarkerMatch::State::Partial && !atEnd) {
            break;
        }
        at = text.find(first, at + 1);
    }
    const std::size_t certain =
        atEnd ? text.size() : std::min(at, text.size() - (first.empty() ? 0 : begunAtEnd(text, first)));
    emitPiece(Part::Thought, text.substr(0, certain), pieces);
    drop(certain);
    return false;
}

// A thought within an answer begins on a line of its own, and not in a block of code.
bool AnswerParser::mayThinkAt(std::size_t at) const {
    const std::string_view before = rest().substr(0, at);
    const char last = !before.empty() ? before.back() : !m_content.empty() ? m_content.back() : '\n';
    if (last != '\n') {
        return false;
    }
    const std::string all = m_content + std::string(before);
    std::size_t fences = 0;
    for (std::size_t fence = all.find("```"); fence != std::string::npos; fence = all.find("```", fence + 3)) {
        ++fences;
    }
    return fences % 2 == 0;
}

bool AnswerParser::plainText(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const std::string_view text = rest();
    const bool hasMessages = m_inChannels || (!m_format->header.empty() && !m_format->channels);
    const auto enter = [&](std::size_t at, std::size_t bytes, Mode mode) {
        emitPiece(Part::Text, text.substr(0, at), pieces);
        drop(at + bytes);
        m_mode = mode;
        return true;
    };
    for (std::size_t at = text.find_first_of(m_first); at != std::string_view::npos;
         at = text.find_first_of(m_first, at + 1)) {
        const std::string_view here = text.substr(at);
        bool mayBegin = false;
        const auto begins = [&](std::string_view marker) {
            const bool is = here.starts_with(marker);
            mayBegin = mayBegin || (!is && !atEnd && marker.starts_with(here));
            return is;
        };
        // Of two triggers that begin alike, the longer one must be certain not to follow.
        for (const Trigger& trigger : m_triggers) {
            if (m_refused < kMostRefused && begins(trigger.text) && !mayBegin) {
                m_candidates = trigger.formats;
                m_call.reset();
                m_trigger = trigger.text;
                m_shown.clear();
                m_callBegin = m_dropped + m_begin + at;
                return enter(at, 0, Mode::Call);
            }
        }
        if (m_inChannels && begins(kMessageEnd) && !mayBegin) {
            return enter(at, kMessageEnd.size(), Mode::Start);
        }
        if (const std::string_view close = m_format->contentClose; !close.empty() && begins(close) && !mayBegin) {
            return enter(at, close.size(), Mode::Start);
        }
        for (std::size_t i = 0; i < m_format->ownThoughts; ++i) {
            const ThoughtFormat& each = m_format->thoughts[i];
            if (hasMessages && !each.close.empty() && begins(each.close) && !mayBegin) {
                return enter(at, each.close.size(), Mode::Start);
            }
            if (!m_inChannels && begins(each.open) && !mayBegin && mayThinkAt(at)) {
                emitPiece(Part::Text, text.substr(0, at), pieces);
                drop(at + each.open.size());
                enterThought(each);
                return true;
            }
        }
        if (hasMessages && !m_format->header.empty() && begins(m_format->header) && !mayBegin) {
            return enter(at, 0, Mode::Start);
        }
        if (mayBegin) {
            emitPiece(Part::Text, text.substr(0, at), pieces);
            drop(at);
            return false;
        }
    }
    emitPiece(Part::Text, text, pieces);
    drop(text.size());
    return false;
}

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

// A call of gpt-oss: the rest of its header after "to=functions.", and its message.
bool AnswerParser::channelCall(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const std::string_view text = rest();
    const std::size_t message = text.find(kHeaderEnd);
    const std::size_t end = std::min(text.find(kMessageEnd), text.find(kCallEnd));
    if (end == std::string_view::npos && !atEnd) {
        if (message != std::string_view::npos) {
            CallReading partial{.name = std::string(text.substr(0, text.find_first_of(" <")))};
            partial.arguments = withoutSpace(text.substr(message + kHeaderEnd.size()));
            const std::size_t held =
                std::max(begunAtEnd(partial.arguments, kMessageEnd), begunAtEnd(partial.arguments, kCallEnd));
            partial.arguments.resize(partial.arguments.size() - held);
            showCall(partial, false, pieces);
        }
        return false;
    }
    if (end == std::string_view::npos && message == std::string_view::npos) { // the header has not ended
        drop(text.size());
        m_mode = Mode::Start;
        return false;
    }
    const std::string_view inside = text.substr(0, end);
    const std::string_view marker = end == std::string_view::npos               ? std::string_view()
                                    : text.substr(end).starts_with(kMessageEnd) ? kMessageEnd
                                                                                : kCallEnd;
    CallReading reading{.name = std::string(inside.substr(0, inside.find_first_of(" <")))};
    const std::string_view arguments =
        message < end ? withoutSpace(inside.substr(message + kHeaderEnd.size())) : std::string_view();
    const LiteralReading object = readLiteral(arguments, {}, true);
    if (object.state == LiteralReading::State::Whole && object.bytes == arguments.size() &&
        object.json.starts_with('{') && !reading.name.empty()) {
        reading.arguments = object.json;
        drop(inside.size() + marker.size());
        takeCall(reading, pieces);
    } else {
        m_content += kRecipient;
        if (m_shown.empty()) {
            emitPiece(Part::Text, inside, pieces);
        } else {
            m_content += inside;
            addSpan(Part::Text, m_dropped + m_begin, m_dropped + m_begin + inside.size());
        }
        m_shown.clear();
        drop(inside.size() + marker.size());
    }
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

void AnswerParser::addSpan(Part part, std::size_t begin, std::size_t end, std::string call) {
    const bool joins =
        !m_spans.empty() && part != Part::ToolCall && m_spans.back().part == part && m_spans.back().end == begin;
    if (joins) {
        m_spans.back().end = end;
    } else {
        m_spans.push_back({.part = part, .begin = begin, .end = end, .call = std::move(call)});
    }
}

void AnswerParser::emitPiece(Part part, std::string_view text, std::vector<AnswerPiece>& pieces) {
    if (text.empty()) {
        return;
    }
    if (part != Part::ToolCall) { // a view of the buffer
        const std::size_t begin = m_dropped + static_cast<std::size_t>(text.data() - m_buffer.data());
        addSpan(part, begin, begin + text.size());
    }
    std::string added(text);
    if (part == Part::Thought) {
        if (std::exchange(m_newThought, false)) {
            added.insert(0, "\n\n");
        }
        m_reasoning += added;
    } else if (part == Part::Text) {
        m_content += added;
    }
    if (!pieces.empty() && pieces.back().part == part) {
        pieces.back().text += added;
    } else {
        pieces.push_back({part, std::move(added)});
    }
}

Message AnswerParser::message() const {
    Message message{.role = "assistant",
                    .content = std::string(withoutSpace(m_content)),
                    .reasoning = std::string(withoutSpace(m_reasoning))};
    for (const std::string& call : m_calls) {
        message.toolCalls += (message.toolCalls.empty() ? "[" : ", ") + call;
    }
    message.toolCalls += m_calls.empty() ? "" : "]";
    return message;
}

} // namespace gufo::text
