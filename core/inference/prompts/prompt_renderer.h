// Applies chat templates for engines that take text: makes the prompt of a conversation and finds what ends an answer.
//
// Thread contract: PromptRenderer::render() blocks. All calls and the destruction of a PromptRenderer happen on one
// thread. A QCoreApplication must exist.
#pragma once

#include "inference/interface/responder.h"
#include "text/conversation/answer_format.h"
#include "text/template/template_renderer.h"

#include <cstdint>
#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gufo::inference {

// Fills in what `chat` does not name: `model` as its model, and the default template of its model. Errors: NoSuchKey
// (no chat template).
[[nodiscard]] Result<> nameTemplate(ChatPrompt& chat, const std::shared_ptr<const Model>& model);

// Adds to `settings` the texts and tokens that end an answer of this format, and the control tokens that belong to the
// text of one.
void addAnswerFormat(const text::AnswerFormat& format, const text::Tokenizer& tokenizer, GenerationSettings& settings);

class PromptRenderer {
public:
    struct Rendered {
        std::string text;
        std::shared_ptr<const text::AnswerFormat> format; // how the template's answers are written
        std::vector<std::uint32_t> literalAt{};           // see EncodeOptions
    };

    // `chat` must name its model and its template. After a stop request the problem is "cancelled". A template that
    // fails on a message without content, which only calls tools, or writes "None" for it, is given an empty text
    // instead. With `literalFor`, the texts of its control tokens stay text (ResponseRequest::literalContent).
    [[nodiscard]] std::expected<Rendered, text::TemplateProblem>
    render(const ChatPrompt& chat, const std::stop_token& stop, const text::Tokenizer* literalFor = nullptr);

private:
    text::TemplateRenderer m_renderer;
    // The template that was used last:
    std::string m_source;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const text::AnswerFormat> m_format;
};

} // namespace gufo::inference
