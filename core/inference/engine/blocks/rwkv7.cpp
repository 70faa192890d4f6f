// RWKV 7, "Goose" (Peng et al. 2025, arXiv 2503.14456): a generalised delta rule with decays and rates of replacement
// for each element of the keys.
//
// Prompts are evaluated in steps too. In chunks (linear_chunks.h), heads of 64 × 64 elements with Kimi's rule run at
// 0.88 to 0.97 of the speed of steps (bench_architectures measures it), and RWKV's rule needs a third more products
// than Kimi's, because the key that it removes is not the one that it writes.
#include "inference/engine/blocks/deferred_updates.h"
#include "inference/engine/blocks/token_shift.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gufo::inference {
namespace {

struct Rwkv7Shape : KindShape {
    std::uint32_t headSize = 0;
    // The ranks of:
    std::uint32_t decayRank = 0;
    std::uint32_t rateRank = 0;
    std::uint32_t valueRank = 0;
    std::uint32_t gateRank = 0;
};

struct Rwkv7Weights : KindWeights {
    std::array<std::vector<float>, 6> mix; // r, w, k, v, a, g
    Matrix receptance;
    Matrix key;
    Matrix value;
    // Low-rank parts, each with its base: decay, rate of replacement, share of the first block's values, and gate.
    struct LowRank {
        std::vector<float> base; // empty for the gate
        Matrix down;
        Matrix up;
    };
    LowRank decay;
    LowRank rate;
    LowRank firstValue;
    LowRank gate;
    std::vector<float> keyRemoval; // k_k
    std::vector<float> keyRate;    // k_a
    std::vector<float> bonus;      // r_k
    Norm norm;                     // of a head
    Matrix output;
    std::vector<float> channelMix;
    Matrix channelKey;
    Matrix channelValue;
};

constexpr double kHeadNormEpsilon = 64e-5;
constexpr double kKeyEpsilon = 1e-12;
constexpr float kSlowestDecay = 0.6065306597126334F; // e^−½

class Rwkv7 final : public BlockStack {
public:
    Rwkv7(const ForwardContext& context, const StackOptions& options);

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
    // In the order of the file's mixes.
    enum Part : std::size_t { Receptance, Decay, Key, Value, Rate, Gate, PartCount };
    struct Scratch { // of one member, for a head
        float* removal;
        float* replacement;
    };

    // State of a block: the last token's inputs of the time mix and the channel mix, then a matrix [key][value] for
    // each head.
    [[nodiscard]] std::size_t stateSize() const { return 2 * m_width + m_width * m_size; }

    [[nodiscard]] DeferredUpdates::Form deferredForm() const {
        return {.blockState = stateSize(),
                .blocks = m_context.shape.blocks.size(),
                .inputs = 2 * m_width + widthOf(inputs())};
    }
    // What attend() updates the matrices with. Kept beside it are the states of the two token shifts.
    [[nodiscard]] RecurrenceInputs inputs() const {
        return {{m_parts[Key].rows(), m_width},
                {m_parts[Value].rows(), m_width},
                {m_parts[Decay].rows(), m_width},
                {m_parts[Rate].rows(), m_width}};
    }
    // Copies parts of a batch whose update is deferred.
    void keep(const RecurrenceInputs& parts, Rows kept, std::size_t tokens) const {
        if (kept.data != nullptr) {
            keepInputs(parts, kept, tokens, m_context.multiplier.team());
        }
    }
    void timeMix(std::size_t index, const MixerState& state, std::size_t tokens);
    // Updates the matrices of all heads and writes m_mixed.
    void attend(const Rwkv7Weights& weights, const MixerState& squares, std::size_t tokens);
    void project(const Rwkv7Weights& weights, Part part, const Matrix& matrix, std::size_t tokens);
    // m_parts[to] = up f(down x), where x is mixed for `part` and f may be null.
    void lowRank(const Rwkv7Weights& weights, Part part, const Rwkv7Weights::LowRank& matrices,
                 float (*function)(float), Rows to, std::size_t tokens);
    void prepare(const Rwkv7Weights& weights, std::size_t token, bool isFirst);
    void attend(const Rwkv7Weights& weights, std::size_t head, const MixerState& square, std::size_t tokens,
                const Scratch& scratch);
    void channelMix(const Rwkv7Weights& weights, std::size_t tokens);
    void addBranch(Rows stream, std::size_t tokens);

    const ForwardContext& m_context;
    std::size_t m_width;
    std::size_t m_size; // of a head
    TokenShift m_shift;
    Activations m_mixed;
    Activations m_low;
    Activations m_branch;
    Activations m_firstValues; // of the first block
    Activations m_valueShare;  // how much of them a later block takes
    std::array<Activations, PartCount> m_parts;
    Activations m_channelKey;
    std::vector<Scratch> m_scratch;
    std::span<float> m_state; // of all blocks
    DeferredUpdates m_deferred;
};

Rwkv7::Rwkv7(const ForwardContext& context, const StackOptions& options)
    : m_context(context)
    , m_width(context.shape.embedding)
    , m_size(static_cast<const Rwkv7Shape&>(*context.shape.recurrence).headSize)
    , m_shift(context, options.batch)
    , m_state(context.memory.take<float>(context.shape.blocks.size(), stateSize(), Memory::Part::State),
              context.shape.blocks.size() * stateSize()) {
    const auto rows = [&](std::size_t width) { return Activations(context.memory, options.batch, width); };
    m_mixed = rows(m_width);
    const auto& shape = static_cast<const Rwkv7Shape&>(*context.shape.recurrence);
    m_low = rows(std::max({shape.decayRank, shape.rateRank, shape.valueRank, shape.gateRank}));
    m_branch = rows(m_width);
    m_firstValues = rows(m_width);
    m_valueShare = rows(m_width);
    for (Activations& part : m_parts) {
        part = rows(m_width);
    }
    std::size_t widest = 1;
    for (const BlockShape& block : context.shape.blocks) {
        widest = std::max<std::size_t>(widest, block.feedForward);
    }
    m_channelKey = rows(widest);
    for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
        m_scratch.push_back(
            {.removal = context.memory.take<float>(m_size), .replacement = context.memory.take<float>(m_size)});
    }
}

bool Rwkv7::run(Rows stream, std::uint32_t /*position*/, std::size_t tokens, const StateUpdate& update,
                const JobContext& job) {
    const BlockRange& range = m_context.range;
    if (range.first != 0) {
        m_context.enter({&stream, 1}, tokens);
    }
    for (std::size_t i = range.first; i < std::min(range.end, m_context.shape.blocks.size()); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        const BlockWeights& block = m_context.weights.blocks[i];
        const MixerState state = m_deferred.stateOf(m_state, update, i * stateSize(), m_context.multiplier.team());
        m_shift.run(block.attentionNorm, state, stream, tokens);
        keep({m_shift.states()}, state.inputs, tokens);
        timeMix(i, state, tokens);
        const std::size_t size = m_size;
        m_context.observeState(i, state.now, {.begin = 2 * m_width, .heads = m_width / size, .size = size * size},
                               [&](std::size_t token, std::size_t head) {
                                   return meanOf(m_parts[Decay][token].subspan(head * size, size));
                               });
        m_context.observeBranch(i, RunObserver::Half::Mixer, m_branch.rows(), 1);
        addBranch(stream, tokens);
        m_shift.run(block.attentionNorm2, state.from(m_width), stream, tokens);
        keep({m_shift.states()}, columnsFrom(state.inputs, m_width), tokens);
        channelMix(static_cast<const Rwkv7Weights&>(*block.recurrence), tokens);
        m_context.observeBranch(i, RunObserver::Half::FeedForward, m_branch.rows(), 1);
        addBranch(stream, tokens);
        m_context.observeStream(i, stream);
        m_context.observeReadout(i, stream);
        advanceBlock(job, tokens, i, m_context.shape.blocks.size());
    }
    return true;
}

void Rwkv7::replay(std::size_t tokens) {
    for (std::size_t i = 0; i < m_context.shape.blocks.size(); ++i) {
        const MixerState state = m_deferred.replayed(m_state, i * stateSize());
        std::copy_n(state.inputs[tokens - 1], 2 * m_width, state.now);
        loadInputs(inputs(), columnsFrom(state.inputs, 2 * m_width), tokens, m_context.multiplier.team());
        // What it writes to m_mixed is not used.
        attend(static_cast<const Rwkv7Weights&>(*m_context.weights.blocks[i].recurrence), state.from(2 * m_width),
               tokens);
    }
}

void Rwkv7::addBranch(Rows stream, std::size_t tokens) {
    for (std::size_t t = 0; t < tokens; ++t) {
        add({stream[t], m_width}, m_branch[t]);
    }
}

void Rwkv7::project(const Rwkv7Weights& weights, Part part, const Matrix& matrix, std::size_t tokens) {
    m_shift.mix(weights.mix[part], m_mixed.rows(), tokens);
    m_context.multiplier.multiply(matrix, m_mixed.rows(), m_parts[part].rows(), tokens);
}

void Rwkv7::lowRank(const Rwkv7Weights& weights, Part part, const Rwkv7Weights::LowRank& matrices,
                    float (*function)(float), Rows to, std::size_t tokens) {
    m_shift.mix(weights.mix[part], m_mixed.rows(), tokens);
    m_context.multiplier.multiply(matrices.down, m_mixed.rows(), m_low.rows(), tokens);
    for (std::size_t t = 0; function != nullptr && t < tokens; ++t) {
        const std::span<float> low = m_low[t].first(matrices.down.rows);
        std::ranges::transform(low, low.begin(), function);
    }
    m_context.multiplier.multiply(matrices.up, m_low.rows(), to, tokens);
}

void Rwkv7::timeMix(std::size_t index, const MixerState& state, std::size_t tokens) {
    const auto& weights = static_cast<const Rwkv7Weights&>(*m_context.weights.blocks[index].recurrence);
    Team& team = m_context.multiplier.team();
    project(weights, Receptance, weights.receptance, tokens);
    project(weights, Key, weights.key, tokens);
    project(weights, Value, weights.value, tokens);
    constexpr auto kTanh = [](float x) { return std::tanh(x); };
    lowRank(weights, Decay, weights.decay, kTanh, m_parts[Decay].rows(), tokens);
    lowRank(weights, Rate, weights.rate, nullptr, m_parts[Rate].rows(), tokens);
    lowRank(weights, Gate, weights.gate, sigmoid, m_parts[Gate].rows(), tokens);
    if (index != 0) {
        lowRank(weights, Value, weights.firstValue, nullptr, m_valueShare.rows(), tokens);
    }
    team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            prepare(weights, t, index == 0);
        }
    });
    keep(inputs(), columnsFrom(state.inputs, 2 * m_width), tokens);
    attend(weights, state.from(2 * m_width), tokens);
    m_context.multiplier.multiply(weights.output, m_mixed.rows(), m_branch.rows(), tokens);
}

void Rwkv7::attend(const Rwkv7Weights& weights, const MixerState& squares, std::size_t tokens) {
    Team& team = m_context.multiplier.team();
    team.forShares(m_width / m_size, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t head = begin; head < end; ++head) {
            attend(weights, head, squares.from(head * m_size * m_size), tokens, m_scratch[member]);
        }
    });
}

void Rwkv7::prepare(const Rwkv7Weights& weights, std::size_t token, bool isFirst) {
    const RowKernels& rows = activeKernels().rows;
    const auto sigmoidOf = [&](std::span<float> row, const std::vector<float>& base) {
        add(row, base);
        rows.sigmoid(row.data(), nullptr, row.data(), row.size());
    };
    sigmoidOf(m_parts[Decay][token], weights.decay.base);
    sigmoidOf(m_parts[Rate][token], weights.rate.base);
    const std::span<float> decays = m_parts[Decay][token];
    std::ranges::transform(decays, decays.begin(), [](float x) { return -kSlowestDecay * x; });
    (void)rows.exponentials(decays.data(), decays.size(), 0); // none is above 1
    const std::span<float> value = m_parts[Value][token];
    const std::span<float> first = m_firstValues[token];
    if (isFirst) {
        std::ranges::copy(value, first.begin());
        return;
    }
    const std::span<float> share = m_valueShare[token];
    sigmoidOf(share, weights.firstValue.base);
    for (std::size_t i = 0; i < m_width; ++i) {
        value[i] += (first[i] - value[i]) * share[i];
    }
}

// With κ of length 1, decay w and rate a: S = diag(w) S − (κ a)' (κ S) + k' v; out = r S. Leaves the normed and gated
// result in m_mixed.
void Rwkv7::attend(const Rwkv7Weights& weights, std::size_t head, const MixerState& square, std::size_t tokens,
                   const Scratch& scratch) {
    const std::size_t at = head * m_size;
    const auto of = [&](const std::vector<float>& all) { return all.data() + at; };
    for (std::size_t t = 0; t < tokens; ++t) {
        square.copyAt(t, m_size * m_size);
        const float* rate = m_parts[Rate][t].data() + at;
        const float* receptance = m_parts[Receptance][t].data() + at;
        const float* value = m_parts[Value][t].data() + at;
        float* key = m_parts[Key][t].data() + at;
        std::transform(key, key + m_size, of(weights.keyRemoval), scratch.removal, std::multiplies());
        const double squares = activeKernels().rows.squares(scratch.removal, m_size, 0);
        const auto factor = static_cast<float>(1 / std::sqrt(squares + kKeyEpsilon));
        float bonus = 0;
        for (std::size_t i = 0; i < m_size; ++i) {
            scratch.removal[i] *= factor;
            scratch.replacement[i] = -scratch.removal[i] * rate[i];
            key[i] *= 1 + (rate[i] - 1) * of(weights.keyRate)[i];
            bonus += receptance[i] * key[i] * of(weights.bonus)[i];
        }
        const std::span<float> out = m_mixed[t].subspan(at, m_size);
        activeKernels().recurrence.step({.rows = m_size,
                                         .columns = m_size,
                                         .decay = m_parts[Decay][t].data() + at,
                                         .key = key,
                                         .query = receptance,
                                         .value = value,
                                         .remove = scratch.removal,
                                         .replace = scratch.replacement},
                                        square.now, out.data());
        normalise(NormKind::Layer, kHeadNormEpsilon, out);
        const float* gate = m_parts[Gate][t].data() + at;
        for (std::size_t i = 0; i < m_size; ++i) {
            const float bias = weights.norm.bias.empty() ? 0 : of(weights.norm.bias)[i];
            out[i] = (out[i] * of(weights.norm.weight)[i] + bias + bonus * value[i]) * gate[i];
        }
    }
}

// out = V relu(K x)²
void Rwkv7::channelMix(const Rwkv7Weights& weights, std::size_t tokens) {
    Multiplier& multiplier = m_context.multiplier;
    m_shift.mix(weights.channelMix, m_mixed.rows(), tokens);
    multiplier.multiply(weights.channelKey, m_mixed.rows(), m_channelKey.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        activate(Activation::SquaredRelu, m_channelKey[t].first(weights.channelKey.rows));
    }
    multiplier.multiply(weights.channelValue, m_channelKey.rows(), m_branch.rows(), tokens);
}

void readRwkv7(ShapeReader& reader) {
    auto rwkv = std::make_shared<Rwkv7Shape>();
    rwkv->headSize = reader.length("wkv.head_size");
    rwkv->decayRank = reader.length("attention.decay_lora_rank");
    rwkv->rateRank = reader.length("attention.iclr_lora_rank");
    rwkv->valueRank = reader.length("attention.value_residual_mix_lora_rank");
    rwkv->gateRank = reader.length("attention.gate_lora_rank");
    requireWholeHeads(reader, rwkv->headSize);
    reader.shape().recurrence = std::move(rwkv);
}

void bindRwkv7(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const std::uint64_t feedForward = binder.shape().blocks[index].feedForward;
    BlockWeights& blockWeights = binder.weights().blocks[index];
    const auto& shape = static_cast<const Rwkv7Shape&>(*binder.shape().recurrence);
    auto weights = std::make_shared<Rwkv7Weights>();
    binder.weights().smallBytes += sizeof(Rwkv7Weights);
    const std::uint64_t width = binder.shape().embedding;
    file.setPart(GraphPart::MixNorm);
    blockWeights.attentionNorm = file.norm("attn_norm", width);
    file.setPart(GraphPart::FeedNorm);
    blockWeights.attentionNorm2 = file.norm("attn_norm_2", width);
    file.setPart(GraphPart::Recurrence);
    const std::vector<float> mixes = file.grid("time_mix_lerp_fused.weight", width, weights->mix.size());
    for (std::size_t i = 0; !mixes.empty() && i < weights->mix.size(); ++i) {
        const auto begin = mixes.begin() + static_cast<std::ptrdiff_t>(i * width);
        weights->mix[i].assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    const auto lowRank = [&](char letter, std::uint64_t rank, bool based) {
        const std::string name = std::string("time_mix_") + letter;
        return Rwkv7Weights::LowRank{.base = based ? file.floats(name + "0.weight", width) : std::vector<float>(),
                                     .down = file.matrix(name + "1", width, rank),
                                     .up = file.matrix(name + "2", rank, width)};
    };
    weights->decay = lowRank('w', shape.decayRank, true);
    weights->rate = lowRank('a', shape.rateRank, true);
    weights->gate = lowRank('g', shape.gateRank, false);
    if (index != 0) {
        weights->firstValue = lowRank('v', shape.valueRank, true);
    } else { // there is no earlier block whose values could be added
        for (const char* name : {"time_mix_v0", "time_mix_v1", "time_mix_v2"}) {
            file.leaveOut(name);
        }
    }
    weights->keyRemoval = file.floats("time_mix_k_k.weight", width);
    weights->keyRate = file.floats("time_mix_k_a.weight", width);
    weights->bonus = file.floats("time_mix_r_k.weight", width);
    weights->key = file.matrix("time_mix_key", width, width);
    weights->value = file.matrix("time_mix_value", width, width);
    weights->receptance = file.matrix("time_mix_receptance", width, width);
    weights->norm = file.norm("time_mix_ln", width);
    weights->norm.length = shape.headSize;
    weights->output = file.matrix("time_mix_output", width, width);
    file.setPart(GraphPart::FeedForward);
    weights->channelMix = file.floats("channel_mix_lerp_k.weight", width);
    weights->channelKey = file.matrix("channel_mix_key", width, feedForward);
    weights->channelValue = file.matrix("channel_mix_value", feedForward, width);
    blockWeights.recurrence = std::move(weights);
}

} // namespace

constexpr StackKind kRwkv7{
    .name = "RWKV-7",
    .attends = false,
    .readShape = readRwkv7,
    .bind = bindRwkv7,
    .make = [](const ForwardContext& context, const StackOptions& options) -> std::unique_ptr<BlockStack> {
        return std::make_unique<Rwkv7>(context, options);
    },
};

} // namespace gufo::inference
