// Which bits of a quantised block hold which weight's code and which sub-block's scale or minimum.
//
// The layouts of the types are known only to their decoders, so the map is found by asking them: each bit of some
// blocks is flipped, and what changes belongs to the bit. A map is made once for each type, in some milliseconds.
//
// Threads: thread-safe.
#pragma once

#include "bytes/byte_field.h"

#include <span>

namespace gufo {

// The shares of each byte of a block; empty if the type has no codes.
[[nodiscard]] std::span<const std::vector<BitShare>> blockBits(std::uint32_t typeId);

} // namespace gufo
