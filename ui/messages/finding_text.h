// The words for findings: one row of message and hint for each FindingCode, translatable.
#pragma once

#include "model/finding.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString findingTitle(const Finding& finding);   // short: "Two keys have the same name"
[[nodiscard]] QString findingMessage(const Finding& finding); // the sentence with its figures
[[nodiscard]] QString findingHint(const Finding& finding);    // what would fix it; empty if nothing can be said

} // namespace gufo::ui
