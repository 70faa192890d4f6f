#include "text/conversation/conversation.h"

#include "base/detail.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace gufo::text {
namespace {

constexpr auto kUsualTemplates = std::to_array<UsualTemplate>({
    {"chatml", "{%- for message in messages -%}\n"
               "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}\n"
               "{%- endfor -%}\n"
               "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}\n"},
    {"alpaca", "{{- bos_token if bos_token else '' -}}\n"
               "{%- for message in messages -%}\n"
               "{%- if message.role == 'system' -%}{{ message.content + '\\n\\n' }}\n"
               "{%- elif message.role == 'user' -%}{{ '### Instruction:\\n' + message.content + '\\n\\n' }}\n"
               "{%- else -%}{{ '### Response:\\n' + message.content + (eos_token if eos_token else '') + '\\n\\n' "
               "}}{%- endif -%}\n"
               "{%- endfor -%}\n"
               "{%- if add_generation_prompt -%}{{ '### Response:\\n' }}{%- endif -%}\n"},
    {"plain", "{%- for message in messages -%}{{ message.content + '\\n' }}{%- endfor -%}\n"},
});

QString qt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

RenderRequest conversationRequest(const Metadata& metadata, std::string_view source, std::span<const Message> messages,
                                  const ConversationOptions& options) {
    RenderRequest request;
    request.source = qt(source);
    request.variables = standardVariables(qt(linkToolCalls(messagesJson(messages, options.thoughtMember))),
                                          qt(options.tools), options.generationPrompt);
    for (const auto& [name, token] : specialTokenTexts(metadata)) {
        request.variables.emplace_back(qt(name), qt(jsonString(token)));
    }
    for (const auto& [name, json] : options.variables) {
        request.variables.emplace_back(qt(name), qt(json));
    }
    return request;
}

EncodeOptions promptEncoding() { return {.addEos = false, .parseSpecial = true}; }

std::span<const UsualTemplate> usualTemplates() { return kUsualTemplates; }

namespace {

using Token = JsonReader::Token;

struct Call {
    std::size_t begin = 0; // of its object
    bool hasFunction = false;
    std::optional<std::string> id;
    std::string name;
};

struct MessageParts {
    std::size_t begin = 0;
    std::string role;
    bool hasName = false;
    std::optional<std::string> answers; // the value of "tool_call_id"
    std::deque<Call> calls;
};

std::string idOf(int number) {
    constexpr std::size_t kDigits = 5;
    const std::string digits = std::to_string(number);
    return "call" + std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

Result<> readFunction(JsonReader& reader, Call& call) {
    return readMembers(reader, [&](const std::string& name, Token value) -> Result<> {
        if (name == "name" && value == Token::String) {
            call.name = reader.text();
            return {};
        }
        return reader.skipRest(value);
    });
}

Result<> readCall(JsonReader& reader, Call& call) {
    return readMembers(reader, [&](const std::string& name, Token value) -> Result<> {
        if (name == "id" && value == Token::String) {
            call.id = reader.text();
            return {};
        }
        if (name == "function" && value == Token::ObjectStart) {
            call.hasFunction = true;
            return readFunction(reader, call);
        }
        return reader.skipRest(value);
    });
}

Result<> readCalls(JsonReader& reader, std::deque<Call>& calls) {
    return readObjects(reader, Detail::ToolCall, [&] {
        calls.push_back({.begin = reader.tokenBegin()});
        return readCall(reader, calls.back());
    });
}

Result<> readMessage(JsonReader& reader, MessageParts& message) {
    return readMembers(reader, [&](const std::string& name, Token value) -> Result<> {
        if (name == "tool_calls" && value == Token::ArrayStart) {
            return readCalls(reader, message.calls);
        }
        message.hasName = message.hasName || name == "name";
        if (value == Token::String && name == "role") {
            message.role = reader.text();
        } else if (value == Token::String && name == "tool_call_id") {
            message.answers = reader.text();
        }
        return reader.skipRest(value);
    });
}

Result<std::vector<MessageParts>> readList(std::string_view json) {
    JsonReader reader(json);
    std::vector<MessageParts> messages;
    GUFO_TRY(reader.expect(Token::ArrayStart, Detail::MessageList));
    GUFO_TRY(readObjects(reader, Detail::Message, [&] {
        messages.push_back({.begin = reader.tokenBegin()});
        return readMessage(reader, messages.back());
    }));
    return messages;
}

} // namespace

std::string linkToolCalls(std::string messages) {
    auto list = readList(messages);
    if (!list) {
        return messages;
    }
    std::string out;
    std::size_t copied = 0;
    const auto insertMember = [&](std::size_t object, const std::string& members) { // before the existing members
        out.append(messages, copied, object + 1 - copied);
        out += members + ", ";
        copied = object + 1;
    };
    int count = 0;
    std::deque<Call> open; // calls without a result
    for (MessageParts& message : *list) {
        if (message.role != "tool") {
            open = std::move(message.calls);
            std::erase_if(open, [](const Call& call) { return !call.id && !call.hasFunction; });
            for (Call& call : open) {
                while (!call.id) {
                    std::string id = idOf(++count);
                    if (messages.find(id) == std::string::npos) {
                        insertMember(call.begin, R"("id": ")" + id + '"');
                        call.id = std::move(id);
                    }
                }
            }
            continue;
        }
        const auto answered = message.answers ? std::ranges::find(open, message.answers, &Call::id) : open.begin();
        if (answered == open.end()) {
            continue;
        }
        if (!message.answers) {
            insertMember(message.begin,
                         R"("tool_call_id": )" + jsonString(*answered->id) +
                             (message.hasName ? std::string() : R"(, "name": )" + jsonString(answered->name)));
        }
        open.erase(answered);
    }
    out.append(messages, copied);
    return out;
}

std::string identifyCalls(std::string calls, std::string_view conversation) {
    JsonReader reader(calls);
    std::deque<Call> all;
    if (const auto first = reader.next(); !first || *first != Token::ArrayStart || !readCalls(reader, all)) {
        return calls;
    }
    std::string out;
    std::size_t copied = 0;
    int count = 0;
    for (const Call& call : all) {
        if (call.id) {
            continue;
        }
        std::string id;
        do {
            id = idOf(++count);
        } while (conversation.find(id) != std::string_view::npos || calls.find(id) != std::string::npos);
        out.append(calls, copied, call.begin + 1 - copied);
        out += R"("id": ")" + id + R"(", )";
        copied = call.begin + 1;
    }
    out.append(calls, copied);
    return out;
}

} // namespace gufo::text
