#include "inference/engine/snapshots.h"

#include <algorithm>
#include <limits>

namespace gufo::inference {
namespace {

// How many copies there are depends on their size alone, so that the memory of a session can be predicted.
constexpr std::uint64_t kBytes = 256U << 20U;
constexpr std::uint64_t kFewest = 3; // the beginning of a batch, the end of the prompt, and one to go back to
constexpr std::uint64_t kMaximum = 16;

std::uint32_t placesFor(std::size_t floats) {
    return floats == 0 ? 0 : static_cast<std::uint32_t>(std::clamp(kBytes / sizeof(float) / floats, kFewest, kMaximum));
}

// How much longer the end of a prompt is kept than other positions.
constexpr double kWeightOfPrompts = 8;

} // namespace

Snapshots::Snapshots(Memory& memory, std::size_t floats)
    : m_size(floats)
    , m_places(placesFor(floats))
    , m_floats(memory.take<float>(m_places, floats, Memory::Part::Snapshots)) {
    m_taken.reserve(m_places);
}

std::span<float> Snapshots::place(std::uint32_t position, Kind kind) {
    std::uint32_t place = 0;
    if (m_taken.size() == m_places) {
        const auto minimum = m_taken.begin() + static_cast<std::ptrdiff_t>(leastMissed(position));
        place = minimum->place;
        m_taken.erase(minimum);
    } else {
        while (std::ranges::find(m_taken, place, &Taken::place) != m_taken.end()) {
            ++place;
        }
    }
    m_taken.push_back({position, kind, place});
    return at(place);
}

std::size_t Snapshots::leastMissed(std::uint32_t end) const {
    std::size_t minimum = 0;
    double leastCost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 2 < m_taken.size(); ++i) {
        const double previous = i == 0 ? 0 : m_taken[i - 1].position;
        const double gap = m_taken[i + 1].position - previous;
        const double weight = m_taken[i].kind == Kind::EndOfPrompt ? kWeightOfPrompts : 1;
        const double cost = weight * gap / (1.0 + end - m_taken[i].position);
        if (cost < leastCost) {
            minimum = i;
            leastCost = cost;
        }
    }
    return minimum;
}

bool Snapshots::has(std::uint32_t position) const {
    return std::ranges::find(m_taken, position, &Taken::position) != m_taken.end();
}

std::optional<Snapshots::Found> Snapshots::before(std::uint32_t position) const {
    const auto after = std::ranges::upper_bound(m_taken, position, {}, &Taken::position);
    if (after == m_taken.begin()) {
        return std::nullopt;
    }
    const Taken& found = *std::prev(after);
    return Found{.position = found.position, .state = at(found.place)};
}

void Snapshots::forgetAfter(std::uint32_t position) {
    m_taken.erase(std::ranges::upper_bound(m_taken, position, {}, &Taken::position), m_taken.end());
}

} // namespace gufo::inference
