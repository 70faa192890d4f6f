#include "text/conversation/conversation.h"

#include "text/conversation/tool_calls.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <array>

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
    request.variables =
        standardVariables(qt(linkToolCalls(messagesJson(messages))), qt(options.tools), options.generationPrompt);
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

} // namespace gufo::text
