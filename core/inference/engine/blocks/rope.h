// Rotary position embedding (Su et al. 2021), with linear scaling, YaRN (Peng et al. 2023) and factors for each pair
// (Llama 3, LongRoPE). Each pair of elements is rotated by an angle of frequency × position.
#pragma once

#include "inference/engine/binding/shape.h"
#include "inference/engine/compute/memory.h"

#include <span>
#include <vector>

namespace gufo::inference {

class Rope {
public:
    Rope() = default; // rotates nothing
    // `factors` divide the frequency of each pair; empty: all 1. `batch`: how many positions are prepared together.
    Rope(Memory& memory, std::size_t batch, RopeKind kind, const RopeShape& shape, std::span<const float> factors);

    // Computes sines and cosines for rotate() at the positions [first, first + count), with the indexes from `index`
    // on; index + count ≤ batch.
    void prepare(std::uint32_t first, std::size_t count, std::size_t index = 0);
    // Rotates the first elements of a head's vector by the angles of the prepared position `index`.
    void rotate(float* head, std::size_t index) const;
    // Prepares shift(), which moves a rotated head by a number of positions (negative: back). Without the magnitude
    // that rotate() applies. Replaces what prepare() prepared.
    void prepareShift(std::int64_t positions);
    void shift(float* head) const { rotate(head, 0); }

private:
    void prepareOne(std::size_t index, double position, double magnitude);
    void rotatePairs(float* head, const float* cosines, const float* sines) const;

    RopeKind m_kind = RopeKind::None;
    std::vector<double> m_frequencies;
    double m_magnitude = 1;
    float* m_cosines = nullptr; // [position][pair]
    float* m_sines = nullptr;
};

} // namespace gufo::inference
