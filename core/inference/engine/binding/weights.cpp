#include "inference/engine/binding/weights.h"

#include "base/checked.h"
#include "inference/engine/binding/binder.h"
#include "inference/session/refusal.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::inference {
namespace {

using Need = Binder::Need;

// Of a vocabulary, or of learned positions: both are counted in 32 bits.
constexpr std::uint64_t kMostRows = std::numeric_limits<std::int32_t>::max();
constexpr Binder::Stack kAlone{.count = 1, .used = 1};

// What each family of architectures asks of a file.
class WeightBinder {
public:
    WeightBinder(const Model& model, ModelShape& shape, Weights& weights, SmallTensors small,
                 std::vector<AbsentTensor>* absent)
        : m_file(model, small, weights, absent)
        , m_shape(shape)
        , m_weights(weights) {}

    [[nodiscard]] Result<> bind();

private:
    // `used` of `experts`; those of one are for every token.
    FeedForwardWeights feedForward(std::string_view suffix, std::uint64_t width, Binder::Stack experts, Need need);
    void bindModel();
    void bindRopeFactors();
    void bindTransformer(std::size_t index);
    void bindAttention(const BlockShape& block, AttentionWeights& attention);
    void bindLatentAttention(const BlockShape& block, AttentionWeights& attention);
    void bindFeedForward(const BlockShape& block, BlockWeights& weights);
    void bindMamba(BlockWeights& weights);
    void bindRwkv(const BlockShape& block, BlockWeights& weights);

    Binder m_file;
    ModelShape& m_shape;
    Weights& m_weights;
};

FeedForwardWeights WeightBinder::feedForward(std::string_view suffix, std::uint64_t width, Binder::Stack experts,
                                             Need need) {
    const std::string end(suffix);
    const std::string upName = "ffn_up" + end;
    FeedForwardWeights result;
    const std::uint64_t in = m_shape.embedding;
    if (need == Need::May && !m_file.has(upName, {in, width})) {
        return result;
    }
    const bool joined = experts.count == 1 && m_file.rowsOf(upName) == 2 * width && !m_file.has("ffn_gate" + end);
    if (joined) { // phi3: both in one
        if (const Matrix both = m_file.matrix(upName, in, 2 * width)) {
            result.gate = both.part(0, width);
            result.up = both.part(width, width);
        }
    } else {
        result.gate = m_file.stack("ffn_gate" + end, in, width, experts, Need::May);
        result.up = m_file.stack(upName, in, width, experts);
    }
    result.down = m_file.stack("ffn_down" + end, width, in, experts);
    m_weights.widestFeedForward = std::max(m_weights.widestFeedForward, width);
    return result;
}

Result<> WeightBinder::bind() {
    bindModel();
    m_weights.blocks.resize(m_shape.blocks.size());
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        m_file.setBlock(i);
        switch (m_shape.architecture->family) {
        case Family::Transformer:
        case Family::LatentAttention:
            bindTransformer(i);
            break;
        case Family::Mamba:
            bindMamba(m_weights.blocks[i]);
            break;
        case Family::Rwkv6:
            bindRwkv(m_shape.blocks[i], m_weights.blocks[i]);
            break;
        }
    }
    return m_file.finish(m_shape.blocks.size(), m_shape.declaredBlocks);
}

void WeightBinder::bindModel() {
    m_weights.embedding = m_file.table("token_embd", m_shape.embedding, kMostRows);
    m_shape.vocabulary = static_cast<std::uint32_t>(m_weights.embedding.rows);
    m_weights.embeddingNorm = m_file.norm("token_embd_norm", m_shape.embedding, Need::May);
    m_weights.positions = m_file.table("position_embd", m_shape.embedding, kMostRows, Need::May);
    m_weights.outputNorm = m_file.norm("output_norm", m_shape.embedding);
    m_weights.output = m_file.output("output", m_shape.embedding, m_weights.embedding.rows, m_weights.embedding);
    bindRopeFactors();
}

void WeightBinder::bindRopeFactors() {
    const std::uint64_t pairs = m_shape.rotated / 2;
    if (m_shape.architecture->rope == RopeKind::None || pairs == 0) {
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
    weights.attentionPostNorm = m_file.norm("post_attention_norm", m_shape.embedding, Need::May);
    weights.feedForwardPostNorm = m_file.norm("post_ffw_norm", m_shape.embedding, Need::May);
    // olmo2 norms the results of branches only; branches side by side may share one norm.
    const Need before = weights.attentionPostNorm ? Need::May : Need::Must;
    const Residual residual = m_shape.architecture->residual;
    const bool sequential =
        residual == Residual::Sequential || (residual == Residual::ParallelByKey && !m_shape.parallel);
    const bool alone = sequential && !weights.feedForwardPostNorm;
    weights.attentionNorm = m_file.norm("attn_norm", m_shape.embedding, before);
    weights.attentionNorm2 = m_file.norm("attn_norm_2", m_shape.embedding, Need::May);
    weights.feedForwardNorm = m_file.norm("ffn_norm", m_shape.embedding, alone ? Need::Must : Need::May);
    if (m_shape.architecture->family == Family::LatentAttention) {
        bindLatentAttention(block, weights.attention);
    } else {
        bindAttention(block, weights.attention);
    }
    weights.attention.output =
        m_file.matrix("attn_output", std::uint64_t{block.heads} * m_shape.valueLength, m_shape.embedding);
    bindFeedForward(block, weights);
}

void WeightBinder::bindAttention(const BlockShape& block, AttentionWeights& attention) {
    const std::uint64_t queries = std::uint64_t{block.heads} * m_shape.keyLength;
    const std::uint64_t keys = std::uint64_t{block.kvHeads} * m_shape.keyLength;
    const std::uint64_t values = std::uint64_t{block.kvHeads} * m_shape.valueLength;
    if (const Matrix joined = m_file.matrix("attn_qkv", m_shape.embedding, queries + keys + values, Need::May)) {
        attention.query = joined.part(0, queries);
        attention.key = joined.part(queries, keys);
        attention.value = joined.part(queries + keys, values);
    } else {
        attention.query = m_file.matrix("attn_q", m_shape.embedding, queries);
        attention.key = m_file.matrix("attn_k", m_shape.embedding, keys);
        attention.value = m_file.matrix("attn_v", m_shape.embedding, values);
    }
    attention.queryNorm = m_file.headNorm("attn_q_norm", m_shape.keyLength, block.heads);
    attention.keyNorm = m_file.headNorm("attn_k_norm", m_shape.keyLength, block.kvHeads);
}

void WeightBinder::bindLatentAttention(const BlockShape& block, AttentionWeights& attention) {
    const std::uint64_t heads = block.heads;
    const std::uint64_t queries = heads * m_shape.keyLength;
    const std::uint64_t rank = m_shape.keyValueRank;
    if (m_shape.queryRank != 0) {
        attention.queryDown = m_file.matrix("attn_q_a", m_shape.embedding, m_shape.queryRank);
        attention.queryDownNorm = m_file.norm("attn_q_a_norm", m_shape.queryRank);
        attention.query = m_file.matrix("attn_q_b", m_shape.queryRank, queries);
    } else {
        attention.query = m_file.matrix("attn_q", m_shape.embedding, queries);
    }
    attention.keyValueDown = m_file.matrix("attn_kv_a_mqa", m_shape.embedding, rank + m_shape.rotated);
    attention.keyValueNorm = m_file.norm("attn_kv_a_norm", rank);
    const std::uint64_t plain = m_shape.keyLength - m_shape.rotated;
    // Some files have the same both ways.
    const bool keysApart = m_file.has("attn_k_b", {plain, rank, heads});
    if (m_file.has("attn_v_b", {rank, m_shape.valueLength, heads}) && keysApart) {
        attention.keyAbsorbed = m_file.headMatrix("attn_k_b", plain, rank, heads);
        attention.valueUp = m_file.headMatrix("attn_v_b", rank, m_shape.valueLength, heads);
        m_file.leaveOut("attn_kv_b");
    } else {
        attention.keyValueUp = m_file.joinedHeads("attn_kv_b", rank, heads * (plain + m_shape.valueLength));
        m_file.leaveOut("attn_k_b");
        m_file.leaveOut("attn_v_b");
    }
}

void WeightBinder::bindFeedForward(const BlockShape& block, BlockWeights& weights) {
    const ExpertShape& experts = m_shape.experts;
    weights.router = m_file.matrix("ffn_gate_inp", m_shape.embedding, experts.count, Need::May);
    if (!weights.router) {
        weights.feedForward = feedForward("", block.feedForward, kAlone, Need::Must);
        return;
    }
    m_weights.mostExperts = std::max<std::uint64_t>(m_weights.mostExperts, experts.count);
    weights.routerBias = m_file.floats("exp_probs_b.bias", experts.count, Need::May);
    // No key says how wide experts are in every file.
    const auto widthOf = [&](std::string_view name) {
        const std::uint64_t rows = m_file.rowsOf(name);
        return rows != 0 ? rows : Binder::kAsInFile;
    };
    weights.experts =
        feedForward("_exps", widthOf("ffn_up_exps"), {.count = experts.count, .used = experts.used}, Need::Must);
    weights.sharedExpert = feedForward("_shexp", widthOf("ffn_up_shexp"), kAlone, Need::May);
    if (weights.sharedExpert) {
        weights.sharedExpertGate = m_file.matrix("ffn_gate_inp_shexp", m_shape.embedding, 1, Need::May);
    }
}

void WeightBinder::bindMamba(BlockWeights& weights) {
    const SsmShape& ssm = m_shape.ssm;
    const std::uint64_t inner = ssm.inner;
    MambaWeights& mamba = weights.mamba;
    weights.attentionNorm = m_file.norm("attn_norm", m_shape.embedding);
    mamba.in = m_file.matrix("ssm_in", m_shape.embedding, 2 * inner);
    mamba.convolution = m_file.grid("ssm_conv1d.weight", ssm.convolution, inner);
    mamba.convolutionBias = m_file.floats("ssm_conv1d.bias", inner, Need::May);
    mamba.x = m_file.matrix("ssm_x", inner, ssm.timeStepRank + 2 * std::uint64_t{ssm.state});
    mamba.timeStep = m_file.matrix("ssm_dt", ssm.timeStepRank, inner);
    mamba.a = m_file.grid("ssm_a", ssm.state, inner);
    mamba.d = m_file.floats("ssm_d", inner);
    mamba.out = m_file.matrix("ssm_out", inner, m_shape.embedding);
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

} // namespace

Matrix Matrix::expert(std::uint64_t index) const {
    Matrix one = *this;
    one.data = data + index * rows * rowBytes;
    one.experts = 1;
    one.bias = bias.empty() ? bias : bias.subspan(index * rows, rows);
    return one;
}

Matrix Matrix::part(std::uint64_t first, std::uint64_t count) const {
    Matrix some = *this;
    some.data = data + first * rowBytes;
    some.rows = count;
    some.bias = bias.empty() ? bias : bias.subspan(first, count);
    return some;
}

Result<Weights> bindWeights(const Model& model, ModelShape& shape, SmallTensors small,
                            std::vector<AbsentTensor>* absent) {
    Weights weights;
    if (auto bound = WeightBinder(model, shape, weights, small, absent).bind(); !bound) {
        return std::unexpected(std::move(bound.error()));
    }
    return weights;
}

} // namespace gufo::inference
