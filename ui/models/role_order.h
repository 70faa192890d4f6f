// In which order maps of blocks × roles list the roles, and where they leave a gap.
#pragma once

#include "model/tensor_role.h"

#include <string_view>
#include <tuple>

namespace gufo::ui {

// The part of a block that a role belongs to; a map leaves a gap between parts.
enum class BlockPart : std::uint8_t { Attention, Recurrent, FeedForward, Other };
[[nodiscard]] BlockPart blockPartOf(std::string_view role, const RoleFact* fact);

// Where a role stands: by part, then as the table of roles orders them, then by name.
using RoleKey = std::tuple<BlockPart, int, std::string_view>;
[[nodiscard]] RoleKey roleKey(std::string_view role, const RoleFact* fact);

} // namespace gufo::ui
