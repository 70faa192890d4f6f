#include "formats/save/saving.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gufo {
namespace {

// In the order of SaveStrategy.
constexpr auto kStrategies = std::to_array<std::string_view>({"unchanged", "patch", "shift", "clone", "copy"});
static_assert(kStrategies.size() == static_cast<std::size_t>(SaveStrategy::Copy) + 1);

constexpr auto kReasons = std::to_array<std::string_view>({
#define GUFO_SAVE_REASON(code, name, args, words) name,
#include "formats/save/save_reasons.inc"
#undef GUFO_SAVE_REASON
});
static_assert(kReasons.size() == static_cast<std::size_t>(SaveReason::SeveralFiles) + 1);

constexpr auto kRecoveries = std::to_array<std::string_view>({"not_needed", "rolled_back", "completed"});

} // namespace

std::string_view strategyName(SaveStrategy strategy) { return kStrategies[static_cast<std::size_t>(strategy)]; }

std::optional<SaveStrategy> findStrategy(std::string_view name) {
    const auto* found = std::ranges::find(kStrategies, name);
    return found != kStrategies.end() ? std::optional(static_cast<SaveStrategy>(found - kStrategies.begin()))
                                      : std::nullopt;
}

std::string_view reasonName(SaveReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::string_view recoveryName(Recovery recovery) { return kRecoveries[static_cast<std::size_t>(recovery)]; }

std::uint64_t SavePlan::bytesToWrite() const {
    return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const FilePlan& file) { return sum + file.bytesToWrite; });
}

std::optional<double> SavePlan::seconds() const {
    std::optional<double> sum;
    for (const FilePlan& file : files) {
        sum = file.seconds ? std::optional(sum.value_or(0) + *file.seconds) : sum;
    }
    return sum;
}

std::uint64_t SaveReport::bytesWritten() const {
    return std::accumulate(files.begin(), files.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const FileReport& file) { return sum + file.plan.bytesToWrite; });
}

} // namespace gufo
