#include "inference/prompts/prompt_renderer.h"

#include "inference/prompts/literal_content.h"
#include "text/conversation/format_derivation.h"
#include "text/template/chat_templates.h"

#include <algorithm>

namespace gufo::inference {

Result<> nameTemplate(ChatPrompt& chat, const std::shared_ptr<const Model>& model) {
    if (chat.model == nullptr) {
        chat.model = model;
    }
    if (chat.chatTemplate.empty()) {
        const auto templates = text::chatTemplates(chat.model->metadata);
        const auto* chosen = text::chosenTemplate(templates, !chat.options.tools.empty());
        if (chosen == nullptr) {
            return fail(ErrorCode::NoSuchKey, {}, {std::string(text::kChatTemplateKey)});
        }
        chat.chatTemplate = chosen->source;
    }
    return {};
}

void addAnswerFormat(const text::AnswerFormat& format, const text::Tokenizer& tokenizer, GenerationSettings& settings) {
    const text::AnswerEnd end = text::answerEndOf(format, tokenizer);
    settings.ends.insert(settings.ends.end(), end.tokens.begin(), end.tokens.end());
    settings.innerEnds.insert(settings.innerEnds.end(), end.inner.begin(), end.inner.end());
    settings.stops.insert(settings.stops.end(), end.stops.begin(), end.stops.end());
    const auto markers = text::answerMarkers(format, tokenizer);
    settings.written.insert(settings.written.end(), markers.begin(), markers.end());
}

std::expected<PromptRenderer::Rendered, text::TemplateProblem>
PromptRenderer::render(const ChatPrompt& chat, const std::stop_token& stop, const text::Tokenizer* literalFor) {
    const std::string mark = literalFor != nullptr ? markFor(chat.messages) : std::string();
    const Metadata& metadata = chat.model->metadata;
    if (m_format == nullptr || chat.model != m_model || chat.chatTemplate != m_source) {
        m_format = text::answerFormatOf(metadata, chat.chatTemplate, m_renderer, stop);
        m_model = chat.model;
        m_source = chat.chatTemplate;
    }
    const auto render = [&](bool withText) {
        std::vector<text::Message> messages = chat.messages;
        if (!mark.empty()) {
            markSpecials(messages, mark, *literalFor);
        }
        for (text::Message& message : messages) {
            message.emptyText |= withText;
        }
        text::ConversationOptions options = chat.options;
        if (m_format != nullptr) {
            options.thoughtMember = m_format->thoughtMember;
        }
        return m_renderer.render(text::conversationRequest(metadata, chat.chatTemplate, messages, options), stop);
    };
    const bool needsText = m_format != nullptr && m_format->emptyText;
    auto rendering = render(needsText);
    const bool lacksText = std::ranges::any_of(chat.messages, [](const text::Message& message) {
        return message.content.empty() && !message.toolCalls.empty() && !message.emptyText;
    });
    if (!rendering.text && lacksText && !needsText && !stop.stop_requested()) {
        if (auto again = render(true); again.text) {
            rendering = std::move(again);
        }
    }
    if (!rendering.text) {
        return std::unexpected(rendering.error.value_or(text::TemplateProblem{}));
    }
    if (m_format == nullptr) { // the stop may be the reason why the format is not known
        return std::unexpected(text::TemplateProblem{.code = QStringLiteral("cancelled"), .args = {}});
    }
    Rendered rendered{.text = rendering.text->toStdString(), .format = m_format};
    rendered.literalAt = takeMarks(rendered.text, mark);
    return rendered;
}

} // namespace gufo::inference
