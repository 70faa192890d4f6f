// Measures how well a model predicts a text (perplexity), and how far another model's predictions diverge from it.
//
// Thread contract: as for the sessions, or for the responder. perplexity() evaluates the whole text, so it must not be
// called on the UI thread.
#pragma once

#include "inference/interface/responder.h"
#include "inference/interface/session.h"
#include "inference/sampling/sampler.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace gufo::inference {

inline constexpr auto kPercentiles = std::to_array<double>({99.9, 99, 95, 90, 75, 50, 25, 10, 5, 1, 0.1});

// Summarises a set of numbers, such as one figure for each position of a text.
struct Distribution {
    double mean = 0;
    double meanError = 0; // standard error of the mean
    double rms = 0;
    double rmsError = 0;
    double minimum = 0;
    double largest = 0;
    // In the order of kPercentiles; between two numbers they are interpolated linearly.
    std::array<double, kPercentiles.size()> percentiles{};

    [[nodiscard]] double percentile(double percent) const; // one of kPercentiles
};

// If there are no values, all figures are 0.
[[nodiscard]] Distribution distributionOf(std::vector<double> values);

struct PerplexitySettings {
    std::uint32_t window = 512;   // tokens evaluated together; the second half of each window is scored
    std::optional<TokenId> bos{}; // replaces the first token of each window, if the tokenizer adds one
};

// The other model's distribution compared with the reference's, at temperature 1 (Kullback and Leibler 1951).
struct Divergence {
    Distribution nats;       // KL(reference ‖ other) by position
    Distribution change;     // of the probability of the token that follows: the other's minus the reference's
    double topAgreement = 0; // fraction of positions where both have the same most probable token
    double topAgreementError = 0;
    // The other's perplexity divided by the reference's. Its standard error is computed from the differences of the
    // log-probabilities by position, so it is much smaller than the errors of the perplexities suggest.
    double ratio = 1;
    double ratioError = 0;
};

struct Perplexity {
    double value = 0;              // exp of the mean negative log-probability
    double deviation = 0;          // standard error of `value`
    std::uint64_t scored = 0;      // number of scored positions
    std::optional<double> other{}; // the other model's perplexity
    double otherDeviation = 0;
    std::optional<Divergence> divergence{};
};

// `other`, if given, is evaluated in lock step on the same tokens; no logits are stored, only three numbers for each
// position. Progress counts tokens. Errors: InvalidArgument (Detail::WindowTooLong, VocabulariesDiffer), and the errors
// of Session::evaluate.
[[nodiscard]] Result<Perplexity> perplexity(Session& reference, Session* other, std::span<const TokenId> tokens,
                                            const PerplexitySettings& settings, const JobContext& job);

// The same for several other models in one pass over the text: one result for each of them, or the reference's alone if
// there is none.
[[nodiscard]] Result<std::vector<Perplexity>> perplexities(Session& reference, std::span<Session* const> others,
                                                           std::span<const TokenId> tokens,
                                                           const PerplexitySettings& settings, const JobContext& job);

// The same for an engine that scores one token at a time (Feature::Scoring), with one request for each position. There
// is no divergence. Errors: InvalidArgument (Detail::WindowTooLong), and the errors of Responder::score.
[[nodiscard]] Result<Perplexity> perplexity(Responder& engine, std::span<const TokenId> tokens,
                                            const PerplexitySettings& settings, const JobContext& job);

// KL(p ‖ q) in nats, from two rows of logits.
[[nodiscard]] double divergenceOf(std::span<const float> p, std::span<const float> q);
// KL(p ‖ q) in nats of the distributions in which all tokens but `reported` are one event, at least 0. `p` is given by
// logits, q by the probabilities of the reported tokens.
[[nodiscard]] double boundOfDivergence(std::span<const float> p, std::span<const Candidate> reported);

} // namespace gufo::inference
