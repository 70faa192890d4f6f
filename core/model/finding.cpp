#include "model/finding.h"

#include "model/finding_code.h"

#include <array>

namespace gufo {
namespace {

constexpr auto kFindingFacts = std::to_array<FindingFact>({
#define GUFO_FINDING(code, name, severity, args, title, message, hint) {FindingCode::code, name, Severity::severity},
#include "model/finding_codes.inc"
});

} // namespace

std::string_view severityName(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        break;
    }
    return "error";
}

std::span<const FindingFact> findingFacts() { return kFindingFacts; }

const FindingFact& findingFact(FindingCode code) { return kFindingFacts[static_cast<std::size_t>(code)]; }

} // namespace gufo
