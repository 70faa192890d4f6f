#include "text/conversation/conversation.h"

#include "text/conversation/tool_calls.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

// Texts that no template writes on its own.
constexpr std::string_view kProbeAnswer = "gufoanswer";
constexpr std::string_view kProbeQuestion = "gufoquestion";
constexpr std::string_view kSpace = " \t\r\n";

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

// Returns the first line that is not empty, with the line break before it. It suffices to recognise the next message.
std::string stopTextOf(std::string_view between) {
    const std::size_t begin = between.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) {
        return {};
    }
    const bool onItsOwnLine = between.substr(0, begin).find('\n') != std::string_view::npos;
    std::string_view line = between.substr(begin);
    line = line.substr(0, line.find('\n'));
    line = line.substr(0, line.find_last_not_of(kSpace) + 1);
    constexpr std::size_t kShortest = 3; // shorter texts occur everywhere
    return line.size() < kShortest ? std::string() : (onItsOwnLine ? "\n" : "") + std::string(line);
}

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

RenderRequest answerEndRequest(const Metadata& metadata, std::string_view source) {
    const std::array<Message, 3> messages{{{.role = "user", .content = "?"},
                                           {.role = "assistant", .content = std::string(kProbeAnswer)},
                                           {.role = "user", .content = std::string(kProbeQuestion)}}};
    return conversationRequest(metadata, source, messages, {.generationPrompt = false});
}

AnswerEnd answerEndOf(const Rendering& rendering, const Tokenizer& tokenizer) {
    if (!rendering.text) {
        return {};
    }
    const std::string text = rendering.text->toStdString();
    const std::size_t answer = text.find(kProbeAnswer);
    const std::size_t question = text.find(kProbeQuestion);
    if (answer == std::string::npos || question == std::string::npos || question < answer) {
        return {};
    }
    const std::size_t begin = answer + kProbeAnswer.size();
    const std::string between = text.substr(begin, question - begin);
    const auto encoding =
        tokenizer.encode(between, {.addBos = false, .addEos = false, .parseSpecial = true, .ranges = true});
    if (!encoding) {
        return {};
    }
    for (std::size_t i = 0; i < encoding->ids.size(); ++i) {
        const TokenId id = encoding->ids[i];
        const TextRange range = encoding->ranges[i];
        const TokenType type = tokenizer.vocabulary().type(id);
        if ((type == TokenType::Control || type == TokenType::UserDefined) && range.begin != range.end) {
            return {.tokens = {id}};
        }
        const std::string_view tokenText = std::string_view(between).substr(range.begin, range.end - range.begin);
        if (tokenText.find_first_not_of(kSpace) != std::string_view::npos) {
            break;
        }
    }
    AnswerEnd end;
    if (std::string stop = stopTextOf(between); !stop.empty()) {
        end.stops.push_back(std::move(stop));
    }
    return end;
}

std::span<const UsualTemplate> usualTemplates() { return kUsualTemplates; }

} // namespace gufo::text
