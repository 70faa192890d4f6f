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

void keepInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens) {
    std::size_t at = 0;
    for (const RecurrenceInput& part : parts) {
        for (std::size_t t = 0; t < tokens; ++t) {
            std::copy_n(part.rows[t], part.width, kept[t] + at);
        }
        at += part.width;
    }
}

void loadInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens) {
    std::size_t at = 0;
    for (const RecurrenceInput& part : parts) {
        for (std::size_t t = 0; t < tokens; ++t) {
            std::copy_n(kept[t] + at, part.width, part.rows[t]);
        }
        at += part.width;
    }
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
