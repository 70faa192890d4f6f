// Encoded weights of any type that resemble a trained tensor's: valid blocks with roughly normal values.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <random>
#include <vector>

namespace gufo::tools {

// Returns `weights` weights (a multiple of the block size), little-endian, of about this mean and standard deviation.
// Float types are drawn at random. Quantised types use the blocks of tests/data/golden that encode normally distributed
// floats, each with a randomly changed scale; `mean` must then be 0. Returns nothing for types that have neither.
[[nodiscard]] std::optional<std::vector<std::byte>> makeBlocks(std::uint32_t typeId, std::uint64_t weights, double mean,
                                                               double deviation, std::mt19937_64& random);

} // namespace gufo::tools
