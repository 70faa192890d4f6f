// Encoded weights of any type that look like a trained tensor's: valid blocks, values about normally distributed.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <random>
#include <vector>

namespace gufo::tools {

// `weights` weights (a multiple of the block size) about `mean` and of about the standard deviation `deviation`,
// little-endian. Float types are drawn; quantised types are blocks of tests/data/golden that a widely used quantiser
// made of normally distributed floats, each with its scale changed at random (`mean` is 0 then). Nothing for types that
// have neither.
[[nodiscard]] std::optional<std::vector<std::byte>> makeBlocks(std::uint32_t typeId, std::uint64_t weights, double mean,
                                                               double deviation, std::mt19937_64& random);

} // namespace gufo::tools
