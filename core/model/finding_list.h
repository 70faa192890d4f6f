// Collects findings while a model is read or checked. Because a damaged file can break the same rule a hundred thousand
// times, only the first findings of each code are kept and the others are counted.
#pragma once

#include "base/error.h"
#include "model/finding.h"
#include "model/finding_code.h"

#include <array>
#include <optional>

namespace gufo {

class FindingList {
public:
    static constexpr std::uint64_t kKeptPerCode = 100;

    void add(FindingCode code, Place place = {}, Arguments args = {});
    void add(Finding finding) { add(finding.code, std::move(finding.place), std::move(finding.args)); }

    [[nodiscard]] std::uint64_t count(FindingCode code) const { return m_counts[static_cast<std::size_t>(code)]; }
    // Adds a ShardUnreadable or CompanionUnreadable for a file that belongs to the model.
    void addUnreadable(FindingCode code, std::string_view fileName, const Error& why);

    // Whether another finding of this code will be kept. Hot loops ask before they build its arguments.
    [[nodiscard]] bool keeps(FindingCode code) const { return count(code) < kKeptPerCode; }

    // Returns the findings in the order in which they were added, followed by a FindingsOmitted for each code that had
    // more.
    [[nodiscard]] std::vector<Finding> take() &&;

private:
    std::vector<Finding> m_findings;
    std::array<std::uint64_t, kFindingCodeCount> m_counts{};
};

// The error that made addUnreadable() add a finding, without its file and place; nothing for other findings.
[[nodiscard]] std::optional<Error> unreadableReason(const Finding& finding);

} // namespace gufo
