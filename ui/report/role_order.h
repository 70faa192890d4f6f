// The order of the roles in maps of blocks × roles, and where the maps leave gaps.
#pragma once

#include "model/tensor_role.h"

#include <string_view>
#include <tuple>

namespace gufo::ui {

// The part of a block that a role belongs to; a map leaves a gap between parts.
enum class BlockPart : std::uint8_t { Attention, Recurrent, FeedForward, Other };
[[nodiscard]] BlockPart blockPartOf(std::string_view role, const RoleFact* fact);

// The sort key of a role: its part, then its position in the table of roles, then its name.
using RoleKey = std::tuple<BlockPart, int, std::string_view>;
[[nodiscard]] RoleKey roleKey(std::string_view role, const RoleFact* fact);

// The number of blocks, from 0 on, that have a column in a map, so that missing blocks leave gaps. 0: only the blocks
// that exist have one, because a few have very large numbers, as damaged names have them. `last` is the largest number
// of the `present` blocks; a map has at most `most` columns.
[[nodiscard]] std::uint32_t blocksOfMap(std::uint32_t last, std::size_t present, std::size_t most);

} // namespace gufo::ui
