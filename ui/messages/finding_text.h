// Translated words for findings about a file (one row of title, message and hint for each FindingCode), and about
// whether two files belong together (one row for each code of PairReason).
#pragma once

#include "model/finding.h"

#include <QString>

namespace gufo {
enum class PairKind : std::uint8_t;
enum class PairVerdict : std::uint8_t;
struct PairReason;
} // namespace gufo

namespace gufo::ui {

// ---- a file --------------------------------------------------------------------------------------------------------

[[nodiscard]] QString findingTitle(const Finding& finding);   // short: "Two keys have the same name"
[[nodiscard]] QString findingMessage(const Finding& finding); // the sentence with its figures
[[nodiscard]] QString findingHint(const Finding& finding);    // what would fix it; empty if nothing can be said
// Label of the button that repairs the finding ("Delete the key"). Empty for codes without a repair (validate/fixes.h).
[[nodiscard]] QString fixLabel(FindingCode code);
// What a repair that is not sound (isSoundFix) guesses or loses. Empty for codes whose repairs all are sound.
[[nodiscard]] QString fixConsequence(FindingCode code);

// ---- two files -----------------------------------------------------------------------------------------------------

[[nodiscard]] QString pairKindText(PairKind kind);          // "a projector for the model"
[[nodiscard]] QString pairVerdictText(PairVerdict verdict); // "They fit, with a limit"
[[nodiscard]] QString pairReasonText(const PairReason& reason);
// What would make the files fit; empty if nothing would, or nothing needs to.
[[nodiscard]] QString pairRemedyText(const PairReason& reason);

} // namespace gufo::ui
