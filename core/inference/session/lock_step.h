// Runs several models on the same text, token by token, and compares their predictions at each position with those of
// the first model. All models read the same tokens: the given ones, then the most probable ones of the first model. No
// logits are kept.
//
// Thread contract: that of the sessions; `seen` is called on the caller's thread.
#pragma once

#include "inference/sampling/sampler.h"
#include "inference/session/session.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

struct LockStepSettings {
    std::uint32_t maxTokens = 64; // how many tokens to generate after the given ones
    std::size_t candidates = 5;   // how many candidates to report for each model
    std::vector<TokenId> ends{};  // the text ends when the first model chooses one of these
};

// The prediction of one model at one position.
struct LockStepChoice {
    TokenId token;                       // the most probable token
    double probability = 0;              // of `token`
    double logProbability = 0;           // natural logarithm, of the token that follows in the text
    double divergence = 0;               // KL(first model ‖ this one) in nats, at temperature 1; 0 for the first model
    std::vector<Candidate> candidates{}; // most likely first
};

// The position before one token: the choices are predicted from everything that precedes it.
struct LockStepPlace {
    std::size_t position = 0;              // index of the token; never 0, because nothing predicts the first one
    TokenId token;                         // the token that follows
    bool given = false;                    // whether it is one of the given tokens
    std::vector<LockStepChoice> choices{}; // one for each model
};

// `sessions` must not be empty; the first one leads, and all are emptied first. `given` needs at least one token.
// Progress counts the tokens of the text. Errors: InvalidArgument (vocabularies of different sizes: args; no tokens),
// and those of Session::evaluate.
[[nodiscard]] Result<> runInLockStep(std::span<Session* const> sessions, std::span<const TokenId> given,
                                     const LockStepSettings& settings, const JobContext& job,
                                     const std::function<void(LockStepPlace)>& seen);

// Statistics of one model over all positions.
struct LockStepSummary {
    std::size_t places = 0;
    double meanDivergence = 0; // nats
    double largestDivergence = 0;
    std::size_t largestAt = 0;                    // its position
    double agreement = 0;                         // fraction of positions where both models choose the same token
    double perplexity = 0;                        // of the text
    std::optional<std::size_t> firstDifference{}; // position of the first disagreement
};
[[nodiscard]] LockStepSummary summarise(std::span<const LockStepPlace> places, std::size_t model);

} // namespace gufo::inference
