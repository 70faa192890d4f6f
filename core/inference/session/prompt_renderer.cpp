#include "inference/session/prompt_renderer.h"

#include "text/conversation/answer_parser.h"
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

void addAnswerEnd(const text::AnswerEnd& end, const text::Tokenizer& tokenizer, GenerationSettings& settings) {
    settings.ends.insert(settings.ends.end(), end.tokens.begin(), end.tokens.end());
    settings.stops.insert(settings.stops.end(), end.stops.begin(), end.stops.end());
    const auto markers = text::answerMarkers(tokenizer);
    settings.written.insert(settings.written.end(), markers.begin(), markers.end());
}

std::expected<PromptRenderer::Rendered, text::TemplateProblem>
PromptRenderer::render(const ChatPrompt& chat, const text::Tokenizer* tokenizer, const std::stop_token& stop) {
    const Metadata& metadata = chat.model->metadata;
    const bool known = chat.model == m_model && chat.chatTemplate == m_source;
    const auto render = [&](bool withText) {
        std::vector<text::Message> messages = chat.messages;
        for (text::Message& message : messages) {
            message.emptyText |= withText;
        }
        return m_renderer.render(text::conversationRequest(metadata, chat.chatTemplate, messages, chat.options), stop);
    };
    bool needsText = known && m_needsText;
    auto rendering = render(needsText);
    const bool lacksText = std::ranges::any_of(chat.messages, [](const text::Message& message) {
        return message.content.empty() && !message.toolCalls.empty() && !message.emptyText;
    });
    if (!rendering.text && lacksText && !needsText && !stop.stop_requested()) {
        if (auto again = render(true); again.text) {
            rendering = std::move(again);
            needsText = true;
        }
    }
    if (!rendering.text) {
        return std::unexpected(rendering.error.value_or(text::TemplateProblem{}));
    }
    if (!m_end || !known) {
        m_end.reset();
        const auto end = tokenizer != nullptr
                             ? m_renderer.render(text::answerEndRequest(metadata, chat.chatTemplate), stop)
                             : text::Rendering();
        if (stop.stop_requested()) { // the stop may be the reason why the template's end is not known
            return std::unexpected(text::TemplateProblem{.code = QStringLiteral("cancelled"), .args = {}});
        }
        m_end = tokenizer != nullptr ? text::answerEndOf(end, *tokenizer) : text::AnswerEnd();
        m_model = chat.model;
        m_source = chat.chatTemplate;
    }
    m_needsText = needsText;
    return Rendered{.text = rendering.text->toStdString(), .end = *m_end};
}

} // namespace gufo::inference
