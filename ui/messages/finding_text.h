// The words for findings: one row of message and hint for each FindingCode, translatable.
#pragma once

#include "model/finding.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString findingTitle(const Finding& finding);   // short: "Two keys have the same name"
[[nodiscard]] QString findingMessage(const Finding& finding); // the sentence with its figures
[[nodiscard]] QString findingHint(const Finding& finding);    // what would fix it; empty if nothing can be said
// What the button that repairs it says ("Delete the key"); empty for codes without a repair (validate/fixes.h).
[[nodiscard]] QString fixLabel(FindingCode code);

} // namespace gufo::ui
