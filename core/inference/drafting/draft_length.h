// Decides how many tokens to draft: the number with the highest expected rate of tokens of text per second, and none
// for a while where drafts cost more time than they save. Both depend on the text, the model and the machine, so
// acceptance and the time of evaluations are measured.
//
// Thread contract: one thread at a time.
#pragma once

#include <cstddef>

namespace gufo::inference {

class DraftLength {
public:
    static constexpr std::size_t kMax = 16;

    // The number of tokens to draft for the next evaluation.
    [[nodiscard]] std::size_t next() const;
    // Reports an evaluation: `drafted` tokens were evaluated after the sampled one, and `accepted` of them were sampled
    // too. `seconds` include the time for drafting.
    void record(std::size_t drafted, std::size_t accepted, double seconds);

private:
    struct Best {
        std::size_t length = 1;
        double rate = 0; // expected tokens of text, in the time of an evaluation without a draft
    };
    [[nodiscard]] Best best() const;

    static constexpr std::size_t kFirstLimit = 4;  // of the length, in tokens
    static constexpr std::size_t kShortPause = 16; // in evaluations
    static constexpr std::size_t kLongPause = 256;

    // The probability that a drafted token is accepted if all before it are: accepted / judged. Older drafts count
    // less. The initial values count as a few drafts.
    static constexpr double kFirstAccepted = 3;
    static constexpr double kFirstJudged = 4;

    double m_accepted = kFirstAccepted;
    double m_judged = kFirstJudged;
    double m_cost = 0.3; // of a drafted token, in evaluations without a draft, as a moving average
    // A limit that doubles after a draft of this length that was accepted as a whole, and halves after a draft without
    // an accepted token. Where the measured cost is far too low, because the machine became faster in between, a wrong
    // draft would otherwise have as many tokens as possible.
    std::size_t m_limit = kFirstLimit;
    std::size_t m_paused = 0; // evaluations for which nothing is drafted
    std::size_t m_pause = kShortPause;
    double m_plainSeconds = 0;   // of an evaluation without a draft, as a moving average; 0: not known
    double m_draftedSeconds = 0; // of evaluations with a draft; older ones count less
    double m_draftedTokens = 0;  // tokens of the text that these evaluations produced
};

} // namespace gufo::inference
