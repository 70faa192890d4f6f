// Several models on the same text, token by token: what each would say next, and how far each is from the first one.
// All read the same tokens: those given, then the likeliest ones of the first model. No logits are kept.
//
// Threads: those of the sessions; `seen` is called on the caller's.
#pragma once

#include "inference/sampling/sampler.h"
#include "inference/session/session.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

struct LockStepSettings {
    std::uint32_t most = 64;     // tokens that go on after those given; 0: none
    std::size_t candidates = 5;  // of each model, to be told
    std::vector<TokenId> ends{}; // the first model's choice of one of them ends the text
};

// What one model says at a place.
struct LockStepChoice {
    TokenId token;                       // the likeliest
    double probability = 0;              // of it
    double logProbability = 0;           // natural, of the token that follows
    double divergence = 0;               // KL(first model ‖ this one) in nats, at temperature 1; 0 of the first
    std::vector<Candidate> candidates{}; // most likely first
};

// The place before a token: what was read until then leads to the choices.
struct LockStepPlace {
    std::size_t position = 0;              // of the token in the text, from 1: nothing foretells the first one
    TokenId token;                         // that follows
    bool given = false;                    // it is one of those given
    std::vector<LockStepChoice> choices{}; // of each model
};

// `sessions`: at least one, the first leads; all are emptied first. `given`: at least one token. Progress in tokens of
// the text. Errors: InvalidArgument (vocabularies of different sizes: args; no tokens), those of Session::evaluate.
[[nodiscard]] Result<> runInLockStep(std::span<Session* const> sessions, std::span<const TokenId> given,
                                     const LockStepSettings& settings, const JobContext& job,
                                     const std::function<void(LockStepPlace)>& seen);

// Of one model over all places.
struct LockStepSummary {
    std::size_t places = 0;
    double meanDivergence = 0; // nats
    double largestDivergence = 0;
    std::size_t largestAt = 0;                    // position
    double agreement = 0;                         // share of places where its likeliest token is the first model's
    double perplexity = 0;                        // of the text
    std::optional<std::size_t> firstDifference{}; // position of the first place where it is not
};
[[nodiscard]] LockStepSummary summarise(std::span<const LockStepPlace> places, std::size_t model);

} // namespace gufo::inference
