// Suggests an edit that might remove a problem of a chat template: a misspelt name, "=" for "==", a missing or wrong
// end. Only a check of the edited text can tell whether the suggestion is right.
#pragma once

#include "text/template/template_renderer.h"

#include <optional>

namespace gufo::text {

struct TemplateEdit {
    qsizetype offset = 0; // UTF-16 units
    qsizetype length = 0; // to be removed
    QString replacement{};
};

[[nodiscard]] std::optional<TemplateEdit> repairOf(const QString& source, const TemplateProblem& problem);

} // namespace gufo::text
