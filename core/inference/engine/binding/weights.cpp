#include "inference/engine/binding/weights.h"

#include "base/checked.h"
#include "inference/session/refusal.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo::inference {
namespace {

std::string shapeText(std::span<const std::uint64_t> dims) {
    std::string text;
    for (const std::uint64_t dim : dims) {
        text += (text.empty() ? "" : " × ") + std::to_string(dim);
    }
    return text;
}

// Looks tensors up by name; keeps what is wrong, so that the code that binds a block reads like the block.
class Binder {
public:
    Binder(const Model& model, ModelShape& shape, Weights& weights, SmallTensors small)
        : m_model(model)
        , m_shape(shape)
        , m_weights(weights)
        , m_small(small) {}

    [[nodiscard]] Result<> bind();

private:
    enum class Need : std::uint8_t { Must, May };

    void setBlock(std::size_t index) { m_prefix = "blk." + std::to_string(index) + "."; }
    void refuseShape(const TensorInfo& tensor, const std::string& expected) {
        m_refusal.add(Error{ErrorCode::WrongShape,
                            {},
                            Place::tensor(std::string(tensor.name)),
                            {shapeText(tensor.shape.dims()), expected},
                            0});
    }
    [[nodiscard]] const TensorInfo* find(const std::string& name, Need need);
    [[nodiscard]] Bytes bytesOf(const TensorInfo& tensor);

    // `columns` × `rows` (0: whatever the file has) × `experts`.
    Matrix matrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need = Need::Must,
                  std::uint64_t experts = 1);
    // A small tensor of `count` weights, decoded; 0: whatever the file has.
    std::vector<float> floats(const std::string& name, std::uint64_t count, Need need = Need::Must);
    Norm norm(std::string_view name, std::uint64_t length, Need need = Need::Must);
    Norm headNorm(std::string_view name, std::uint64_t heads);
    FeedForwardWeights feedForward(std::string_view suffix, std::uint64_t width, std::uint64_t experts, Need need);
    // One matrix for each head, in a dimension of its own or one below the other; absent if the file has none.
    Matrix headMatrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t heads);

    void bindModel();
    void bindRopeFactors();
    void bindTransformer(std::size_t index);
    void bindAttention(const BlockShape& block, AttentionWeights& attention);
    void bindLatentAttention(const BlockShape& block, AttentionWeights& attention);
    void bindFeedForward(const BlockShape& block, BlockWeights& weights);
    void bindMamba(BlockWeights& weights);
    void bindRwkv(const BlockShape& block, BlockWeights& weights);
    void countBytes();

    const Model& m_model;
    ModelShape& m_shape;
    Weights& m_weights;
    SmallTensors m_small;
    std::string m_prefix;
    Refusal m_refusal;
};

const TensorInfo* Binder::find(const std::string& name, Need need) {
    const auto index = m_model.findTensor(name);
    if (!index) {
        if (need == Need::Must) {
            m_refusal.add(ErrorCode::NoSuchTensor, Place::tensor(name), name);
        }
        return nullptr;
    }
    const TensorInfo& tensor = m_model.tensor(*index);
    if (!isDecodable(tensor.typeId)) {
        m_refusal.add(ErrorCode::NotRunnable, Place::tensor(name), tensor.typeName());
        return nullptr;
    }
    return &tensor;
}

Bytes Binder::bytesOf(const TensorInfo& tensor) {
    auto bytes = m_model.bytesOf(tensor);
    if (!bytes) {
        m_refusal.add(std::move(bytes.error()));
        return {};
    }
    if (!tensor.complete()) {
        m_refusal.add(Error{
            ErrorCode::Truncated,
            {},
            Place::tensor(std::string(tensor.name)),
            {std::string(tensor.name), std::to_string(tensor.bytes.value_or(0)), std::to_string(tensor.bytesPresent)},
            0});
        return {};
    }
    return *bytes;
}

Matrix Binder::matrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, Need need,
                      std::uint64_t experts) {
    const std::string full = m_prefix + std::string(name) + ".weight";
    const TensorInfo* tensor = find(full, need);
    if (tensor == nullptr) {
        return {};
    }
    // Row vectors may lack their second dimension.
    const std::array<std::uint64_t, 3> expected{columns, rows != 0 ? rows : tensor->shape[1], experts};
    const auto total = tensor->shape.weights();
    if (!total || *total == 0 || tensor->shape[0] != expected[0] || tensor->shape[1] != expected[1] ||
        *total != checkedMultiply(columns * expected[1], experts)) {
        refuseShape(*tensor, shapeText(std::span(expected).first(experts != 1 ? 3 : 2)));
        return {};
    }
    const auto bytesOfRow = rowBytes(*tensor->type(), columns);
    const Bytes bytes = bytesOf(*tensor);
    if (!bytesOfRow || bytes.empty()) {
        return {};
    }
    Matrix result{.typeId = tensor->typeId,
                  .data = bytes.data(),
                  .columns = columns,
                  .rows = expected[1],
                  .experts = experts,
                  .rowBytes = *bytesOfRow,
                  .order = m_model.byteOrder};
    std::vector<float> bias = floats(m_prefix + std::string(name) + ".bias", result.rows * experts, Need::May);
    if (!bias.empty()) {
        result.bias = m_weights.biases.emplace_back(std::move(bias));
    }
    return result;
}

std::vector<float> Binder::floats(const std::string& name, std::uint64_t count, Need need) {
    const TensorInfo* tensor = find(name, need);
    if (tensor == nullptr) {
        return {};
    }
    const std::uint64_t weights = tensor->weights();
    if (weights == 0 || (count != 0 && weights != count)) {
        refuseShape(*tensor, std::to_string(count));
        return {};
    }
    const Bytes bytes = bytesOf(*tensor);
    if (bytes.empty()) {
        return {};
    }
    std::vector<float> values(weights);
    m_weights.smallBytes += weights * sizeof(float);
    if (m_small == SmallTensors::NotRead) {
        return values;
    }
    if (auto decoded = decode(tensor->typeId, bytes, values, m_model.byteOrder); !decoded) {
        m_refusal.add(std::move(decoded.error()));
    }
    return values;
}

Norm Binder::norm(std::string_view name, std::uint64_t length, Need need) {
    const std::string full = m_prefix + std::string(name);
    Norm norm{.weight = floats(full + ".weight", length, need), .bias = {}, .length = length};
    if (norm) {
        norm.bias = floats(full + ".bias", length, Need::May);
    }
    return norm;
}

// Of queries or keys: of one head for all, of each head its own, or of all heads together.
Norm Binder::headNorm(std::string_view name, std::uint64_t heads) {
    const std::string full = m_prefix + std::string(name);
    const TensorInfo* tensor = find(full + ".weight", Need::May);
    if (tensor == nullptr) {
        return {};
    }
    const std::uint64_t length = m_shape.keyLength;
    const bool shared = tensor->weights() == length;
    Norm norm{.weight = floats(full + ".weight", shared ? length : length * heads),
              .bias = floats(full + ".bias", shared ? length : length * heads, Need::May),
              .length = tensor->shape[0]};
    if (norm.length != length && norm.length != length * heads) {
        refuseShape(*tensor, std::to_string(length) + ", " + std::to_string(length) + " × " + std::to_string(heads));
    }
    return norm;
}

Matrix Binder::headMatrix(std::string_view name, std::uint64_t columns, std::uint64_t rows, std::uint64_t heads) {
    const TensorInfo* tensor = find(m_prefix + std::string(name) + ".weight", Need::May);
    if (tensor == nullptr) {
        return {};
    }
    Matrix all = tensor->shape[1] == rows * heads ? matrix(name, columns, rows * heads)
                                                  : matrix(name, columns, rows, Need::Must, heads);
    all.rows = all ? rows * heads : 0;
    all.experts = 1;
    return all;
}

FeedForwardWeights Binder::feedForward(std::string_view suffix, std::uint64_t width, std::uint64_t experts, Need need) {
    const std::string end(suffix);
    FeedForwardWeights result;
    const std::uint64_t in = m_shape.embedding;
    const TensorInfo* up = find(m_prefix + "ffn_up" + end + ".weight", need);
    if (up == nullptr) {
        return result;
    }
    result.gate = matrix("ffn_gate" + end, in, width, Need::May, experts);
    if (!result.gate && experts == 1 && up->shape[1] == 2 * width) { // phi3: both in one
        const Matrix both = matrix("ffn_up" + end, in, 2 * width);
        if (both) {
            result.gate = both.part(0, width);
            result.up = both.part(width, width);
        }
    } else {
        result.up = matrix("ffn_up" + end, in, width, Need::Must, experts);
    }
    result.down = matrix("ffn_down" + end, width, in, Need::Must, experts);
    return result;
}

Result<> Binder::bind() {
    bindModel();
    m_weights.blocks.resize(m_shape.blocks.size());
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        setBlock(i);
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
    if (m_refusal) {
        return std::unexpected(m_refusal.take());
    }
    countBytes();
    return {};
}

void Binder::bindModel() {
    m_weights.embedding = matrix("token_embd", m_shape.embedding, 0);
    m_shape.vocabulary = static_cast<std::uint32_t>(m_weights.embedding.rows);
    m_weights.embeddingNorm = norm("token_embd_norm", m_shape.embedding, Need::May);
    m_weights.positions = matrix("position_embd", m_shape.embedding, 0, Need::May);
    m_weights.outputNorm = norm("output_norm", m_shape.embedding);
    m_weights.output = matrix("output", m_shape.embedding, m_shape.vocabulary, Need::May);
    if (!m_weights.output) {
        m_weights.output = m_weights.embedding;
    }
    bindRopeFactors();
}

void Binder::bindRopeFactors() {
    const std::uint64_t pairs = m_shape.rotated / 2;
    if (m_shape.architecture->rope == RopeKind::None || pairs == 0) {
        return;
    }
    m_weights.ropeFactors = floats("rope_freqs.weight", pairs, Need::May);
    m_weights.ropeFactorsLong = floats("rope_factors_long.weight", pairs, Need::May);
    m_weights.ropeFactorsShort = floats("rope_factors_short.weight", pairs, Need::May);
    if (m_shape.rope.scaling == RopeScaling::LongRope &&
        (m_weights.ropeFactorsLong.empty() || m_weights.ropeFactorsShort.empty())) {
        for (const std::string name : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
            (void)floats(name, pairs, Need::Must);
        }
    }
}

void Binder::bindTransformer(std::size_t index) {
    const BlockShape& block = m_shape.blocks[index];
    BlockWeights& weights = m_weights.blocks[index];
    weights.attentionPostNorm = norm("post_attention_norm", m_shape.embedding, Need::May);
    weights.feedForwardPostNorm = norm("post_ffw_norm", m_shape.embedding, Need::May);
    // olmo2 norms the results of branches only; branches side by side may share one norm.
    const Need before = weights.attentionPostNorm ? Need::May : Need::Must;
    const bool alone = m_shape.architecture->residual == Residual::Sequential && !weights.feedForwardPostNorm;
    weights.attentionNorm = norm("attn_norm", m_shape.embedding, before);
    weights.attentionNorm2 = norm("attn_norm_2", m_shape.embedding, Need::May);
    weights.feedForwardNorm = norm("ffn_norm", m_shape.embedding, alone ? Need::Must : Need::May);
    if (m_shape.architecture->family == Family::LatentAttention) {
        bindLatentAttention(block, weights.attention);
    } else {
        bindAttention(block, weights.attention);
    }
    weights.attention.output =
        matrix("attn_output", std::uint64_t{block.heads} * m_shape.valueLength, m_shape.embedding);
    bindFeedForward(block, weights);
}

void Binder::bindAttention(const BlockShape& block, AttentionWeights& attention) {
    const std::uint64_t queries = std::uint64_t{block.heads} * m_shape.keyLength;
    const std::uint64_t keys = std::uint64_t{block.kvHeads} * m_shape.keyLength;
    const std::uint64_t values = std::uint64_t{block.kvHeads} * m_shape.valueLength;
    if (const Matrix joined = matrix("attn_qkv", m_shape.embedding, queries + keys + values, Need::May)) {
        attention.query = joined.part(0, queries);
        attention.key = joined.part(queries, keys);
        attention.value = joined.part(queries + keys, values);
    } else {
        attention.query = matrix("attn_q", m_shape.embedding, queries);
        attention.key = matrix("attn_k", m_shape.embedding, keys);
        attention.value = matrix("attn_v", m_shape.embedding, values);
    }
    attention.queryNorm = headNorm("attn_q_norm", block.heads);
    attention.keyNorm = headNorm("attn_k_norm", block.kvHeads);
}

void Binder::bindLatentAttention(const BlockShape& block, AttentionWeights& attention) {
    const std::uint64_t heads = block.heads;
    const std::uint64_t queries = heads * m_shape.keyLength;
    const std::uint64_t rank = m_shape.keyValueRank;
    if (m_shape.queryRank != 0) {
        attention.queryDown = matrix("attn_q_a", m_shape.embedding, m_shape.queryRank);
        attention.queryDownNorm = norm("attn_q_a_norm", m_shape.queryRank);
        attention.query = matrix("attn_q_b", m_shape.queryRank, queries);
    } else {
        attention.query = matrix("attn_q", m_shape.embedding, queries);
    }
    attention.keyValueDown = matrix("attn_kv_a_mqa", m_shape.embedding, rank + m_shape.rotated);
    attention.keyValueNorm = norm("attn_kv_a_norm", rank);
    const std::uint64_t plain = m_shape.keyLength - m_shape.rotated;
    attention.keyAbsorbed = headMatrix("attn_k_b", plain, rank, heads);
    attention.valueUp = headMatrix("attn_v_b", rank, m_shape.valueLength, heads);
    if (!attention.keyAbsorbed || !attention.valueUp) {
        attention.keyAbsorbed = attention.valueUp = {};
        attention.keyValueUp = matrix("attn_kv_b", rank, heads * (plain + m_shape.valueLength));
    }
}

void Binder::bindFeedForward(const BlockShape& block, BlockWeights& weights) {
    const ExpertShape& experts = m_shape.experts;
    weights.router = matrix("ffn_gate_inp", m_shape.embedding, experts.count, Need::May);
    if (!weights.router) {
        weights.feedForward = feedForward("", block.feedForward, 1, Need::Must);
        return;
    }
    weights.routerBias = floats(m_prefix + "exp_probs_b.bias", experts.count, Need::May);
    const auto widthOf = [&](std::string_view name) -> std::uint64_t {
        const TensorInfo* up = find(m_prefix + std::string(name), Need::May);
        return up != nullptr ? up->shape[1] : 0;
    };
    weights.experts = feedForward("_exps", widthOf("ffn_up_exps.weight"), experts.count, Need::Must);
    weights.sharedExpert = feedForward("_shexp", widthOf("ffn_up_shexp.weight"), 1, Need::May);
    weights.sharedExpertGate = matrix("ffn_gate_inp_shexp", m_shape.embedding, 1, Need::May);
}

void Binder::bindMamba(BlockWeights& weights) {
    const SsmShape& ssm = m_shape.ssm;
    const std::uint64_t inner = ssm.inner;
    MambaWeights& mamba = weights.mamba;
    weights.attentionNorm = norm("attn_norm", m_shape.embedding);
    mamba.in = matrix("ssm_in", m_shape.embedding, 2 * inner);
    mamba.convolution = floats(m_prefix + "ssm_conv1d.weight", inner * ssm.convolution);
    mamba.convolutionBias = floats(m_prefix + "ssm_conv1d.bias", inner, Need::May);
    mamba.x = matrix("ssm_x", inner, ssm.timeStepRank + 2 * std::uint64_t{ssm.state});
    mamba.timeStep = matrix("ssm_dt", ssm.timeStepRank, inner);
    mamba.a = floats(m_prefix + "ssm_a", inner * ssm.state);
    mamba.d = floats(m_prefix + "ssm_d", inner);
    mamba.out = matrix("ssm_out", inner, m_shape.embedding);
}

void Binder::bindRwkv(const BlockShape& block, BlockWeights& weights) {
    const std::uint64_t width = m_shape.embedding;
    const RwkvShape& shape = m_shape.rwkv;
    RwkvWeights& rwkv = weights.rwkv;
    weights.attentionNorm = norm("attn_norm", width);
    weights.attentionNorm2 = norm("attn_norm_2", width);
    rwkv.mixDown = matrix("time_mix_w1", width, std::uint64_t{5} * shape.timeMixExtra);
    const Matrix up = matrix("time_mix_w2", shape.timeMixExtra, width, Need::Must, 5);
    rwkv.mixBase = floats(m_prefix + "time_mix_lerp_x.weight", width);
    const std::vector<float> fused = floats(m_prefix + "time_mix_lerp_fused.weight", 5 * width, Need::May);
    for (std::size_t i = 0; i < 5; ++i) {
        if (up) {
            rwkv.mixUp.push_back(up.expert(i));
        }
        constexpr std::array kNames{"w", "k", "v", "r", "g"};
        if (fused.empty()) {
            rwkv.mix.push_back(floats(m_prefix + "time_mix_lerp_" + kNames[i] + ".weight", width));
        } else {
            rwkv.mix.emplace_back(fused.begin() + static_cast<std::ptrdiff_t>(i * width),
                                  fused.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
        }
    }
    rwkv.first = floats(m_prefix + "time_mix_first.weight", width);
    rwkv.decay = floats(m_prefix + "time_mix_decay.weight", width);
    rwkv.decayDown = matrix("time_mix_decay_w1", width, shape.timeDecayExtra);
    rwkv.decayUp = matrix("time_mix_decay_w2", shape.timeDecayExtra, width);
    rwkv.key = matrix("time_mix_key", width, width);
    rwkv.value = matrix("time_mix_value", width, width);
    rwkv.receptance = matrix("time_mix_receptance", width, width);
    rwkv.gate = matrix("time_mix_gate", width, width);
    rwkv.norm = norm("time_mix_ln", width);
    rwkv.norm.length = shape.headSize;
    rwkv.output = matrix("time_mix_output", width, width);
    rwkv.channelMixKey = floats(m_prefix + "channel_mix_lerp_k.weight", width);
    rwkv.channelMixReceptance = floats(m_prefix + "channel_mix_lerp_r.weight", width);
    rwkv.channelKey = matrix("channel_mix_key", width, block.feedForward);
    rwkv.channelValue = matrix("channel_mix_value", block.feedForward, width);
    rwkv.channelReceptance = matrix("channel_mix_receptance", width, width);
}

// What one token reads: every matrix once; of the embedding a row, unless it is the output too; of experts those used.
void Binder::countBytes() {
    std::uint64_t& bytes = m_weights.bytesPerToken;
    bytes = m_weights.output.bytes();
    std::uint64_t& products = m_weights.productsPerToken;
    const auto add = [&](const Matrix& matrix) {
        bytes += matrix.bytes();
        products += matrix.rows * matrix.columns;
    };
    for (const BlockWeights& block : m_weights.blocks) {
        const AttentionWeights& a = block.attention;
        for (const Matrix* matrix : {&a.query,
                                     &a.key,
                                     &a.value,
                                     &a.output,
                                     &a.queryDown,
                                     &a.keyValueDown,
                                     &a.keyValueUp,
                                     &a.keyAbsorbed,
                                     &a.valueUp,
                                     &block.router,
                                     &block.sharedExpertGate,
                                     &block.feedForward.gate,
                                     &block.feedForward.up,
                                     &block.feedForward.down,
                                     &block.sharedExpert.gate,
                                     &block.sharedExpert.up,
                                     &block.sharedExpert.down,
                                     &block.mamba.in,
                                     &block.mamba.x,
                                     &block.mamba.timeStep,
                                     &block.mamba.out,
                                     &block.rwkv.mixDown,
                                     &block.rwkv.decayDown,
                                     &block.rwkv.decayUp,
                                     &block.rwkv.key,
                                     &block.rwkv.value,
                                     &block.rwkv.receptance,
                                     &block.rwkv.gate,
                                     &block.rwkv.output,
                                     &block.rwkv.channelKey,
                                     &block.rwkv.channelValue,
                                     &block.rwkv.channelReceptance}) {
            add(*matrix);
        }
        for (const Matrix* matrix : {&block.experts.gate, &block.experts.up, &block.experts.down}) {
            bytes += matrix->bytes() / std::max(1U, m_shape.experts.count) * m_shape.experts.used;
            products += matrix->rows * matrix->columns * m_shape.experts.used;
        }
        std::ranges::for_each(block.rwkv.mixUp, add);
    }
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

Result<Weights> bindWeights(const Model& model, ModelShape& shape, SmallTensors small) {
    Weights weights;
    if (auto bound = Binder(model, shape, weights, small).bind(); !bound) {
        return std::unexpected(std::move(bound.error()));
    }
    return weights;
}

} // namespace gufo::inference
