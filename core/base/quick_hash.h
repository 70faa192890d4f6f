// A fast 64-bit checksum for our own journals and fingerprints: against accidents, not against forgery.
#pragma once

#include "base/byte_source.h"

namespace gufo {

// Depends on the bytes' order and number; the same on every machine.
[[nodiscard]] std::uint64_t quickHash(Bytes bytes, std::uint64_t seed = 0);

} // namespace gufo
