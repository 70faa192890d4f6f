#include "inference/interface/pooling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::inference {
namespace {

constexpr std::array<std::string_view, 5> kNames{"none", "mean", "cls", "last", "rank"};

} // namespace

std::string_view poolingName(Pooling pooling) { return kNames[static_cast<std::size_t>(pooling)]; }

std::optional<Pooling> poolingFromName(std::string_view name) {
    const auto* found = std::ranges::find(kNames, name);
    return found != kNames.end() ? poolingFromNumber(static_cast<std::uint64_t>(found - kNames.begin())) : std::nullopt;
}

std::optional<Pooling> poolingFromNumber(std::uint64_t number) {
    return number < kNames.size() ? std::optional(static_cast<Pooling>(number)) : std::nullopt;
}

void scaleToUnitLength(std::span<float> vector) {
    double squares = 0;
    for (const float x : vector) {
        squares += static_cast<double>(x) * static_cast<double>(x);
    }
    const double factor = squares > 0 ? 1 / std::sqrt(squares) : 1;
    std::ranges::transform(vector, vector.begin(),
                           [&](float x) { return static_cast<float>(factor * static_cast<double>(x)); });
}

} // namespace gufo::inference
