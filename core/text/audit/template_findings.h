// Reports, as findings about their keys, chat templates that cannot be rendered, with an edit that repairs each,
// templates that write tool calls in a way that cannot be told from text, and what an audit holds against templates:
// threats, errors, and that a template could not be judged.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/metadata.h"
#include "model/model.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace gufo::text {

// Parses every chat template in the helper process (template/template_renderer.h) and looks for unknown names.
// Findings: TemplateBroken; for templates that parse, TemplateCallsUnknown and TemplateCallsUnmarked, and
// TemplateTokenUnknown (without its last argument) for markers that they join from parts and render for a conversation
// of the battery. An edit is offered only if the problem is gone from the edited text. Results for the last few texts
// are cached, so that editing other keys costs nothing. Returns nothing if the helper is missing or on a stop request.
//
// Thread contract: thread-safe while a QCoreApplication exists. Each call waits for its own helper (0.1 s to start, at
// most 1 s for each parse).
[[nodiscard]] std::optional<std::vector<Finding>> checkChatTemplates(const Metadata& metadata,
                                                                     std::stop_token stop = {});

// Audits every chat template in a helper process. Findings: TemplateThreat and TemplateFault with the name of the
// AuditCode, the line (0: not about one) and the arguments of the code; TemplateUnjudged. A syntax error is left to
// checkChatTemplates(). Answers for the last few vocabularies and templates are kept, so that editing other keys costs
// nothing. Returns nothing if the helper is missing or on a stop request; a template at which it dies is
// TemplateUnjudged.
//
// Thread contract: thread-safe while a QCoreApplication exists. Takes seconds.
[[nodiscard]] std::optional<std::vector<Finding>> auditFindings(const Model& model, const JobContext& job = {});

} // namespace gufo::text
