#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gufo::inference {
void ForwardContext::norm(const Norm& norm, Rows in, Rows out, std::size_t tokens, std::size_t width) const {
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            if (norm) {
                applyNorm(norm, shape.architecture->norm, shape.epsilon, {in[t], width}, {out[t], width});
            } else {
                std::copy_n(in[t], width, out[t]);
            }
        }
    });
}

FeedForward::FeedForward(const ForwardContext& context, std::size_t batch)
    : m_context(context)
    , m_gate(context.memory, batch, context.weights.widestFeedForward)
    , m_up(context.memory, batch, context.weights.widestFeedForward) {
    if (const std::size_t experts = context.weights.mostExperts; experts != 0) {
        m_routes = Activations(context.memory, batch, experts);
        m_gathered = Activations(context.memory, batch, context.shape.embedding);
        m_results = Activations(context.memory, batch, context.shape.embedding);
        m_scores.resize(experts);
    }
}

void FeedForward::run(const BlockWeights& block, Rows in, Rows out, std::size_t tokens) {
    if (block.router) {
        experts(block, in, out, tokens);
    } else {
        dense(block.feedForward, in, out, tokens);
    }
}

void FeedForward::dense(const FeedForwardWeights& weights, Rows in, Rows out, std::size_t tokens) {
    const Activation activation = m_context.shape.architecture->activation;
    const std::size_t width = weights.up.rows;
    Multiplier& multiplier = m_context.multiplier;
    if (weights.gate) {
        const std::array<Multiplier::Product, 2> products{{{&weights.gate, m_gate.rows()}, {&weights.up, m_up.rows()}}};
        multiplier.multiply(products, in, tokens);
    } else {
        multiplier.multiply(weights.up, in, m_up.rows(), tokens);
    }
    multiplier.team().run([&](unsigned member) {
        const std::size_t begin = width * member / multiplier.team().size();
        const std::size_t count = width * (member + 1) / multiplier.team().size() - begin;
        for (std::size_t t = 0; t < tokens; ++t) {
            const std::span<float> up = m_up[t].subspan(begin, count);
            if (weights.gate) {
                activateGated(activation, m_gate[t].subspan(begin, count), up);
            } else {
                activate(activation, up);
            }
        }
    });
    multiplier.multiply(weights.down, m_up.rows(), out, tokens);
}

void FeedForward::experts(const BlockWeights& block, Rows in, Rows out, std::size_t tokens) {
    const ExpertShape& shape = m_context.shape.experts;
    const std::size_t width = m_context.shape.embedding;
    m_context.multiplier.multiply(block.router, in, m_routes.rows(), tokens);
    std::vector<std::uint32_t> chosen(tokens * shape.used);
    std::vector<float> factors(tokens * shape.used);
    for (std::size_t t = 0; t < tokens; ++t) {
        choose(block, m_routes[t], std::span(chosen).subspan(t * shape.used, shape.used),
               std::span(factors).subspan(t * shape.used, shape.used));
        std::fill_n(out[t], width, 0.0F);
    }
    // Expert by expert, so that each one's weights are read once a batch; of one expert token by token.
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(chosen[i], i); });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const std::uint32_t expert = chosen[order[begin]];
        while (end < order.size() && chosen[order[end]] == expert) {
            std::copy_n(in[order[end] / shape.used], width, m_gathered[end - begin].data());
            ++end;
        }
        const std::span uses(order.begin() + static_cast<std::ptrdiff_t>(begin), end - begin);
        const FeedForwardWeights& all = block.experts;
        dense({.gate = all.gate ? all.gate.expert(expert) : Matrix(),
               .up = all.up.expert(expert),
               .down = all.down.expert(expert)},
              m_gathered.rows(), m_results.rows(), uses.size());
        for (std::size_t i = 0; i < uses.size(); ++i) {
            addScaled(out[uses[i] / shape.used], m_results[i].data(), factors[uses[i]], width);
        }
    }
    if (block.sharedExpert) {
        dense(block.sharedExpert, in, m_results.rows(), tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            float factor = 1;
            if (block.sharedExpertGate) {
                m_context.multiplier.multiply(block.sharedExpertGate, {in[t], width}, {m_scores.data(), 1}, 1);
                factor = sigmoid(m_scores[0]);
            }
            addScaled(out[t], m_results[t].data(), factor, width);
        }
    }
}

void FeedForward::choose(const BlockWeights& block, std::span<float> gates, std::span<std::uint32_t> chosen,
                         std::span<float> factors) {
    const ExpertShape& shape = m_context.shape.experts;
    if (shape.sigmoid) {
        std::ranges::transform(gates, gates.begin(), sigmoid);
    } else {
        softmax(gates);
    }
    // The bias decides who is chosen, not how much they count.
    std::ranges::copy(gates, m_scores.begin());
    if (!block.routerBias.empty()) {
        add(m_scores, block.routerBias);
    }
    // Weights that are no numbers make scores that are none, and nothing can be sorted by those.
    std::ranges::replace_if(
        m_scores, [](float score) { return std::isnan(score); }, -std::numeric_limits<float>::infinity());
    if (shape.groups > 1) { // only the groups whose two best experts are best
        const std::size_t size = shape.count / shape.groups;
        std::vector<std::pair<float, std::size_t>> groups;
        for (std::size_t g = 0; g < shape.groups; ++g) {
            std::vector<float> scores(m_scores.begin() + static_cast<std::ptrdiff_t>(g * size),
                                      m_scores.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
            std::ranges::sort(scores, std::greater());
            groups.emplace_back(scores[0] + (size > 1 ? scores[1] : 0), g);
        }
        std::ranges::sort(groups, [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        for (std::size_t i = shape.usedGroups; i < groups.size(); ++i) {
            std::fill_n(m_scores.begin() + static_cast<std::ptrdiff_t>(groups[i].second * size), size,
                        -std::numeric_limits<float>::infinity());
        }
    }
    std::vector<std::uint32_t> order(shape.count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::partial_sort(order, order.begin() + shape.used, [&](std::uint32_t a, std::uint32_t b) {
        return m_scores[a] != m_scores[b] ? m_scores[a] > m_scores[b] : a < b;
    });
    double sum = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        chosen[i] = order[i];
        factors[i] = gates[order[i]];
        sum += static_cast<double>(factors[i]);
    }
    const double factor = shape.scale / (shape.normalised ? sum : 1);
    for (float& value : factors) {
        value = static_cast<float>(static_cast<double>(value) * factor);
    }
}

} // namespace gufo::inference
