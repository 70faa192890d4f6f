#include "text/conversation/answer_parser.h"

#include "text/conversation/marker_text.h"

#include <algorithm>
#include <utility>

namespace gufo::text {
namespace {

constexpr std::size_t kMostRefused = 256; // triggers that are no calls; further ones count as text

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
