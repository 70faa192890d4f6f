// Runs several models on the same text, token by token, and compares their predictions at each position with the
// predictions of the first model. All models read the same tokens: the given ones, then the most probable ones of the
// first model. No logits are kept.
//
// A model on a server takes part if the server scores tokens (Feature::Scoring). It receives one request for each
// position and reports only its most probable tokens, so its divergence is a lower bound: all other tokens count as one
// event.
//
// Thread contract: as for the sessions; `seen` is called on the caller's thread.
#pragma once

#include "inference/interface/responder.h"
#include "inference/interface/session.h"
#include "inference/sampling/sampler.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

struct LockStepSettings {
    std::uint32_t maxTokens = 64; // how many tokens to generate after the given ones
    std::size_t candidates = 5;   // how many candidates to report for each model
    std::vector<TokenId> ends{};  // the text ends when the first model chooses one of these
    std::size_t reported = 40;    // how many probabilities are requested from a server, at least `candidates`
};

// The prediction of one model at one position.
struct LockStepChoice {
    TokenId token;             // the most probable token
    double probability = 0;    // of `token`
    double logProbability = 0; // natural logarithm, of the token that follows in the text
    double divergence = 0;     // KL(first model ‖ this one) in nats, at temperature 1; 0 for the first model
    bool isBound = false;      // `divergence` is a lower bound
    // False where a server reports nothing, as llama-server about a token that ends inside a character; then the other
    // members mean nothing.
    bool isKnown = true;
    std::vector<Candidate> candidates{}; // most likely first; their logits are 0 if a server reports them
};

// The position before one token: the choices are predicted from everything that precedes it.
struct LockStepPlace {
    std::size_t position = 0;              // index of the token; never 0, because nothing predicts the first one
    TokenId token;                         // the token that follows
    bool given = false;                    // whether it is one of the given tokens
    std::vector<LockStepChoice> choices{}; // one for each model: first the sessions', then the servers'
};

// `sessions` must not be empty; the first one leads, and all are emptied first. `given` needs at least one token.
// Progress counts the tokens of the text. `servers` must run models with the same vocabulary. Errors: InvalidArgument
// (vocabularies of different sizes: args; no tokens), the errors of Session::evaluate, and the errors of
// Responder::score, except where a server does not report a token.
[[nodiscard]] Result<> runInLockStep(std::span<Session* const> sessions, std::span<const TokenId> given,
                                     const LockStepSettings& settings, const JobContext& job,
                                     const std::function<void(LockStepPlace)>& seen,
                                     std::span<Responder* const> servers = {});

// Statistics of one model over all positions where its prediction is known.
struct LockStepSummary {
    std::size_t places = 0;
    bool isBound = false;      // the divergences are lower bounds
    double meanDivergence = 0; // nats
    double largestDivergence = 0;
    std::size_t largestAt = 0;                    // its position
    double agreement = 0;                         // fraction of positions where both models choose the same token
    double perplexity = 0;                        // of the text
    std::optional<std::size_t> firstDifference{}; // position of the first disagreement
};
[[nodiscard]] LockStepSummary summarise(std::span<const LockStepPlace> places, std::size_t model);

} // namespace gufo::inference
