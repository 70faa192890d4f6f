// Reports, as findings about their keys, what the audit of the chat templates of a model holds against them: threats,
// errors, and that a template could not be judged.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/model.h"

#include <optional>
#include <vector>

namespace gufo::text {

// Audits every chat template in a helper process. Findings: TemplateThreat and TemplateFault with the name of the
// AuditCode, the line (0: not about one) and the arguments of the code; TemplateUnjudged. A syntax error is left to
// checkChatTemplates(). Answers for the last few vocabularies and templates are kept, so that editing other keys costs
// nothing. Returns nothing if the helper is missing or on a stop request; a template at which it dies is
// TemplateUnjudged.
//
// Thread contract: thread-safe while a QCoreApplication exists. Takes seconds.
[[nodiscard]] std::optional<std::vector<Finding>> auditFindings(const Model& model, const JobContext& job = {});

} // namespace gufo::text
