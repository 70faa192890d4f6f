// Mamba 2: state space duality (Dao and Gu 2024). Each head has a scalar decay; groups of heads share B and C.
#include "inference/engine/blocks/mixer.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

class Mamba2 final : public Mixer {
public:
    Mamba2(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_ssm(context.shape.ssm)
        , m_heads(m_ssm.timeStepRank)
        , m_length(m_ssm.inner / m_heads)
        , m_channels(m_ssm.inner + std::size_t{2} * m_ssm.groups * m_ssm.state)
        , m_rows(context.memory, batch, m_ssm.convolution, m_ssm.inner + m_channels + m_heads, m_ssm.inner, m_channels)
        , m_mixed(context.memory, batch, m_channels)
        , m_out(context.memory, batch, m_ssm.inner) {
        for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
            m_scratch.push_back(
                {.decay = context.memory.take<float>(m_ssm.state), .value = context.memory.take<float>(m_length)});
        }
    }

    // The inputs that the convolution still needs, then a matrix [state][element of the head] for each head.
    [[nodiscard]] std::size_t stateSize() const override {
        return m_rows.stateSize() + std::size_t{m_ssm.inner} * m_ssm.state;
    }
    void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) override;

private:
    struct Scratch { // of one member
        float* decay;
        float* value;
    };
    void scan(const Mamba2Weights& weights, std::size_t head, const MixerState& state, std::size_t tokens,
              const Scratch& scratch);
    void gate(const Mamba2Weights& weights, std::size_t token);

    const ForwardContext& m_context;
    const SsmShape& m_ssm;
    std::size_t m_heads;
    std::size_t m_length; // of a head
    std::size_t m_channels;
    ConvolutionRows m_rows; // the gate z, then x, B and C, then the time steps
    Activations m_mixed;    // x, B and C after the convolution
    Activations m_out;
    std::vector<Scratch> m_scratch;
};

void Mamba2::run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) {
    const Mamba2Weights& weights = block.mamba2;
    Multiplier& multiplier = m_context.multiplier;
    Team& team = multiplier.team();
    m_rows.begin(state);
    multiplier.multiply(weights.in, in, m_rows.rows(), tokens);
    team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            m_rows.convolve(weights.convolution, t, m_mixed[t].data());
            activate(Activation::Silu, m_mixed[t]);
        }
    });
    m_rows.end(state, tokens);
    team.forShares(m_heads, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t head = begin; head < end; ++head) {
            scan(weights, head, state.from(m_rows.stateSize() + head * m_length * m_ssm.state), tokens,
                 m_scratch[member]);
        }
    });
    team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            gate(weights, t);
        }
    });
    multiplier.multiply(weights.out, m_out.rows(), out, tokens);
}

// S = e^(Δ A) S + B' (Δ x); y = C S + D x
void Mamba2::scan(const Mamba2Weights& weights, std::size_t head, const MixerState& state, std::size_t tokens,
                  const Scratch& scratch) {
    const std::size_t states = m_ssm.state;
    const std::size_t group = head / (m_heads / m_ssm.groups);
    for (std::size_t t = 0; t < tokens; ++t) {
        state.copyAt(t, m_length * states);
        const float* x = m_mixed[t].data() + head * m_length;
        const float* b = m_mixed[t].data() + m_ssm.inner + group * states;
        const float step = softplus(m_rows[t][m_ssm.inner + m_channels + head] + weights.timeStepBias[head]);
        std::fill_n(scratch.decay, states, std::exp(step * weights.a[head]));
        std::transform(x, x + m_length, scratch.value, [&](float each) { return step * each; });
        float* y = m_out[t].data() + head * m_length;
        activeKernels().recurrence.step({.rows = states,
                                         .columns = m_length,
                                         .decay = scratch.decay,
                                         .key = b,
                                         .query = b + std::size_t{m_ssm.groups} * states,
                                         .value = scratch.value},
                                        state.now, y);
        addScaled(y, x, weights.d[head], m_length);
    }
}

// The gate comes before the norm.
void Mamba2::gate(const Mamba2Weights& weights, std::size_t token) {
    const std::span<float> row = m_out[token];
    activateGated(Activation::Silu, {m_rows[token], m_ssm.inner}, row);
    if (weights.norm) {
        applyNorm(weights.norm, NormKind::Rms, m_context.shape.epsilon, row, row);
    }
}

} // namespace

std::unique_ptr<Mixer> makeMamba2(const ForwardContext& context, std::size_t batch) {
    return std::make_unique<Mamba2>(context, batch);
}

} // namespace gufo::inference
