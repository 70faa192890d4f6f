// Sentences for what is wrong with a chat template.
#pragma once

#include "text/template/template_renderer.h"

namespace gufo::ui {

// "There is no filter tojsn. Did you mean tojson?"
[[nodiscard]] QString templateProblemText(const text::TemplateProblem& problem);

// What the marked name should be, where that is known: "tojson".
[[nodiscard]] QString templateProblemFix(const text::TemplateProblem& problem);

// Every code that the helper and core/text give; for tests.
[[nodiscard]] QStringList templateProblemCodes();

} // namespace gufo::ui
