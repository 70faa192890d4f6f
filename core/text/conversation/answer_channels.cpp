// The messages of gpt-oss in an answer, as AnswerParser reads them: their headers, and their calls.
#include "text/conversation/answer_parser.h"
#include "text/conversation/call_reader.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"

#include <algorithm>

namespace gufo::text {

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

} // namespace gufo::text
