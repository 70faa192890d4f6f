// Checks a whole model against the catalogue, against conventions and for consistency, beyond what the reader finds.
//
// Threads: thread-safe. validate() reads the model, with `deep` all of its weights, so it must not be called on the UI
// thread.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/model.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gufo {

// Returns findings about the chat templates; nothing if they could not be checked.
using ChatTemplateCheck = std::optional<std::vector<Finding>> (*)(const Metadata& metadata, std::stop_token stop);

// Returns findings about what the chat templates do; nothing if they could not be audited.
using TemplateAuditCheck = std::optional<std::vector<Finding>> (*)(const Model& model, const JobContext& job);

struct ValidateOptions {
    bool deep = false; // also reads every weight, looking for NaN and infinity
    // text::checkChatTemplates, which needs a helper process; null: templates are not parsed.
    ChatTemplateCheck chatTemplates = nullptr;
    // text::auditFindings, which renders hundreds of conversations; null: templates are not audited.
    TemplateAuditCheck templateAudit = nullptr;
    // Also checks what readers of a page on a hub need: licence, links, base models, languages, names ….
    bool publish = false;
};

struct Validation {
    std::vector<Finding> findings;  // of the reader and the checks; worst first, then in file order
    std::uint32_t checksPassed = 0; // checks that found nothing
    // Their names: "weights_finite" without `deep`, "chat_template_syntax", "chat_template_audit"; "needed_tensors" for
    // architectures that the engine does not know, and sets with missing parts.
    std::vector<std::string_view> checksNotRun;
    // The names of checks for which the file has nothing to check ("merges", "parts").
    std::vector<std::string_view> checksWithoutCase;
};

// Errors: Cancelled, FileChangedWhileReading. With `deep`, progress counts bytes.
[[nodiscard]] Result<Validation> validate(const Model& model, const ValidateOptions& options = {},
                                          const JobContext& job = {});

// Whether only a validation with `deep` finds this.
[[nodiscard]] bool isOfWeights(FindingCode code);
// Whether only a validation with `publish` finds this.
[[nodiscard]] bool isOfPublishing(FindingCode code);

// Returns the errors in the keys, and in the names and shapes of the tensors, that keep runtimes from running a model.
// It may be one that is not written yet: neither weights nor texts of tokens are read.
[[nodiscard]] std::vector<Finding> checkStructure(const Model& model);

// Returns findings about the text of a chat template of the model: slips, markers that are not in the vocabulary, and
// markers that are tokens of text. Walks the vocabulary. Without `chatTemplates` nothing is rendered, so markers that
// the template joins from parts are not found.
[[nodiscard]] std::vector<Finding> checkTemplate(const Model& model, std::string_view key, const JobContext& job = {},
                                                 ChatTemplateCheck chatTemplates = nullptr);

// Returns the findings of the reader and of the checks that need only keys. Takes about a millisecond, fast enough to
// be called after each edit.
[[nodiscard]] std::vector<Finding> checkKeys(const Model& model);

} // namespace gufo
