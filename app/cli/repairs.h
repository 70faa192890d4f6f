// `set --repair`: applies the repairs that findings offer (validate/fixes.h) to a document.
#pragma once

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/model_access.h"
#include "document/document.h"
#include "ui/report/json_writer.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace gufo::cli {

struct Repair {
    Finding finding;
    bool sound;  // isSoundFix()
    bool byCopy; // the document does not change, but saving writes the file anew and packs its tensors
};

// The codes named on the command line: arguments that are not KEY=VALUE. Prints an error if there is no such code.
[[nodiscard]] Expected<std::set<FindingCode>> repairCodes(std::span<const std::string> arguments, Console& console);

// Checks the document's model and repairs it until no repair of the codes is left (of all codes, if `codes` is empty).
// Prints an error if a finding of a named code cannot be repaired; the document may then be repaired in part, and must
// not be saved.
[[nodiscard]] Expected<std::vector<Repair>> repairDocument(Document& document, const std::set<FindingCode>& codes,
                                                           const std::filesystem::path& path,
                                                           const Cancellation& cancellation, Console& console);

// Says what was repaired, and what the repairs that are not sound have guessed or lost.
void printRepairs(std::span<const Repair> repairs, Console& console);
// The member "repaired".
void writeRepairs(ui::JsonWriter& json, std::span<const Repair> repairs);

} // namespace gufo::cli
