// Words about a chat template: what an audit finds, and how the answers are written.
#pragma once

#include "text/audit/template_audit.h"
#include "text/conversation/answer_format.h"

#include <QString>

namespace gufo::ui {

// ---- audits --------------------------------------------------------------------------------------------------------

[[nodiscard]] QString auditTitle(text::AuditCode code); // short: "A word of a message changes the prompt"
[[nodiscard]] QString auditMessage(const text::AuditFinding& finding); // the sentence with its figures
// What repairs it, in an imperative; empty unless the finding has a repair.
[[nodiscard]] QString auditRepair(const text::AuditFinding& finding);
[[nodiscard]] QString unjudgedText(text::UnjudgedReason reason); // a sentence; empty for a template that was judged
// "This is the template of Qwen3.5-4B, with 2 lines changed." Empty if it is not known.
[[nodiscard]] QString familyText(const text::TemplateAudit& audit);

// ---- answers -------------------------------------------------------------------------------------------------------

// "This template's answers: thinking in <think>, calls as XML in <tool_call>".
[[nodiscard]] QString answerFormatText(const text::AnswerFormat& format);
// The markers one by one, a line each: thoughts, calls, what follows an answer.
[[nodiscard]] QString answerFormatDetails(const text::AnswerFormat& format);

} // namespace gufo::ui
