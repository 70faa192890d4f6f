// Manual pages of gufo-cli in the language of man(7), made from the table of verbs: gufo-cli(1), and one for each verb.
#pragma once

#include "cli/verb.h"

#include <QString>

namespace gufo::cli {

// `version` is the program's, for the foot of the page.
[[nodiscard]] QString programManual(const QString& version);
[[nodiscard]] QString verbManual(const Verb& verb, const QString& version);

// The text with everything escaped that man(7) would take for a request.
[[nodiscard]] QString manualText(const QString& text);
// ".TH …" and the section NAME, with which each page begins.
[[nodiscard]] QString manualHeading(const QString& name, const QString& version, const QString& summary);

} // namespace gufo::cli
