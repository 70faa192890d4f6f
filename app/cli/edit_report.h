// Reports what an edit changes (for each key and tensor, the old and the new value), and what a save has written.
#pragma once

#include "cli/console.h"
#include "cli/invocation.h"
#include "document/difference.h"
#include "formats/save/saving.h"
#include "ui/report/json_writer.h"

#include <span>

namespace gufo::cli {

// One line for each difference: "general.name: Owl → Barn owl". The values must still be valid.
// `architecture` is the architecture of the edited model.
void printDifferences(Console& console, std::span<const Difference> differences, std::string_view architecture);
// The member "changes".
void writeDifferences(ui::JsonWriter& json, std::span<const Difference> differences);

// Prints the report of a save as text or JSON, as the invocation requests. Returns kDone.
int printSaveReport(const Invocation& invocation, Console& console, const SaveReport& report);

} // namespace gufo::cli
