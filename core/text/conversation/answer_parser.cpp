#include "text/conversation/answer_parser.h"

#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo::text {
namespace {

using Token = JsonReader::Token;
using Part = AnswerPiece::Part;

struct Marker {
    std::string_view open;
    std::string_view close; // empty: the end of the answer
};

constexpr auto kThoughts = std::to_array<Marker>({
    {"<think>", "</think>"}, // DeepSeek R1, Qwen 3, QwQ
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"}, // EXAONE Deep
    {"<reasoning>", "</reasoning>"},
    {"<seed:think>", "</seed:think>"},
    {"<|START_THINKING|>", "<|END_THINKING|>"},                          // Command R7B
    {"[THINK]", "[/THINK]"},                                             // Magistral
    {"\xE2\x97\x81think\xE2\x96\xB7", "\xE2\x97\x81/think\xE2\x96\xB7"}, // Kimi
    {"<|channel|>analysis<|message|>", "<|end|>"},                       // gpt-oss
});
constexpr std::size_t kAnalysisThought = kThoughts.size() - 1;
// gpt-oss divides a turn into messages, each with a header that names its channel and, for a call, the recipient.
constexpr std::string_view kChannel = "<|channel|>";
constexpr std::string_view kHeaderEnd = "<|message|>";
constexpr std::string_view kMessageEnd = "<|end|>";
constexpr std::string_view kNextMessage = "<|start|>assistant";
constexpr std::string_view kAnalysis = "analysis";
constexpr std::string_view kRecipient = " to=functions.";

constexpr auto kCalls = std::to_array<Marker>({
    {"<tool_call>", "</tool_call>"},
    {"<|tool_call|>", "<|/tool_call|>"},
    {"[TOOL_CALLS]", ""},
    {"<|python_tag|>", ""},
    {kRecipient, kMessageEnd}, // only in the header of a channel
});
constexpr std::size_t kChannelCall = kCalls.size() - 1;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kSpace);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// Returns the length of the longest suffix of `text` that is a proper prefix of `marker`.
std::size_t begunAtEnd(std::string_view text, std::string_view marker) {
    for (std::size_t length = std::min(marker.size() - 1, text.size()); length > 0; --length) {
        if (text.ends_with(marker.substr(0, length))) {
            return length;
        }
    }
    return 0;
}

// `id` is empty where the model wrote none.
std::string callJson(std::string_view id, std::string_view name, std::string_view arguments) {
    return (id.empty() ? "{" : R"({"id": )" + jsonString(id) + ", ") + R"("type": "function", "function": {"name": )" +
           jsonString(name) + R"(, "arguments": )" + std::string(arguments) + "}}";
}

// Reads {"name": …, "arguments": {…}}; the latter may be called "parameters", and there may be an "id".
std::optional<std::string> readCall(JsonReader& reader) {
    std::string id;
    std::optional<std::string> name;
    std::optional<std::string> arguments;
    const auto read = readMembers(reader, [&](const std::string& member, Token value) -> Result<> {
        if (value == Token::String && (member == "name" || member == "id")) {
            (member == "name" ? name.emplace() : id) = reader.text();
            return {};
        }
        if ((member != "arguments" && member != "parameters") || value != Token::ObjectStart) {
            return reader.skipRest(value);
        }
        auto json = compactJson(reader, value);
        if (!json) {
            return std::unexpected(std::move(json.error()));
        }
        arguments = *std::move(json);
        return {};
    });
    if (!read) {
        return std::nullopt;
    }
    return name && arguments ? std::optional(callJson(id, *name, *arguments)) : std::nullopt;
}

// Reads one call or a list of calls; returns nothing unless that is the whole text.
std::vector<std::string> readCalls(std::string_view text) {
    JsonReader reader(text);
    const auto first = reader.next();
    std::vector<std::string> calls;
    if (!first || (*first != Token::ObjectStart && *first != Token::ArrayStart)) {
        return {};
    }
    for (bool more = true; more;) {
        if (*first == Token::ArrayStart) {
            const auto token = reader.next();
            if (token && *token == Token::ArrayEnd) {
                break;
            }
            if (!token || *token != Token::ObjectStart) {
                return {};
            }
        } else {
            more = false;
        }
        auto call = readCall(reader);
        if (!call) {
            return {};
        }
        calls.push_back(*std::move(call));
    }
    const auto end = reader.next();
    return end && *end == Token::End ? calls : std::vector<std::string>();
}

// Mistral's newer format: name[ARGS]{…}, where [CALL_ID]… may come before [ARGS].
std::vector<std::string> readNamedCall(std::string_view text) {
    constexpr std::string_view kArguments = "[ARGS]";
    const std::size_t at = text.find(kArguments);
    if (at == std::string_view::npos) {
        return {};
    }
    constexpr std::string_view kId = "[CALL_ID]";
    const std::string_view head = text.substr(0, at);
    const std::size_t idAt = head.find(kId);
    const std::string_view name = trimmed(head.substr(0, idAt));
    const std::string_view id =
        idAt == std::string_view::npos ? std::string_view() : trimmed(head.substr(idAt + kId.size()));
    JsonReader reader(text.substr(at + kArguments.size()));
    const auto first = reader.next();
    if (name.empty() || !first || *first != Token::ObjectStart) {
        return {};
    }
    const auto arguments = compactJson(reader, *first);
    const auto end = arguments ? reader.next() : first;
    return end && *end == Token::End ? std::vector{callJson(id, name, *arguments)} : std::vector<std::string>();
}

// A call of gpt-oss: its header after "to=functions.", and its message.
std::vector<std::string> readChannelCall(std::string_view text) {
    const std::size_t at = text.find(kHeaderEnd);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view name = text.substr(0, text.find_first_of(" <"));
    JsonReader reader(text.substr(at + kHeaderEnd.size()));
    const auto first = reader.next();
    if (name.empty() || !first || *first != Token::ObjectStart) {
        return {};
    }
    const auto arguments = compactJson(reader, *first);
    const auto end = arguments ? reader.next() : first;
    return end && *end == Token::End ? std::vector{callJson({}, name, *arguments)} : std::vector<std::string>();
}

std::vector<std::string> callsOf(std::string_view text) {
    for (const auto read : {readCalls, readNamedCall, readChannelCall}) {
        if (auto calls = read(text); !calls.empty()) {
            return calls;
        }
    }
    return {};
}

} // namespace

AnswerParser::AnswerParser(std::string_view prompt, bool tools)
    : m_tools(tools) {
    const std::string_view end = trimmed(prompt);
    for (std::size_t i = 0; i < kThoughts.size(); ++i) {
        if (end.ends_with(kThoughts[i].open)) {
            m_mode = Mode::Thought;
            m_marker = i;
        }
    }
}

std::vector<AnswerPiece> AnswerParser::push(std::string_view text) {
    m_buffer += text;
    return work(false);
}

std::vector<AnswerPiece> AnswerParser::finish() {
    auto pieces = work(true);
    if (m_tools && m_calls.empty()) {
        m_calls = readCalls(trimmed(m_content));
        if (!m_calls.empty()) {
            m_content.clear();
        }
    }
    return pieces;
}

std::vector<AnswerPiece> AnswerParser::work(bool atEnd) {
    std::vector<AnswerPiece> pieces;
    for (bool goesOn = true; goesOn;) {
        switch (m_mode) {
        case Mode::Start:
            goesOn = start(atEnd);
            break;
        case Mode::Thought:
            goesOn = thought(atEnd, pieces);
            break;
        case Mode::Text:
            goesOn = plainText(atEnd, pieces);
            break;
        case Mode::Call:
            goesOn = call(atEnd, pieces);
            break;
        }
    }
    return pieces;
}

// Skips white space and enters reasoning if its marker follows.
bool AnswerParser::start(bool atEnd) {
    const std::size_t begin = m_buffer.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos) {
        return false;
    }
    const std::string_view text = std::string_view(m_buffer).substr(begin);
    if (const auto goesOn = header(begin, atEnd)) {
        return *goesOn;
    }
    bool mayBegin = false;
    for (std::size_t i = 0; i < kThoughts.size(); ++i) {
        if (text.starts_with(kThoughts[i].open)) {
            m_mode = Mode::Thought;
            m_marker = i;
            m_buffer.erase(0, begin + kThoughts[i].open.size());
            return true;
        }
        mayBegin = mayBegin || kThoughts[i].open.starts_with(text);
    }
    if (mayBegin && !atEnd) {
        return false;
    }
    m_buffer.erase(0, begin);
    m_mode = Mode::Text;
    return true;
}

// Enters the message of a channel when its header is complete. Returns nothing if there is no header.
std::optional<bool> AnswerParser::header(std::size_t begin, bool atEnd) {
    const std::string_view text = std::string_view(m_buffer).substr(begin);
    if (!text.starts_with(kChannel) && !text.starts_with(kNextMessage)) {
        const bool mayBegin = kChannel.starts_with(text) || kNextMessage.starts_with(text);
        return mayBegin && !atEnd ? std::optional(false) : std::nullopt;
    }
    const std::size_t end = text.find(kHeaderEnd);
    if (end == std::string_view::npos) {
        if (atEnd) { // a header without a message has no content
            m_buffer.clear();
        }
        return false;
    }
    m_channels = true;
    const std::string_view header = text.substr(0, end);
    const std::size_t channel = std::min(header.find(kChannel), header.size() - kChannel.size()) + kChannel.size();
    if (const std::size_t to = header.find(kRecipient); to != std::string_view::npos) {
        m_mode = Mode::Call;
        m_marker = kChannelCall;
        m_buffer.erase(0, begin + to + kRecipient.size());
        return true;
    }
    if (header.substr(channel).starts_with(kAnalysis)) {
        m_mode = Mode::Thought;
        m_marker = kAnalysisThought;
    } else {
        m_mode = Mode::Text;
    }
    m_buffer.erase(0, begin + end + kHeaderEnd.size());
    return true;
}

bool AnswerParser::thought(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const std::string_view close = kThoughts[m_marker].close;
    if (const std::size_t at = m_buffer.find(close); at != std::string::npos) {
        emitPiece(Part::Thought, std::string_view(m_buffer).substr(0, at), pieces);
        m_buffer.erase(0, at + close.size());
        m_mode = Mode::Start;
        return true;
    }
    const std::size_t certain = m_buffer.size() - (atEnd ? 0 : begunAtEnd(m_buffer, close));
    emitPiece(Part::Thought, std::string_view(m_buffer).substr(0, certain), pieces);
    m_buffer.erase(0, certain);
    return false;
}

bool AnswerParser::plainText(bool atEnd, std::vector<AnswerPiece>& pieces) {
    std::size_t first = std::string::npos;
    std::size_t certain = m_buffer.size();
    for (std::size_t i = 0; i < kChannelCall; ++i) {
        if (const std::size_t at = m_buffer.find(kCalls[i].open); at < first) {
            first = at;
            m_marker = i;
        }
        certain = std::min(certain, m_buffer.size() - (atEnd ? 0 : begunAtEnd(m_buffer, kCalls[i].open)));
    }
    if (m_channels) { // a text for the user may be followed by another message
        const std::size_t end = m_buffer.find(kMessageEnd);
        if (end < first) {
            emitPiece(Part::Text, std::string_view(m_buffer).substr(0, end), pieces);
            m_buffer.erase(0, end + kMessageEnd.size());
            m_mode = Mode::Start;
            return true;
        }
        certain = std::min(certain, m_buffer.size() - (atEnd ? 0 : begunAtEnd(m_buffer, kMessageEnd)));
    }
    emitPiece(Part::Text, std::string_view(m_buffer).substr(0, std::min(first, certain)), pieces);
    if (first == std::string::npos) {
        m_buffer.erase(0, certain);
        return false;
    }
    m_buffer.erase(0, first + kCalls[m_marker].open.size());
    m_mode = Mode::Call;
    return true;
}

bool AnswerParser::call(bool atEnd, std::vector<AnswerPiece>& pieces) {
    const Marker& marker = kCalls[m_marker];
    const std::size_t at = marker.close.empty() ? std::string::npos : m_buffer.find(marker.close);
    if (at == std::string::npos && !atEnd) {
        return false;
    }
    const std::string inside = m_buffer.substr(0, at);
    auto calls = callsOf(trimmed(inside));
    const bool closed = at != std::string::npos;
    if (calls.empty()) { // not a call after all
        emitPiece(Part::Text, std::string(marker.open) + inside + std::string(closed ? marker.close : ""), pieces);
    } else {
        std::ranges::move(calls, std::back_inserter(m_calls));
        pieces.push_back({Part::ToolCall, std::string(trimmed(inside))});
    }
    m_buffer.erase(0, closed ? at + marker.close.size() : m_buffer.size());
    m_mode = m_channels ? Mode::Start : Mode::Text;
    return closed;
}

void AnswerParser::emitPiece(Part part, std::string_view text, std::vector<AnswerPiece>& pieces) {
    if (text.empty()) {
        return;
    }
    (part == Part::Thought ? m_reasoning : m_content) += text;
    if (!pieces.empty() && pieces.back().part == part) {
        pieces.back().text += text;
    } else {
        pieces.push_back({part, std::string(text)});
    }
}

Message AnswerParser::message() const {
    Message message{.role = "assistant",
                    .content = std::string(trimmed(m_content)),
                    .reasoning = std::string(trimmed(m_reasoning))};
    for (const std::string& call : m_calls) {
        message.toolCalls += (message.toolCalls.empty() ? "[" : ", ") + call;
    }
    message.toolCalls += m_calls.empty() ? "" : "]";
    return message;
}

std::vector<TokenId> answerMarkers(const Tokenizer& tokenizer) {
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    const auto isMarker = [](std::string_view text) {
        const auto has = [&](const Marker& marker) { return text == marker.open || text == marker.close; };
        return (text != kMessageEnd && (std::ranges::any_of(kThoughts, has) || std::ranges::any_of(kCalls, has))) ||
               text == "[ARGS]" || text == "[CALL_ID]";
    };
    const auto isOfChannels = [](std::string_view text) {
        constexpr std::array kParts{kChannel, kHeaderEnd, kMessageEnd, std::string_view("<|start|>"),
                                    std::string_view("<|constrain|>")};
        return std::ranges::find(kParts, text) != kParts.end();
    };
    // Other models use some of these texts for other purposes.
    bool channels = false;
    for (std::size_t i = 0; i < vocabulary.size() && !channels; ++i) {
        channels = vocabulary.type(TokenId(i)) == TokenType::Control && vocabulary.text(TokenId(i)) == kChannel;
    }
    std::vector<TokenId> markers;
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const TokenId id(i);
        const std::string_view text = vocabulary.text(id);
        if (vocabulary.type(id) == TokenType::Control && (isMarker(text) || (channels && isOfChannels(text)))) {
            markers.push_back(id);
        }
    }
    return markers;
}

} // namespace gufo::text
