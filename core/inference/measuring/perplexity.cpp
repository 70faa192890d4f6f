#include "inference/measuring/perplexity.h"

#include "base/detail.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

// ln Σ exp(x)
double logSum(std::span<const float> logits) {
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - largest);
    }
    return largest + std::log(sum);
}

double logProbability(std::span<const float> logits, TokenId token) {
    return static_cast<double>(logits[token.value]) - logSum(logits);
}

std::size_t likeliest(std::span<const float> logits) {
    return static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
}

// The figures of each scored position.
struct Positions {
    std::vector<double> negative; // negated log-probabilities of the tokens that follow
    std::vector<double> others;   // the same of the other model
    std::vector<double> nats;     // divergences
    std::uint64_t agreed = 0;
};

struct Measured {
    double value;
    double error;
};
// exp of a mean. The error of an exponential, to first order.
Measured exponential(std::span<const double> values) {
    const Distribution all = distributionOf({values.begin(), values.end()});
    const double value = std::exp(all.mean);
    return {value, value * all.meanError};
}

Divergence divergenceOf(const Positions& positions) {
    const std::size_t count = positions.nats.size();
    std::vector<double> change(count);
    std::vector<double> ratios(count);
    for (std::size_t i = 0; i < count; ++i) {
        change[i] = std::exp(-positions.others[i]) - std::exp(-positions.negative[i]);
        ratios[i] = positions.others[i] - positions.negative[i];
    }
    Divergence result{.nats = distributionOf(positions.nats), .change = distributionOf(std::move(change))};
    result.topAgreement = static_cast<double>(positions.agreed) / static_cast<double>(count);
    if (count > 1) {
        result.topAgreementError =
            std::sqrt(result.topAgreement * (1 - result.topAgreement) / static_cast<double>(count - 1));
    }
    const Measured ratio = exponential(ratios);
    result.ratio = ratio.value;
    result.ratioError = ratio.error;
    return result;
}

Perplexity resultOf(const Positions& positions, bool compared) {
    const Measured measured = exponential(positions.negative);
    Perplexity result{.value = measured.value, .deviation = measured.error, .scored = positions.negative.size()};
    if (compared) {
        const Measured other = exponential(positions.others);
        result.other = other.value;
        result.otherDeviation = other.error;
        result.divergence = divergenceOf(positions);
    }
    return result;
}

Result<> checkWindow(std::span<const TokenId> tokens, std::size_t window) {
    return window < 2 || tokens.size() < window
               ? fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::WindowTooLong, {tokens.size(), window})})
               : Result<>();
}

std::vector<TokenId> windowOf(std::span<const TokenId> tokens, std::size_t index, const PerplexitySettings& settings) {
    const auto part = tokens.subspan(index * settings.window, settings.window);
    std::vector<TokenId> ids(part.begin(), part.end());
    if (settings.bos) {
        ids.front() = *settings.bos;
    }
    return ids;
}

} // namespace

double divergenceOf(std::span<const float> p, std::span<const float> q) {
    const double ofP = logSum(p);
    const double ofQ = logSum(q);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double logP = static_cast<double>(p[i]) - ofP;
        const double probability = std::exp(logP);
        if (probability > 0) {
            sum += probability * (logP - (static_cast<double>(q[i]) - ofQ));
        }
    }
    return std::max(0.0, sum); // rounding may give a small negative sum
}

double boundOfDivergence(std::span<const float> p, std::span<const Candidate> reported) {
    // Less may be the rounding of the reported probabilities. A larger rest makes the bound lower.
    constexpr double kMinRest = 1e-6;
    const double ofP = logSum(p);
    double sum = 0;
    double restOfP = 1;
    double restOfQ = 1;
    for (const Candidate& each : reported) {
        const double logP = static_cast<double>(p[each.token.value]) - ofP;
        const double probability = std::exp(logP);
        restOfP -= probability;
        restOfQ -= each.probability;
        if (probability > 0) {
            sum += probability * (logP - std::log(std::max(each.probability, kMinRest * kMinRest)));
        }
    }
    if (restOfP > 0) {
        sum += restOfP * std::log(restOfP / std::max(restOfQ, kMinRest));
    }
    return std::max(0.0, sum); // rounding may give a small negative sum
}

Result<std::vector<Perplexity>> perplexities(Session& reference, std::span<Session* const> others,
                                             std::span<const TokenId> tokens, const PerplexitySettings& settings,
                                             const JobContext& job) {
    const std::size_t window = settings.window;
    for (const Session* other : others) {
        if (other->vocabulary() != reference.vocabulary()) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::VocabulariesDiffer, {reference.vocabulary(), other->vocabulary()})});
        }
    }
    GUFO_TRY(checkWindow(tokens, window));
    const std::size_t windows = tokens.size() / window;
    job.start(windows * window);
    const JobContext inner = job.silent();
    std::vector<Positions> positions(std::max<std::size_t>(1, others.size()));
    const auto evaluate = [&](Session& session, std::span<const TokenId> part) {
        session.truncate(0);
        return session.evaluate(part, Logits::All, inner);
    };
    for (std::size_t w = 0; w < windows; ++w) {
        const std::vector<TokenId> part = windowOf(tokens, w, settings);
        GUFO_TRY(evaluate(reference, part));
        std::vector<double> negative;
        for (std::size_t i = window / 2; i + 1 < window; ++i) {
            negative.push_back(-logProbability(reference.logits(i), part[i + 1]));
        }
        for (Positions& each : positions) {
            each.negative.insert(each.negative.end(), negative.begin(), negative.end());
        }
        for (std::size_t o = 0; o < others.size(); ++o) {
            GUFO_TRY(evaluate(*others[o], part));
            for (std::size_t i = window / 2; i + 1 < window; ++i) {
                const auto logits = reference.logits(i);
                const auto changed = others[o]->logits(i);
                positions[o].others.push_back(-logProbability(changed, part[i + 1]));
                positions[o].nats.push_back(divergenceOf(logits, changed));
                positions[o].agreed += likeliest(logits) == likeliest(changed) ? 1 : 0;
            }
        }
        job.advance(window);
    }
    std::vector<Perplexity> results;
    for (const Positions& each : positions) {
        results.push_back(resultOf(each, !others.empty()));
    }
    return results;
}

Result<Perplexity> perplexity(Session& reference, Session* other, std::span<const TokenId> tokens,
                              const PerplexitySettings& settings, const JobContext& job) {
    const std::array<Session*, 1> one{other};
    const std::span<Session* const> others(one.data(), other != nullptr ? 1 : 0);
    auto results = GUFO_TRY(perplexities(reference, others, tokens, settings, job));
    return std::move(results.front());
}

Result<Perplexity> perplexity(Responder& engine, std::span<const TokenId> tokens, const PerplexitySettings& settings,
                              const JobContext& job) {
    const std::size_t window = settings.window;
    GUFO_TRY(checkWindow(tokens, window));
    const std::size_t windows = tokens.size() / window;
    job.start(windows * (window - window / 2 - 1));
    Positions positions;
    for (std::size_t w = 0; w < windows; ++w) {
        const std::vector<TokenId> part = windowOf(tokens, w, settings);
        for (std::size_t i = window / 2; i + 1 < window; ++i) {
            const auto score = GUFO_TRY(engine.score(std::span(part).first(i + 1), part[i + 1], 0, {.stop = job.stop}));
            positions.negative.push_back(-score.logProbability);
            job.advance(1);
        }
    }
    return resultOf(positions, false);
}

namespace {

struct MeanAndError {
    double mean = 0;
    double error = 0;
};

// In two passes, so that nearly equal numbers do not cancel.
template<typename Of>
MeanAndError meanOf(std::span<const double> values, const Of& of) {
    const auto count = static_cast<double>(values.size());
    MeanAndError result;
    for (const double value : values) {
        result.mean += of(value) / count;
    }
    if (values.size() > 1) {
        double squares = 0;
        for (const double value : values) {
            squares += (of(value) - result.mean) * (of(value) - result.mean);
        }
        result.error = std::sqrt(squares / (count - 1) / count);
    }
    return result;
}

} // namespace

double Distribution::percentile(double percent) const {
    const auto* found = std::ranges::find(kPercentiles, percent);
    return found != kPercentiles.end() ? percentiles[static_cast<std::size_t>(found - kPercentiles.begin())] : NAN;
}

Distribution distributionOf(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    const MeanAndError plain = meanOf(values, [](double value) { return value; });
    const MeanAndError squares = meanOf(values, [](double value) { return value * value; });
    Distribution result{.mean = plain.mean, .meanError = plain.error, .rms = std::sqrt(squares.mean)};
    // The error of a root, to first order.
    result.rmsError = result.rms > 0 ? squares.error / (2 * result.rms) : 0;
    std::ranges::sort(values);
    result.minimum = values.front();
    result.largest = values.back();
    for (std::size_t i = 0; i < kPercentiles.size(); ++i) {
        const double at = kPercentiles[i] / 100 * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        result.percentiles[i] = std::lerp(values[below], values[above], at - static_cast<double>(below));
    }
    return result;
}

} // namespace gufo::inference
