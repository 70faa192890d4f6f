// Copies of a session's recurrent state at earlier positions. A recurrent state cannot forget its last tokens, so a
// session goes back by continuing from the nearest copy before the requested position.
//
// There are places for a few copies. When they are all taken, the copy is replaced whose loss costs least: one with
// near neighbours, compared with how far back it is, because recent positions are more likely to be returned to.
//
// Thread contract: as for the session.
#pragma once

#include "inference/engine/compute/memory.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

class Snapshots {
public:
    // Where a copy was taken. The end of a prompt is where another answer begins, so it is kept longer.
    enum class Kind : std::uint8_t { Passing, EndOfPrompt };

    // Copies of states of `floats` floats; none if that is 0.
    Snapshots(Memory& memory, std::size_t floats);

    // The place for a copy at `position`, which is after the positions of all others. The two latest copies are never
    // replaced.
    [[nodiscard]] std::span<float> place(std::uint32_t position, Kind kind);
    [[nodiscard]] bool has(std::uint32_t position) const;
    // The position of the latest copy; 0 if there is none.
    [[nodiscard]] std::uint32_t latest() const { return m_taken.empty() ? 0 : m_taken.back().position; }

    struct Found {
        std::uint32_t position;
        std::span<const float> state;
    };
    // The latest copy at `position` or before.
    [[nodiscard]] std::optional<Found> before(std::uint32_t position) const;
    // Drops the copies after `position`.
    void forgetAfter(std::uint32_t position);
    void clear() { forgetAfter(0); }

private:
    struct Taken {
        std::uint32_t position;
        Kind kind;
        std::uint32_t place;
    };
    [[nodiscard]] std::span<float> at(std::uint32_t place) const { return {m_floats + place * m_size, m_size}; }
    [[nodiscard]] std::size_t leastMissed(std::uint32_t end) const;

    std::size_t m_size;
    std::uint32_t m_places;
    float* m_floats;
    std::vector<Taken> m_taken; // by position
};

} // namespace gufo::inference
