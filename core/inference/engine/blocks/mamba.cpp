// Selective state spaces (Gu and Dao 2023). The file's A is already −exp(A_log).
#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

class Mamba final : public BlockStack {
public:
    Mamba(const ForwardContext& context, const StackOptions& options)
        : m_context(context)
        , m_ssm(context.shape.ssm)
        , m_normed(context.memory, options.batch, context.shape.embedding)
        , m_split(context.memory, options.batch, std::size_t{2} * m_ssm.inner)
        , m_x(context.memory, options.batch, m_ssm.inner)
        , m_parameters(context.memory, options.batch, m_ssm.timeStepRank + std::size_t{2} * m_ssm.state)
        , m_timeStep(context.memory, options.batch, m_ssm.inner)
        , m_branch(context.memory, options.batch, context.shape.embedding)
        , m_state(context.memory.take<float>(context.shape.blocks.size(), stateSize(), Memory::Part::State),
                  context.shape.blocks.size() * stateSize()) {}

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) override;
    void reset() override { std::ranges::fill(m_state, 0.0F); }
    std::span<float> state() override { return m_state; }

private:
    // Of a block: the inputs that the convolution still sees, then the state of each inner element.
    [[nodiscard]] std::size_t convolutionSize() const { return std::size_t{m_ssm.inner} * (m_ssm.convolution - 1); }
    [[nodiscard]] std::size_t stateSize() const { return convolutionSize() + std::size_t{m_ssm.inner} * m_ssm.state; }

    void convolve(const MambaWeights& weights, float* past, std::size_t tokens);
    void scan(const MambaWeights& weights, float* state, std::size_t tokens);

    const ForwardContext& m_context;
    const SsmShape& m_ssm;
    Activations m_normed;
    Activations m_split; // x, then its gate z
    Activations m_x;
    Activations m_parameters; // low-rank time step, B, C
    Activations m_timeStep;
    Activations m_branch;
    std::span<float> m_state; // of all blocks
};

bool Mamba::run(Rows stream, std::uint32_t /*position*/, std::size_t tokens, const JobContext& job) {
    const std::size_t width = m_context.shape.embedding;
    Multiplier& multiplier = m_context.multiplier;
    for (std::size_t i = 0; i < m_context.shape.blocks.size(); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        const BlockWeights& block = m_context.weights.blocks[i];
        const MambaWeights& weights = block.mamba;
        float* state = m_state.data() + i * stateSize();
        m_context.norm(block.attentionNorm, stream, m_normed.rows(), tokens, width);
        multiplier.multiply(weights.in, m_normed.rows(), m_split.rows(), tokens);
        convolve(weights, state, tokens);
        multiplier.multiply(weights.x, m_x.rows(), m_parameters.rows(), tokens);
        if (m_ssm.normed) {
            for (std::size_t t = 0; t < tokens; ++t) {
                const std::span<float> row = m_parameters[t];
                normalise(NormKind::Rms, m_context.shape.epsilon, row.first(m_ssm.timeStepRank));
                normalise(NormKind::Rms, m_context.shape.epsilon, row.subspan(m_ssm.timeStepRank, m_ssm.state));
                normalise(NormKind::Rms, m_context.shape.epsilon, row.last(m_ssm.state));
            }
        }
        multiplier.multiply(weights.timeStep, m_parameters.rows(), m_timeStep.rows(), tokens);
        scan(weights, state + convolutionSize(), tokens);
        multiplier.multiply(weights.out, m_x.rows(), m_branch.rows(), tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            add({stream[t], width}, m_branch[t]);
        }
    }
    return true;
}

// A causal convolution of each inner element over the last tokens, then SiLU.
void Mamba::convolve(const MambaWeights& weights, float* past, std::size_t tokens) {
    const std::size_t taps = m_ssm.convolution;
    m_context.multiplier.team().forShares(m_ssm.inner, 16, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t c = begin; c < end; ++c) {
            float* seen = past + c * (taps - 1);
            for (std::size_t t = 0; t < tokens; ++t) {
                const float x = m_split[t][c];
                float sum = weights.convolutionBias.empty() ? 0 : weights.convolutionBias[c];
                for (std::size_t k = 0; k + 1 < taps; ++k) {
                    sum += weights.convolution[c * taps + k] * seen[k];
                }
                sum += weights.convolution[c * taps + taps - 1] * x;
                m_x[t][c] = silu(sum);
                if (taps > 1) {
                    std::copy(seen + 1, seen + taps - 1, seen);
                    seen[taps - 2] = x;
                }
            }
        }
    });
}

// h = h × exp(Δ A) + Δ B x;  y = h C + D x, times SiLU(z). Leaves y in m_x.
void Mamba::scan(const MambaWeights& weights, float* state, std::size_t tokens) {
    const std::size_t size = m_ssm.state;
    m_context.multiplier.team().forShares(m_ssm.inner, 16, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t c = begin; c < end; ++c) {
            float* h = state + c * size;
            const float* a = weights.a.data() + c * size;
            for (std::size_t t = 0; t < tokens; ++t) {
                const float* b = m_parameters[t].data() + m_ssm.timeStepRank;
                const float* out = b + size;
                const float step = softplus(m_timeStep[t][c]);
                const float x = m_x[t][c];
                float y = weights.d[c] * x;
                for (std::size_t n = 0; n < size; ++n) {
                    h[n] = h[n] * std::exp(step * a[n]) + step * x * b[n];
                    y += h[n] * out[n];
                }
                m_x[t][c] = y * silu(m_split[t][m_ssm.inner + c]);
            }
        }
    });
}

} // namespace

std::unique_ptr<BlockStack> makeMamba(const ForwardContext& context, const StackOptions& options) {
    return std::make_unique<Mamba>(context, options);
}

} // namespace gufo::inference
