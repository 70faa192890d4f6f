// Steps over the strings of an array, {length, bytes} after {length, bytes}: a quarter of a million tokens and half a
// million merges in a real model. Only the lengths are read.
//
// Each length gives the position of the next, so a sequential walk waits for memory at every string. Therefore a
// stretch is walked in several lanes at once, each starting at a place that looks like the start of a string. The
// result counts only if every lane ends exactly where the next one began, which proves that the guesses were right.
// Otherwise the stretch is walked sequentially.
#pragma once

#include "base/byte_source.h"
#include "model/value.h"

namespace gufo::gguf {

struct StringWalk {
    std::uint64_t bytes = 0;   // bytes walked over
    std::uint64_t strings = 0; // strings in these bytes; fewer than requested if the next string does not end within
                               // the input
};

// Walks over at most `count` strings at the front of `bytes`.
[[nodiscard]] StringWalk walkStrings(Bytes bytes, std::uint64_t count, ValueLayout layout);

} // namespace gufo::gguf
