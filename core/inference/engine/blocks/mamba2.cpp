// Mamba 2: state space duality (Dao and Gu 2024). Each head has a scalar decay; groups of heads share B and C.
#include "inference/engine/blocks/linear_chunks.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

struct Mamba2Weights : KindWeights {
    Matrix in; // makes the gate z; x, B and C, which are convolved; and the time steps
    ConvolutionWeights convolution;
    std::vector<float> timeStepBias; // by head, as are a and d
    std::vector<float> a;
    std::vector<float> d;
    Norm norm; // of a group of heads
    Matrix out;
};

class Mamba2 final : public Mixer {
public:
    Mamba2(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_ssm(static_cast<const SsmShape&>(*context.shape.recurrence))
        , m_heads(m_ssm.timeStepRank)
        , m_length(m_ssm.inner / m_heads)
        , m_channels(m_ssm.inner + std::size_t{2} * m_ssm.groups * m_ssm.state)
        , m_rows(context.memory, batch, m_ssm.convolution, m_ssm.inner + m_channels + m_heads, m_ssm.inner, m_channels)
        , m_mixed(context.memory, batch, m_channels)
        , m_decays(context.memory, batch, m_heads)
        , m_chunks(context.memory, batch, context.multiplier.team().size(),
                   {.keyHeads = m_ssm.groups, .keyLength = m_ssm.state, .valueLength = m_length})
        , m_values(context.memory, batch, m_ssm.inner)
        , m_out(context.memory, batch, m_ssm.inner) {
        for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
            m_scratch.push_back(context.memory.take<float>(m_ssm.state));
        }
    }

    // The inputs that the convolution still needs, then a matrix [state][element of the head] for each head.
    [[nodiscard]] std::size_t stateSize() const override {
        return m_rows.stateSize() + std::size_t{m_ssm.inner} * m_ssm.state;
    }
    [[nodiscard]] StateHeads heads() const override {
        return {.begin = m_rows.stateSize(), .heads = m_heads, .size = m_length * m_ssm.state};
    }
    [[nodiscard]] double decayOf(const BlockWeights& /*block*/, std::size_t token, std::size_t head) const override {
        return static_cast<double>(m_decays[token][head]);
    }
    void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) override;
    [[nodiscard]] RecurrenceInputs inputs() const override {
        const Rows convolved{m_rows.rows().data + m_ssm.inner, m_rows.rows().stride};
        const Rows keys{m_mixed.rows().data + m_ssm.inner, m_mixed.width()};
        return {{convolved, m_channels},
                {keys, std::size_t{m_ssm.groups} * m_ssm.state},
                {m_values.rows(), m_ssm.inner},
                {m_decays.rows(), m_heads}};
    }
    void replay(const BlockWeights& block, const MixerState& state, std::size_t tokens) override;

private:
    // Updates the matrices, and writes m_out, without the gates, if there are weights.
    void recur(const Mamba2Weights* weights, const MixerState& state, std::size_t tokens);
    // Convolves x, B and C, and computes time steps, decays and values.
    void prepare(const Mamba2Weights& weights, std::size_t token);
    // The inputs and outputs of a head for the tokens from `token` on.
    [[nodiscard]] LinearChunk chunkOf(std::size_t head, std::size_t token, std::size_t tokens) const;
    void scan(const Mamba2Weights* weights, std::size_t head, const MixerState& state, unsigned member) const;
    void step(const LinearChunk& token, float* state, float* decay) const;
    void gate(const Mamba2Weights& weights, std::size_t token);

    const ForwardContext& m_context;
    const SsmShape& m_ssm;
    std::size_t m_heads;
    std::size_t m_length; // of a head
    std::size_t m_channels;
    ConvolutionRows m_rows; // the gate z, then x, B and C, then the time steps
    Activations m_mixed;    // x, B and C after the convolution
    Activations m_decays;   // of each head
    LinearChunks m_chunks;
    Activations m_values; // time step × x
    Activations m_out;
    std::vector<float*> m_scratch; // of each member: the decay of each element
};

void Mamba2::run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) {
    const auto& weights = static_cast<const Mamba2Weights&>(*block.recurrence);
    Multiplier& multiplier = m_context.multiplier;
    multiplier.multiply(weights.in, in, m_rows.rows(), tokens);
    m_rows.begin(state);
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        m_rows.convolve(weights.convolution, begin, end, m_mixed.rows(), [&](std::size_t t) { prepare(weights, t); });
    });
    m_rows.end(state, tokens);
    recur(&weights, state, tokens);
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            gate(weights, t);
        }
    });
    multiplier.multiply(weights.out, m_out.rows(), out, tokens);
}

void Mamba2::replay(const BlockWeights& /*block*/, const MixerState& state, std::size_t tokens) {
    m_rows.begin(state);
    m_rows.end(state, tokens);
    recur(nullptr, state, tokens);
}

void Mamba2::recur(const Mamba2Weights* weights, const MixerState& state, std::size_t tokens) {
    Team& team = m_context.multiplier.team();
    const MixerState squares = state.from(m_rows.stateSize());
    m_chunks.divide(tokens);
    const std::uint64_t scored = weights != nullptr ? m_chunks.count() * m_ssm.groups : 0; // only outputs need scores
    team.forShares(scored, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const std::size_t chunk = i / m_ssm.groups;
            if (m_chunks.tokensOf(chunk) >= LinearChunks::kFewest) {
                const std::size_t head = i % m_ssm.groups * (m_heads / m_ssm.groups);
                m_chunks.score(chunkOf(head, m_chunks.begin(chunk), m_chunks.tokensOf(chunk)), member);
            }
        }
    });
    team.forShares(m_heads, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t head = begin; head < end; ++head) {
            scan(weights, head, squares.from(head * m_length * m_ssm.state), member);
        }
    });
}

void Mamba2::prepare(const Mamba2Weights& weights, std::size_t token) {
    const std::span<float> mixed = m_mixed[token];
    activate(Activation::Silu, mixed);
    const float* steps = m_rows[token] + m_ssm.inner + m_channels;
    for (std::size_t head = 0; head < m_heads; ++head) {
        const float step = softplus(steps[head] + weights.timeStepBias[head]);
        m_decays[token][head] = std::exp(step * weights.a[head]);
        const std::size_t at = head * m_length;
        activeKernels().recurrence.scale(mixed.data() + at, step, nullptr, m_values[token].data() + at, m_length);
    }
}

LinearChunk Mamba2::chunkOf(std::size_t head, std::size_t token, std::size_t tokens) const {
    const std::size_t group = head / (m_heads / m_ssm.groups);
    const auto from = [&](const Activations& rows, std::size_t at) {
        return Rows{rows[token].data() + at, rows.width()};
    };
    const std::size_t b = m_ssm.inner + group * m_ssm.state;
    return {.tokens = tokens,
            .queries = from(m_mixed, b + std::size_t{m_ssm.groups} * m_ssm.state),
            .keys = from(m_mixed, b),
            .values = from(m_values, head * m_length),
            .decays = from(m_decays, head),
            .scores = m_chunks.scores(group, token),
            .out = from(m_out, head * m_length)};
}

// S = e^(Δ A) S + B' (Δ x); y = C S + D x
void Mamba2::scan(const Mamba2Weights* weights, std::size_t head, const MixerState& state, unsigned member) const {
    const std::size_t at = head * m_length;
    m_chunks.forEach(state, m_length * m_ssm.state, [&](std::size_t first, std::size_t tokens, float* updated) {
        if (tokens >= LinearChunks::kFewest) {
            LinearChunk chunk = chunkOf(head, first, tokens);
            chunk.out.data = weights != nullptr ? chunk.out.data : nullptr;
            m_chunks.run(chunk, updated, member);
        } else {
            for (std::size_t t = first; t < first + tokens; ++t) {
                step(chunkOf(head, t, 1), updated, m_scratch[member]);
            }
        }
        for (std::size_t t = first; weights != nullptr && t < first + tokens; ++t) {
            addScaled(m_out[t].data() + at, m_mixed[t].data() + at, weights->d[head], m_length);
        }
    });
}

void Mamba2::step(const LinearChunk& token, float* state, float* decay) const {
    std::fill_n(decay, m_ssm.state, token.decays[0][0]);
    activeKernels().recurrence.step({.rows = m_ssm.state,
                                     .columns = m_length,
                                     .decay = decay,
                                     .key = token.keys.data,
                                     .query = token.queries.data,
                                     .value = token.values.data},
                                    state, token.out.data);
}

// The gate comes before the norm.
void Mamba2::gate(const Mamba2Weights& weights, std::size_t token) {
    const std::span<float> row = m_out[token];
    activateGated(Activation::Silu, {m_rows[token], m_ssm.inner}, row);
    if (weights.norm) {
        applyNorm(weights.norm, NormKind::Rms, m_context.shape.epsilon, row, row);
    }
}

std::shared_ptr<const KindShape> readMamba2(ShapeReader& reader) {
    auto ssm = std::make_shared<SsmShape>(readSsm(reader));
    ssm->groups = reader.length("ssm.group_count");
    if (ssm->inner % ssm->timeStepRank != 0) {
        reader.refuse("ssm.time_step_rank");
    }
    if (ssm->timeStepRank % ssm->groups != 0) {
        reader.refuse("ssm.group_count");
    }
    return ssm;
}

std::shared_ptr<const KindWeights> bindMamba2(WeightBinder& binder) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    auto weights = std::make_shared<Mamba2Weights>();
    const auto& ssm = static_cast<const SsmShape&>(*shape.recurrence);
    const std::uint64_t inner = ssm.inner;
    const std::uint64_t heads = ssm.timeStepRank;
    const std::uint64_t channels = inner + 2 * std::uint64_t{ssm.groups} * ssm.state;
    weights->in = file.matrix("ssm_in", shape.embedding, inner + channels + heads);
    weights->convolution = {.taps = convolutionTaps(file, "ssm_conv1d", ssm.convolution, channels),
                            .bias = file.floats("ssm_conv1d.bias", channels, WeightBinder::Need::May)};
    weights->timeStepBias = file.floats("ssm_dt.bias", heads);
    weights->a = file.floats("ssm_a", heads);
    weights->d = file.floats("ssm_d", heads);
    // Of Falcon H1 only the large models have this norm.
    const bool mayLack = shape.architecture->recurrence.blocks == RecurrentBlocks::Beside;
    weights->norm = file.norm("ssm_norm", inner, mayLack ? WeightBinder::Need::May : WeightBinder::Need::Must);
    weights->norm.length = inner / ssm.groups;
    weights->out = file.matrix("ssm_out", inner, shape.embedding);
    return weights;
}

} // namespace

constexpr RecurrentKind kMamba2{
    .name = "Mamba-2",
    .readShape = readMamba2,
    .bind = bindMamba2,
    .weightBytes = sizeof(Mamba2Weights),
    .make = [](const ForwardContext& context, std::size_t batch) -> std::unique_ptr<Mixer> {
        return std::make_unique<Mamba2>(context, batch);
    },
};

} // namespace gufo::inference
