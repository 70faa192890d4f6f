#include "model/finding_list.h"

#include "model/finding_code.h"

#include <algorithm>
#include <utility>

namespace gufo {
namespace {

// In the order of ErrorCode.
constexpr auto kErrorNames = std::to_array<std::string_view>({
#define GUFO_ERROR(code, name, args, reason, hint) name,
#include "base/error_codes.inc"
#undef GUFO_ERROR
});

} // namespace

void FindingList::add(FindingCode code, Place place, Arguments args) {
    if (keeps(code)) {
        m_findings.push_back({.code = code, .place = std::move(place), .args = std::move(args)});
    }
    ++m_counts[static_cast<std::size_t>(code)];
}

void FindingList::addUnreadable(FindingCode code, std::string_view fileName, const Error& why) {
    Arguments args{fileName, errorName(why.code)};
    args.insert(args.end(), why.args.begin(), why.args.end());
    add(code, Place::fileName(std::string(fileName)), std::move(args));
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

std::optional<Error> unreadableReason(const Finding& finding) {
    constexpr std::ptrdiff_t kOwnArgs = 2; // file name, name of the error
    if ((finding.code != FindingCode::ShardUnreadable && finding.code != FindingCode::CompanionUnreadable) ||
        finding.args.size() < kOwnArgs) {
        return std::nullopt;
    }
    const auto* const code = std::ranges::find(kErrorNames, finding.args[1].text());
    return code != kErrorNames.end()
               ? std::optional(Error{.code = static_cast<ErrorCode>(code - kErrorNames.begin()),
                                     .file = {},
                                     .place = {},
                                     .args = Arguments(finding.args.begin() + kOwnArgs, finding.args.end())})
               : std::nullopt;
}

} // namespace gufo
