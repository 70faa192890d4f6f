// How well a model predicts a text (perplexity), and how far another model's predictions diverge from it.
#pragma once

#include "inference/session/session.h"

#include <functional>
#include <optional>
#include <span>

namespace gufo::inference {

struct PerplexitySettings {
    std::uint32_t window = 512;   // tokens evaluated together; the second half of each window is scored
    std::optional<TokenId> bos{}; // replaces the first token of each window, if the tokenizer adds one
};

// The other model's distribution compared with the reference's, at temperature 1 (Kullback and Leibler 1951).
struct Divergence {
    double mean = 0; // nats
    double largest = 0;
    double topAgreement = 0; // fraction of positions where both have the same most probable token
};

struct Perplexity {
    double value = 0;              // exp of the mean negative log-probability
    double deviation = 0;          // standard error of `value`
    std::uint64_t scored = 0;      // number of scored positions
    std::optional<double> other{}; // the other model's perplexity
    std::optional<Divergence> divergence{};
};

// `other`, if given, is evaluated in lock step on the same tokens; no logits are stored. `seen` is called after each
// window with the results so far. Progress counts tokens. Errors: InvalidArgument (too few tokens for a window;
// vocabularies of different sizes: args), and those of Session::evaluate.
[[nodiscard]] Result<Perplexity> perplexity(Session& reference, Session* other, std::span<const TokenId> tokens,
                                            const PerplexitySettings& settings, const JobContext& job,
                                            const std::function<void(const Perplexity&)>& seen = {});

// KL(p ‖ q) in nats, from two rows of logits.
[[nodiscard]] double divergenceOf(std::span<const float> p, std::span<const float> q);

} // namespace gufo::inference
