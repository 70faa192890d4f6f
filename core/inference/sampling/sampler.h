// Chooses the next token from logits: penalties → DRY → top-n-sigma → top-k → typical → top-p → min-p → XTC →
// temperature → draw; Mirostat replaces everything after the penalties. A constraint is applied after the penalties, so
// that the later samplers see only permitted tokens. Equal settings, seed and logits give equal tokens on every
// machine.
//
// Thread contract: one thread at a time.
#pragma once

#include "inference/interface/generation_settings.h"
#include "inference/sampling/constraint.h"
#include "model/index.h"

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::inference {

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
    // Adds the next token of the text, drawn or given, to the tokens that the penalties consider.
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
