// How a save went, for people and as JSON: what every verb that writes models says.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"
#include "formats/gguf/save/save.h"

namespace gufo::cli {

// The report in the form that was asked for. Gives kDone.
int printSaveReport(const Invocation& invocation, Console& console, const gguf::SaveReport& report);

} // namespace gufo::cli
