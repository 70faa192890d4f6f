#include "inference/engine/blocks/token_shift.h"

#include "inference/engine/compute/operations.h"

#include <algorithm>

namespace gufo::inference {

void TokenShift::run(const Norm& norm, const MixerState& state, Rows stream, std::size_t tokens) {
    m_context.norm(norm, stream, m_normed.rows(), tokens, m_width);
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const float* before = t == 0 ? state.now : m_normed[t - 1].data();
            for (std::size_t i = 0; i < m_width; ++i) {
                m_difference[t][i] = before[i] - m_normed[t][i];
            }
        }
    });
    if (state.copy != nullptr) {
        std::ranges::copy(m_normed[state.after - 1], state.copy);
    }
    std::ranges::copy(m_normed[tokens - 1], state.now);
}

void TokenShift::mix(std::span<const float> mix, Rows out, std::size_t tokens) const {
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const float* normed = m_normed[t].data();
            const float* difference = m_difference[t].data();
            float* mixed = out[t];
            std::size_t i = 0;
            for (; i + 4 <= m_width; i += 4) {
                store4(mixed + i, load4(normed + i) + load4(difference + i) * load4(mix.data() + i));
            }
            for (; i < m_width; ++i) {
                mixed[i] = normed[i] + difference[i] * mix[i];
            }
        }
    });
}

void requireWholeHeads(ShapeReader& reader, std::uint32_t headSize) {
    if (!reader.refused() && reader.shape().embedding % headSize != 0) {
        reader.refuse("wkv.head_size");
    }
}

} // namespace gufo::inference
