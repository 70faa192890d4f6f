// What would make a problem of a chat template go away: a misspelt name, "=" for "==", a missing or wrong end. A guess:
// only a check of the edited text tells whether it is right.
#pragma once

#include "text/template/template_renderer.h"

#include <optional>

namespace gufo::text {

struct TemplateEdit {
    qsizetype offset = 0; // UTF-16 units
    qsizetype length = 0; // taken out there
    QString replacement{};
};

[[nodiscard]] std::optional<TemplateEdit> repairOf(const QString& source, const TemplateProblem& problem);

} // namespace gufo::text
