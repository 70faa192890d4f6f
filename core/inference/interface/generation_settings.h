// The settings of a continued text: how each token is drawn, and what ends the text. Engines that are servers receive
// them in their requests.
#pragma once

#include "model/index.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

struct GenerationSettings {
    SamplerSettings sampler{};
    std::uint32_t maxTokens = 0;      // in tokens; 0: until another condition ends generation
    std::vector<std::string> stops{}; // texts that end generation and are not part of the answer
    std::vector<TokenId> ends{};      // further tokens that end generation: a chat template's (text::answerEndOf)
    // Tokens that end generation only where the text for the user has begun (text::AnswerEnd::inner). Without a parser
    // (Generation::setParser), they always do.
    std::vector<TokenId> innerEnds{};
    std::vector<TokenId> written{}; // control tokens whose text is reported nevertheless (text::answerMarkers)
    // The most tokens of all thoughts together; then the text that ends a thought is written for the model. Empty: no
    // limit; only with a parser (Generation::setParser).
    std::optional<std::uint32_t> thoughtTokens{};
    std::size_t candidates = 0; // how many candidates to report for each token
    // When the context is full, drop the older half of what follows `keep` and continue; otherwise stop. A responder
    // drops whole turns of a conversation instead (context_window.h), also of a prompt that does not fit.
    bool shift = true;
    std::size_t keep = 0; // in tokens
};

enum class StopReason : std::uint8_t {
    EndToken, // also where the constraint allows no further token and the text may end
    StopText,
    MaxTokens,
    ContextFull,
    NothingAllowed, // no token of the vocabulary satisfies the constraint
    ContentFilter,  // a server has cut off the answer because of its content
    Refusal,        // a server has replaced the answer by a refusal
};

} // namespace gufo::inference
