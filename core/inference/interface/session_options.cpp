#include "inference/interface/session_options.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

constexpr std::array<std::string_view, 4> kScalings{"none", "linear", "yarn", "longrope"};

} // namespace

std::string_view ropeScalingName(RopeScaling scaling) { return kScalings[static_cast<std::size_t>(scaling)]; }

std::optional<RopeScaling> ropeScalingFromName(std::string_view name) {
    const auto* const found = std::ranges::find(kScalings, name);
    return found != kScalings.end() ? std::optional(static_cast<RopeScaling>(found - kScalings.begin())) : std::nullopt;
}

std::vector<std::string> machinesOf(std::string_view list) {
    constexpr std::string_view kSeparators = ", \t\r\n";
    std::vector<std::string> machines;
    for (std::size_t begin = 0; (begin = list.find_first_not_of(kSeparators, begin)) != std::string_view::npos;) {
        const std::size_t end = std::min(list.find_first_of(kSeparators, begin), list.size());
        machines.emplace_back(list.substr(begin, end - begin));
        begin = end;
    }
    return machines;
}

} // namespace gufo::inference
