// Rotary position embedding (Su et al. 2021), with linear scaling, YaRN (Peng et al. 2023) and factors for each pair
// (Llama 3, LongRoPE): all of them give each pair of elements a frequency, and angles that grow with the position.
#pragma once

#include "inference/engine/binding/shape.h"
#include "inference/engine/compute/memory.h"

#include <span>
#include <vector>

namespace gufo::inference {

class Rope {
public:
    Rope() = default; // rotates nothing
    // `factors`: what the frequency of each pair is divided by; empty: 1. `batch`: positions prepared together.
    Rope(Memory& memory, std::size_t batch, RopeKind kind, const RopeShape& shape, std::uint32_t rotated,
         std::span<const float> factors);

    // Sines and cosines of the positions [first, first + count), for rotate(); count ≤ batch.
    void prepare(std::uint32_t first, std::size_t count);
    // The first elements of a head's vector, at position `index` of those prepared.
    void rotate(float* head, std::size_t index) const;
    // For turn(): by how many positions more (fewer if negative), without the magnitude that rotate() gives. Ends what
    // prepare() prepared.
    void prepareTurn(std::int64_t positions);
    void turn(float* head) const { rotate(head, 0); }

private:
    void prepare(std::size_t index, double position, double magnitude);
    void turnPairs(float* head, const float* cosines, const float* sines) const;

    RopeKind m_kind = RopeKind::None;
    std::vector<double> m_frequencies;
    double m_magnitude = 1;
    float* m_cosines = nullptr; // [position][pair]
    float* m_sines = nullptr;
};

} // namespace gufo::inference
