// Derives how a chat template's answers are written (AnswerFormat) from what it renders.
//
// Thread contract: pure apart from `render`, which renders requests one after the other.
#pragma once

#include "model/metadata.h"
#include "text/conversation/answer_format.h"
#include "text/template/template_renderer.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gufo::text {

// Returns the text; nothing if the template refuses the request.
using RenderText = std::function<std::optional<std::string>(RenderRequest)>;

// Renders about twenty short conversations. A template that fails on all of them gets the formats that are recognised
// anywhere. `metadata` provides the texts of special tokens.
[[nodiscard]] AnswerFormat deriveAnswerFormat(const Metadata& metadata, std::string_view source,
                                              const RenderText& render);
// The same with a renderer. The formats of the last few templates are kept, for all threads. Null on a stop request, or
// if the helper is missing.
[[nodiscard]] std::shared_ptr<const AnswerFormat> answerFormatOf(const Metadata& metadata, std::string_view source,
                                                                 TemplateRenderer& renderer,
                                                                 const std::stop_token& stop = {});

} // namespace gufo::text
