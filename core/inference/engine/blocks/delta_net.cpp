// Gated delta nets (Yang, Kautz and Hatamizadeh 2024, arXiv 2412.06464): linear attention whose state S first decays
// and then replaces what it has stored under a key. For each head, with k and q of length 1:
//
//     S = diag(g) S;   S = S + β k (v − k S)';   o = q S
//
// The decay g is a number for each head, or one for each element of the keys (Kimi's delta attention, arXiv
// 2510.26692).
#include "inference/engine/blocks/linear_chunks.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace gufo::inference {
namespace {

struct DeltaShape : KindShape {
    std::uint32_t convolution = 0;
    std::uint32_t keyHeads = 0;
    std::uint32_t valueHeads = 0;
    std::uint32_t keyLength = 0; // of a head
    std::uint32_t valueLength = 0;
    bool kimi = false; // decays of each element of the keys

    [[nodiscard]] std::size_t keys() const { return std::size_t{keyHeads} * keyLength; }
    [[nodiscard]] std::size_t values() const { return std::size_t{valueHeads} * valueLength; }
    [[nodiscard]] std::size_t channels() const { return 2 * keys() + values(); } // queries, keys and values
};

struct DeltaWeights : KindWeights {
    // Together they make a row of queries, keys, values and the output gate. `at`: where a matrix's elements begin.
    struct Projection {
        Matrix matrix;
        std::size_t at;
    };
    std::vector<Projection> projections;
    ConvolutionWeights convolution; // of queries, keys and values
    std::vector<Projection> rates;  // make β and, unless it has low rank, the decay of each value head
    std::vector<float> a;           // by value head
    std::vector<float> decayBias;   // by value head or, of Kimi, by element of the keys
    // Of Kimi:
    Matrix decayDown;
    Matrix decayUp;
    Matrix gateDown;
    Matrix gateUp;
    Norm norm; // of a value head
    Matrix out;
};

class DeltaNet final : public Mixer {
public:
    DeltaNet(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_delta(static_cast<const DeltaShape&>(*context.shape.recurrence))
        , m_kimi(m_delta.kimi)
        , m_rows(context.memory, batch, m_delta.convolution, m_delta.channels() + m_delta.values(), 0,
                 m_delta.channels())
        , m_mixed(context.memory, batch, m_delta.channels())
        , m_rates(context.memory, batch, std::size_t{2} * m_delta.valueHeads)
        , m_chunks(context.memory, batch, context.multiplier.team().size(),
                   {.keyHeads = m_delta.keyHeads,
                    .keyLength = m_delta.keyLength,
                    .valueLength = m_delta.valueLength,
                    .deltaRule = true,
                    .elementsDecay = m_kimi})
        , m_out(context.memory, batch, m_delta.values()) {
        if (m_kimi) {
            m_low = Activations(context.memory, batch, std::size_t{2} * m_delta.keyLength);
            m_decays = Activations(context.memory, batch, m_delta.keys());
        }
        for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
            m_scratch.push_back({.decay = context.memory.take<float>(m_delta.keyLength),
                                 .remove = context.memory.take<float>(m_delta.keyLength),
                                 .replace = context.memory.take<float>(m_delta.keyLength),
                                 .key = context.memory.take<float>(m_delta.keyLength)});
        }
    }

    // The inputs that the convolution still needs, then a matrix [key][value] for each value head.
    [[nodiscard]] std::size_t stateSize() const override { return m_rows.stateSize() + m_delta.valueHeads * square(); }
    [[nodiscard]] StateHeads heads() const override {
        return {.begin = m_rows.stateSize(), .heads = m_delta.valueHeads, .size = square()};
    }
    [[nodiscard]] double decayOf(const BlockWeights& /*block*/, std::size_t token, std::size_t head) const override {
        return m_kimi ? meanOf(m_decays[token].subspan(head * m_delta.keyLength, m_delta.keyLength))
                      : static_cast<double>(m_rates[token][m_delta.valueHeads + head]);
    }
    void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) override;
    [[nodiscard]] RecurrenceInputs inputs() const override;
    void replay(const BlockWeights& block, const MixerState& state, std::size_t tokens) override;

private:
    struct Scratch { // of one member
        float* decay;
        float* remove;
        float* replace;
        float* key;
    };
    [[nodiscard]] std::size_t square() const { return std::size_t{m_delta.keyLength} * m_delta.valueLength; }
    [[nodiscard]] std::size_t keyHeadOf(std::size_t head) const {
        return m_context.shape.architecture->recurrence.interleavedKeyHeads
                   ? head % m_delta.keyHeads
                   : head / (m_delta.valueHeads / m_delta.keyHeads);
    }
    void project(const DeltaWeights& weights, Rows in, std::size_t tokens);
    // Updates the matrices, and writes m_out if there are weights.
    void recur(const DeltaWeights* weights, const MixerState& state, std::size_t tokens);
    // Activates the convolved queries, keys and values, norms queries and keys, and computes β and decays.
    void prepare(const DeltaWeights& weights, std::size_t token);
    // The inputs and outputs of a head for the tokens from `token` on.
    [[nodiscard]] LinearChunk chunkOf(std::size_t head, std::size_t token, std::size_t tokens) const;
    void score(std::size_t chunk, std::size_t keyHead, bool outputs, unsigned member) const;
    void scan(std::size_t head, const MixerState& state, bool outputs, unsigned member) const;
    void step(const LinearChunk& token, float* state, const Scratch& scratch) const;
    void finish(const DeltaWeights& weights, std::size_t head, std::size_t token);

    const ForwardContext& m_context;
    const DeltaShape& m_delta;
    bool m_kimi;
    ConvolutionRows m_rows; // queries, keys, values and output gates
    Activations m_mixed;    // queries, keys and values after the convolution
    Activations m_rates;    // β of each value head, then its decay
    LinearChunks m_chunks;
    Activations m_low;    // Kimi: the low-rank inputs of decays and gates
    Activations m_decays; // Kimi: of each element of the keys
    Activations m_out;
    std::vector<Scratch> m_scratch;
};

void DeltaNet::run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) {
    const auto& weights = static_cast<const DeltaWeights&>(*block.recurrence);
    Team& team = m_context.multiplier.team();
    project(weights, in, tokens);
    m_rows.begin(state);
    team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        m_rows.convolve(weights.convolution, begin, end, m_mixed.rows(), [&](std::size_t t) { prepare(weights, t); });
    });
    m_rows.end(state, tokens);
    recur(&weights, state, tokens);
    m_context.multiplier.multiply(weights.out, m_out.rows(), out, tokens);
}

RecurrenceInputs DeltaNet::inputs() const {
    const Rows keysAndValues{m_mixed.rows().data + m_delta.keys(), m_mixed.width()};
    RecurrenceInputs parts{{m_rows.rows(), m_delta.channels()},
                           {keysAndValues, m_delta.channels() - m_delta.keys()},
                           {m_rates.rows(), m_rates.width()}};
    if (m_kimi) {
        parts.push_back({m_decays.rows(), m_decays.width()});
    }
    return parts;
}

void DeltaNet::replay(const BlockWeights& /*block*/, const MixerState& state, std::size_t tokens) {
    m_rows.begin(state);
    m_rows.end(state, tokens);
    recur(nullptr, state, tokens);
}

void DeltaNet::recur(const DeltaWeights* weights, const MixerState& state, std::size_t tokens) {
    Team& team = m_context.multiplier.team();
    const MixerState squares = state.from(m_rows.stateSize());
    m_chunks.divide(tokens);
    if (!m_kimi) {
        const std::uint64_t pieces = m_chunks.count() * m_delta.keyHeads;
        team.forShares(pieces, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
            for (std::uint64_t i = begin; i < end; ++i) {
                score(i / m_delta.keyHeads, i % m_delta.keyHeads, weights != nullptr, member);
            }
        });
    }
    team.forShares(m_delta.valueHeads, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t head = begin; head < end; ++head) {
            scan(head, squares.from(head * square()), weights != nullptr, member);
            for (std::size_t t = 0; weights != nullptr && t < tokens; ++t) {
                finish(*weights, head, t);
            }
        }
    });
}

void DeltaNet::project(const DeltaWeights& weights, Rows in, std::size_t tokens) {
    Multiplier& multiplier = m_context.multiplier;
    std::vector<Multiplier::Product> products;
    const auto add = [&](const Matrix& matrix, Rows rows, std::size_t at) {
        products.push_back({&matrix, {rows.data + at, rows.stride}});
    };
    for (const DeltaWeights::Projection& part : weights.projections) {
        add(part.matrix, m_rows.rows(), part.at);
    }
    for (const DeltaWeights::Projection& part : weights.rates) {
        add(part.matrix, m_rates.rows(), part.at);
    }
    if (m_kimi) {
        add(weights.decayDown, m_low.rows(), 0);
        add(weights.gateDown, m_low.rows(), m_delta.keyLength);
    }
    multiplier.multiply(products, in, tokens);
    if (m_kimi) {
        multiplier.multiply(weights.decayUp, m_low.rows(), m_decays.rows(), tokens);
        const Rows gates{m_rows.rows().data + m_delta.channels(), m_rows.rows().stride};
        multiplier.multiply(weights.gateUp, {m_low.rows().data + m_delta.keyLength, m_low.rows().stride}, gates,
                            tokens);
    }
}

void DeltaNet::prepare(const DeltaWeights& weights, std::size_t token) {
    const RowKernels& rows = activeKernels().rows;
    const std::span<float> mixed = m_mixed[token];
    activate(Activation::Silu, mixed);
    const double epsilon = m_context.shape.epsilon;
    const double scale = 1 / std::sqrt(static_cast<double>(m_delta.keyLength)); // of scores
    for (std::size_t head = 0; head < std::size_t{2} * m_delta.keyHeads; ++head) {
        float* part = mixed.data() + head * m_delta.keyLength;
        const double factor = 1 / std::sqrt(rows.squares(part, m_delta.keyLength, 0) + epsilon);
        rows.normalise(part, 0, head < m_delta.keyHeads ? factor * scale : factor, nullptr, part, m_delta.keyLength);
    }
    const std::size_t heads = m_delta.valueHeads;
    const std::span<float> rates = m_rates[token];
    rows.sigmoid(rates.data(), nullptr, rates.data(), heads);
    if (m_kimi) {
        const std::span<float> decays = m_decays[token];
        std::ranges::transform(decays, weights.decayBias, decays.begin(), std::plus());
        softplus(decays);
        for (std::size_t head = 0; head < heads; ++head) {
            const std::span<float> part = decays.subspan(head * m_delta.keyLength, m_delta.keyLength);
            std::ranges::transform(part, part.begin(), [&](float v) { return weights.a[head] * v; });
            (void)rows.exponentials(part.data(), part.size(), 0);
        }
        return;
    }
    for (std::size_t head = 0; head < heads; ++head) {
        float& rate = rates[heads + head];
        rate = std::exp(weights.a[head] * softplus(rate + weights.decayBias[head]));
    }
}

LinearChunk DeltaNet::chunkOf(std::size_t head, std::size_t token, std::size_t tokens) const {
    const std::size_t keyHead = keyHeadOf(head);
    const auto from = [&](const Activations& rows, std::size_t at) {
        return Rows{rows[token].data() + at, rows.width()};
    };
    return {.tokens = tokens,
            .queries = from(m_mixed, keyHead * m_delta.keyLength),
            .keys = from(m_mixed, m_delta.keys() + keyHead * m_delta.keyLength),
            .values = from(m_mixed, 2 * m_delta.keys() + head * m_delta.valueLength),
            .decays = m_kimi ? from(m_decays, head * m_delta.keyLength) : from(m_rates, m_delta.valueHeads + head),
            .rates = from(m_rates, head),
            .scores = m_kimi ? Rows{} : m_chunks.scores(keyHead, token),
            .out = from(m_out, head * m_delta.valueLength)};
}

void DeltaNet::score(std::size_t chunk, std::size_t keyHead, bool outputs, unsigned member) const {
    if (m_chunks.tokensOf(chunk) < LinearChunks::kFewest) {
        return;
    }
    const std::size_t perKey = m_delta.valueHeads / m_delta.keyHeads;
    const std::size_t head = m_context.shape.architecture->recurrence.interleavedKeyHeads ? keyHead : keyHead * perKey;
    LinearChunk scored = chunkOf(head, m_chunks.begin(chunk), m_chunks.tokensOf(chunk));
    scored.out.data = outputs ? scored.out.data : nullptr;
    m_chunks.score(scored, member);
}

void DeltaNet::scan(std::size_t head, const MixerState& state, bool outputs, unsigned member) const {
    m_chunks.forEach(state, square(), [&](std::size_t first, std::size_t tokens, float* updated) {
        if (tokens >= LinearChunks::kFewest) {
            LinearChunk chunk = chunkOf(head, first, tokens);
            chunk.out.data = outputs ? chunk.out.data : nullptr;
            m_chunks.run(chunk, updated, member);
            return;
        }
        for (std::size_t t = first; t < first + tokens; ++t) {
            step(chunkOf(head, t, 1), updated, m_scratch[member]);
        }
    });
}

void DeltaNet::step(const LinearChunk& token, float* state, const Scratch& scratch) const {
    const std::size_t length = m_delta.keyLength;
    const float* key = token.keys.data;
    const float beta = *token.rates.data;
    const float* decay = token.decays.data;
    if (!m_kimi) {
        std::fill_n(scratch.decay, length, *token.decays.data);
        decay = scratch.decay;
    }
    for (std::size_t i = 0; i < length; ++i) {
        scratch.key[i] = beta * key[i];
        scratch.replace[i] = -beta * key[i];
        scratch.remove[i] = decay[i] * key[i];
    }
    activeKernels().recurrence.step({.rows = length,
                                     .columns = m_delta.valueLength,
                                     .decay = decay,
                                     .key = scratch.key,
                                     .query = token.queries.data,
                                     .value = token.values.data,
                                     .remove = scratch.remove,
                                     .replace = scratch.replace},
                                    state, token.out.data);
}

void DeltaNet::finish(const DeltaWeights& weights, std::size_t head, std::size_t token) {
    const std::size_t at = head * m_delta.valueLength;
    const std::span<float> out = m_out[token].subspan(at, m_delta.valueLength);
    const float* gate = m_rows[token] + m_delta.channels() + at;
    applyNorm(weights.norm, NormKind::Rms, m_context.shape.epsilon, out, out);
    const RowKernels& rows = activeKernels().rows;
    (m_kimi ? rows.sigmoid : rows.silu)(gate, out.data(), out.data(), out.size());
}

std::shared_ptr<const KindShape> readDelta(ShapeReader& reader) {
    auto shape = std::make_shared<DeltaShape>();
    const std::uint32_t state = reader.length("ssm.state_size");
    shape->convolution = reader.length("ssm.conv_kernel");
    shape->keyHeads = reader.length("ssm.group_count");
    shape->valueHeads = reader.length("ssm.time_step_rank");
    shape->keyLength = state;
    shape->valueLength = state;
    if (shape->valueHeads % shape->keyHeads != 0) {
        reader.refuse("ssm.group_count");
    }
    if (reader.length("ssm.inner_size") != shape->values()) {
        reader.refuse("ssm.inner_size");
    }
    return shape;
}

// There are as many heads as in attention; all recurrent blocks have the same number.
std::shared_ptr<const KindShape> readKimiDelta(ShapeReader& reader) {
    auto shape = std::make_shared<DeltaShape>();
    const BlockValues heads = reader.parameters().blockValues("attention.head_count");
    const std::uint32_t size = reader.length("kda.head_dim");
    const std::vector<BlockShape>& blocks = reader.shape().blocks;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].recurrent) {
            const std::uint64_t ofBlock = heads.at(i).value_or(0);
            if (ofBlock == 0 || ofBlock > kLargestLength || (count != 0 && count != ofBlock)) {
                reader.refuse("attention.head_count");
                return shape;
            }
            count = ofBlock;
        }
    }
    if (count * size > kLargestLength) {
        reader.refuse("kda.head_dim");
        return shape;
    }
    shape->convolution = reader.length("ssm.conv_kernel");
    shape->keyHeads = static_cast<std::uint32_t>(count);
    shape->valueHeads = static_cast<std::uint32_t>(count);
    shape->keyLength = size;
    shape->valueLength = size;
    shape->kimi = true;
    return shape;
}

std::shared_ptr<const KindWeights> bindDelta(WeightBinder& binder) {
    Binder& file = binder.file();
    const auto& shape = static_cast<const DeltaShape&>(*binder.shape().recurrence);
    auto weights = std::make_shared<DeltaWeights>();
    const std::uint64_t width = binder.shape().embedding;
    const std::size_t keys = shape.keys();
    const std::size_t channels = shape.channels();
    const std::size_t perKey = shape.valueHeads / shape.keyHeads; // value heads
    if (file.has(
            "ssm_in",
            {width,
             channels + shape.values()})) { // older files: queries, keys, values and gates of each key head together
        const Matrix all = file.matrix("ssm_in", width, channels + shape.values());
        const std::size_t key = shape.keyLength;
        const std::size_t values = perKey * shape.valueLength;
        for (std::size_t head = 0; all && head < shape.keyHeads; ++head) {
            const std::size_t row = head * 2 * (key + values);
            weights->projections.push_back({all.part(row, key), head * key});
            weights->projections.push_back({all.part(row + key, key), keys + head * key});
            weights->projections.push_back({all.part(row + 2 * key, values), 2 * keys + head * values});
            weights->projections.push_back({all.part(row + 2 * key + values, values), channels + head * values});
        }
    } else {
        weights->projections = {{file.matrix("attn_qkv", width, channels), 0},
                                {file.matrix("attn_gate", width, shape.values()), channels}};
    }
    if (file.has("ssm_ba", {width, 2 * std::uint64_t{shape.valueHeads}})) { // β and decays of each key head together
        const Matrix all = file.withFinerActivations(file.matrix("ssm_ba", width, 2 * std::uint64_t{shape.valueHeads}));
        for (std::size_t head = 0; all && head < shape.keyHeads; ++head) {
            weights->rates.push_back({all.part(2 * head * perKey, perKey), head * perKey});
            weights->rates.push_back({all.part((2 * head + 1) * perKey, perKey), shape.valueHeads + head * perKey});
        }
    } else {
        weights->rates = {
            {file.withFinerActivations(file.matrix("ssm_beta", width, shape.valueHeads)), 0},
            {file.withFinerActivations(file.matrix("ssm_alpha", width, shape.valueHeads)), shape.valueHeads}};
    }
    weights->convolution.taps = convolutionTaps(file, "ssm_conv1d", shape.convolution, channels);
    weights->decayBias = file.floats("ssm_dt.bias", shape.valueHeads);
    weights->a = file.floats("ssm_a", shape.valueHeads);
    weights->norm = file.norm("ssm_norm", shape.valueLength);
    weights->out = file.matrix("ssm_out", shape.values(), width);
    return weights;
}

std::shared_ptr<const KindWeights> bindKimiDelta(WeightBinder& binder) {
    Binder& file = binder.file();
    const auto& shape = static_cast<const DeltaShape&>(*binder.shape().recurrence);
    auto weights = std::make_shared<DeltaWeights>();
    const std::uint64_t width = binder.shape().embedding;
    const std::uint64_t inner = shape.values(); // keys have the same number of elements
    std::array<std::vector<float>, 3> taps;
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const char part = "qkv"[i];
        weights->projections.push_back({file.matrix(std::string("attn_") + part, width, inner), i * inner});
        taps[i] = convolutionTaps(file, std::string("ssm_conv1d_") + part, shape.convolution, inner);
    }
    if (std::ranges::none_of(taps, &std::vector<float>::empty)) {
        for (std::size_t tap = 0; tap < shape.convolution; ++tap) {
            for (const std::vector<float>& part : taps) {
                const auto begin = part.begin() + static_cast<std::ptrdiff_t>(tap * inner);
                weights->convolution.taps.insert(weights->convolution.taps.end(), begin,
                                                 begin + static_cast<std::ptrdiff_t>(inner));
            }
        }
    }
    weights->rates = {{file.matrix("ssm_beta", width, shape.valueHeads), 0}};
    weights->decayDown = file.matrix("ssm_f_a", width, shape.keyLength);
    weights->decayUp = file.matrix("ssm_f_b", shape.keyLength, inner);
    weights->decayBias = file.floats("ssm_dt.bias", inner);
    weights->a = file.floats("ssm_a", shape.valueHeads);
    weights->gateDown = file.matrix("ssm_g_a", width, shape.keyLength);
    weights->gateUp = file.matrix("ssm_g_b", shape.keyLength, inner);
    weights->norm = file.norm("ssm_norm", shape.valueLength);
    weights->out = file.matrix("attn_output", inner, width);
    return weights;
}

std::unique_ptr<Mixer> makeDeltaNet(const ForwardContext& context, std::size_t batch) {
    return std::make_unique<DeltaNet>(context, batch);
}

} // namespace

constexpr RecurrentKind kGatedDelta{.name = "gated delta net",
                                    .readShape = readDelta,
                                    .bind = bindDelta,
                                    .weightBytes = sizeof(DeltaWeights),
                                    .make = makeDeltaNet};
constexpr RecurrentKind kKimiDelta{.name = "Kimi delta attention",
                                   .readShape = readKimiDelta,
                                   .bind = bindKimiDelta,
                                   .weightBytes = sizeof(DeltaWeights),
                                   .make = makeDeltaNet};

} // namespace gufo::inference
