#include "ui/report/fitting.h"

#include "inference/engine/gufo_engine.h"

namespace gufo::ui {

std::optional<std::uint64_t> memoryToRun(const std::shared_ptr<const Model>& model) {
    // The default is the trained context, but at most kFittingContext. How much is free does not matter.
    const auto forecast = inference::forecastMemory(model, {}, {});
    return forecast ? std::optional(forecast->needs.total()) : std::nullopt;
}

FitCandidate fitCandidate(const ComparisonReport& report, std::size_t model, const MetricFact& metric) {
    FitCandidate candidate{.memory = memoryToRun(report.matches.models[model])};
    if (model == report.matches.reference) {
        candidate.exact = true;
        return candidate;
    }
    const ComparisonTotals totals = report.comparison.totals(report.matches, model);
    const Likeness likeness = totals.likeness();
    if (!totals.complete()) { // its figures say nothing about what was not compared
        return candidate;
    }
    candidate.exact = totals.tensors > 0 && (likeness == Likeness::Identical || likeness == Likeness::Equal);
    if (likeness == Likeness::Different) {
        candidate.quality =
            metric.metric == Metric::Divergence ? report.divergence(model) : metricOf(metric, totals.byParameters);
    }
    return candidate;
}

std::optional<std::size_t> bestThatFits(std::span<const FitCandidate> candidates, std::uint64_t limit,
                                        bool higherIsCloser) {
    const auto better = [&](const FitCandidate& a, const FitCandidate& b) {
        if (a.exact != b.exact) {
            return a.exact;
        }
        if (!a.exact && *a.quality != *b.quality) {
            return higherIsCloser ? *a.quality > *b.quality : *a.quality < *b.quality;
        }
        return *a.memory < *b.memory;
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const FitCandidate& candidate = candidates[i];
        const bool fits = candidate.memory && *candidate.memory <= limit && (candidate.exact || candidate.quality);
        if (fits && (!best || better(candidate, candidates[*best]))) {
            best = i;
        }
    }
    return best;
}

std::optional<std::size_t> bestThatFits(const ComparisonReport& report, const MetricFact& metric, std::uint64_t limit) {
    std::vector<FitCandidate> candidates;
    for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
        candidates.push_back(fitCandidate(report, model, metric));
    }
    return bestThatFits(candidates, limit, metric.higherIsCloser);
}

} // namespace gufo::ui
