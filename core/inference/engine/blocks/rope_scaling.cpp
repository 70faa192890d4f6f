#include "inference/engine/blocks/rope_scaling.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

constexpr std::array<std::string_view, 4> kNames{"none", "linear", "yarn", "longrope"};

} // namespace

std::string_view ropeScalingName(RopeScaling scaling) { return kNames[static_cast<std::size_t>(scaling)]; }

std::optional<RopeScaling> ropeScalingFromName(std::string_view name) {
    const auto* const found = std::ranges::find(kNames, name);
    return found != kNames.end() ? std::optional(static_cast<RopeScaling>(found - kNames.begin())) : std::nullopt;
}

} // namespace gufo::inference
