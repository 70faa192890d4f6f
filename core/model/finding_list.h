// Collects findings while a model is read or checked. A damaged file can break the same rule a hundred thousand times:
// the first of each code are kept, the others counted.
#pragma once

#include "model/finding.h"

#include <array>

namespace gufo {

class FindingList {
public:
    static constexpr std::uint64_t kKeptPerCode = 100;

    void add(FindingCode code, Place place = {}, std::vector<std::string> args = {});
    void add(Finding finding) { add(finding.code, std::move(finding.place), std::move(finding.args)); }

    [[nodiscard]] std::uint64_t count(FindingCode code) const { return m_counts[static_cast<std::size_t>(code)]; }
    // Whether another finding of this code will be kept: asked before its arguments are made in a hot loop.
    [[nodiscard]] bool keeps(FindingCode code) const { return count(code) < kKeptPerCode; }

    // The findings, in the order in which they were added, and one FindingsOmitted for each code that had more.
    [[nodiscard]] std::vector<Finding> take() &&;

private:
    std::vector<Finding> m_findings;
    std::array<std::uint64_t, kFindingCodeCount> m_counts{};
};

} // namespace gufo
