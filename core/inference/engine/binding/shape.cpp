#include "inference/engine/binding/shape.h"

#include "inference/session/refusal.h"
#include "model/block_memory.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/memory_estimate.h"
#include "tensor/decode.h"

#include <cmath>
#include <limits>

namespace gufo::inference {
namespace {

// Larger than any model's; products of two of them do not overflow.
constexpr std::uint64_t kLargestLength = 1U << 24U;

class Reader {
public:
    explicit Reader(const Model& model)
        : m_model(model)
        , m_parameters(model.metadata) {}

    [[nodiscard]] Result<ModelShape> read();

private:
    // A length that must be there.
    std::uint32_t length(std::string_view suffix) {
        const auto value = m_parameters.uint(suffix);
        if (!value || *value == 0 || *value > kLargestLength) {
            refuse(suffix);
            return 1;
        }
        return static_cast<std::uint32_t>(*value);
    }
    std::uint32_t optional(std::string_view suffix, std::uint64_t fallback) {
        const auto value = m_parameters.uint(suffix);
        if (value && *value > kLargestLength) {
            refuse(suffix);
            return 1;
        }
        return static_cast<std::uint32_t>(value.value_or(fallback));
    }
    double number(std::string_view suffix, double fallback) {
        const double value = m_parameters.number(suffix).value_or(fallback);
        if (!std::isfinite(value)) {
            refuse(suffix);
            return fallback;
        }
        return value;
    }
    void refuse(std::string_view suffix) {
        std::string key = m_model.metadata.architectureKey(suffix);
        m_refusal.add(ErrorCode::NoSuchKey, Place::key(key), key);
    }
    // What a key asks for is not there in this engine.
    void cannot(const std::string& key, std::string_view value) {
        m_refusal.add(ErrorCode::NotRunnable, Place::key(key), key + " = " + std::string(value));
    }

    void readCommon();
    void readBlocks(std::uint32_t count);
    void readAttention();
    void readRope();
    void readExperts();
    void readRecurrent();

    const Model& m_model;
    HyperParameters m_parameters;
    ModelShape m_shape;
    Refusal m_refusal;
};

Result<ModelShape> Reader::read() {
    if (const FileKind kind = fileKind(m_model); kind != FileKind::Model) {
        return fail(ErrorCode::NotRunnable, {}, {std::string(fileKindName(kind))});
    }
    m_shape.architecture = findEngineArchitecture(m_model.metadata.architecture());
    if (m_shape.architecture == nullptr) {
        cannot("general.architecture", m_model.metadata.architecture());
        for (const TensorInfo& tensor : m_model.tensors) {
            if (!isDecodable(tensor.typeId)) {
                m_refusal.add(ErrorCode::NotRunnable, {}, tensor.typeName());
            }
        }
        return std::unexpected(m_refusal.take());
    }
    readCommon();
    switch (m_shape.architecture->family) {
    case Family::Transformer:
    case Family::LatentAttention:
        readAttention();
        readRope();
        readExperts();
        break;
    case Family::Mamba:
    case Family::Rwkv6:
        readRecurrent();
        break;
    }
    if (m_refusal) {
        return std::unexpected(m_refusal.take());
    }
    return std::move(m_shape);
}

void Reader::readCommon() {
    const Architecture& row = *m_shape.architecture;
    m_shape.embedding = length("embedding_length");
    m_shape.trainedContext = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(m_parameters.uint("context_length").value_or(0), kMaxContext));
    m_shape.epsilon =
        number(row.norm == NormKind::Rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon", 1e-5);
    m_shape.logitCap = number("final_logit_softcapping", 0);
    m_shape.logitFactor = number("logit_scale", 1);
    const std::uint32_t count = length("block_count");
    if (count > kMaxBlocks) {
        refuse("block_count");
    } else if (!m_refusal) {
        readBlocks(count);
    }
}

void Reader::readBlocks(std::uint32_t count) {
    const Blocks blocks(m_model, m_parameters, count);
    const BlockValues heads = m_parameters.blockValues("attention.head_count");
    const BlockValues kvHeads = m_parameters.blockValues("attention.head_count_kv");
    const BlockValues feedForward = m_parameters.blockValues("feed_forward_length");
    const std::uint64_t predicting = m_parameters.uint("nextn_predict_layers").value_or(0);
    if (predicting >= count) {
        return refuse("nextn_predict_layers");
    }
    m_shape.declaredBlocks = count;
    count -= static_cast<std::uint32_t>(predicting);
    const bool attends =
        m_shape.architecture->family == Family::Transformer || m_shape.architecture->family == Family::LatentAttention;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t headCount = heads.at(i).value_or(0);
        const std::uint64_t kvCount = kvHeads.at(i).value_or(headCount);
        if (attends && (headCount == 0 || headCount > kLargestLength)) {
            return refuse("attention.head_count");
        }
        if (attends && (kvCount == 0 || headCount % kvCount != 0)) {
            return refuse("attention.head_count_kv");
        }
        const std::uint64_t window = blocks.kind(i).window;
        const std::uint64_t width = feedForward.at(i).value_or(0);
        if (width > kLargestLength) {
            return refuse("feed_forward_length");
        }
        m_shape.blocks.push_back({.heads = static_cast<std::uint32_t>(headCount),
                                  .kvHeads = static_cast<std::uint32_t>(kvCount),
                                  .window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, kMaxContext)),
                                  .feedForward = static_cast<std::uint32_t>(width)});
    }
}

void Reader::readAttention() {
    if (m_refusal) {
        return;
    }
    const Architecture& row = *m_shape.architecture;
    const std::uint32_t heads = m_shape.blocks.front().heads;
    m_shape.keyLength = optional("attention.key_length", m_shape.embedding / heads);
    m_shape.valueLength = optional("attention.value_length", m_shape.keyLength);
    m_shape.rotated = optional("rope.dimension_count", m_shape.keyLength);
    if (m_shape.keyLength == 0) {
        refuse("attention.key_length");
    }
    if (m_shape.valueLength == 0) {
        refuse("attention.value_length");
    }
    if (m_shape.rotated > m_shape.keyLength || m_shape.rotated % 2 != 0) {
        refuse("rope.dimension_count");
    }
    m_shape.queryRank = optional("attention.q_lora_rank", 0);
    m_shape.keyValueRank = optional("attention.kv_lora_rank", 0);
    if (row.family == Family::LatentAttention) {
        if (m_shape.keyValueRank == 0) {
            refuse("attention.kv_lora_rank");
        }
        // Files that keep the heads' matrices apart state the lengths of cached rows, and those of heads beside them;
        // the one row of the cache that all heads share is no KV head of the model.
        m_shape.keyLength = optional("attention.key_length_mla", m_shape.keyLength);
        m_shape.valueLength = optional("attention.value_length_mla", m_shape.valueLength);
        if (m_shape.keyLength <= m_shape.rotated || m_shape.valueLength == 0) {
            refuse("attention.key_length_mla");
        }
        for (BlockShape& block : m_shape.blocks) {
            block.kvHeads = 1;
        }
    }
    m_shape.attentionCap = number("attn_logit_softcapping", 0);
    m_shape.clamp = number("attention.clamp_kqv", 0);
    m_shape.alibi = number("attention.max_alibi_bias", row.alibi);
    const bool share = row.queryScale == QueryScale::HeadSizeOrShare && m_shape.blocks.size() == row.largestBlocks;
    m_shape.queryFactor = number("attention.scale", 0);
    if (m_shape.queryFactor == 0) {
        m_shape.queryFactor = 1 / std::sqrt(share ? m_shape.embedding / heads : m_shape.keyLength);
    }
    m_shape.parallel =
        row.residual == Residual::Parallel ||
        (row.residual == Residual::ParallelByKey && m_parameters.boolean("use_parallel_residual").value_or(true));
}

void Reader::readRope() {
    const Architecture& row = *m_shape.architecture;
    RopeShape& rope = m_shape.rope;
    rope.base = number("rope.freq_base", 10'000);
    if (rope.base <= 0) {
        refuse("rope.freq_base");
    }
    const auto type = m_model.metadata.string(m_model.metadata.architectureKey("rope.scaling.type"));
    const double oldFactor = number("rope.scale_linear", 0);
    const double factor = number("rope.scaling.factor", oldFactor != 0 ? oldFactor : 1);
    if (factor <= 0) {
        refuse("rope.scaling.factor");
    }
    rope.originalContext = optional("rope.scaling.original_context_length", m_shape.trainedContext);
    rope.attentionFactor = number("rope.scaling.attn_factor", 1);
    rope.yarnFast = number("rope.scaling.yarn_beta_fast", 32);
    rope.yarnSlow = number("rope.scaling.yarn_beta_slow", 1);
    rope.yarnLogMultiplier = number("rope.scaling.yarn_log_multiplier", 0);
    const auto scaling = type ? ropeScalingFromName(*type) : std::optional(RopeScaling::None);
    if (!scaling) {
        cannot(m_model.metadata.architectureKey("rope.scaling.type"), *type);
    } else if (!type && factor != 1) {
        rope.scaling = RopeScaling::Linear;
    } else {
        rope.scaling = *scaling;
    }
    if (rope.scaling == RopeScaling::Linear || rope.scaling == RopeScaling::Yarn) {
        rope.scale = 1 / factor; // LongRope's factors are in tensors
    }
    m_shape.windowRope = rope;
    if (row.windowRopeBase != 0) {
        m_shape.windowRope = {.base = number("rope.freq_base_swa", row.windowRopeBase)};
    } else if (row.unstretchedWindows) {
        m_shape.windowRope = {.base = rope.base, .pairFactors = false};
    }
}

void Reader::readExperts() {
    ExpertShape& experts = m_shape.experts;
    experts.count = optional("expert_count", 0);
    if (experts.count == 0) {
        return;
    }
    experts.used = length("expert_used_count");
    if (experts.used > experts.count) {
        refuse("expert_used_count");
    }
    experts.normalised = m_parameters.boolean("expert_weights_norm")
                             .value_or(m_shape.architecture->expertWeights == ExpertWeights::Normalised);
    experts.scale = number("expert_weights_scale", 1);
    if (experts.scale == 0) {
        experts.scale = 1; // files write 0 where there is none
    }
    const std::uint32_t gating = optional("expert_gating_func", 1);
    experts.sigmoid = gating == 2;
    if (gating > 2) {
        cannot(m_model.metadata.architectureKey("expert_gating_func"), std::to_string(gating));
    }
    experts.groups = std::max(1U, optional("expert_group_count", 1));
    experts.usedGroups = std::max(1U, optional("expert_group_used_count", 1));
    if (experts.count % experts.groups != 0 || experts.usedGroups > experts.groups ||
        experts.count / experts.groups * experts.usedGroups < experts.used) {
        refuse("expert_group_count");
    }
}

void Reader::readRecurrent() {
    if (m_shape.architecture->family == Family::Mamba) {
        m_shape.ssm = {.convolution = length("ssm.conv_kernel"),
                       .inner = length("ssm.inner_size"),
                       .state = length("ssm.state_size"),
                       .timeStepRank = length("ssm.time_step_rank"),
                       .normed = m_parameters.boolean("ssm.dt_b_c_rms").value_or(false)};
        return;
    }
    m_shape.rwkv = {.headSize = length("wkv.head_size"),
                    .timeMixExtra = length("time_mix_extra_dim"),
                    .timeDecayExtra = length("time_decay_extra_dim"),
                    .rescaleEvery = optional("rescale_every_n_layers", 0)};
    if (!m_refusal && m_shape.embedding % m_shape.rwkv.headSize != 0) {
        refuse("wkv.head_size");
    }
}

} // namespace

Result<ModelShape> readShape(const Model& model) { return Reader(model).read(); }

namespace {

void apply(RopeShape& rope, const RopeOverride& asked) {
    rope.base = asked.base.value_or(rope.base);
    rope.originalContext = asked.originalContext.value_or(rope.originalContext);
    if (asked.scaling) {
        const bool same = *asked.scaling == rope.scaling;
        rope.scale = same ? rope.scale : 1;
        rope.attentionFactor = same && rope.scaling == RopeScaling::Yarn ? rope.attentionFactor : 1;
        rope.scaling = *asked.scaling;
        rope.pairFactors = false;
    }
    if (asked.scale && rope.scaling != RopeScaling::Yarn && asked.scaling != RopeScaling::None) {
        rope.scaling = *asked.scale == 1 ? RopeScaling::None : RopeScaling::Linear;
    }
    if (rope.scaling == RopeScaling::None) {
        rope.scale = 1;
    } else if (asked.scale) {
        rope.scale = 1 / *asked.scale;
    }
}

} // namespace

Result<ModelShape> withRope(ModelShape shape, const RopeOverride& asked) {
    for (const auto& number : {asked.base, asked.scale}) {
        if (number && (!std::isfinite(*number) || *number <= 0)) {
            return fail(ErrorCode::InvalidArgument, {}, {std::to_string(*number)});
        }
    }
    if (asked.scaling == RopeScaling::LongRope) {
        return fail(ErrorCode::InvalidArgument, {}, {std::string(ropeScalingName(*asked.scaling))});
    }
    apply(shape.rope, asked);
    // Windows may have frequencies of their own, which are no business of long contexts.
    if (shape.architecture->windowRopeBase == 0 && !shape.architecture->unstretchedWindows) {
        apply(shape.windowRope, asked);
    }
    RopeShape& rope = shape.rope;
    if (asked.scaling == RopeScaling::Yarn && rope.originalContext == 0) {
        const std::string key = std::string(shape.architecture->name) + ".rope.scaling.original_context_length";
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    if (shape.architecture->family == Family::LatentAttention) {
        // The scores take what YaRN would multiply sines and cosines by, in the model's own measure.
        const double stretch = rope.scaling == RopeScaling::Yarn ? std::log(1 / rope.scale) : 0;
        const double measure = rope.attentionFactor * (1 + rope.yarnLogMultiplier * stretch);
        shape.queryFactor *= measure * measure;
        rope.attentionFactor /= 1 + 0.1 * stretch;
    }
    return shape;
}

} // namespace gufo::inference
