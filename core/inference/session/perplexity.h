// How well a model foretells a text, and how far another one is from it.
#pragma once

#include "inference/session/session.h"

#include <functional>
#include <optional>
#include <span>

namespace gufo::inference {

struct PerplexitySettings {
    std::uint32_t window = 512;   // tokens evaluated together; the second half of each is scored
    std::optional<TokenId> bos{}; // takes the first place of each window, if the file adds it
};

// Of the other model's distribution against the reference's, at temperature 1 (Kullback and Leibler 1951).
struct Divergence {
    double mean = 0; // nats
    double largest = 0;
    double topAgreement = 0; // share of positions where both have the same likeliest token
};

struct Perplexity {
    double value = 0;              // exp of the mean negative log-probability
    double deviation = 0;          // standard error of it
    std::uint64_t scored = 0;      // positions
    std::optional<double> other{}; // the other model's perplexity
    std::optional<Divergence> divergence{};
};

// `other`, if given, is evaluated in lock step on the same tokens: no logits are stored. `seen` is called after each
// window with what is known so far. Progress in tokens. Errors: InvalidArgument (too few tokens for a window;
// vocabularies of different sizes: args), those of Session::evaluate.
[[nodiscard]] Result<Perplexity> perplexity(Session& reference, Session* other, std::span<const TokenId> tokens,
                                            const PerplexitySettings& settings, const JobContext& job,
                                            const std::function<void(const Perplexity&)>& seen = {});

// KL(p ‖ q) in nats of two rows of logits.
[[nodiscard]] double divergenceOf(std::span<const float> p, std::span<const float> q);

} // namespace gufo::inference
