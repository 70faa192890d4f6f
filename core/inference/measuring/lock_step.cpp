#include "inference/measuring/lock_step.h"

#include "base/detail.h"
#include "base/try.h"
#include "inference/measuring/perplexity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::inference {
namespace {

constexpr std::size_t kRowsTogether = 32; // rows of logits that are kept at once, for each model

std::vector<std::uint32_t> likeliest(std::span<const float> logits, std::size_t count) {
    std::vector<std::uint32_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0U);
    count = std::min(count, order.size());
    std::ranges::partial_sort(
        order, order.begin() + static_cast<std::ptrdiff_t>(count),
        [&](std::uint32_t a, std::uint32_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
    order.resize(count);
    return order;
}

// Asks a server for the tokens that it predicts after `before`, where the text continues with `next`. Errors: the
// errors of Responder::score, except NotSupported.
Result<LockStepChoice> askServer(Responder& server, std::span<const TokenId> before, TokenId next,
                                 std::span<const float> first, const LockStepSettings& settings,
                                 const JobContext& job) {
    const auto score = server.score(before, next, std::max(settings.reported, settings.candidates), job);
    if (!score && score.error().code != ErrorCode::NotSupported) {
        return std::unexpected(score.error());
    }
    LockStepChoice choice{.isBound = true, .isKnown = false};
    if (!score) {
        return choice;
    }
    for (const ResponseCandidate& each : score->candidates) {
        if (each.token && each.token->value < first.size()) {
            choice.candidates.push_back({.token = *each.token, .logit = 0, .probability = each.probability});
        }
    }
    if (choice.candidates.empty()) {
        return choice;
    }
    choice.isKnown = true;
    choice.token = choice.candidates.front().token;
    choice.probability = choice.candidates.front().probability;
    choice.logProbability = score->logProbability;
    choice.divergence = boundOfDivergence(first, choice.candidates);
    choice.candidates.resize(std::min(settings.candidates, choice.candidates.size()));
    return choice;
}

LockStepChoice choiceOf(std::span<const float> logits, std::span<const float> first, std::size_t candidates) {
    const auto order = likeliest(logits, std::max<std::size_t>(candidates, 1));
    const double largest = static_cast<double>(logits[order.front()]);
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    LockStepChoice choice;
    for (const std::uint32_t token : order) {
        choice.candidates.push_back(
            {TokenId(std::size_t{token}), logits[token], std::exp(static_cast<double>(logits[token]) - largest) / sum});
    }
    choice.token = choice.candidates.front().token;
    choice.probability = choice.candidates.front().probability;
    choice.logProbability = -largest - std::log(sum); // the logit of the next token is added once it is known
    choice.divergence = logits.data() == first.data() ? 0 : divergenceOf(first, logits);
    choice.candidates.resize(std::min(candidates, choice.candidates.size()));
    return choice;
}

} // namespace

Result<> runInLockStep(std::span<Session* const> sessions, std::span<const TokenId> given,
                       const LockStepSettings& settings, const JobContext& job,
                       const std::function<void(LockStepPlace)>& seen, std::span<Responder* const> servers) {
    for (const Session* session : sessions) {
        if (session->vocabulary() != sessions.front()->vocabulary()) {
            return fail(
                ErrorCode::InvalidArgument, {},
                {Argument(Detail::VocabulariesDiffer, {sessions.front()->vocabulary(), session->vocabulary()})});
        }
    }
    if (sessions.empty() || given.empty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoModelOrText});
    }
    job.start(given.size() + settings.maxTokens);
    const JobContext inner = job.silent();
    const auto evaluate = [&](std::span<const TokenId> tokens) -> Result<> {
        for (Session* session : sessions) {
            GUFO_TRY(session->evaluate(tokens, Logits::All, inner));
        }
        return {};
    };
    const auto choicesAt = [&](std::size_t row) {
        LockStepPlace place;
        for (const Session* session : sessions) {
            place.choices.push_back(choiceOf(session->logits(row), sessions.front()->logits(row), settings.candidates));
        }
        return place;
    };
    std::vector<TokenId> text; // before the position; kept for servers, which receive all of it
    const auto report = [&](LockStepPlace place, std::size_t row, std::size_t position, TokenId token,
                            bool isGiven) -> Result<> {
        for (std::size_t i = 0; i < sessions.size(); ++i) {
            place.choices[i].logProbability += static_cast<double>(sessions[i]->logits(row)[token.value]);
        }
        for (Responder* server : servers) {
            auto choice = GUFO_TRY(askServer(*server, text, token, sessions.front()->logits(row), settings, inner));
            place.choices.push_back(std::move(choice));
        }
        text.push_back(token);
        place.position = position;
        place.token = token;
        place.given = isGiven;
        seen(std::move(place));
        return {};
    };

    for (Session* session : sessions) {
        session->truncate(0);
    }
    text.push_back(given.front());
    std::size_t rows = 0; // of the last evaluation
    for (std::size_t at = 0; at < given.size(); at += rows) {
        rows = std::min(kRowsTogether, given.size() - at);
        GUFO_TRY(evaluate(given.subspan(at, rows)));
        for (std::size_t row = 0; row < rows && at + row + 1 < given.size(); ++row) {
            GUFO_TRY(job.check());
            GUFO_TRY(report(choicesAt(row), row, at + row + 1, given[at + row + 1], true));
        }
        job.advance(rows);
    }
    for (std::uint32_t count = 0; count < settings.maxTokens; ++count) {
        LockStepPlace place = choicesAt(rows - 1);
        const TokenId token = place.choices.front().token;
        const bool ends = std::ranges::find(settings.ends, token) != settings.ends.end();
        GUFO_TRY(report(std::move(place), rows - 1, given.size() + count, token, false));
        job.advance(1);
        if (ends || count + 1 == settings.maxTokens) {
            break;
        }
        GUFO_TRY(evaluate({&token, 1}));
        rows = 1;
    }
    return {};
}

LockStepSummary summarise(std::span<const LockStepPlace> places, std::size_t model) {
    LockStepSummary summary;
    double negative = 0;
    std::size_t agreed = 0;
    for (const LockStepPlace& place : places) {
        const LockStepChoice& choice = place.choices[model];
        if (!choice.isKnown) {
            continue;
        }
        ++summary.places;
        summary.isBound |= choice.isBound;
        summary.meanDivergence += choice.divergence;
        negative -= choice.logProbability;
        if (choice.divergence > summary.largestDivergence) {
            summary.largestDivergence = choice.divergence;
            summary.largestAt = place.position;
        }
        if (choice.token == place.choices.front().token) {
            ++agreed;
        } else if (!summary.firstDifference) {
            summary.firstDifference = place.position;
        }
    }
    if (summary.places != 0) {
        const auto count = static_cast<double>(summary.places);
        summary.meanDivergence /= count;
        summary.agreement = static_cast<double>(agreed) / count;
        summary.perplexity = std::exp(negative / count);
    }
    return summary;
}

} // namespace gufo::inference
