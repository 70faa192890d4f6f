#include "inference/session/lock_step.h"

#include "base/detail.h"
#include "inference/session/perplexity.h"

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
                       const std::function<void(LockStepPlace)>& seen) {
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
    const JobContext inner{.stop = job.stop, .progress = nullptr, .threads = job.threads};
    const auto evaluate = [&](std::span<const TokenId> tokens) -> Result<> {
        for (Session* session : sessions) {
            if (auto done = session->evaluate(tokens, Logits::All, inner); !done) {
                return done;
            }
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
    const auto report = [&](LockStepPlace place, std::size_t row, std::size_t position, TokenId token, bool isGiven) {
        for (std::size_t i = 0; i < sessions.size(); ++i) {
            place.choices[i].logProbability += static_cast<double>(sessions[i]->logits(row)[token.value]);
        }
        place.position = position;
        place.token = token;
        place.given = isGiven;
        seen(std::move(place));
    };

    for (Session* session : sessions) {
        session->truncate(0);
    }
    std::size_t rows = 0; // of the last evaluation
    for (std::size_t at = 0; at < given.size(); at += rows) {
        rows = std::min(kRowsTogether, given.size() - at);
        if (auto done = evaluate(given.subspan(at, rows)); !done) {
            return done;
        }
        for (std::size_t row = 0; row < rows && at + row + 1 < given.size(); ++row) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            report(choicesAt(row), row, at + row + 1, given[at + row + 1], true);
        }
        job.advance(rows);
    }
    for (std::uint32_t count = 0; count < settings.maxTokens; ++count) {
        LockStepPlace place = choicesAt(rows - 1);
        const TokenId token = place.choices.front().token;
        const bool ends = std::ranges::find(settings.ends, token) != settings.ends.end();
        report(std::move(place), rows - 1, given.size() + count, token, false);
        job.advance(1);
        if (ends || count + 1 == settings.maxTokens) {
            break;
        }
        if (auto done = evaluate({&token, 1}); !done) {
            return done;
        }
        rows = 1;
    }
    return {};
}

LockStepSummary summarise(std::span<const LockStepPlace> places, std::size_t model) {
    LockStepSummary summary{.places = places.size()};
    double negative = 0;
    for (const LockStepPlace& place : places) {
        const LockStepChoice& choice = place.choices[model];
        const double share = 1 / static_cast<double>(places.size());
        summary.meanDivergence += choice.divergence * share;
        negative -= choice.logProbability * share;
        if (choice.divergence > summary.largestDivergence) {
            summary.largestDivergence = choice.divergence;
            summary.largestAt = place.position;
        }
        if (choice.token == place.choices.front().token) {
            summary.agreement += share;
        } else if (!summary.firstDifference) {
            summary.firstDifference = place.position;
        }
    }
    summary.perplexity = places.empty() ? 0 : std::exp(negative);
    return summary;
}

} // namespace gufo::inference
