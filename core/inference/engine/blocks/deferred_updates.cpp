#include "inference/engine/blocks/deferred_updates.h"

#include <algorithm>

namespace gufo::inference {

std::size_t widthOf(const RecurrenceInputs& parts) {
    std::size_t width = 0;
    for (const RecurrenceInput& part : parts) {
        width += part.width;
    }
    return width;
}

namespace {

// Calls copy(activations, kept floats, their number) for each part of each token.
template<typename Copy>
void forEachPart(const RecurrenceInputs& parts, Rows kept, std::size_t tokens, Team& team, const Copy& copy) {
    team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            float* row = kept[t];
            for (const RecurrenceInput& part : parts) {
                copy(part.rows[t], row, part.width);
                row += part.width;
            }
        }
    });
}

} // namespace

void keepInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens, Team& team) {
    forEachPart(parts, kept, tokens, team,
                [](const float* from, float* to, std::size_t width) { std::copy_n(from, width, to); });
}

void loadInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens, Team& team) {
    forEachPart(parts, kept, tokens, team,
                [](float* to, const float* from, std::size_t width) { std::copy_n(from, width, to); });
}

MixerState DeferredUpdates::stateOf(std::span<float> all, const StateUpdate& update, std::size_t at, Team& team) const {
    if (!update.deferred) {
        return MixerState::of(all, update, at);
    }
    constexpr std::size_t kLine = 16; // floats: members do not share a cache line
    team.forShares(m_form.blockState, kLine, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        std::copy_n(all.data() + at + begin, end - begin, m_work + begin);
    });
    return {.now = m_work, .inputs = inputsAt(at)};
}

MixerState DeferredUpdates::replayed(std::span<float> all, std::size_t at) const {
    return {.now = all.data() + at, .inputs = inputsAt(at)};
}

} // namespace gufo::inference
