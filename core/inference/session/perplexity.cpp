#include "inference/session/perplexity.h"

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

struct Sums {
    std::uint64_t scored = 0;
    double negative = 0; // negated sum of log-probabilities
    double squares = 0;
    double otherNegative = 0;
    double divergence = 0;
    double largest = 0;
    std::uint64_t agreed = 0;
};

Perplexity result(const Sums& sums, bool compared) {
    const auto count = static_cast<double>(sums.scored);
    const double mean = sums.negative / count;
    Perplexity result{.value = std::exp(mean), .scored = sums.scored};
    if (sums.scored > 1) {
        const double variance = std::max(0.0, (sums.squares / count - mean * mean) / (count - 1));
        result.deviation = result.value * std::sqrt(variance);
    }
    if (compared) {
        result.other = std::exp(sums.otherNegative / count);
        result.divergence = Divergence{.mean = sums.divergence / count,
                                       .largest = sums.largest,
                                       .topAgreement = static_cast<double>(sums.agreed) / count};
    }
    return result;
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

Result<Perplexity> perplexity(Session& reference, Session* other, std::span<const TokenId> tokens,
                              const PerplexitySettings& settings, const JobContext& job,
                              const std::function<void(const Perplexity&)>& seen) {
    const std::size_t window = settings.window;
    if (other != nullptr && other->vocabulary() != reference.vocabulary()) {
        return fail(ErrorCode::InvalidArgument, {},
                    {Argument(Detail::VocabulariesDiffer, {reference.vocabulary(), other->vocabulary()})});
    }
    if (window < 2 || tokens.size() < window) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::WindowTooLong, {tokens.size(), window})});
    }
    const std::size_t windows = tokens.size() / window;
    job.start(windows * window);
    Sums sums;
    for (std::size_t w = 0; w < windows; ++w) {
        std::vector<TokenId> part(tokens.begin() + static_cast<std::ptrdiff_t>(w * window),
                                  tokens.begin() + static_cast<std::ptrdiff_t>((w + 1) * window));
        if (settings.bos) {
            part.front() = *settings.bos;
        }
        const JobContext inner{.stop = job.stop, .progress = nullptr, .threads = job.threads};
        for (Session* session : {&reference, other}) {
            if (session != nullptr) {
                session->truncate(0);
                if (auto ok = session->evaluate(part, Logits::All, inner); !ok) {
                    return std::unexpected(std::move(ok.error()));
                }
            }
        }
        for (std::size_t i = window / 2; i + 1 < window; ++i) {
            const auto logits = reference.logits(i);
            const double negative = -logProbability(logits, part[i + 1]);
            sums.negative += negative;
            sums.squares += negative * negative;
            ++sums.scored;
            if (other != nullptr) {
                const auto others = other->logits(i);
                const double divergence = divergenceOf(logits, others);
                sums.otherNegative -= logProbability(others, part[i + 1]);
                sums.divergence += divergence;
                sums.largest = std::max(sums.largest, divergence);
                sums.agreed += likeliest(logits) == likeliest(others) ? 1 : 0;
            }
        }
        job.advance(window);
        if (seen) {
            seen(result(sums, other != nullptr));
        }
    }
    return result(sums, other != nullptr);
}

} // namespace gufo::inference
