// RWKV's mixture of each token's normed input with the normed input of the token before it.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/blocks/mixer.h"

#include <span>

namespace gufo::inference {

class TokenShift {
public:
    TokenShift(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_width(context.shape.embedding)
        , m_normed(context.memory, batch, m_width)
        , m_difference(context.memory, batch, m_width) {}

    // Norms the stream, and subtracts each result from the one before it. The state is the last token's.
    void run(const Norm& norm, const MixerState& state, Rows stream, std::size_t tokens);
    // The states after the tokens.
    [[nodiscard]] RecurrenceInput states() const { return {m_normed.rows(), m_width}; }
    // out[t] = normed[t] + difference[t] × mix
    void mix(std::span<const float> mix, Rows out, std::size_t tokens) const;

    [[nodiscard]] std::span<const float> normed(std::size_t token) const { return m_normed[token]; }
    [[nodiscard]] std::span<const float> difference(std::size_t token) const { return m_difference[token]; }

private:
    const ForwardContext& m_context;
    std::size_t m_width;
    Activations m_normed;
    Activations m_difference;
};

// Refuses a head size of RWKV that does not divide the width of the stream.
void requireWholeHeads(ShapeReader& reader, std::uint32_t headSize);

} // namespace gufo::inference
