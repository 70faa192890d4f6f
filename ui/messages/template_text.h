// Words for the problems of chat templates.
#pragma once

#include "text/template/template_renderer.h"

namespace gufo::ui {

// "There is no filter tojsn. Did you mean tojson?"
[[nodiscard]] QString templateProblemText(const text::TemplateProblem& problem);

// The suggested replacement for the marked name, if there is one: "tojson".
[[nodiscard]] QString templateProblemFix(const text::TemplateProblem& problem);

// All codes that the helper and core/text report; for tests.
[[nodiscard]] QStringList templateProblemCodes();

} // namespace gufo::ui
