// From logits to the next token: penalties → DRY → top-n-sigma → top-k → typical → top-p → min-p → XTC → temperature →
// draw, or Mirostat in place of what follows the penalties. The same settings, seed and logits give the same tokens.
// A constraint comes after the penalties: the chain sees only tokens that it allows.
//
// Threads: one at a time.
#pragma once

#include "inference/sampling/constraint.h"
#include "model/index.h"

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct SamplerSettings {
    double temperature = 0.8;    // ≤ 0: the likeliest token (greedy)
    double temperatureRange = 0; // dynamic: temperature ± this, by the entropy of the distribution
    double temperatureExponent = 1;
    std::uint32_t topK = 40;        // 0: off
    double typicalP = 1;            // ≥ 1: off (Meister et al. 2022)
    double topP = 0.95;             // ≥ 1: off
    double minP = 0.05;             // of the likeliest; ≤ 0: off
    double topNSigma = 0;           // logits within n deviations of the largest; ≤ 0: off
    double xtcProbability = 0;      // of leaving out all but the last token above the threshold
    double xtcThreshold = 0.1;      // > 0.5: off
    double repeatPenalty = 1;       // 1: off; divides positive logits of tokens seen, multiplies negative ones
    double frequencyPenalty = 0;    // for each time a token was seen
    double presencePenalty = 0;     // once
    std::uint32_t penaltyLast = 64; // tokens that these look back on
    double dryMultiplier = 0;       // 0: off
    double dryBase = 1.75;
    std::uint32_t dryAllowed = 2; // repeated tokens without penalty
    std::uint32_t dryLast = 0;    // tokens that DRY looks back on; 0: all
    std::uint32_t mirostat = 0;   // version 1 or 2; 0: off (Basu et al. 2021)
    double mirostatTau = 5;       // surprise aimed at, in bits
    double mirostatEta = 0.1;
    std::uint64_t seed = 0;
    bool ignoreEnd = false;                         // tokens that end generation are never chosen
    std::vector<std::pair<TokenId, double>> bias{}; // added to logits; −∞ forbids
};

// What kept a token from being drawn.
enum class Cut : std::uint8_t {
    None,      // it could have been drawn
    Forbidden, // by a bias, or because the end is ignored
    Constraint,
    TopNSigma,
    TopK,
    Typical,
    TopP,
    MinP,
    Xtc,
    Mirostat,
    Greedy, // temperature 0
};

struct Candidate {
    TokenId token;
    float logit = 0;
    double probability = 0; // at temperature 1, before the chain
    Cut cut = Cut::None;
};

struct Choice {
    TokenId token;
    double logProbability = 0;         // natural; at temperature 1, before the chain
    std::vector<Candidate> candidates; // the likeliest, most likely first
    // Where candidates are told:
    double entropy = 0;   // in bits; at temperature 1, before the chain
    std::size_t kept = 0; // tokens that could have been drawn
};

class Sampler {
public:
    // `endTokens` end generation; `breakers` are tokens that DRY does not look beyond (line ends, quotation marks …).
    Sampler(SamplerSettings settings, std::vector<TokenId> endTokens, std::vector<TokenId> breakers);

    // Draws one. `candidates`: how many of the likeliest to tell. Where nothing is allowed, an end token, or token 0.
    [[nodiscard]] Choice draw(std::span<const float> logits, std::size_t candidates = 0,
                              Constraint* constraint = nullptr);
    // Whether a token may be drawn under a constraint.
    [[nodiscard]] bool permits(Constraint& constraint, TokenId token) const {
        return endsGeneration(token) ? constraint.mayEnd() : constraint.allows(token);
    }
    // The token that now follows, drawn or given: what penalties look at.
    void accept(TokenId token);
    void reset(); // to the seed, nothing seen

    [[nodiscard]] const SamplerSettings& settings() const { return m_settings; }

private:
    struct Item {
        std::uint32_t token;
        double logit;
        double probability;
    };
    using Items = std::vector<Item>;

    [[nodiscard]] bool endsGeneration(TokenId token) const;
    void keepPermitted(Items& items, Constraint& constraint);
    [[nodiscard]] TokenId choose(Items items);
    // Candidates that are no longer among the items were cut by that.
    void tell(const Items& items, Cut by);
    void penalise(Items& items) const;
    void penaliseRepetition(Items& items) const;
    void cutToTypical(Items& items) const;
    void leaveOutTop(Items& items);
    void applyTemperature(Items& items) const;
    [[nodiscard]] TokenId chooseMirostat(Items& items);
    [[nodiscard]] TokenId drawFrom(Items& items);
    [[nodiscard]] double uniform();

    SamplerSettings m_settings;
    std::vector<TokenId> m_endTokens;
    std::vector<bool> m_breakers; // by token
    std::vector<TokenId> m_seen;
    std::mt19937_64 m_random;
    Choice* m_told = nullptr; // while drawing: what candidates are to be told
    double m_surprise;        // Mirostat's μ
};

} // namespace gufo::inference
