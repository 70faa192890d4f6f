// How the answers of a chat template are written, in words.
#pragma once

#include "text/conversation/answer_format.h"

#include <QString>

namespace gufo::ui {

// "This template's answers: thinking in <think>, calls as XML in <tool_call>".
[[nodiscard]] QString answerFormatText(const text::AnswerFormat& format);
// The markers one by one, a line each: thoughts, calls, what follows an answer.
[[nodiscard]] QString answerFormatDetails(const text::AnswerFormat& format);

} // namespace gufo::ui
