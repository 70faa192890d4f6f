// How fast this machine is: what the speeds of the engine are measured against.
#pragma once

#include "base/job.h"
#include "inference/team.h"
#include "model/model.h"

#include <span>

namespace gufo::inference {

// Seconds that the team takes to read all of `parts` once with the widest loads, each member one stretch of each.
[[nodiscard]] double secondsToRead(Team& team, std::span<const Bytes> parts);

// Bytes per second at which `threads` threads read the model's tensors from memory, with the widest loads: the best of
// eight passes over up to `most` bytes of them. Errors: Cancelled, and those of Model::bytesOf.
[[nodiscard]] Result<double> readBandwidth(const Model& model, unsigned threads, std::uint64_t most,
                                           const JobContext& job);

// Products of 8-bit codes that `threads` threads sum in a second when nothing has to be loaded; 0 where the active
// instruction set has no such product.
[[nodiscard]] double peakInt8Products(unsigned threads);

} // namespace gufo::inference
