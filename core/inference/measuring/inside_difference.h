// What differs inside two models that read the same tokens. A difference is the second model's value minus
// the first model's: B − A.
//
// Thread contract: any thread.
#pragma once

#include "inference/measuring/inside.h"

namespace gufo::inference {

[[nodiscard]] HeadSummary operator-(const HeadSummary& b, const HeadSummary& a);
// Of one head, or of the same heads, of one block over the same tokens. The weights of each query add up to 0, apart
// from what goes to sinks.
[[nodiscard]] AttentionMap operator-(AttentionMap b, const AttentionMap& a);

// Whether both have experts in the same blocks, and use as many of as many.
[[nodiscard]] bool areComparable(const ChosenExperts& a, const ChosenExperts& b);

// The experts that both models choose for a token, and the experts that only one chooses; each with the largest weights
// first.
struct ExpertChoices {
    struct Choice {
        std::uint32_t expert = 0;
        std::array<float, 2> weights{}; // of A and B; 0: it is not chosen
    };
    std::vector<Choice> onlyA{};
    std::vector<Choice> onlyB{};
    std::vector<Choice> both{};
};
// `index` counts in `blocks`. The records must be comparable.
[[nodiscard]] ExpertChoices compareChoices(const ChosenExperts& a, const ChosenExperts& b, std::size_t index,
                                           std::size_t token);

} // namespace gufo::inference
