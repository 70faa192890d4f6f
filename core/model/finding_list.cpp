#include "model/finding_list.h"

#include "model/finding_code.h"

#include <utility>

namespace gufo {

void FindingList::add(FindingCode code, Place place, Arguments args) {
    if (keeps(code)) {
        m_findings.push_back({.code = code, .place = std::move(place), .args = std::move(args)});
    }
    ++m_counts[static_cast<std::size_t>(code)];
}

std::vector<Finding> FindingList::take() && {
    for (const FindingFact& fact : findingFacts()) {
        if (count(fact.code) > kKeptPerCode) {
            m_findings.push_back({.code = FindingCode::FindingsOmitted,
                                  .place = {},
                                  .args = {count(fact.code) - kKeptPerCode, std::string(fact.name)}});
        }
    }
    return std::move(m_findings);
}

} // namespace gufo
