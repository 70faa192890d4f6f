// The scaling of rotary positions to a longer context than the model was trained with, and the settings of it that the
// user may override.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo::inference {

enum class RopeScaling : std::uint8_t { None, Linear, Yarn, LongRope };

// The values of rope.scaling.type: "none", "linear", "yarn", "longrope".
[[nodiscard]] std::string_view ropeScalingName(RopeScaling scaling);
[[nodiscard]] std::optional<RopeScaling> ropeScalingFromName(std::string_view name);

// Unset members keep the file's values.
struct RopeOverride {
    std::optional<double> base{};  // of the frequencies
    std::optional<double> scale{}; // context factor; linear where neither the file nor `scaling` names a method
    // Replaces the file's own scaling and its factors for each pair (Llama 3, LongRoPE). LongRope itself cannot be
    // requested, because its factors come from the file.
    std::optional<RopeScaling> scaling{};
    std::optional<std::uint32_t> originalContext{}; // before scaling; needed for YaRN's ramp

    [[nodiscard]] bool stretches() const { return base || scale || scaling; }
    bool operator==(const RopeOverride&) const = default;
};

} // namespace gufo::inference
