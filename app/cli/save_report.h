// The report that every verb that writes models prints after a save, as text or JSON.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"
#include "formats/save/saving.h"

namespace gufo::cli {

// Prints the report in the requested form. Returns kDone.
int printSaveReport(const Invocation& invocation, Console& console, const SaveReport& report);

} // namespace gufo::cli
