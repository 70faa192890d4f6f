// Findings: things about a model that the user should know but that do not prevent opening it.
#pragma once

#include "base/argument.h"
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

enum class FindingCode : std::uint8_t; // model/finding_code.h

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
    Arguments args; // as listed for the code

    [[nodiscard]] Severity severity() const { return findingFact(code).severity; }
    [[nodiscard]] std::string_view name() const { return findingFact(code).name; }
    bool operator==(const Finding&) const = default;
};

} // namespace gufo
