#include "inference/engine/binding/weights.h"

#include "inference/engine/binding/weight_binder.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace gufo::inference {
namespace {

// Vocabulary and learned positions are counted in 32 bits.
constexpr std::uint64_t kMaxRows = std::numeric_limits<std::int32_t>::max();

} // namespace

Result<> WeightBinder::bind() {
    bindModel();
    m_weights.blocks.resize(m_shape.blocks.size());
    m_weights.smallBytes += m_weights.blocks.size() * sizeof(BlockWeights);
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        m_file.setBlock(m_shape.architecture->stack, i);
        switch (m_shape.architecture->family) {
        case Family::Transformer:
        case Family::LatentAttention:
            bindTransformer(i);
            break;
        case Family::Rwkv6:
            bindRwkv(m_shape.blocks[i], m_weights.blocks[i]);
            break;
        case Family::Rwkv7:
            bindRwkv7(i);
            break;
        }
    }
    return m_file.finish(m_shape.blocks.size(), m_shape.declaredBlocks);
}

void WeightBinder::bindModel() {
    m_weights.embedding = m_file.table("token_embd", m_shape.embedding, kMaxRows);
    m_shape.vocabulary = static_cast<std::uint32_t>(m_weights.embedding.rows);
    const std::string_view outputNorm = m_shape.architecture->norm.output;
    constexpr std::string_view kEmbeddingNorm = "token_embd_norm";
    if (outputNorm != kEmbeddingNorm) { // lfm2 has its last norm under this name
        m_weights.embeddingNorm = m_file.norm(kEmbeddingNorm, m_shape.embedding, Need::May);
    }
    m_weights.positions = m_file.table("position_embd", m_shape.embedding, kMaxRows, Need::May);
    if (m_shape.architecture->stream.tokenTypes) {
        m_weights.tokenTypes = m_file.table("token_types", m_shape.embedding, kMaxRows, Need::May);
    }
    if (!outputNorm.empty()) {
        m_weights.outputNorm = m_file.norm(outputNorm, m_shape.embedding);
    }
    if (!m_shape.architecture->stack.empty()) {
        m_file.leaveOut("output"); // of the stack that does not run
    }
    if (!m_shape.architecture->encoder) {
        m_weights.output = m_file.output("output", m_shape.embedding, m_weights.embedding.rows, m_weights.embedding);
    }
    bindPooling();
    bindRopeFactors();
    bindLayerInputs();
    if (m_shape.architecture->stream.altUp) {
        const std::size_t others = m_weights.altUpProjections.size();
        const Binder::Stack all{.count = others, .used = others};
        const Matrix projections = m_file.stack("altup_proj", m_shape.embedding, m_shape.embedding, all);
        const Matrix returns = m_file.stack("altup_unembd_proj", m_shape.embedding, m_shape.embedding, all);
        for (std::size_t i = 0; projections && returns && i < others; ++i) {
            m_weights.altUpProjections[i] = projections.expert(i);
            m_weights.altUpUnprojections[i] = returns.expert(i);
        }
    }
}

void WeightBinder::bindLayerInputs() {
    if (m_shape.layerInput == 0) {
        return;
    }
    const std::uint64_t width = m_shape.layerInput * std::uint64_t{m_shape.blocks.size()};
    m_weights.layerInputTable = m_file.fullTable("per_layer_token_embd", width, m_weights.embedding.rows);
    m_weights.layerInputProjection = m_file.matrix("per_layer_model_proj", m_shape.embedding, width);
    m_weights.layerInputNorm = m_file.norm("per_layer_proj_norm", m_shape.layerInput);
}

void WeightBinder::bindAltUp(AltUpWeights& altUp) {
    const std::uint64_t width = m_shape.embedding;
    const std::uint64_t streams = m_weights.altUpProjections.size() + 1;
    altUp.router = m_file.matrix("altup_router", width, streams);
    altUp.routerNorm = m_file.norm("altup_router_norm", width);
    altUp.predict = m_file.matrix("altup_predict_coef", streams, streams * streams);
    altUp.correct = m_file.matrix("altup_correct_coef", streams, streams);
    altUp.correctScale = m_file.floats("altup_correct_scale.weight", width);
    const std::uint64_t rank = m_file.rowsOf("laurel_l");
    altUp.laurelDown = m_file.matrix("laurel_l", width, rank != 0 ? rank : Binder::kAsInFile);
    altUp.laurelUp = m_file.matrix("laurel_r", rank != 0 ? rank : Binder::kAsInFile, width);
    altUp.laurelNorm = m_file.norm("laurel_post_norm", width);
}

void WeightBinder::bindRopeFactors() {
    const std::uint64_t pairs = m_shape.rotated / 2;
    if (m_shape.ropeKind == RopeKind::None || pairs == 0) {
        return;
    }
    m_weights.ropeFactors = m_file.floats("rope_freqs.weight", pairs, Need::May);
    m_weights.ropeFactorsLong = m_file.floats("rope_factors_long.weight", pairs, Need::May);
    m_weights.ropeFactorsShort = m_file.floats("rope_factors_short.weight", pairs, Need::May);
    if (m_shape.rope.scaling == RopeScaling::LongRope &&
        (m_weights.ropeFactorsLong.empty() || m_weights.ropeFactorsShort.empty())) {
        for (const std::string name : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
            (void)m_file.floats(name, pairs, Need::Must);
        }
    }
}

void WeightBinder::bindTransformer(std::size_t index) {
    const BlockShape& block = m_shape.blocks[index];
    BlockWeights& weights = m_weights.blocks[index];
    const GraphTraits& row = *m_shape.architecture;
    const std::uint64_t width = m_shape.embedding;
    if (row.norm.place != Norms::Before) {
        weights.attentionPostNorm = m_file.norm(row.norm.afterAttention, width);
        weights.feedForwardPostNorm = m_file.norm(row.norm.afterFeedForward, width);
    }
    if (!block.mixes()) {
        weights.feedForwardNorm = m_file.norm("attn_norm", width);
        return bindFeedForward(block, weights);
    }
    if (row.norm.addsInput) {
        weights.attentionNorm2 = m_file.norm("attn_norm_2", width, Need::May);
    }
    if (row.norm.place == Norms::Before || row.norm.place == Norms::Around) {
        // Parallel branches may share one norm.
        const bool sequential = row.feedForward.residual == Residual::Sequential ||
                                (row.feedForward.residual == Residual::ParallelByKey && !m_shape.parallel);
        if (index != 0 || !row.norm.firstBlockUnnormed) {
            weights.attentionNorm = m_file.norm("attn_norm", width);
        }
        weights.attentionNorm2 = m_file.norm("attn_norm_2", width, Need::May);
        if (block.feeds) {
            weights.feedForwardNorm = m_file.norm(row.norm.feedForward, width, sequential ? Need::Must : Need::May);
        }
    }
    if (block.attends()) {
        bindAttending(index, weights.attention);
    }
    bindRecurrence(block, weights);
    if (block.feeds) {
        bindFeedForward(block, weights);
    }
    if (row.stream.altUp) {
        bindAltUp(m_weights.altUp.emplace_back());
    }
    if (m_shape.layerInput != 0) {
        m_weights.layerInputs.push_back({.gate = m_file.matrix("inp_gate", width, m_shape.layerInput),
                                         .projection = m_file.matrix("proj", m_shape.layerInput, width),
                                         .norm = m_file.norm("post_norm", width)});
    }
    if (row.stream.layerInputs) {
        const std::vector<float> scale = m_file.floats("layer_output_scale.weight", 1, Need::May);
        weights.outputScale = scale.empty() ? 1 : scale.front();
    }
}

void WeightBinder::bindAttending(std::size_t index, AttentionWeights& attention) {
    const BlockShape& block = m_shape.blocks[index];
    const GraphTraits& row = *m_shape.architecture;
    if (row.family == Family::LatentAttention) {
        bindLatentAttention(block, attention);
        if (m_shape.indexer.heads != 0) {
            m_weights.indexers.push_back(indexer());
        }
    } else {
        bindAttention(index, attention);
    }
    const std::uint64_t attended = std::uint64_t{block.heads} * block.valueLength;
    if (row.norm.beforeProjections) {
        attention.outputNorm = m_file.norm("attn_sub_norm", attended);
    }
    attention.output = m_file.matrix(row.attention.output, attended, m_shape.embedding);
    if (row.attention.distanceBiases) {
        bindDistanceBiases(index, attention);
    }
    if (row.attention.sinks) {
        attention.sinks = m_file.floats("attn_sinks.weight", block.heads);
    }
}

void WeightBinder::bindAttention(std::size_t index, AttentionWeights& attention) {
    const BlockShape& block = m_shape.blocks[index];
    // A gated query is followed by its gate.
    const std::uint64_t gates = m_shape.architecture->attention.gated ? 2 : 1;
    const std::uint64_t queries = std::uint64_t{block.heads} * block.keyLength * gates;
    const std::uint64_t keys = std::uint64_t{block.kvHeads} * block.keyLength;
    const std::uint64_t values = std::uint64_t{block.kvHeads} * block.valueLength;
    if (block.source != index) { // only queries
        attention.query = m_file.matrix("attn_q", m_shape.embedding, queries);
        for (const char* unused : {"attn_k", "attn_v", "attn_k_norm"}) {
            m_file.leaveOut(unused);
        }
        return bindHeadNorms(block, false, attention);
    }
    const bool apart = m_file.has("attn_q") || m_file.has("attn_k") || m_file.has("attn_v");
    const Need join = m_shape.architecture->attention.joined && !apart ? Need::Must : Need::May;
    const Matrix joined = m_file.matrix("attn_qkv", m_shape.embedding, queries + keys + values, join);
    if (joined || join == Need::Must) {
        attention.query = joined.part(0, queries);
        attention.key = joined.part(queries, keys);
        attention.value = joined.part(queries + keys, values);
    } else {
        const bool fromKeys = m_shape.architecture->attention.valuesFromKeys && keys == values;
        attention.query = m_file.matrix("attn_q", m_shape.embedding, queries);
        attention.key = m_file.matrix("attn_k", m_shape.embedding, keys);
        attention.value = m_file.matrix("attn_v", m_shape.embedding, values, fromKeys ? Need::May : Need::Must);
    }
    bindHeadNorms(block, true, attention);
}

void WeightBinder::bindHeadNorms(const BlockShape& block, bool keys, AttentionWeights& attention) {
    if (m_shape.architecture->norm.headsAfterRope) {
        attention.scoreWeights = m_file.floats("attn_q_norm.weight", block.keyLength);
        const std::vector<float> weights = m_file.floats("attn_k_norm.weight", block.keyLength);
        std::ranges::transform(attention.scoreWeights, weights, attention.scoreWeights.begin(), std::multiplies());
        return;
    }
    attention.queryNorm = m_file.headNorm("attn_q_norm", block.keyLength, block.heads);
    if (keys) {
        attention.keyNorm = m_file.headNorm("attn_k_norm", block.keyLength, block.kvHeads);
    }
}

void WeightBinder::bindRwkv(const BlockShape& block, BlockWeights& weights) {
    const std::uint64_t width = m_shape.embedding;
    const RwkvShape& shape = m_shape.rwkv;
    RwkvWeights& rwkv = weights.rwkv;
    weights.attentionNorm = m_file.norm("attn_norm", width);
    weights.attentionNorm2 = m_file.norm("attn_norm_2", width);
    rwkv.mixDown = m_file.matrix("time_mix_w1", width, std::uint64_t{5} * shape.timeMixExtra);
    const Matrix up = m_file.stack("time_mix_w2", shape.timeMixExtra, width, {.count = 5, .used = 5});
    rwkv.mixBase = m_file.floats("time_mix_lerp_x.weight", width);
    const std::vector<float> fused = m_file.grid("time_mix_lerp_fused.weight", width, 5, Need::May);
    for (std::size_t i = 0; i < 5; ++i) {
        if (up) {
            rwkv.mixUp.push_back(up.expert(i));
        }
        constexpr std::array kNames{"w", "k", "v", "r", "g"};
        if (fused.empty()) {
            rwkv.mix.push_back(m_file.floats(std::string("time_mix_lerp_") + kNames[i] + ".weight", width));
        } else {
            rwkv.mix.emplace_back(fused.begin() + static_cast<std::ptrdiff_t>(i * width),
                                  fused.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        }
    }
    rwkv.first = m_file.floats("time_mix_first.weight", width);
    rwkv.decay = m_file.floats("time_mix_decay.weight", width);
    rwkv.decayDown = m_file.matrix("time_mix_decay_w1", width, shape.timeDecayExtra);
    rwkv.decayUp = m_file.matrix("time_mix_decay_w2", shape.timeDecayExtra, width);
    rwkv.key = m_file.matrix("time_mix_key", width, width);
    rwkv.value = m_file.matrix("time_mix_value", width, width);
    rwkv.receptance = m_file.matrix("time_mix_receptance", width, width);
    rwkv.gate = m_file.matrix("time_mix_gate", width, width);
    rwkv.norm = m_file.norm("time_mix_ln", width);
    rwkv.norm.length = shape.headSize;
    rwkv.output = m_file.matrix("time_mix_output", width, width);
    rwkv.channelMixKey = m_file.floats("channel_mix_lerp_k.weight", width);
    rwkv.channelMixReceptance = m_file.floats("channel_mix_lerp_r.weight", width);
    rwkv.channelKey = m_file.matrix("channel_mix_key", width, block.feedForward);
    rwkv.channelValue = m_file.matrix("channel_mix_value", block.feedForward, width);
    rwkv.channelReceptance = m_file.matrix("channel_mix_receptance", width, width);
}

void WeightBinder::bindRwkv7(std::size_t index) {
    const std::uint64_t width = m_shape.embedding;
    const RwkvShape& shape = m_shape.rwkv;
    BlockWeights& weights = m_weights.blocks[index];
    Rwkv7Weights& rwkv = weights.rwkv7;
    weights.attentionNorm = m_file.norm("attn_norm", width);
    weights.attentionNorm2 = m_file.norm("attn_norm_2", width);
    const std::vector<float> mixes = m_file.grid("time_mix_lerp_fused.weight", width, rwkv.mix.size());
    for (std::size_t i = 0; !mixes.empty() && i < rwkv.mix.size(); ++i) {
        const auto begin = mixes.begin() + static_cast<std::ptrdiff_t>(i * width);
        rwkv.mix[i].assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    const auto lowRank = [&](char letter, std::uint64_t rank, bool based) {
        const std::string name = std::string("time_mix_") + letter;
        return Rwkv7Weights::LowRank{.base = based ? m_file.floats(name + "0.weight", width) : std::vector<float>(),
                                     .down = m_file.matrix(name + "1", width, rank),
                                     .up = m_file.matrix(name + "2", rank, width)};
    };
    rwkv.decay = lowRank('w', shape.decayRank, true);
    rwkv.rate = lowRank('a', shape.rateRank, true);
    rwkv.gate = lowRank('g', shape.gateRank, false);
    if (index != 0) {
        rwkv.firstValue = lowRank('v', shape.valueRank, true);
    } else { // there is no earlier block whose values could be added
        for (const char* name : {"time_mix_v0", "time_mix_v1", "time_mix_v2"}) {
            m_file.leaveOut(name);
        }
    }
    rwkv.keyRemoval = m_file.floats("time_mix_k_k.weight", width);
    rwkv.keyRate = m_file.floats("time_mix_k_a.weight", width);
    rwkv.bonus = m_file.floats("time_mix_r_k.weight", width);
    rwkv.key = m_file.matrix("time_mix_key", width, width);
    rwkv.value = m_file.matrix("time_mix_value", width, width);
    rwkv.receptance = m_file.matrix("time_mix_receptance", width, width);
    rwkv.norm = m_file.norm("time_mix_ln", width);
    rwkv.norm.length = shape.headSize;
    rwkv.output = m_file.matrix("time_mix_output", width, width);
    rwkv.channelMix = m_file.floats("channel_mix_lerp_k.weight", width);
    rwkv.channelKey = m_file.matrix("channel_mix_key", width, m_shape.blocks[index].feedForward);
    rwkv.channelValue = m_file.matrix("channel_mix_value", m_shape.blocks[index].feedForward, width);
}

Matrix Matrix::expert(std::uint64_t index) const {
    Matrix one = *this;
    one.data = data != nullptr ? row(index * expertRows) : nullptr;
    one.experts = 1;
    one.bias = bias.empty() ? bias : bias.subspan(index * expertRows, rows);
    one.factors = factors.size() > 1 ? factors.subspan(index, 1) : factors;
    return one;
}

Matrix Matrix::part(std::uint64_t first, std::uint64_t count) const {
    Matrix result = *this;
    result.data = data != nullptr ? row(first) : nullptr;
    result.rows = count;
    result.bias = bias.empty() ? bias : bias.subspan(first, bias.size() - first);
    return result;
}

StoredRows Matrix::stored() const {
    // The binder has found the type decodable and the rows whole blocks.
    return {
        .layout = *RowLayout::of(*findTensorType(typeId), columns), .bytes = {data, rows * rowBytes}, .order = order};
}

Result<Weights> bindWeights(const Model& model, ModelShape& shape, SmallTensors small, BindingReport* report) {
    Weights weights;
    GUFO_TRY(WeightBinder(model, shape, weights, small, report).bind());
    return weights;
}

Result<BindingReport> examineTensors(const Model& model) {
    auto shape = GUFO_TRY(readShape(model));
    BindingReport report;
    static_cast<void>(bindWeights(model, shape, SmallTensors::NotViewed, &report)); // the report has its errors
    return report;
}

} // namespace gufo::inference
