// Steps over the strings of an array: {length, bytes} after {length, bytes}, a quarter of a million tokens and half a
// million merges in a real model. Nothing but the lengths is looked at.
//
// Each length tells where the next one is, so a plain walk waits for memory at every string. Hence stretches are walked
// in several lanes at once, each from a place that looks like the start of a string; a stretch counts only if every
// lane ends exactly where the next began, which proves that the guesses were right. Otherwise it is walked plainly.
#pragma once

#include "base/byte_source.h"
#include "model/value.h"

namespace gufo::gguf {

struct StringWalk {
    std::uint64_t bytes = 0;   // walked over
    std::uint64_t strings = 0; // in them: fewer than asked for if the next does not end within the bytes
};

// Walks over at most `count` strings from the front of `bytes`.
[[nodiscard]] StringWalk walkStrings(Bytes bytes, std::uint64_t count, ValueLayout layout);

} // namespace gufo::gguf
