// Translated words for findings: one row of title, message and hint for each FindingCode.
#pragma once

#include "model/finding.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString findingTitle(const Finding& finding);   // short: "Two keys have the same name"
[[nodiscard]] QString findingMessage(const Finding& finding); // the sentence with its figures
[[nodiscard]] QString findingHint(const Finding& finding);    // what would fix it; empty if nothing can be said
// Label of the button that repairs the finding ("Delete the key"). Empty for codes without a repair (validate/fixes.h).
[[nodiscard]] QString fixLabel(FindingCode code);
// What a repair that is not sound (isSoundFix) guesses or loses. Empty for codes whose repairs all are sound.
[[nodiscard]] QString fixConsequence(FindingCode code);

} // namespace gufo::ui
