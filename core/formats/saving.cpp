#include "formats/saving.h"

#include "formats/format.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace gufo {
namespace {

// In the order of SaveStrategy.
constexpr auto kStrategies = std::to_array<std::string_view>({"unchanged", "patch", "shift", "clone", "copy"});
static_assert(kStrategies.size() == static_cast<std::size_t>(SaveStrategy::Copy) + 1);

constexpr auto kReasons = std::to_array<std::string_view>({
#define GUFO_SAVE_REASON(code, name, args, words) name,
#include "formats/save_reasons.inc"
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

std::span<const SaveStrategy> saveStrategies(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr ? container->saving.strategies : std::span<const SaveStrategy>();
}

Result<SavePlan> planModelSave(const Model& base, const Model& edited, const SaveTarget& target,
                               const SaveOptions& options) {
    GUFO_TRY(requireCapability(base, Capability::SaveInPlace));
    return containerOf(base)->saving.plan(base, edited, target, options);
}

Result<SaveReport> saveModel(const Model& base, const Model& edited, const SaveTarget& target,
                             const SaveOptions& options, const JobContext& job) {
    GUFO_TRY(requireCapability(base, Capability::SaveInPlace));
    return containerOf(base)->saving.save(base, edited, target, options, job);
}

Result<SaveReport> saveModelAs(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                               const SaveOptions& options, const JobContext& job) {
    GUFO_TRY(requireCapability(edited, Capability::SaveAs));
    return containerOf(edited)->saving.saveAs(edited, target, path, options, job);
}

Result<Recovery> recoverModel(const std::filesystem::path& file, MovedFile moved, FileOperations* operations) {
    decltype(Saving::recover) tried = nullptr; // containers with the same journals have the same function
    for (const Container& container : containers()) {
        if (container.saving.recover == nullptr ||
            container.saving.recover == std::exchange(tried, container.saving.recover)) {
            continue;
        }
        auto recovered = container.saving.recover(file, operations, moved);
        if (!recovered || *recovered != Recovery::NotNeeded) {
            return recovered;
        }
    }
    return Recovery::NotNeeded;
}

} // namespace gufo
