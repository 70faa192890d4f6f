// Checks of a whole model against the catalogue, the conventions and itself, beyond what reading finds.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/model.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gufo {

// What is wrong with the chat templates; nothing where they could not be looked at.
using ChatTemplateCheck = std::optional<std::vector<Finding>> (*)(const Metadata& metadata, std::stop_token stop);

struct ValidateOptions {
    bool deep = false; // also reads every weight: NaN and infinity
    // text::checkChatTemplates, which needs a helper process; null: templates are not parsed.
    ChatTemplateCheck chatTemplates = nullptr;
};

struct Validation {
    std::vector<Finding> findings;              // reading's and the checks', worst first, then by place in the file
    std::uint32_t checksPassed = 0;             // run and found nothing
    std::vector<std::string_view> checksNotRun; // names: "weights_finite" without `deep`, "chat_template_syntax"
    std::vector<std::string_view>
        checksWithoutCase; // names: the file has nothing for them to check ("merges", "parts")
};

// Errors: Cancelled, FileChangedWhileReading. Progress in bytes when deep.
[[nodiscard]] Result<Validation> validate(const Model& model, const ValidateOptions& options = {},
                                          const JobContext& job = {});

// What reading found, and those of the checks that look at keys alone: fast enough for after each edit (a millisecond).
[[nodiscard]] std::vector<Finding> checkKeys(const Model& model);

} // namespace gufo
