// RWKV 6, "Finch" (Peng et al. 2024, arXiv 2404.05892): linear attention with data-dependent decay.
#include "inference/engine/blocks/deferred_updates.h"
#include "inference/engine/blocks/token_shift.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::inference {
namespace {

struct Rwkv6Shape : KindShape {
    std::uint32_t headSize = 0;
    std::uint32_t timeMixExtra = 0;
    std::uint32_t timeDecayExtra = 0;
    std::uint32_t rescaleEvery = 0;
};

struct RwkvWeights : KindWeights {
    Matrix mixDown; // makes five groups of extra dimensions
    std::vector<Matrix> mixUp;
    std::vector<float> mixBase;
    std::vector<std::vector<float>> mix; // w, k, v, r, g
    std::vector<float> first;
    std::vector<float> decay;
    Matrix decayDown;
    Matrix decayUp;
    Matrix key;
    Matrix value;
    Matrix receptance;
    Matrix gate;
    Norm norm;
    Matrix output;
    std::vector<float> channelMixKey;
    std::vector<float> channelMixReceptance;
    Matrix channelKey;
    Matrix channelValue;
    Matrix channelReceptance;
};

constexpr double kHeadNormEpsilon = 64e-5;

class Rwkv final : public BlockStack {
public:
    Rwkv(const ForwardContext& context, const StackOptions& options)
        : m_context(context)
        , m_rwkv(static_cast<const Rwkv6Shape&>(*context.shape.recurrence))
        , m_width(context.shape.embedding)
        , m_shift(context, options.batch)
        , m_mixed(context.memory, options.batch, m_width)
        , m_low(context.memory, options.batch,
                std::max<std::size_t>(std::size_t{5} * m_rwkv.timeMixExtra, m_rwkv.timeDecayExtra))
        , m_branch(context.memory, options.batch, m_width)
        , m_state(context.memory.take<float>(context.shape.blocks.size(), stateSize(), Memory::Part::State),
                  context.shape.blocks.size() * stateSize()) {
        for (Activations& part : m_parts) {
            part = Activations(context.memory, options.batch, m_width);
        }
        std::size_t widest = 1;
        for (const BlockShape& block : context.shape.blocks) {
            widest = std::max<std::size_t>(widest, block.feedForward);
        }
        m_channelKey = Activations(context.memory, options.batch, widest);
    }

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const StateUpdate& update,
             const JobContext& job) override;
    void reset() override { std::ranges::fill(m_state, 0.0F); }
    std::span<float> state() override { return m_state; }
    [[nodiscard]] std::size_t deferredFloats() const override { return deferredForm().floatsPerToken(); }
    void deferUpdates(Memory& memory, std::size_t tokens) override {
        m_deferred = DeferredUpdates(memory, deferredForm(), tokens);
    }
    void replay(std::size_t tokens) override;

private:
    // The inputs mixed from this token and the one before it, in the order of the file's tensors.
    enum Part : std::size_t { Decay, Key, Value, Receptance, Gate, PartCount };

    // State of a block: the last token's inputs of the time mix and the channel mix, then a square matrix for each
    // head.
    [[nodiscard]] std::size_t stateSize() const { return 2 * m_width + m_width * m_rwkv.headSize; }

    [[nodiscard]] DeferredUpdates::Form deferredForm() const {
        return {.blockState = stateSize(),
                .blocks = m_context.shape.blocks.size(),
                .inputs = 2 * m_width + widthOf(inputs())};
    }
    // What attend() updates the matrices with. Kept beside it are the states of the two token shifts.
    [[nodiscard]] RecurrenceInputs inputs() const {
        return {{m_parts[Key].rows(), m_width}, {m_parts[Value].rows(), m_width}, {m_parts[Decay].rows(), m_width}};
    }
    // Copies parts of a batch whose update is deferred.
    void keep(const RecurrenceInputs& parts, Rows kept, std::size_t tokens) const {
        if (kept.data != nullptr) {
            keepInputs(parts, kept, tokens, m_context.multiplier.team());
        }
    }
    void timeMix(const RwkvWeights& weights, const MixerState& state, std::size_t tokens);
    void mixParts(const RwkvWeights& weights, std::size_t tokens);
    void attend(const RwkvWeights& weights, const MixerState& squares, std::size_t tokens);
    void channelMix(const RwkvWeights& weights, std::size_t tokens);
    void addBranch(Rows stream, std::size_t tokens);

    const ForwardContext& m_context;
    const Rwkv6Shape& m_rwkv;
    std::size_t m_width;
    TokenShift m_shift;
    Activations m_mixed;
    Activations m_low;
    Activations m_branch;
    std::array<Activations, PartCount> m_parts;
    Activations m_channelKey;
    std::span<float> m_state; // of all blocks
    DeferredUpdates m_deferred;
};

bool Rwkv::run(Rows stream, std::uint32_t /*position*/, std::size_t tokens, const StateUpdate& update,
               const JobContext& job) {
    const std::uint32_t rescale = m_rwkv.rescaleEvery;
    const BlockRange& range = m_context.range;
    if (range.first != 0) {
        m_context.enter({&stream, 1}, tokens);
    }
    for (std::size_t i = range.first; i < std::min(range.end, m_context.shape.blocks.size()); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        const BlockWeights& block = m_context.weights.blocks[i];
        const auto& weights = static_cast<const RwkvWeights&>(*block.recurrence);
        const MixerState state = m_deferred.stateOf(m_state, update, i * stateSize(), m_context.multiplier.team());
        m_shift.run(block.attentionNorm, state, stream, tokens);
        keep({m_shift.states()}, state.inputs, tokens);
        timeMix(weights, state, tokens);
        const std::size_t size = m_rwkv.headSize;
        m_context.observeState(i, state.now, {.begin = 2 * m_width, .heads = m_width / size, .size = size * size},
                               [&](std::size_t token, std::size_t head) {
                                   return meanOf(m_parts[Decay][token].subspan(head * size, size));
                               });
        m_context.observeBranch(i, RunObserver::Half::Mixer, m_branch.rows(), 1);
        addBranch(stream, tokens);
        m_shift.run(block.attentionNorm2, state.from(m_width), stream, tokens);
        keep({m_shift.states()}, columnsFrom(state.inputs, m_width), tokens);
        channelMix(weights, tokens);
        m_context.observeBranch(i, RunObserver::Half::FeedForward, m_branch.rows(), 1);
        addBranch(stream, tokens);
        // The file's output matrices are divided accordingly, so that half precision does not overflow.
        if (rescale != 0 && (i + 1) % rescale == 0) {
            for (std::size_t t = 0; t < tokens; ++t) {
                std::ranges::transform(std::span(stream[t], m_width), stream[t], [](float x) { return x / 2; });
            }
        }
        m_context.observeStream(i, stream);
        m_context.observeReadout(i, stream);
        advanceBlock(job, tokens, i, m_context.shape.blocks.size());
    }
    return true;
}

void Rwkv::replay(std::size_t tokens) {
    for (std::size_t i = 0; i < m_context.shape.blocks.size(); ++i) {
        const MixerState state = m_deferred.replayed(m_state, i * stateSize());
        std::copy_n(state.inputs[tokens - 1], 2 * m_width, state.now);
        loadInputs(inputs(), columnsFrom(state.inputs, 2 * m_width), tokens, m_context.multiplier.team());
        // What it writes to m_mixed is not used.
        attend(static_cast<const RwkvWeights&>(*m_context.weights.blocks[i].recurrence), state.from(2 * m_width),
               tokens);
    }
}

void Rwkv::addBranch(Rows stream, std::size_t tokens) {
    for (std::size_t t = 0; t < tokens; ++t) {
        add({stream[t], m_width}, m_branch[t]);
    }
}

void Rwkv::timeMix(const RwkvWeights& weights, const MixerState& state, std::size_t tokens) {
    Multiplier& multiplier = m_context.multiplier;
    mixParts(weights, tokens);
    // decay = exp(−exp(base + up(tanh(down(x)))))
    multiplier.multiply(weights.decayDown, m_parts[Decay].rows(), m_low.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (float& x : m_low[t].first(m_rwkv.timeDecayExtra)) {
            x = std::tanh(x);
        }
    }
    multiplier.multiply(weights.decayUp, m_low.rows(), m_parts[Decay].rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t i = 0; i < m_width; ++i) {
            float& decay = m_parts[Decay][t][i];
            decay = std::exp(-std::exp(weights.decay[i] + decay));
        }
    }
    const std::array<std::pair<Part, const Matrix*>, 4> projections{
        {{Key, &weights.key}, {Value, &weights.value}, {Receptance, &weights.receptance}, {Gate, &weights.gate}}};
    for (const auto& [part, matrix] : projections) {
        multiplier.multiply(*matrix, m_parts[part].rows(), m_branch.rows(), tokens);
        std::swap(m_parts[part], m_branch);
    }
    keep(inputs(), columnsFrom(state.inputs, 2 * m_width), tokens);
    attend(weights, state.from(2 * m_width), tokens);
    multiplier.multiply(weights.output, m_mixed.rows(), m_branch.rows(), tokens);
}

// Low-rank matrices compute from both tokens how much of each part comes from the previous one.
void Rwkv::mixParts(const RwkvWeights& weights, std::size_t tokens) {
    const std::size_t extra = m_rwkv.timeMixExtra;
    m_shift.mix(weights.mixBase, m_mixed.rows(), tokens);
    m_context.multiplier.multiply(weights.mixDown, m_mixed.rows(), m_low.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (float& x : m_low[t].first(5 * extra)) {
            x = std::tanh(x);
        }
    }
    for (std::size_t part = 0; part < PartCount; ++part) {
        const Rows low{m_low.rows().data + part * extra, m_low.rows().stride};
        m_context.multiplier.multiply(weights.mixUp[part], low, m_parts[part].rows(), tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t i = 0; i < m_width; ++i) {
                float& mixed = m_parts[part][t][i];
                mixed = m_shift.normed(t)[i] + m_shift.difference(t)[i] * (weights.mix[part][i] + mixed);
            }
        }
    }
}

// For each head: out = r (S + u k' v), S = decay S + k' v. Leaves the normed and gated result in m_mixed.
void Rwkv::attend(const RwkvWeights& weights, const MixerState& squares, std::size_t tokens) {
    const std::size_t size = m_rwkv.headSize;
    m_context.multiplier.team().forShares(m_width / size, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t h = begin; h < end; ++h) {
            const MixerState head = squares.from(h * size * size);
            float* square = head.now; // [key][value]
            const std::size_t at = h * size;
            for (std::size_t t = 0; t < tokens; ++t) {
                head.copyAt(t, size * size);
                const std::span<float> out = m_mixed[t].subspan(at, size);
                const float* value = m_parts[Value][t].data() + at;
                std::ranges::fill(out, 0.0F);
                for (std::size_t i = 0; i < size; ++i) {
                    const float key = m_parts[Key][t][at + i];
                    const float receptance = m_parts[Receptance][t][at + i];
                    const float decay = m_parts[Decay][t][at + i];
                    float* row = square + i * size;
                    for (std::size_t j = 0; j < size; ++j) {
                        const float product = key * value[j];
                        out[j] += receptance * (row[j] + weights.first[at + i] * product);
                        row[j] = row[j] * decay + product;
                    }
                }
                normalise(NormKind::Layer, kHeadNormEpsilon, out);
                for (std::size_t j = 0; j < size; ++j) {
                    const float bias = weights.norm.bias.empty() ? 0 : weights.norm.bias[at + j];
                    out[j] = (out[j] * weights.norm.weight[at + j] + bias) * silu(m_parts[Gate][t][at + j]);
                }
            }
        }
    });
}

// out = sigmoid(r) × V relu(k)²
void Rwkv::channelMix(const RwkvWeights& weights, std::size_t tokens) {
    Multiplier& multiplier = m_context.multiplier;
    m_shift.mix(weights.channelMixKey, m_mixed.rows(), tokens);
    multiplier.multiply(weights.channelKey, m_mixed.rows(), m_channelKey.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (float& x : m_channelKey[t].first(weights.channelKey.rows)) {
            x = x > 0 ? x * x : 0;
        }
    }
    multiplier.multiply(weights.channelValue, m_channelKey.rows(), m_branch.rows(), tokens);
    m_shift.mix(weights.channelMixReceptance, m_mixed.rows(), tokens);
    multiplier.multiply(weights.channelReceptance, m_mixed.rows(), m_parts[Receptance].rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t i = 0; i < m_width; ++i) {
            m_branch[t][i] *= sigmoid(m_parts[Receptance][t][i]);
        }
    }
}

void readRwkv6(ShapeReader& reader) {
    auto rwkv = std::make_shared<Rwkv6Shape>();
    rwkv->headSize = reader.length("wkv.head_size");
    rwkv->timeMixExtra = reader.length("time_mix_extra_dim");
    rwkv->timeDecayExtra = reader.length("time_decay_extra_dim");
    rwkv->rescaleEvery = reader.optional("rescale_every_n_layers", 0);
    requireWholeHeads(reader, rwkv->headSize);
    reader.shape().recurrence = std::move(rwkv);
}

void bindRwkv6(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const BlockShape& block = binder.shape().blocks[index];
    BlockWeights& blockWeights = binder.weights().blocks[index];
    const auto& shape = static_cast<const Rwkv6Shape&>(*binder.shape().recurrence);
    auto weights = std::make_shared<RwkvWeights>();
    binder.weights().smallBytes += sizeof(RwkvWeights);
    const std::uint64_t width = binder.shape().embedding;
    file.setPart(GraphPart::MixNorm);
    blockWeights.attentionNorm = file.norm("attn_norm", width);
    file.setPart(GraphPart::FeedNorm);
    blockWeights.attentionNorm2 = file.norm("attn_norm_2", width);
    file.setPart(GraphPart::Recurrence);
    weights->mixDown = file.matrix("time_mix_w1", width, std::uint64_t{5} * shape.timeMixExtra);
    const Matrix up = file.stack("time_mix_w2", shape.timeMixExtra, width, {.count = 5, .used = 5});
    weights->mixBase = file.floats("time_mix_lerp_x.weight", width);
    const std::vector<float> fused = file.grid("time_mix_lerp_fused.weight", width, 5, WeightBinder::Need::May);
    for (std::size_t i = 0; i < 5; ++i) {
        if (up) {
            weights->mixUp.push_back(up.expert(i));
        }
        constexpr std::array kNames{"w", "k", "v", "r", "g"};
        if (fused.empty()) {
            weights->mix.push_back(file.floats(std::string("time_mix_lerp_") + kNames[i] + ".weight", width));
        } else {
            weights->mix.emplace_back(fused.begin() + static_cast<std::ptrdiff_t>(i * width),
                                      fused.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        }
    }
    weights->first = file.floats("time_mix_first.weight", width);
    weights->decay = file.floats("time_mix_decay.weight", width);
    weights->decayDown = file.matrix("time_mix_decay_w1", width, shape.timeDecayExtra);
    weights->decayUp = file.matrix("time_mix_decay_w2", shape.timeDecayExtra, width);
    weights->key = file.matrix("time_mix_key", width, width);
    weights->value = file.matrix("time_mix_value", width, width);
    weights->receptance = file.matrix("time_mix_receptance", width, width);
    weights->gate = file.matrix("time_mix_gate", width, width);
    weights->norm = file.norm("time_mix_ln", width);
    weights->norm.length = shape.headSize;
    weights->output = file.matrix("time_mix_output", width, width);
    file.setPart(GraphPart::FeedForward);
    weights->channelMixKey = file.floats("channel_mix_lerp_k.weight", width);
    weights->channelMixReceptance = file.floats("channel_mix_lerp_r.weight", width);
    weights->channelKey = file.matrix("channel_mix_key", width, block.feedForward);
    weights->channelValue = file.matrix("channel_mix_value", block.feedForward, width);
    weights->channelReceptance = file.matrix("channel_mix_receptance", width, width);
    blockWeights.recurrence = std::move(weights);
}

} // namespace

constexpr StackKind kRwkv6{
    .name = "RWKV-6",
    .attends = false,
    .readShape = readRwkv6,
    .bind = bindRwkv6,
    .make = [](const ForwardContext& context, const StackOptions& options) -> std::unique_ptr<BlockStack> {
        return std::make_unique<Rwkv>(context, options);
    },
};

} // namespace gufo::inference
