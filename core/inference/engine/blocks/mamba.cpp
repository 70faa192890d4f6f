// Mamba: selective state spaces (Gu and Dao 2023). The file stores A as −exp(A_log).
#include "inference/engine/blocks/mixer.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <functional>

namespace gufo::inference {
namespace {

struct MambaWeights : KindWeights {
    Matrix in; // makes x and its gate z
    ConvolutionWeights convolution;
    Matrix x; // makes the low-rank time step, B and C
    Norm timeStepNorm;
    Norm bNorm;
    Norm cNorm;
    Matrix timeStep;
    std::vector<float> a; // [state][inner]
    std::vector<float> d;
    Matrix out;
};

class Mamba final : public Mixer {
public:
    Mamba(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_ssm(static_cast<const SsmShape&>(*context.shape.recurrence))
        , m_split(context.memory, batch, m_ssm.convolution, std::size_t{2} * m_ssm.inner, 0, m_ssm.inner)
        , m_x(context.memory, batch, m_ssm.inner)
        , m_parameters(context.memory, batch, m_ssm.timeStepRank + std::size_t{2} * m_ssm.state)
        , m_timeStep(context.memory, batch, m_ssm.inner)
        , m_input(context.memory, batch, m_ssm.inner)
        , m_out(context.memory, batch, m_ssm.inner) {}

    // The inputs that the convolution still needs, then the state [state][inner].
    [[nodiscard]] std::size_t stateSize() const override {
        return m_split.stateSize() + std::size_t{m_ssm.inner} * m_ssm.state;
    }
    [[nodiscard]] StateHeads heads() const override {
        return {.begin = m_split.stateSize(), .heads = 1, .size = std::size_t{m_ssm.inner} * m_ssm.state};
    }
    [[nodiscard]] double decayOf(const BlockWeights& block, std::size_t token, std::size_t /*head*/) const override;
    void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) override;
    [[nodiscard]] RecurrenceInputs inputs() const override {
        const Rows keys{m_parameters.rows().data + m_ssm.timeStepRank, m_parameters.width()};
        return {{m_split.rows(), m_ssm.inner},
                {keys, m_ssm.state},
                {m_timeStep.rows(), m_ssm.inner},
                {m_input.rows(), m_ssm.inner}};
    }
    void replay(const BlockWeights& block, const MixerState& state, std::size_t tokens) override;

private:
    void normParameters(const MambaWeights& weights, std::span<float> row) const;
    void scan(const MambaWeights& weights, const MixerState& state, std::size_t tokens);
    void step(const MambaWeights& weights, const MixerState& state, std::size_t token, std::size_t begin,
              std::size_t end);

    const ForwardContext& m_context;
    const SsmShape& m_ssm;
    ConvolutionRows m_split; // x, followed by its gate z
    Activations m_x;
    Activations m_parameters; // low-rank time step, B and C
    Activations m_timeStep;
    Activations m_input; // time step × x
    Activations m_out;
};

void Mamba::run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) {
    const auto& weights = static_cast<const MambaWeights&>(*block.recurrence);
    Multiplier& multiplier = m_context.multiplier;
    multiplier.multiply(weights.in, in, m_split.rows(), tokens);
    m_split.begin(state);
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        m_split.convolve(weights.convolution, begin, end, m_x.rows(),
                         [&](std::size_t t) { activate(Activation::Silu, m_x[t]); });
    });
    m_split.end(state, tokens);
    multiplier.multiply(weights.x, m_x.rows(), m_parameters.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        normParameters(weights, m_parameters[t]);
    }
    multiplier.multiply(weights.timeStep, m_parameters.rows(), m_timeStep.rows(), tokens);
    scan(weights, state.from(m_split.stateSize()), tokens);
    multiplier.multiply(weights.out, m_out.rows(), out, tokens);
}

double Mamba::decayOf(const BlockWeights& block, std::size_t token, std::size_t /*head*/) const {
    const std::vector<float>& a = static_cast<const MambaWeights&>(*block.recurrence).a;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::exp(static_cast<double>(m_timeStep[token][i % m_ssm.inner]) * static_cast<double>(a[i]));
    }
    return sum / static_cast<double>(a.size());
}

void Mamba::replay(const BlockWeights& block, const MixerState& state, std::size_t tokens) {
    const auto& weights = static_cast<const MambaWeights&>(*block.recurrence);
    m_split.begin(state);
    m_split.end(state, tokens);
    const MixerState states = state.from(m_split.stateSize());
    m_context.multiplier.team().forShares(m_ssm.inner, 16, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::size_t t = 0; t < tokens; ++t) {
            step(weights, states, t, begin, end);
        }
    });
}

// h = h × exp(Δ A) + Δ B x; y = h C, for the channels [begin, end).
void Mamba::step(const MambaWeights& weights, const MixerState& state, std::size_t token, std::size_t begin,
                 std::size_t end) {
    const float* b = m_parameters[token].data() + m_ssm.timeStepRank;
    activeKernels().recurrence.selectiveStep({.states = m_ssm.state,
                                              .channels = end - begin,
                                              .stride = m_ssm.inner,
                                              .a = weights.a.data() + begin,
                                              .step = m_timeStep[token].data() + begin,
                                              .input = m_input[token].data() + begin,
                                              .key = b,
                                              .query = b + m_ssm.state},
                                             state.now + begin, m_out[token].data() + begin);
}

// Falcon's Mamba norms without weights, Jamba with weights.
void Mamba::normParameters(const MambaWeights& weights, std::span<float> row) const {
    const auto normPart = [&](const Norm& norm, std::span<float> part) {
        if (norm) {
            applyNorm(norm, NormKind::Rms, m_context.shape.epsilon, part, part);
        } else if (m_ssm.normed) {
            normalise(NormKind::Rms, m_context.shape.epsilon, part);
        }
    };
    normPart(weights.timeStepNorm, row.first(m_ssm.timeStepRank));
    normPart(weights.bNorm, row.subspan(m_ssm.timeStepRank, m_ssm.state));
    normPart(weights.cNorm, row.last(m_ssm.state));
}

// y + D x, multiplied by SiLU(z), is the result of a step.
void Mamba::scan(const MambaWeights& weights, const MixerState& state, std::size_t tokens) {
    const std::size_t inner = m_ssm.inner;
    m_context.multiplier.team().forShares(inner, 16, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        const std::size_t count = end - begin;
        for (std::size_t t = 0; t < tokens; ++t) {
            if (state.copy != nullptr && t == state.after) {
                for (std::size_t n = 0; n < m_ssm.state; ++n) {
                    std::copy_n(state.now + n * inner + begin, count, state.copy + n * inner + begin);
                }
            }
            const std::span<float> timeStep = m_timeStep[t].subspan(begin, count);
            const std::span<float> input = m_input[t].subspan(begin, count);
            const std::span<float> x = m_x[t].subspan(begin, count);
            const std::span<float> y = m_out[t].subspan(begin, count);
            softplus(timeStep);
            std::ranges::transform(timeStep, x, input.begin(), std::multiplies());
            step(weights, state, t, begin, end);
            for (std::size_t c = 0; c < count; ++c) {
                y[c] += weights.d[begin + c] * x[c];
            }
            activateGated(Activation::Silu, {m_split[t] + inner + begin, count}, y);
        }
    });
}

std::shared_ptr<const KindWeights> bindMamba(WeightBinder& binder) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    auto weights = std::make_shared<MambaWeights>();
    const auto& ssm = static_cast<const SsmShape&>(*shape.recurrence);
    const std::uint64_t inner = ssm.inner;
    weights->in = file.matrix("ssm_in", shape.embedding, 2 * inner);
    weights->convolution = {.taps = convolutionTaps(file, "ssm_conv1d", ssm.convolution, inner),
                            .bias = file.floats("ssm_conv1d.bias", inner, WeightBinder::Need::May)};
    weights->x =
        file.withFinerActivations(file.matrix("ssm_x", inner, ssm.timeStepRank + 2 * std::uint64_t{ssm.state}));
    weights->timeStepNorm = file.norm("ssm_dt_norm", ssm.timeStepRank, WeightBinder::Need::May);
    weights->bNorm = file.norm("ssm_b_norm", ssm.state, WeightBinder::Need::May);
    weights->cNorm = file.norm("ssm_c_norm", ssm.state, WeightBinder::Need::May);
    weights->timeStep = file.withFinerActivations(file.matrix("ssm_dt", ssm.timeStepRank, inner));
    weights->a = transposed(file.grid("ssm_a", ssm.state, inner), ssm.state);
    weights->d = file.floats("ssm_d", inner);
    weights->out = file.matrix("ssm_out", inner, shape.embedding);
    return weights;
}

} // namespace

SsmShape readSsm(ShapeReader& reader) {
    SsmShape ssm;
    ssm.convolution = reader.length("ssm.conv_kernel");
    ssm.inner = reader.length("ssm.inner_size");
    ssm.state = reader.length("ssm.state_size");
    ssm.timeStepRank = reader.length("ssm.time_step_rank");
    ssm.normed = reader.flag("ssm.dt_b_c_rms", false);
    return ssm;
}

constexpr RecurrentKind kMamba{
    .name = "Mamba",
    .readShape = [](ShapeReader& reader) -> std::shared_ptr<const KindShape> {
        return std::make_shared<SsmShape>(readSsm(reader));
    },
    .bind = bindMamba,
    .weightBytes = sizeof(MambaWeights),
    .make = [](const ForwardContext& context, std::size_t batch) -> std::unique_ptr<Mixer> {
        return std::make_unique<Mamba>(context, batch);
    },
};

} // namespace gufo::inference
