#include "base/detail.h"
#include "text/conversation/conversation.h"
#include "text/template/json_rewrite.h"

namespace gufo::text {
namespace {

using Token = JsonReader::Token;

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Reads one part of a content list and appends its text, if it has one.
Result<> readPart(JsonReader& reader, std::string& content) {
    std::string type;
    std::string text;
    GUFO_TRY(readMembers(reader, [&](const std::string& name, Token value) -> Result<> {
        if (value == Token::String && (name == "type" || name == "text")) {
            (name == "type" ? type : text) = reader.text();
            return {};
        }
        return reader.skipRest(value);
    }));
    if (type != "text") {
        return reader.expected(Detail::TextPart);
    }
    content += text;
    return {};
}

Result<> readContent(JsonReader& reader, Token first, std::string& content) {
    if (first == Token::String) {
        content = reader.text();
        return {};
    }
    if (first == Token::Null) {
        return {};
    }
    if (first != Token::ArrayStart) {
        return reader.expected(Detail::Content);
    }
    return readObjects(reader, Detail::MessagePart, [&] { return readPart(reader, content); });
}

Result<> readMember(JsonReader& reader, std::string_view name, Token value, Message& message) {
    if (name == "content") {
        message.emptyText = value != Token::Null;
        return readContent(reader, value, message.content);
    }
    if (name == "tool_calls" && value == Token::ArrayStart) {
        auto calls = GUFO_TRY(compactJson(reader, value));
        message.toolCalls = calls == "[]" ? std::string() : std::move(calls);
        return {};
    }
    if ((name == "role" || name == kThoughtMember) && value == Token::String) {
        (name == "role" ? message.role : message.reasoning) = reader.text();
        return {};
    }
    if (name == "role") {
        return reader.expected(Detail::Role);
    }
    return reader.skipRest(value);
}

} // namespace

std::string messageJson(const Message& message, std::string_view thoughtMember) {
    const bool calls = !isBlank(message.toolCalls);
    // as server APIs write a message that only calls tools
    std::string content = calls && message.content.empty() && !message.emptyText ? "null" : jsonString(message.content);
    const std::string thought = jsonString(message.reasoning);
    const bool isPart = thoughtMember == "content" && !message.reasoning.empty();
    if (isPart) {
        content = R"([{"type": "thinking", "thinking": )" + thought + "}" +
                  (message.content.empty() ? "" : R"(, {"type": "text", "text": )" + content + "}") + "]";
    }
    std::string json = "{\"role\": " + jsonString(message.role) + ", \"content\": " + content;
    // The template of gpt-oss, where text before a call is a thought, refuses both.
    const bool isRefused = thoughtMember == "thinking" && calls && !message.content.empty();
    if (!message.reasoning.empty() && !isPart && !isRefused) {
        json += ", " + jsonString(thoughtMember) + ": " + thought;
    }
    if (calls) {
        json += ", \"tool_calls\": " + message.toolCalls;
    }
    return json + "}";
}

std::string messagesJson(std::span<const Message> messages, std::string_view thoughtMember) {
    std::string json = "[";
    for (const Message& message : messages) {
        json += (json.size() > 1 ? ", " : "") + messageJson(message, thoughtMember);
    }
    return json + "]";
}

namespace {

// Reads the rest of a list whose start has been read.
Result<std::vector<Message>> readList(JsonReader& reader) {
    std::vector<Message> messages;
    GUFO_TRY(readObjects(reader, Detail::Message, [&]() -> Result<> {
        Message message;
        GUFO_TRY(readMembers(
            reader, [&](const std::string& name, Token value) { return readMember(reader, name, value, message); }));
        if (message.role.empty()) {
            return reader.expected(Detail::MessageWithRole);
        }
        message.emptyText = message.emptyText && message.content.empty() && !message.toolCalls.empty();
        messages.push_back(std::move(message));
        return {};
    }));
    return messages;
}

} // namespace

Result<std::vector<Message>> readMessages(std::string_view json) {
    JsonReader reader(json);
    std::optional<std::vector<Message>> messages;
    const auto start = GUFO_TRY(reader.next());
    if (start == Token::ArrayStart) {
        messages = GUFO_TRY(readList(reader));
    } else if (start == Token::ObjectStart) {
        GUFO_TRY(readMembers(reader, [&](const std::string& name, Token value) -> Result<> {
            if (name != "messages" || value != Token::ArrayStart) {
                return reader.skipRest(value);
            }
            messages = GUFO_TRY(readList(reader));
            return {};
        }));
    }
    if (!messages) {
        return reader.expected(Detail::MessageList);
    }
    GUFO_TRY(reader.expect(Token::End, Detail::EndOfText));
    return *std::move(messages);
}

} // namespace gufo::text
