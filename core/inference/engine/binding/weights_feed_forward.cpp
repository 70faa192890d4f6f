#include "inference/engine/binding/weight_binder.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gufo::inference {
namespace {

constexpr std::string_view kExperts = "_exps";

} // namespace

FeedForwardWeights WeightBinder::feedForward(std::string_view suffix, std::uint64_t in, std::uint64_t width,
                                             Binder::Stack experts, Need need) {
    const std::string end(suffix);
    const std::string upName = "ffn_up" + end;
    FeedForwardWeights result;
    if (need == Need::May && !m_file.has(upName, {in, width})) {
        return result;
    }
    const std::string joinedName = "ffn_gate_up" + end;
    const std::uint64_t twice = width != Binder::kAsInFile ? 2 * width : width;
    const bool inUp = experts.count == 1 && m_file.rowsOf(upName) == twice && !m_file.has("ffn_gate" + end);
    if (inUp || (suffix == kExperts && m_file.has(joinedName, {in, twice, experts.count}))) {
        if (const Matrix both = m_file.stack(inUp ? upName : joinedName, in, twice, experts)) {
            result.gate = both.part(0, width);
            result.up = both.part(width, width);
        }
    } else {
        const Need gate = m_shape.architecture->feedForward.mayLackGate ? Need::May : Need::Must;
        result.gate = m_file.stack("ffn_gate" + end, in, width, experts, gate);
        result.up = m_file.stack(upName, in, width, experts);
    }
    result.down = m_file.stack("ffn_down" + end, width, in, experts);
    if (suffix.empty() && m_shape.architecture->norm.beforeProjections) {
        result.downNorm = m_file.norm("ffn_sub_norm", width);
    }
    m_weights.widestFeedForward = std::max(m_weights.widestFeedForward, width);
    return result;
}

// Not every file has a key for the width of experts.
std::uint64_t WeightBinder::expertWidth() {
    if (m_file.has("ffn_gate_up_exps")) {
        return std::max<std::uint64_t>(1, m_file.rowsOf("ffn_gate_up_exps") / 2);
    }
    const std::uint64_t rows = m_file.rowsOf("ffn_up_exps");
    return rows != 0 ? rows : Binder::kAsInFile;
}

void WeightBinder::bindFeedForward(const BlockShape& block, BlockWeights& weights) {
    const ExpertShape& experts = m_shape.experts;
    const std::uint64_t width = m_shape.embedding;
    const bool beside = m_shape.architecture->experts.besideDense;
    m_file.setPart(GraphPart::FeedForward);
    if (block.experts && block.experts->each == 0) {
        weights.feedForward = feedForward("", width, block.feedForward, kAlone, Need::Must);
        return;
    }
    const bool stated = block.experts.has_value();
    const bool hasExperts = m_file.has("ffn_up_exps") || m_file.has("ffn_gate_up_exps");
    const Need router = stated || hasExperts ? Need::Must : Need::May;
    m_file.setPart(GraphPart::Router);
    // Beside a dense feed-forward, "ffn_gate_inp.scale" belongs to the router's input.
    weights.router = beside ? m_file.unscaled("ffn_gate_inp", width, experts.count, router)
                            : m_file.matrix("ffn_gate_inp", width, experts.count, router);
    const bool routes = stated || hasExperts || weights.router;
    if (!routes || beside) {
        m_file.setPart(GraphPart::FeedForward);
        weights.feedForward = feedForward("", width, block.feedForward, kAlone, Need::Must);
    }
    if (!routes) {
        return;
    }
    m_file.setPart(GraphPart::Router);
    m_weights.mostExperts = std::max<std::uint64_t>(m_weights.mostExperts, experts.count);
    weights.routerBias = m_file.floats("exp_probs_b.bias", experts.count,
                                       m_shape.architecture->experts.needRouterBias ? Need::Must : Need::May);
    m_file.setPart(GraphPart::Experts);
    if (experts.latent != 0) {
        weights.latentDown = m_file.matrix("ffn_latent_down", width, experts.latent);
        weights.latentUp = m_file.matrix("ffn_latent_up", experts.latent, width);
    }
    const std::uint64_t in = experts.latent != 0 ? experts.latent : width;
    weights.experts = feedForward(kExperts, in, stated ? block.experts->each : expertWidth(),
                                  {.count = experts.count, .used = experts.used}, Need::Must);
    m_file.setPart(GraphPart::SharedExperts);
    if (!stated) {
        const std::uint64_t rows = m_file.rowsOf("ffn_up_shexp");
        const bool needed = m_file.isNeeded("ffn_up_shexp.weight") && !experts.mayLackShared;
        const Need shared = needed ? Need::Must : Need::May;
        weights.sharedExpert = feedForward("_shexp", width, rows != 0 ? rows : Binder::kAsInFile, kAlone, shared);
        if (weights.sharedExpert || shared == Need::Must) {
            weights.sharedExpertGate = m_file.matrix("ffn_gate_inp_shexp", width, 1, Need::May);
        }
    } else if (block.experts->shared != 0) {
        weights.sharedExpert = feedForward("_shexp", width, block.experts->shared, kAlone, Need::Must);
    }
    if (beside) {
        // The router reads the stream, normed, times the scale, divided by √width.
        m_file.setPart(GraphPart::Router);
        weights.routerNorm = {.weight = m_file.floats("ffn_gate_inp.scale", width), .bias = {}, .length = width};
        const float factor = 1 / std::sqrt(static_cast<float>(width));
        std::ranges::transform(weights.routerNorm.weight, weights.routerNorm.weight.begin(),
                               [&](float x) { return factor * x; });
        m_file.setPart(GraphPart::FeedForward);
        weights.densePostNorm = m_file.norm("post_ffw_norm_1", width);
        m_file.setPart(GraphPart::Experts);
        weights.expertsNorm = m_file.norm("pre_ffw_norm_2", width);
        weights.expertsPostNorm = m_file.norm("post_ffw_norm_2", width);
    }
}

} // namespace gufo::inference
