// Something about a model that a person should know: it opens all the same.
#pragma once

#include "base/place.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

enum class Severity : std::uint8_t {
    Note,
    Warning,
    Error, // the model cannot be run or saved as it is
};
[[nodiscard]] std::string_view severityName(Severity severity); // "note", "warning", "error"

// One row each in kFindingFacts (finding.cpp): stable name and severity. The words (message, hint) stand in
// ui/messages/finding_text.cpp.
enum class FindingCode : std::uint8_t {
#define GUFO_FINDING(code, name, severity, args) code,
#include "model/finding_codes.inc"
#undef GUFO_FINDING
};

inline constexpr std::size_t kFindingCodeCount = 0
#define GUFO_FINDING(code, name, severity, args) +1
#include "model/finding_codes.inc"
#undef GUFO_FINDING
    ;

struct FindingFact {
    FindingCode code;
    std::string_view name; // "duplicate_key"
    Severity severity;
};
[[nodiscard]] std::span<const FindingFact> findingFacts();
[[nodiscard]] const FindingFact& findingFact(FindingCode code);

struct Finding {
    FindingCode code;
    Place place;
    std::vector<std::string> args; // as listed beside the code

    [[nodiscard]] Severity severity() const { return findingFact(code).severity; }
    [[nodiscard]] std::string_view name() const { return findingFact(code).name; }
    bool operator==(const Finding&) const = default;
};

} // namespace gufo
