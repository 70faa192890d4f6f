// How rotary positions are stretched to a longer context than the model was trained with, and what a person asks for in
// place of what the file says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo::inference {

enum class RopeScaling : std::uint8_t { None, Linear, Yarn, LongRope };

// As rope.scaling.type has it: "none", "linear", "yarn", "longrope".
[[nodiscard]] std::string_view ropeScalingName(RopeScaling scaling);
[[nodiscard]] std::optional<RopeScaling> ropeScalingFromName(std::string_view name);

// What is not set is as in the file.
struct RopeOverride {
    std::optional<double> base{};  // of the frequencies
    std::optional<double> scale{}; // the factor that contexts grow by; linear where neither side names a scaling
    // Nothing of the file's own scaling counts then, nor its factors for each pair (Llama 3, LongRope). LongRope itself
    // cannot be asked for: its factors are in the file.
    std::optional<RopeScaling> scaling{};
    std::optional<std::uint32_t> originalContext{}; // before scaling: YaRN's ramp is told from it

    [[nodiscard]] bool stretches() const { return base || scale || scaling; }
    bool operator==(const RopeOverride&) const = default;
};

} // namespace gufo::inference
