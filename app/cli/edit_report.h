// Reports what an edit changes: for each key and tensor, the old and the new value.
#pragma once

#include "cli/console.h"
#include "document/difference.h"
#include "ui/report/json_writer.h"

#include <span>

namespace gufo::cli {

// One line for each difference: "general.name: Owl → Barn owl". The values must still be valid.
// `architecture` is the architecture of the edited model.
void printDifferences(Console& console, std::span<const Difference> differences, std::string_view architecture);
// The member "changes".
void writeDifferences(ui::JsonWriter& json, std::span<const Difference> differences);

} // namespace gufo::cli
