#include "formats/gguf/recover/recover.h"
#include "formats/gguf/save/save.h"

#include <algorithm>

namespace gufo::gguf {
namespace {

// In the order of SaveStrategy.
constexpr auto kStrategies = std::to_array<std::string_view>({"unchanged", "patch", "shift", "clone", "copy"});
static_assert(kStrategies.size() == static_cast<std::size_t>(SaveStrategy::Copy) + 1);

// In the order of SaveReason.
constexpr auto kReasons = std::to_array<std::string_view>({"nothing_changed",
                                                           "same_size",
                                                           "fits_reserved",
                                                           "grew",
                                                           "shrank",
                                                           "asked",
                                                           "new_file",
                                                           "tensors_move",
                                                           "alignment_changes",
                                                           "byte_order_changes",
                                                           "was_not_packed",
                                                           "tail_too_long",
                                                           "reserved_off",
                                                           "cannot_shift",
                                                           "cannot_clone",
                                                           "too_many_extents",
                                                           "too_small",
                                                           "open_elsewhere",
                                                           "open_here",
                                                           "not_owner",
                                                           "no_lease",
                                                           "no_journal",
                                                           "header_too_long",
                                                           "several_files"});
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

} // namespace gufo::gguf
