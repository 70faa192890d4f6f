#include "inference/engine/binding/shape_reader.h"

#include <algorithm>

namespace gufo::inference {

void ShapeReader::readExperts() {
    ExpertShape& experts = m_shape.experts;
    experts.count = optional("expert_count", 0);
    const GraphTraits& row = *m_shape.architecture;
    m_shape.plainHeadNorms = row.norm.plainHeads && experts.count != row.norm.plainHeadsUnlessExperts;
    if (experts.count == 0) {
        if (row.experts.sizes != ExpertSizes::AsTensors) {
            refuse("expert_count");
        }
        return;
    }
    experts.used = length("expert_used_count");
    if (experts.used > experts.count) {
        refuse("expert_used_count");
    }
    experts.normalised = flag("expert_weights_norm", row.experts.weights == ExpertWeights::Normalised);
    experts.scale = factor("expert_weights_scale", 1);
    switch (const std::uint32_t gating = optional("expert_gating_func", 0)) { // 0: not stated
    case 0:
        experts.gating = row.experts.gating;
        break;
    case 1:
        experts.gating = Gating::Softmax;
        break;
    case 2:
        experts.gating = Gating::Sigmoid;
        break;
    case 3:
        experts.gating = Gating::SoftmaxOfChosen;
        break;
    default:
        cannot(m_model.metadata.architectureKey("expert_gating_func"), std::to_string(gating));
    }
    experts.groups = std::max(1U, optional("expert_group_count", 1));
    experts.usedGroups = std::max(1U, optional("expert_group_used_count", 1));
    if (experts.usedGroups > experts.groups) {
        refuse("expert_group_used_count");
    }
    if (experts.count % experts.groups != 0 || experts.count / experts.groups * experts.usedGroups < experts.used) {
        refuse("expert_group_count");
    }
    experts.latent = optional("moe_latent_size", 0);
    readExpertWidths();
}

void ShapeReader::readExpertWidths() {
    const ExpertSizes sizes = m_shape.architecture->experts.sizes;
    if (sizes == ExpertSizes::AsTensors) {
        m_shape.experts.mayLackShared = optional("expert_shared_count", 1) == 0;
        return;
    }
    if (sizes == ExpertSizes::EveryNth) {
        const std::uint32_t every = length("moe_every_n_layers");
        for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
            BlockShape& block = m_shape.blocks[i];
            block.experts = {.each = i % every == 1 ? block.feedForward : 0};
            if (block.feedForward == 0) {
                return refuse("feed_forward_length");
            }
        }
        return;
    }
    if (sizes == ExpertSizes::LastOfSteps) {
        const std::uint32_t step = length("interleave_moe_layer_step");
        const std::uint32_t each = length("expert_feed_forward_length");
        for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
            const std::uint32_t width = (i + 1) % step == 0 ? each : 0;
            m_shape.blocks[i].experts = {.each = width, .shared = width};
        }
        return;
    }
    const std::uint32_t dense = optional("leading_dense_block_count", 0);
    if (!m_shape.blocks.empty() && dense > m_shape.declaredBlocks) {
        refuse("leading_dense_block_count");
    }
    if (const std::uint32_t step = optional("interleave_moe_layer_step", 1); step != 1) {
        cannot(m_model.metadata.architectureKey("interleave_moe_layer_step"), std::to_string(step));
    }
    const bool stated = sizes == ExpertSizes::SharedCount || sizes == ExpertSizes::SharedWidth;
    const std::uint32_t width = stated ? length("expert_feed_forward_length") : 0;
    const std::uint32_t shared = sizes != ExpertSizes::NoShared ? optional("expert_shared_feed_forward_length", 0) : 0;
    const std::uint64_t count = sizes == ExpertSizes::SharedCount ? optional("expert_shared_count", 0) : 1;
    if (count * std::max(width, shared) > kLargestLength) {
        refuse("expert_shared_count");
    }
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        BlockShape& block = m_shape.blocks[i];
        ExpertWidths& widths = block.experts.emplace();
        if (i < dense) {
            continue;
        }
        widths.each = stated ? width : block.feedForward;
        if (widths.each == 0) {
            return refuse("feed_forward_length");
        }
        switch (sizes) {
        case ExpertSizes::AsTensors:
        case ExpertSizes::NoShared:
        case ExpertSizes::EveryNth:
        case ExpertSizes::LastOfSteps:
            break;
        case ExpertSizes::SharedCount:
            widths.shared = static_cast<std::uint32_t>(count * (shared != 0 ? shared : width));
            break;
        case ExpertSizes::SharedWidth:
            widths.shared = shared;
            break;
        case ExpertSizes::FeedForward:
            widths.shared = shared != 0 ? shared : widths.each;
            break;
        }
    }
}

} // namespace gufo::inference
