// Activations in blocks of 32. The numbers beyond the end of a vector, up to the end of a run, are zeros.
#pragma once

#include <cstddef>
#include <cstring>

namespace {

// The block that begins at `begin`. `filled` provides the room for one that is not whole.
inline const float* paddedBlock(const float* from, std::size_t columns, std::size_t begin, float (&filled)[32]) {
    if (begin + 32 <= columns) {
        return from + begin;
    }
    std::memset(filled, 0, sizeof filled);
    if (begin < columns) {
        std::memcpy(filled, from + begin, (columns - begin) * sizeof(float));
    }
    return filled;
}

} // namespace
