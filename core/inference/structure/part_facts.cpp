#include "inference/structure/part_facts.h"

#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"

#include <array>
#include <charconv>

namespace gufo::inference {
namespace {

using enum StructureFact;

// The shortest text that distinguishes the number from others with six figures.
std::string numberText(double value) {
    std::array<char, 32> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    return {text.data(), end};
}

void tell(StructurePart& part, StructureFact fact, Arguments args = {}) {
    part.facts.push_back({.fact = fact, .args = std::move(args)});
}

// As papers call them.
std::string_view activationName(Activation activation) {
    switch (activation) {
    case Activation::Silu:
        return "SiLU";
    case Activation::Gelu:
        return "GELU (tanh)";
    case Activation::ExactGelu:
        return "GELU";
    case Activation::Relu:
        return "ReLU";
    case Activation::SquaredRelu:
        return "ReLU²";
    case Activation::Xielu:
        return "xIELU";
    case Activation::ClampedSwiglu:
        return "SwiGLU ≤ 7";
    }
    return {};
}

std::string_view gatingName(Gating gating) {
    switch (gating) {
    case Gating::Softmax:
        return "softmax";
    case Gating::Sigmoid:
        return "sigmoid";
    case Gating::SoftmaxOfChosen:
        return "top-k softmax";
    case Gating::SparseMixer:
        return "SparseMixer";
    case Gating::InputSigmoid:
        return "input sigmoid";
    }
    return {};
}

// The keys of the encoders of images and sounds have these in front.
std::string scopeOf(std::string_view prefix) {
    return prefix.starts_with("v.") ? "vision." : prefix.starts_with("a.") ? "audio." : "";
}

} // namespace

const Metadata& PartFacts::noKeys() {
    static const Metadata kNone;
    return kNone;
}

const TensorInfo* PartFacts::find(const StructurePart& part, std::string_view role) const {
    for (const TensorIndex index : part.tensors) {
        const TensorInfo& tensor = m_model.tensor(index);
        const TensorName name = parseTensorName(tensor.name);
        if ((name.fact != nullptr ? name.fact->name : name.role) == role &&
            (name.suffix == "weight" || name.suffix.empty() || name.suffix == "lora_a")) {
            return &tensor;
        }
    }
    return nullptr;
}

void PartFacts::tellNorm(StructurePart& part) const {
    if (m_shape == nullptr || part.tensors.empty()) {
        return;
    }
    const NormTraits& norm = m_shape->architecture->norm;
    tell(part, norm.kind == NormKind::Rms ? RmsNorm : LayerNorm);
    const bool post = part.part == GraphPart::MixPostNorm || part.part == GraphPart::FeedPostNorm;
    if (post && norm.place == Norms::AfterSum) {
        tell(part, AfterSum);
    }
}

void PartFacts::tellAttention(StructurePart& part, const BlockShape& block, std::uint32_t number) const {
    const ModelShape& shape = *m_shape;
    const AttentionTraits& traits = shape.architecture->attention;
    tell(part, Heads, {block.heads, block.keyLength});
    if (block.valueLength != block.keyLength) {
        tell(part, ValueLength, {block.valueLength});
    }
    if (traits.kind->latent) {
        tell(part, LatentRow, {shape.keyValueRank});
        if (shape.queryRank != 0) {
            tell(part, QueryRank, {shape.queryRank});
        }
    } else {
        tell(part, KvHeads, {block.kvHeads});
    }
    if (block.window != 0) {
        tell(part, block.chunked ? Chunk : Window, {block.window});
    }
    if (!block.causal) {
        tell(part, BothDirections);
    }
    const RopeShape& rope = block.window != 0 ? shape.windowRope : shape.rope;
    if (shape.ropeKind != RopeKind::None && block.rotates) {
        tell(part, shape.ropeKind == RopeKind::HalfSplit ? RopeHalves : RopePairs,
             {rope.rotated != 0 ? rope.rotated : shape.rotated, block.keyLength});
        tell(part, RopeBase, {numberText(rope.base)});
    } else {
        tell(part, NoRope);
    }
    if (shape.alibi != 0) {
        tell(part, Alibi, {numberText(shape.alibi)});
    }
    if (traits.distanceBiases) {
        tell(part, DistanceBiases, {shape.distanceBuckets});
    }
    if (has(part, "attn_q_norm") || has(part, "attn_k_norm") || shape.plainHeadNorms) {
        tell(part, QkNorm);
    }
    if (traits.sinks) {
        tell(part, Sinks);
    }
    if (traits.gated) {
        tell(part, OutputGate);
    }
    if (shape.attentionCap != 0) {
        tell(part, ScoreCap, {numberText(shape.attentionCap)});
    }
    if (block.source != number && shape.firstBlock == 0) {
        tell(part, SharedCache, {block.source});
    }
}

void PartFacts::tellAttentionByKeys(StructurePart& part, std::uint32_t number, const std::string& scope) const {
    const auto value = [&](std::string_view suffix) {
        return m_parameters.uintAt(scope + "attention." + std::string(suffix), number);
    };
    const auto heads = value("head_count");
    const auto width = m_parameters.uint(scope + "embedding_length");
    if (heads && *heads != 0) {
        const auto keys = value("key_length");
        if (keys || width) {
            tell(part, Heads, {*heads, keys ? *keys : *width / *heads});
        }
        if (const auto kv = value("head_count_kv"); kv && *kv != *heads) {
            tell(part, KvHeads, {*kv});
        }
    }
    if (const auto window = value("sliding_window"); window && *window != 0) {
        tell(part, Window, {*window});
    }
    if (has(part, "attn_q_norm") || has(part, "attn_k_norm")) {
        tell(part, QkNorm);
    }
}

void PartFacts::tellRecurrence(StructurePart& part) const {
    if (m_shape != nullptr) {
        const GraphTraits& traits = *m_shape->architecture;
        if (traits.recurrence.kind != nullptr) {
            tell(part, Kind, {traits.recurrence.kind->name});
        } else if (!traits.kind->name.empty()) {
            tell(part, Kind, {traits.kind->name});
        }
    }
    struct KeyRow {
        std::string_view suffix;
        StructureFact fact;
    };
    constexpr auto kKeys = std::to_array<KeyRow>({
        {"ssm.inner_size", InnerLength},
        {"ssm.state_size", StateLength},
        {"ssm.group_count", StateGroups},
        {"ssm.conv_kernel", Taps},
        {"shortconv.l_cache", Taps},
        {"kda.head_dim", HeadLength},
        {"wkv.head_size", HeadLength},
    });
    for (const KeyRow& key : kKeys) {
        if (const auto value = m_parameters.uint(key.suffix)) {
            tell(part, key.fact, {*value});
        }
    }
}

// The width is the width of the input of the last matrix.
void PartFacts::tellFeedForward(StructurePart& part, std::string_view suffix) const {
    const std::string end(suffix);
    const TensorInfo* down = find(part, "ffn_down" + end);
    const TensorInfo* up = find(part, "ffn_up" + end);
    const bool ggml = m_shape != nullptr || m_model.metadata.architecture() == "clip";
    if (down == nullptr) {
        down = find(part, "channel_mix_value");
    }
    if (down != nullptr && ggml) {
        tell(part, Width, {down->shape[0]});
    } else if (down != nullptr) {
        tell(part, Width, {std::max(down->shape[0], down->shape[1])}); // other containers transpose some matrices
    } else if (up != nullptr) {
        tell(part, Width, {std::max(up->shape[0], up->shape[1])});
    }
    if (m_shape == nullptr) {
        return;
    }
    const GraphTraits& traits = *m_shape->architecture;
    if (traits.kind != &kTransformer) {
        return tell(part, Ungated, {activationName(Activation::SquaredRelu)});
    }
    const bool doubled = up != nullptr && down != nullptr && up->shape[1] == 2 * down->shape[0];
    const bool gated = doubled || has(part, "ffn_gate" + end) || has(part, "ffn_gate_up" + end);
    const auto activation = traits.feedForward.reluWithoutGate && !gated ? Activation::Relu : m_shape->activation;
    tell(part, gated ? Gated : Ungated, {activationName(activation)});
}

void PartFacts::tellRouter(StructurePart& part) const {
    const ExpertShape* experts = m_shape != nullptr && m_shape->experts.count != 0 ? &m_shape->experts : nullptr;
    const TensorInfo* router = find(part, "ffn_gate_inp");
    const std::uint64_t stated = m_parameters.uint("expert_count").value_or(0);
    const std::uint64_t count = router != nullptr && router->shape.count() > 1 ? router->shape[1] : stated;
    const auto used = m_parameters.uint("expert_used_count");
    if (count != 0 && used) {
        tell(part, ExpertsUsed, {*used, count});
    } else if (count != 0) {
        tell(part, ExpertCount, {count});
    }
    if (experts != nullptr) {
        tell(part, RoutedBy, {gatingName(experts->gating)});
        if (experts->normalised) {
            tell(part, Normalised);
        }
        if (experts->groups > 1) {
            tell(part, Groups, {experts->usedGroups, experts->groups});
        }
        if (experts->scale != 1) {
            tell(part, ExpertScale, {numberText(experts->scale)});
        }
    }
    if (has(part, "exp_probs_b") || find(part, "exp_probs_b.bias") != nullptr) {
        tell(part, BalanceBias);
    }
}

void PartFacts::tellExperts(StructurePart& part) const {
    const TensorInfo* any = find(part, "ffn_down_exps");
    if (any == nullptr) {
        any = find(part, "ffn_down");
    }
    if (any != nullptr && any->shape.count() > 2) {
        tell(part, ExpertCount, {any->shape[any->shape.count() - 1]});
    }
    tellFeedForward(part, "_exps");
}

// Of an adapter: the shorter side of its first matrices.
void PartFacts::tellRank(StructurePart& part) const {
    for (const TensorIndex index : part.tensors) {
        const TensorInfo& tensor = m_model.tensor(index);
        if (parseTensorName(tensor.name).suffix == "lora_a" && tensor.shape.count() == 2) {
            return tell(part, Rank, {std::min(tensor.shape[0], tensor.shape[1])});
        }
    }
}

void PartFacts::tellBlock(StructurePart& part, const BlockShape* block, std::uint32_t number,
                          std::string_view prefix) const {
    switch (part.part) {
    case GraphPart::MixNorm:
    case GraphPart::MixPostNorm:
    case GraphPart::FeedNorm:
    case GraphPart::FeedPostNorm:
        tellNorm(part);
        break;
    case GraphPart::Attention:
        if (m_shape != nullptr && block != nullptr && block->attends()) {
            tellAttention(part, *block, number);
        } else {
            tellAttentionByKeys(part, number, scopeOf(prefix));
        }
        break;
    case GraphPart::Indexer:
        if (m_shape != nullptr && m_shape->indexer.heads != 0) {
            tell(part, Heads, {m_shape->indexer.heads, m_shape->indexer.keyLength});
            tell(part, BestPositions, {m_shape->indexer.best});
        }
        break;
    case GraphPart::Recurrence:
        tellRecurrence(part);
        break;
    case GraphPart::FeedForward:
        tellFeedForward(part, "");
        if (block != nullptr && block->sparsity != 0) {
            tell(part, Sparse);
        }
        break;
    case GraphPart::Router:
        tellRouter(part);
        break;
    case GraphPart::Experts:
        tellExperts(part);
        break;
    case GraphPart::SharedExperts:
        tellFeedForward(part, "_shexp");
        break;
    default:
        break;
    }
    tellRank(part);
}

void PartFacts::tellModel(StructurePart& part, std::string_view prefix) const {
    switch (part.part) {
    case GraphPart::Input: {
        if (const TensorInfo* table = find(part, "token_embd"); table != nullptr && table->shape.count() == 2) {
            tell(part, Vocabulary, {table->shape[1], table->shape[0]});
        }
        if (const TensorInfo* positions = find(part, "position_embd"); positions != nullptr) {
            tell(part, LearnedPositions, {positions->shape[1]});
        }
        if (m_shape != nullptr && m_shape->embeddingFactor != 1) {
            tell(part, Scaled, {numberText(m_shape->embeddingFactor)});
        }
        if (m_shape != nullptr && m_shape->branchFactor != 1) {
            tell(part, BranchScale, {numberText(m_shape->branchFactor)});
        }
        const std::string scope = scopeOf(prefix);
        if (const auto patch = m_parameters.uint(scope + "patch_size"); patch && !scope.empty()) {
            tell(part, PatchLength, {*patch});
        }
        if (const auto image = m_parameters.uint(scope + "image_size"); image && !scope.empty()) {
            tell(part, ImageLength, {*image});
        }
        break;
    }
    case GraphPart::Streams:
        if (m_shape != nullptr) {
            constexpr std::uint64_t kUsual = 4;
            tell(part, StreamCount, {m_parameters.uint("altup.num_inputs").value_or(kUsual)});
        }
        break;
    case GraphPart::OutputNorm:
        tellNorm(part);
        break;
    case GraphPart::Output:
        if (part.tensors.empty()) {
            tell(part, Tied);
        }
        if (m_shape != nullptr && m_shape->logitCap != 0) {
            tell(part, LogitCap, {numberText(m_shape->logitCap)});
        }
        if (m_shape != nullptr && m_shape->logitFactor != 1) {
            tell(part, Scaled, {numberText(m_shape->logitFactor)});
        }
        break;
    case GraphPart::Head:
        if (m_shape != nullptr && m_shape->pooling.asked) {
            tell(part, PooledBy, {poolingName(*m_shape->pooling.asked)});
        }
        break;
    case GraphPart::Projector:
        if (const auto kind = m_model.metadata.string("clip.projector_type")) {
            tell(part, Kind, {*kind});
        }
        break;
    default:
        break;
    }
    tellRank(part);
}

} // namespace gufo::inference
