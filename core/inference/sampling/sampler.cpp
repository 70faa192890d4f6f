#include "inference/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace gufo::inference {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// Requires the logits in descending order.
template<typename Items>
void toProbabilities(Items& items) {
    double sum = 0;
    for (auto& item : items) {
        item.probability = std::exp(item.logit - items.front().logit);
        sum += item.probability;
    }
    for (auto& item : items) {
        item.probability /= sum;
    }
}

// Orders by descending logit; among equals the smaller id comes first, so that all machines agree.
template<typename Items>
void sortByLogit(Items& items, std::size_t count) {
    const auto likelier = [](const auto& a, const auto& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
    };
    if (count < items.size()) {
        std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(count), likelier);
        items.resize(count);
    } else {
        std::ranges::sort(items, likelier);
    }
}

// Keeps the shortest prefix whose probabilities reach `p`, at least one item.
template<typename Items>
void keepUpTo(Items& items, double p) {
    double sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        sum += items[i].probability;
        if (sum >= p) {
            items.resize(i + 1);
            return;
        }
    }
}

} // namespace

Sampler::Sampler(SamplerSettings settings, std::vector<TokenId> endTokens, std::vector<TokenId> breakers)
    : m_settings(std::move(settings))
    , m_endTokens(std::move(endTokens))
    , m_random(m_settings.seed)
    , m_surprise(2 * m_settings.mirostatTau) {
    for (const TokenId token : breakers) {
        if (token.value >= m_breakers.size()) {
            m_breakers.resize(token.value + std::size_t{1});
        }
        m_breakers[token.value] = true;
    }
}

void Sampler::reset() {
    m_seen.clear();
    m_random.seed(m_settings.seed);
    m_surprise = 2 * m_settings.mirostatTau;
}

void Sampler::accept(TokenId token) { m_seen.push_back(token); }

// Uses 53 bits of the generator's 64. std::uniform_real_distribution may differ between machines.
double Sampler::uniform() { return static_cast<double>(m_random() >> 11U) * 0x1p-53; }

Choice Sampler::draw(std::span<const float> logits, std::size_t candidates, Constraint* constraint) {
    Items items(logits.size());
    double largest = kForbidden;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        // A broken model yields NaN, which is never drawn.
        const double logit = std::isnan(logits[i]) ? kForbidden : static_cast<double>(logits[i]);
        items[i] = {static_cast<std::uint32_t>(i), logit, 0};
        largest = std::max(largest, logit);
    }
    double sum = 0;
    double weighted = 0; // logits relative to the largest, weighted by probability, for the entropy
    for (const Item& item : items) {
        const double share = std::exp(item.logit - largest);
        sum += share;
        weighted += share > 0 ? share * (item.logit - largest) : 0;
    }
    const auto logProbability = [&](std::uint32_t token) {
        return static_cast<double>(logits[token]) - largest - std::log(sum);
    };

    Choice choice;
    if (candidates != 0) {
        m_choice = &choice;
        choice.entropy = (std::log(sum) - weighted / sum) / std::numbers::ln2;
        Items top = items;
        sortByLogit(top, candidates);
        for (const Item& item : top) {
            choice.candidates.push_back(
                {TokenId(std::size_t{item.token}), logits[item.token], std::exp(logProbability(item.token))});
        }
    }
    for (const auto& [token, bias] : m_settings.bias) {
        if (token.value < items.size()) {
            items[token.value].logit += bias;
        }
    }
    if (m_settings.ignoreEnd) {
        for (const TokenId token : m_endTokens) {
            if (token.value < items.size()) {
                items[token.value].logit = kForbidden;
            }
        }
    }
    penalise(items);
    penaliseRepetition(items);

    if (constraint != nullptr) {
        std::erase_if(items, [](const Item& item) { return item.logit == kForbidden; });
        recordCut(items, Cut::Forbidden);
        keepPermitted(items, *constraint);
    }
    choice.token = choose(std::move(items));
    m_choice = nullptr;
    choice.logProbability = choice.token.value < logits.size() ? logProbability(choice.token.value) : kForbidden;
    return choice;
}

bool Sampler::endsGeneration(TokenId token) const { return std::ranges::find(m_endTokens, token) != m_endTokens.end(); }

void Sampler::keepPermitted(Items& items, Constraint& constraint) {
    if (m_settings.temperature <= 0 &&
        !items.empty()) { // often the best token is permitted, and no other need be checked
        const auto best = std::ranges::max_element(items, {}, &Item::logit); // the first of equals
        if (permits(constraint, TokenId(std::size_t{best->token}))) {
            items = {*best};
            recordCut(items, Cut::Greedy);
            return;
        }
    }
    const TokenMask allowed = constraint.mask();
    std::vector<std::uint64_t> mask(allowed.begin(), allowed.end());
    for (const TokenId token : m_endTokens) {
        if (token.value / 64 < mask.size()) {
            const std::uint64_t bit = std::uint64_t{1} << (token.value % 64);
            std::uint64_t& word = mask[token.value / 64];
            word = constraint.mayEnd() ? word | bit : word & ~bit;
        }
    }
    std::erase_if(items, [&](const Item& item) { return !contains(mask, TokenId(std::size_t{item.token})); });
    recordCut(items, Cut::Constraint);
}

void Sampler::penalise(Items& items) const {
    const bool any =
        m_settings.repeatPenalty != 1 || m_settings.frequencyPenalty != 0 || m_settings.presencePenalty != 0;
    if (!any) {
        return;
    }
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    const std::size_t last = std::min<std::size_t>(m_settings.penaltyLast, m_seen.size());
    for (const TokenId token : std::span(m_seen).last(last)) {
        ++counts[token.value];
    }
    for (const auto& [token, count] : counts) {
        if (token >= items.size()) {
            continue;
        }
        double& logit = items[token].logit;
        logit = logit > 0 ? logit / m_settings.repeatPenalty : logit * m_settings.repeatPenalty;
        logit -= count * m_settings.frequencyPenalty + m_settings.presencePenalty;
    }
}

// DRY, "don't repeat yourself" (p-e-w, oobabooga #5677): penalises tokens that would extend a repetition of earlier
// text. The penalty grows exponentially with the length of the repetition.
void Sampler::penaliseRepetition(Items& items) const {
    if (m_settings.dryMultiplier == 0 || m_settings.dryBase < 1) {
        return;
    }
    std::size_t count =
        m_settings.dryLast != 0 ? std::min<std::size_t>(m_settings.dryLast, m_seen.size()) : m_seen.size();
    const auto back = [&](std::size_t i) { return m_seen[m_seen.size() - 1 - i].value; };
    for (std::size_t i = 0; i < count; ++i) {
        if (back(i) < m_breakers.size() && m_breakers[back(i)]) {
            count = i; // a match ends here
            break;
        }
    }
    // matches[i]: how many tokens, going back from position i, equal the last tokens of the text (the Z function).
    const std::size_t all =
        m_settings.dryLast != 0 ? std::min<std::size_t>(m_settings.dryLast, m_seen.size()) : m_seen.size();
    std::vector<std::size_t> matches(all, 0);
    std::size_t left = 0;
    std::size_t right = 0; // [left, right) is the match that reaches furthest back
    std::unordered_map<std::uint32_t, std::size_t> longest;
    for (std::size_t i = 1; i < all; ++i) {
        if (i < right) {
            matches[i] = std::min(right - i, matches[i - left]);
        }
        while (i + matches[i] < all && back(matches[i]) == back(i + matches[i])) {
            ++matches[i];
        }
        if (i + matches[i] > right) {
            left = i;
            right = i + matches[i];
        }
        const std::size_t length = std::min(matches[i], count);
        if (length >= m_settings.dryAllowed && length > 0) {
            std::size_t& known = longest[back(i - 1)]; // the longest match that the following token ended
            known = std::max(known, length);
        }
    }
    for (const auto& [token, length] : longest) {
        if (token < items.size()) {
            const auto beyond = static_cast<double>(length - m_settings.dryAllowed);
            items[token].logit -= std::min(m_settings.dryMultiplier * std::pow(m_settings.dryBase, beyond), 1e30);
        }
    }
}

TokenId Sampler::choose(Items items) {
    std::erase_if(items, [](const Item& item) { return item.logit == kForbidden; });
    recordCut(items, Cut::Forbidden);
    if (items.empty()) {
        return m_endTokens.empty() ? TokenId() : m_endTokens.front();
    }
    if (m_settings.temperature <= 0) {
        sortByLogit(items, 1);
        recordCut(items, Cut::Greedy);
        return TokenId(std::size_t{items.front().token});
    }
    if (m_settings.mirostat != 0) {
        return chooseMirostat(items);
    }
    if (m_settings.topNSigma > 0) {
        double mean = 0;
        double largest = kForbidden;
        for (const Item& item : items) {
            mean += item.logit / static_cast<double>(items.size());
            largest = std::max(largest, item.logit);
        }
        double variance = 0;
        for (const Item& item : items) {
            variance += (item.logit - mean) * (item.logit - mean) / static_cast<double>(items.size());
        }
        const double minimum = largest - m_settings.topNSigma * std::sqrt(variance);
        std::erase_if(items, [&](const Item& item) { return item.logit < minimum; });
        recordCut(items, Cut::TopNSigma);
    }
    sortByLogit(items, m_settings.topK != 0 ? m_settings.topK : items.size());
    recordCut(items, Cut::TopK);
    toProbabilities(items);
    if (m_settings.typicalP < 1) {
        cutToTypical(items);
        recordCut(items, Cut::Typical);
    }
    if (m_settings.topP < 1) {
        keepUpTo(items, m_settings.topP);
        toProbabilities(items);
        recordCut(items, Cut::TopP);
    }
    if (m_settings.minP > 0) {
        const double minimum = items.front().probability * m_settings.minP;
        std::erase_if(items, [&](const Item& item) { return item.probability < minimum; });
        recordCut(items, Cut::MinP);
    }
    if (m_settings.xtcProbability > 0 && m_settings.xtcThreshold <= 0.5) {
        leaveOutTop(items);
        recordCut(items, Cut::Xtc);
    }
    applyTemperature(items);
    return drawFrom(items);
}

void Sampler::recordCut(const Items& items, Cut by) {
    if (m_choice == nullptr) {
        return;
    }
    m_choice->kept = items.size();
    for (Candidate& candidate : m_choice->candidates) {
        if (candidate.cut == Cut::None &&
            std::ranges::find(items, candidate.token.value, &Item::token) == items.end()) {
            candidate.cut = by;
        }
    }
}

// Keeps the tokens whose surprise is nearest to the entropy, up to a given sum of probabilities.
void Sampler::cutToTypical(Items& items) const {
    double entropy = 0;
    for (const Item& item : items) {
        entropy -= item.probability > 0 ? item.probability * std::log(item.probability) : 0;
    }
    const auto distance = [&](const Item& item) { return std::abs(-std::log(item.probability) - entropy); };
    std::ranges::sort(items, [&](const Item& a, const Item& b) {
        return distance(a) != distance(b) ? distance(a) < distance(b) : a.token < b.token;
    });
    keepUpTo(items, m_settings.typicalP);
    sortByLogit(items, items.size());
    toProbabilities(items);
}

// XTC, "exclude top choices": with the given probability, drops all tokens above the threshold but the least probable.
void Sampler::leaveOutTop(Items& items) {
    if (uniform() >= m_settings.xtcProbability) {
        return;
    }
    std::size_t above = 0;
    while (above < items.size() && items[above].probability >= m_settings.xtcThreshold) {
        ++above;
    }
    if (above >= 2) {
        items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(above - 1));
    }
}

void Sampler::applyTemperature(Items& items) const {
    double temperature = m_settings.temperature;
    if (m_settings.temperatureRange > 0 && items.size() > 1) {
        toProbabilities(items);
        double entropy = 0;
        for (const Item& item : items) {
            entropy -= item.probability > 0 ? item.probability * std::log(item.probability) : 0;
        }
        const double share =
            std::pow(entropy / std::log(static_cast<double>(items.size())), m_settings.temperatureExponent);
        const double minimum = std::max(0.0, temperature - m_settings.temperatureRange);
        temperature = minimum + (temperature + m_settings.temperatureRange - minimum) * share;
    }
    for (Item& item : items) {
        item.logit /= std::max(temperature, 1e-6);
    }
}

TokenId Sampler::drawFrom(Items& items) {
    toProbabilities(items);
    double at = uniform();
    for (const Item& item : items) {
        at -= item.probability;
        if (at < 0) {
            return TokenId(std::size_t{item.token});
        }
    }
    return TokenId(std::size_t{items.back().token});
}

// Keeps the surprise of the text near tau. Version 1 derives a top-k from an estimate of the distribution's exponent;
// version 2 drops tokens whose surprise exceeds μ.
TokenId Sampler::chooseMirostat(Items& items) {
    constexpr std::size_t kEstimated = 100;
    sortByLogit(items, items.size());
    for (Item& item : items) {
        item.logit /= m_settings.temperature;
    }
    toProbabilities(items);
    if (m_settings.mirostat == 1) {
        double products = 0;
        double squares = 0;
        for (std::size_t i = 0; i + 1 < std::min(kEstimated, items.size()); ++i) {
            const double t = std::log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
            const double b = std::log(items[i].probability / items[i + 1].probability);
            products += t * b;
            squares += t * t;
        }
        const double exponent = squares > 0 ? products / squares : 1;
        const double epsilon = exponent - 1;
        const double k =
            std::pow(epsilon * std::exp2(m_surprise) / (1 - std::pow(static_cast<double>(items.size()), -epsilon)),
                     1 / exponent);
        if (std::isfinite(k)) {
            const double maximum = static_cast<double>(items.size());
            items.resize(static_cast<std::size_t>(std::clamp(k, 1.0, maximum)));
        }
    } else {
        const auto tooFar = [&](const Item& item) { return -std::log2(item.probability) > m_surprise; };
        const auto cut = std::find_if(items.begin() + 1, items.end(), tooFar);
        items.erase(cut, items.end());
    }
    recordCut(items, Cut::Mirostat);
    const TokenId token = drawFrom(items);
    const auto drawn = std::ranges::find(items, token.value, &Item::token);
    m_surprise -= m_settings.mirostatEta * (-std::log2(drawn->probability) - m_settings.mirostatTau);
    return token;
}

} // namespace gufo::inference
