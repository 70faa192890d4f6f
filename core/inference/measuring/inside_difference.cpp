#include "inference/measuring/inside_difference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace gufo::inference {
namespace {

std::vector<float> weightsByExpert(const ChosenExperts& experts, std::size_t index, std::size_t token,
                                   std::vector<bool>& chosen) {
    std::vector<float> weights(experts.count);
    const std::size_t at = (index * experts.tokens + token) * experts.used;
    for (std::size_t use = at; use < at + experts.used; ++use) {
        const std::uint32_t expert = experts.chosen[use];
        chosen[expert] = true;
        weights[expert] = experts.weights[use];
    }
    return weights;
}

} // namespace

HeadSummary operator-(const HeadSummary& b, const HeadSummary& a) {
    return {.entropy = b.entropy - a.entropy, .first = b.first - a.first, .sink = b.sink - a.sink};
}

AttentionMap operator-(AttentionMap b, const AttentionMap& a) {
    std::ranges::transform(b.weights, a.weights, b.weights.begin(), std::minus());
    std::ranges::transform(b.summaries, a.summaries, b.summaries.begin(),
                           [](const HeadSummary& of, const HeadSummary& from) { return of - from; });
    return b;
}

bool areComparable(const ChosenExperts& a, const ChosenExperts& b) {
    return a.blocks == b.blocks && a.tokens == b.tokens && a.count == b.count && a.used == b.used;
}

ExpertChoices compareChoices(const ChosenExperts& a, const ChosenExperts& b, std::size_t index, std::size_t token) {
    std::vector<bool> ofA(a.count);
    std::vector<bool> ofB(b.count);
    const std::vector<float> weightsA = weightsByExpert(a, index, token, ofA);
    const std::vector<float> weightsB = weightsByExpert(b, index, token, ofB);
    ExpertChoices choices;
    for (std::size_t expert = 0; expert < a.count; ++expert) {
        if (ofA[expert] || ofB[expert]) {
            (ofA[expert] && ofB[expert] ? choices.both
             : ofA[expert]              ? choices.onlyA
                                        : choices.onlyB)
                .push_back(
                    {.expert = static_cast<std::uint32_t>(expert), .weights = {weightsA[expert], weightsB[expert]}});
        }
    }
    for (std::vector<ExpertChoices::Choice>* each : {&choices.onlyA, &choices.onlyB, &choices.both}) {
        // Equal weights keep the order of the experts. clang 19 rejects std::stable_sort of GCC 12's library.
        std::ranges::sort(*each, {}, [](const ExpertChoices::Choice& choice) {
            const auto weight = std::max(choice.weights[0], choice.weights[1]);
            return std::pair(std::isnan(weight) ? 0.0F : -weight, choice.expert); // NaN has no place in an order
        });
    }
    return choices;
}

} // namespace gufo::inference
