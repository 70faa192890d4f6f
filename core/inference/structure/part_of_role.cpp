#include "inference/engine/binding/graph_traits.h"
#include "inference/structure/model_structure.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

// Rows of tensor_roles.inc by their position in the forward pass.
struct OrderedRow {
    std::uint8_t last; // position
    GraphPart part;
};
// Of norms in blocks.
constexpr auto kNormParts = std::to_array<OrderedRow>({
    {11, GraphPart::MixNorm},
    {31, GraphPart::Attention}, // of heads, compressed rows and before the output
    {33, GraphPart::MixPostNorm},
    {34, GraphPart::Indexer},
    {40, GraphPart::CrossAttention},
    {88, GraphPart::Recurrence},
    {99, GraphPart::Convolution},
    {102, GraphPart::FeedNorm},
    {129, GraphPart::FeedForward},
    {132, GraphPart::FeedPostNorm},
    {140, GraphPart::FeedForward},
    {141, GraphPart::FeedPostNorm},
    {167, GraphPart::BlockStreams},
    {179, GraphPart::BlockInput},
    {189, GraphPart::Prediction},
    {195, GraphPart::MixNorm},
    {255, GraphPart::Other},
});
// Of other tensors in blocks, unless their group says more.
constexpr auto kOtherParts = std::to_array<OrderedRow>({
    {9, GraphPart::Convolution},
    {33, GraphPart::Attention},
    {34, GraphPart::Indexer},
    {40, GraphPart::CrossAttention},
    {41, GraphPart::Attention},
    {88, GraphPart::Recurrence},
    {99, GraphPart::Convolution},
    {141, GraphPart::FeedForward},
    {159, GraphPart::BlockScale},
    {167, GraphPart::BlockStreams},
    {179, GraphPart::BlockInput},
    {189, GraphPart::Prediction},
    {198, GraphPart::Convolution},
    {200, GraphPart::Projector}, // of layers of an image encoder
    {201, GraphPart::Other},
    {255, GraphPart::Projector},
});

template<std::size_t N>
GraphPart partAt(const std::array<OrderedRow, N>& parts, std::uint8_t order) {
    return std::ranges::find_if(parts, [order](const OrderedRow& part) { return order <= part.last; })->part;
}

GraphPart feedForwardPart(const TensorName& name) {
    const std::string_view role = name.fact->name;
    if (role.find("shexp") != std::string_view::npos) {
        return GraphPart::SharedExperts;
    }
    if (name.expert || name.fact->experts || role.starts_with("ffn_latent")) {
        return GraphPart::Experts;
    }
    return role == "ffn_gate_inp" || role == "exp_probs_b" ? GraphPart::Router : GraphPart::FeedForward;
}

GraphPart partInBlock(const TensorName& name, const RoleContext& context) {
    const RoleFact& fact = *name.fact;
    if (context.traits != nullptr) {
        const NormTraits& norm = context.traits->norm;
        if (fact.name == norm.feedForward) {
            return GraphPart::FeedNorm;
        }
        if (norm.place != Norms::Before && fact.name == norm.afterAttention) {
            return GraphPart::MixPostNorm;
        }
        if (norm.place != Norms::Before && fact.name == norm.afterFeedForward) {
            return GraphPart::FeedPostNorm;
        }
    }
    if (fact.name == "ln2" || fact.name == "post_ln") {
        return GraphPart::FeedNorm;
    }
    switch (fact.group) {
    case TensorGroup::Norm:
        return partAt(kNormParts, fact.order);
    case TensorGroup::FeedForward:
        return feedForwardPart(name);
    case TensorGroup::Recurrent:
        return fact.name.starts_with("channel_mix") ? GraphPart::FeedForward : GraphPart::Recurrence;
    case TensorGroup::Attention:
        return context.onlyState ? GraphPart::Recurrence : partAt(kOtherParts, fact.order);
    case TensorGroup::Embedding:
    case TensorGroup::Output:
    case TensorGroup::Other:
        return partAt(kOtherParts, fact.order);
    }
    return GraphPart::Other;
}

} // namespace

bool isProjectorLayer(const TensorName& name) {
    return name.block && name.fact != nullptr && name.fact->perBlock && name.fact->order >= 202;
}

GraphPart partOfRole(const TensorName& name, const RoleContext& context) {
    if (name.fact == nullptr && name.block && context.traits != nullptr) {
        // Names of other containers whose meaning depends on where the architecture has its norms.
        if (name.role == "post_attention_layernorm") {
            return context.traits->norm.place == Norms::Before ? GraphPart::FeedNorm : GraphPart::MixPostNorm;
        }
        if (name.role == "pre_feedforward_layernorm") {
            return GraphPart::FeedNorm;
        }
        if (name.role == "post_feedforward_layernorm") {
            return GraphPart::FeedPostNorm;
        }
    }
    if (name.fact == nullptr) {
        return name.prefix.starts_with("mm.") || name.prefix.starts_with("resampler.") ? GraphPart::Projector
                                                                                       : GraphPart::Other;
    }
    const RoleFact& fact = *name.fact;
    if (name.block && !isProjectorLayer(name)) {
        return partInBlock(name, context);
    }
    if (name.prefix.starts_with("mm.") || name.prefix.starts_with("resampler.") || isProjectorLayer(name)) {
        return GraphPart::Projector;
    }
    if (context.traits != nullptr && fact.name == context.traits->norm.output) {
        return GraphPart::OutputNorm;
    }
    if (fact.name.starts_with("rope_")) {
        return GraphPart::RopeFactors;
    }
    if (fact.name.starts_with("per_layer_")) {
        return GraphPart::LayerInputs;
    }
    if (fact.name.starts_with("altup_")) {
        return GraphPart::Streams;
    }
    constexpr std::uint8_t kLastBefore = 31; // the last row before the blocks
    if (fact.order <= kLastBefore) {
        return GraphPart::Input;
    }
    if (fact.name == "output") {
        return GraphPart::Output;
    }
    if (fact.name == "output_norm" || fact.name == "post_ln") {
        return GraphPart::OutputNorm;
    }
    return fact.group == TensorGroup::Output || fact.name == "cls.norm" ? GraphPart::Head : GraphPart::Projector;
}

} // namespace gufo::inference
