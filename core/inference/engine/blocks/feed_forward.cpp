#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/operations.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gufo::inference {
namespace {

// Rows that are routed, copied or added at once: waking other threads takes as long as some of them.
constexpr std::uint64_t kRowsAtOnce = 8;

} // namespace

void ForwardContext::enter(std::span<const Rows> streams, std::size_t tokens) const {
    const float* from = range.entering.data();
    for (const Rows& stream : streams) {
        for (std::size_t t = 0; t < tokens; ++t, from += shape.embedding) {
            std::copy_n(from, shape.embedding, stream[t]);
        }
    }
}

void ForwardContext::showState(std::size_t block, const float* state, const StateHeads& heads,
                               const std::function<double(std::size_t token, std::size_t head)>& decayOf) const {
    std::vector<float> lengths;
    for (std::size_t head = 0; head < heads.heads; ++head) {
        double squares = 0;
        for (const float x : std::span(state + heads.begin + head * heads.size, heads.size)) {
            squares += static_cast<double>(x) * static_cast<double>(x);
        }
        lengths.push_back(static_cast<float>(std::sqrt(squares)));
    }
    std::vector<float> decays;
    for (std::size_t token = 0; token < ids.size(); ++token) {
        for (std::size_t head = 0; head < heads.heads; ++head) {
            decays.push_back(static_cast<float>(decayOf(token, head)));
        }
    }
    observer->state({block, position, ids.size()}, lengths, decays);
}

void ForwardContext::norm(const Norm& norm, Rows in, Rows out, std::size_t tokens, std::size_t width) const {
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            if (norm) {
                applyNorm(norm, shape.architecture->norm.kind, shape.epsilon, {in[t], width}, {out[t], width});
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
        const std::size_t latent = context.shape.experts.latent;
        m_latent = Activations(context.memory, latent != 0 ? 2 * batch : 0, latent);
        m_gathered = Activations(context.memory, batch, std::max<std::size_t>(latent, context.shape.embedding));
        m_results = Activations(context.memory, batch, m_gathered.width());
        m_scores.assign(context.multiplier.team().size(), std::vector<float>(experts));
    }
}

void FeedForward::run(std::size_t block, Rows in, Rows out, std::size_t tokens) {
    if (m_context.weights.blocks[block].router) {
        experts(block, in, in, out, tokens);
    } else {
        dense(block, in, out, tokens);
    }
}

void FeedForward::dense(std::size_t block, Rows in, Rows out, std::size_t tokens) {
    const ModelShape& shape = m_context.shape;
    const Form form{.xielu = shape.xielu.empty() ? nullptr : &shape.xielu[block],
                    .sparsity = shape.blocks[block].sparsity};
    dense(m_context.weights.blocks[block].feedForward, form, in, out, tokens);
}

void FeedForward::dense(const FeedForwardWeights& weights, const Form& form, Rows in, Rows out, std::size_t tokens) {
    const Activation activation = m_context.shape.activation;
    const std::size_t width = weights.up.rows;
    Multiplier& multiplier = m_context.multiplier;
    if (weights.gate) {
        const std::array<Multiplier::Product, 2> products{{{&weights.gate, m_gate.rows()}, {&weights.up, m_up.rows()}}};
        multiplier.multiply(products, in, tokens);
    } else {
        multiplier.multiply(weights.up, in, m_up.rows(), tokens);
    }
    if (form.sparsity != 0) {
        multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t t = begin; t < end; ++t) {
                sparsify(m_gate[t].first(width), form.sparsity);
            }
        });
    }
    multiplier.team().run([&](unsigned member) {
        const std::size_t begin = width * member / multiplier.team().size();
        const std::size_t count = width * (member + 1) / multiplier.team().size() - begin;
        for (std::size_t t = 0; t < tokens; ++t) {
            const std::span<float> up = m_up[t].subspan(begin, count);
            if (form.xielu != nullptr) {
                activateXielu(*form.xielu, up);
            } else if (weights.gate) {
                activateGated(activation, m_gate[t].subspan(begin, count), up);
            } else {
                activate(m_context.shape.architecture->feedForward.reluWithoutGate ? Activation::Relu : activation, up);
            }
        }
    });
    if (weights.downNorm) {
        m_context.norm(weights.downNorm, m_up.rows(), m_up.rows(), tokens, width);
    }
    multiplier.multiply(weights.down, m_up.rows(), out, tokens);
}

void FeedForward::experts(std::size_t index, Rows routed, Rows in, Rows out, std::size_t tokens) {
    const BlockWeights& block = m_context.weights.blocks[index];
    m_context.multiplier.multiply(block.router, routed, m_routes.rows(), tokens);
    if (!block.latentDown) {
        chosenExperts(block, in, out, m_context.shape.embedding, tokens);
    } else { // the experts read and write shorter rows
        const Rows inner = m_latent.rows();
        const Rows sums{m_latent[tokens].data(), m_latent.width()};
        m_context.multiplier.multiply(block.latentDown, in, inner, tokens);
        chosenExperts(block, inner, sums, m_latent.width(), tokens);
        m_context.multiplier.multiply(block.latentUp, sums, out, tokens);
    }
    if (block.sharedExpert) {
        addSharedExpert(block, in, out, tokens);
    }
}

void FeedForward::chosenExperts(const BlockWeights& block, Rows in, Rows out, std::size_t width, std::size_t tokens) {
    const ExpertShape& shape = m_context.shape.experts;
    std::vector<std::uint32_t> chosen(tokens * shape.used);
    std::vector<float> factors(tokens * shape.used);
    Team& team = m_context.multiplier.team();
    team.forShares(tokens, kRowsAtOnce, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        for (std::uint64_t t = begin; t < end; ++t) {
            choose(block, m_routes[t], std::span(chosen).subspan(t * shape.used, shape.used),
                   std::span(factors).subspan(t * shape.used, shape.used), member);
            std::fill_n(out[t], width, 0.0F);
        }
    });
    if (m_context.observer != nullptr) {
        const auto index = static_cast<std::size_t>(&block - m_context.weights.blocks.data());
        m_context.observer->experts({index, m_context.position, tokens}, shape.used, chosen, factors);
    }
    const bool scalesInput = shape.gating == Gating::InputSigmoid;
    // Process expert by expert, so that each one's weights are read once for the batch, and in the order of tokens.
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(chosen[i], i); });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const std::uint32_t expert = chosen[order[begin]];
        while (end < order.size() && chosen[order[end]] == expert) {
            ++end;
        }
        const std::span uses(order.begin() + static_cast<std::ptrdiff_t>(begin), end - begin);
        // Calls work(use, token, row) for each use of the expert; a token uses it at most once.
        const auto forUses = [&](const auto& work) {
            team.forShares(uses.size(), kRowsAtOnce, [&](std::uint64_t first, std::uint64_t last, unsigned) {
                for (std::uint64_t row = first; row < last; ++row) {
                    work(uses[row], uses[row] / shape.used, row);
                }
            });
        };
        forUses([&](std::size_t use, std::size_t token, std::size_t row) {
            activeKernels().recurrence.scale(in[token], scalesInput ? factors[use] : 1, nullptr, m_gathered[row].data(),
                                             width);
        });
        const FeedForwardWeights& all = block.experts;
        dense({.gate = all.gate ? all.gate.expert(expert) : Matrix(),
               .up = all.up.expert(expert),
               .down = all.down.expert(expert),
               .downNorm = {}},
              {}, m_gathered.rows(), m_results.rows(), uses.size());
        forUses([&](std::size_t use, std::size_t token, std::size_t row) {
            addScaled(out[token], m_results[row].data(), scalesInput ? 1 : factors[use], width);
        });
    }
}

void FeedForward::addSharedExpert(const BlockWeights& block, Rows in, Rows out, std::size_t tokens) {
    const std::size_t width = m_context.shape.embedding;
    dense(block.sharedExpert, {}, in, m_results.rows(), tokens);
    const Rows gates{m_routes.rows().data, 1}; // the experts are already chosen
    if (block.sharedExpertGate) {
        m_context.multiplier.multiply(block.sharedExpertGate, in, gates, tokens);
    }
    m_context.multiplier.team().forShares(tokens, kRowsAtOnce, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            addScaled(out[t], m_results[t].data(), block.sharedExpertGate ? sigmoid(*gates[t]) : 1, width);
        }
    });
}

void FeedForward::choose(const BlockWeights& block, std::span<float> gates, std::span<std::uint32_t> chosen,
                         std::span<float> factors, unsigned member) {
    std::vector<float>& scores = m_scores[member];
    const ExpertShape& shape = m_context.shape.experts;
    if (shape.gating == Gating::Sigmoid) {
        std::ranges::transform(gates, gates.begin(), sigmoid);
    } else if (shape.gating == Gating::Softmax) {
        softmax(gates);
    }
    // The bias affects which experts are chosen, but not their weights.
    std::ranges::copy(gates, scores.begin());
    if (!block.routerBias.empty()) {
        add(scores, block.routerBias);
    }
    // NaN weights make NaN scores, which cannot be sorted.
    std::ranges::replace_if(
        scores, [](float score) { return std::isnan(score); }, -std::numeric_limits<float>::infinity());
    if (shape.groups > 1) { // consider only the groups whose two best experts have the highest sum
        const std::size_t size = shape.count / shape.groups;
        std::vector<std::pair<float, std::size_t>> groups;
        for (std::size_t g = 0; g < shape.groups; ++g) {
            std::vector<float> group(scores.begin() + static_cast<std::ptrdiff_t>(g * size),
                                     scores.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
            std::ranges::sort(group, std::greater());
            groups.emplace_back(group[0] + (size > 1 ? group[1] : 0), g);
        }
        std::ranges::sort(groups, [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        for (std::size_t i = shape.usedGroups; i < groups.size(); ++i) {
            std::fill_n(scores.begin() + static_cast<std::ptrdiff_t>(groups[i].second * size), size,
                        -std::numeric_limits<float>::infinity());
        }
    }
    std::vector<std::uint32_t> order(shape.count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::partial_sort(order, order.begin() + shape.used, [&](std::uint32_t a, std::uint32_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    });
    std::copy_n(order.begin(), chosen.size(), chosen.begin());
    weighChosen(gates, chosen, factors);
    double sum = 0;
    for (const float value : factors) {
        sum += static_cast<double>(value);
    }
    constexpr double kSmallestSum = 0x1p-14; // the smallest normal number of 16 bits, the limit of other engines
    const double factor = shape.scale / (shape.normalised ? std::max(sum, kSmallestSum) : 1);
    for (float& value : factors) {
        value = static_cast<float>(static_cast<double>(value) * factor);
    }
}

void FeedForward::weighChosen(std::span<const float> gates, std::span<const std::uint32_t> chosen,
                              std::span<float> factors) const {
    std::ranges::transform(chosen, factors.begin(), [&](std::uint32_t expert) { return gates[expert]; });
    const Gating gating = m_context.shape.experts.gating;
    if (gating == Gating::InputSigmoid) {
        std::ranges::transform(factors, factors.begin(), sigmoid);
    } else if (gating == Gating::SoftmaxOfChosen) {
        softmax(factors);
    } else if (gating == Gating::SparseMixer) {
        // The rivals of an expert are those within 2 % of its logit that were not chosen before it.
        constexpr float kNear = 0.02F;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const float best = gates[chosen[i]];
            double sum = 0;
            for (std::uint32_t expert = 0; expert < gates.size(); ++expert) {
                const float gate = gates[expert];
                const bool before =
                    std::ranges::find(chosen.first(i), expert) != chosen.begin() + static_cast<std::ptrdiff_t>(i);
                if (!before && (best - gate) / std::max(std::abs(gate), best) <= kNear) {
                    sum += std::exp(static_cast<double>(gate - best));
                }
            }
            factors[i] = static_cast<float>(1 / sum);
        }
    }
}

} // namespace gufo::inference
