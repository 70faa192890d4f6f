// Chooses the next token from logits: penalties → DRY → top-n-sigma → top-k → typical → top-p → min-p → XTC →
// temperature → draw; Mirostat replaces everything after the penalties. A constraint is applied after the penalties, so
// that the later samplers see only permitted tokens. Equal settings, seed and logits give equal tokens on every
// machine.
//
// Thread contract: one thread at a time.
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
    double temperature = 0.8;    // ≤ 0: always the most probable token (greedy)
    double temperatureRange = 0; // dynamic temperature: ± this value, depending on the entropy of the distribution
    double temperatureExponent = 1;
    std::uint32_t topK = 40;        // 0: off
    double typicalP = 1;            // ≥ 1: off (Meister et al. 2022)
    double topP = 0.95;             // ≥ 1: off
    double minP = 0.05;             // relative to the most probable token; ≤ 0: off
    double topNSigma = 0;           // keeps logits within n standard deviations of the largest; ≤ 0: off
    double xtcProbability = 0;      // of dropping all but the last token above the threshold
    double xtcThreshold = 0.1;      // > 0.5: off
    double repeatPenalty = 1;       // 1: off; divides positive logits of seen tokens and multiplies negative ones
    double frequencyPenalty = 0;    // subtracted once for each occurrence of a token
    double presencePenalty = 0;     // subtracted once from each seen token
    std::uint32_t penaltyLast = 64; // number of last tokens that these penalties consider
    double dryMultiplier = 0;       // 0: off
    double dryBase = 1.75;
    std::uint32_t dryAllowed = 2; // length of a repetition without penalty, in tokens
    std::uint32_t dryLast = 0;    // number of last tokens that DRY considers; 0: all
    std::uint32_t mirostat = 0;   // version 1 or 2; 0: off (Basu et al. 2021)
    double mirostatTau = 5;       // target surprise, in bits
    double mirostatEta = 0.1;
    std::uint64_t seed = 0;
    bool ignoreEnd = false;                         // never choose tokens that end generation
    std::vector<std::pair<TokenId, double>> bias{}; // added to the logits; −∞ forbids a token
};

// The step that excluded a token from the draw.
enum class Cut : std::uint8_t {
    None,      // not excluded
    Forbidden, // by a bias, or by ignoreEnd
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
    double probability = 0; // at temperature 1, before the samplers
    Cut cut = Cut::None;
};

struct Choice {
    TokenId token;
    double logProbability = 0;         // natural logarithm; at temperature 1, before the samplers
    std::vector<Candidate> candidates; // the most probable tokens, in descending order
    // Only where candidates are requested:
    double entropy = 0;   // in bits; at temperature 1, before the samplers
    std::size_t kept = 0; // number of tokens that could have been drawn
};

class Sampler {
public:
    // `endTokens` end generation; `breakers` are the tokens at which DRY stops looking (line ends, quotation marks …).
    Sampler(SamplerSettings settings, std::vector<TokenId> endTokens, std::vector<TokenId> breakers);

    // Draws a token and reports the `candidates` most probable ones. If no token is permitted, returns an end token or,
    // where there is none, token 0.
    [[nodiscard]] Choice draw(std::span<const float> logits, std::size_t candidates = 0,
                              Constraint* constraint = nullptr);
    // Whether a token may be drawn under a constraint.
    [[nodiscard]] bool permits(Constraint& constraint, TokenId token) const {
        return endsGeneration(token) ? constraint.mayEnd() : constraint.allows(token);
    }
    // Adds the next token of the text, drawn or given, to those that the penalties consider.
    void accept(TokenId token);
    void reset(); // restores the seed and forgets all tokens

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
    // Records `by` for the candidates that are no longer among `items`.
    void recordCut(const Items& items, Cut by);
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
    Choice* m_choice = nullptr; // the choice whose candidates draw() fills in
    double m_surprise;          // Mirostat's μ
};

} // namespace gufo::inference
