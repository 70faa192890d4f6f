#include "ui/compare/trade_off/trade_off.h"

#include "ui/report/comparison_report.h"
#include "ui/report/fitting.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::TradeOff)
};

} // namespace

QString groupTitle(TensorGroup group) {
    switch (group) {
    case TensorGroup::Embedding:
        return Words::tr("Embedding");
    case TensorGroup::Attention:
        return Words::tr("Attention");
    case TensorGroup::FeedForward:
        return Words::tr("Feed-forward");
    case TensorGroup::Recurrent:
        return Words::tr("Recurrent");
    case TensorGroup::Norm:
        return Words::tr("Norms");
    case TensorGroup::Output:
        return Words::tr("Output");
    case TensorGroup::Other:
        break;
    }
    return Words::tr("Other tensors");
}

std::vector<TradeOffPoint> tradeOff(const Comparison& comparison, Metric metric, SizeMeasure size,
                                    std::optional<TensorGroup> group) {
    std::vector<TradeOffPoint> points;
    const auto& totals = comparison.totals();
    for (std::size_t i = 0; i < comparison.files().size(); ++i) {
        const ComparedFile& file = comparison.files()[i];
        TradeOffPoint point{.file = i, .label = file.label, .series = file.series};
        point.reference = i == comparison.reference();
        point.bytes = file.totals.fileBytes;
        point.bits = file.totals.bitsPerWeight;
        point.memory = file.memory;
        if (i < totals.size()) {
            const ComparisonTotals& sums = group ? totals[i].groups[static_cast<std::size_t>(*group)] : totals[i].all;
            if (group) {
                point.bytes = sums.bytes;
                point.bits = sums.bitsPerWeight();
                if (sums.tensors == 0 && !point.reference) {
                    continue;
                }
            }
            if (!point.reference && sums.tensors > 0) {
                const Likeness likeness = sums.likeness();
                point.lossless = likeness == Likeness::Identical || likeness == Likeness::Equal;
                point.likeness = totalsText(sums);
                point.leftOut = incompleteNotes(sums);
                if (likeness == Likeness::Different) {
                    point.quality = metric == Metric::Divergence ? comparison.divergence(i)
                                                                 : metricOf(metricFact(metric), sums.byParameters);
                }
            }
        }
        if (group && point.reference) { // the reference has no totals of compared pairs, so its tensors' size is used
            std::uint64_t bytes = 0;
            std::uint64_t weights = 0;
            const auto& rows = comparison.matches()->rows;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const TensorGroup of = rows[row].fact != nullptr ? rows[row].fact->group : TensorGroup::Other;
                if (of == *group && rows[row].has(i)) {
                    const PartOf part = comparison.partOf(row, i);
                    bytes += partBytes(*part.model, part.part).value_or(0);
                    weights += part.part.weights();
                }
            }
            point.bytes = bytes;
            point.bits = weights > 0 ? std::optional(8.0 * static_cast<double>(bytes) / static_cast<double>(weights))
                                     : std::nullopt;
            if (bytes == 0) {
                continue;
            }
        }
        point.size = size == SizeMeasure::Bytes ? static_cast<double>(point.bytes) : point.bits.value_or(0);
        points.push_back(std::move(point));
    }
    findFrontier(points, metricFact(metric).higherIsCloser);
    return points;
}

std::optional<std::size_t> fitPoints(std::vector<TradeOffPoint>& points, std::uint64_t limit, bool higherIsCloser) {
    std::vector<FitCandidate> candidates;
    for (TradeOffPoint& point : points) {
        point.tooLarge = point.memory && *point.memory > limit;
        const bool whole = point.leftOut.isEmpty();
        candidates.push_back({.memory = point.memory,
                              .quality = whole ? point.quality : std::nullopt,
                              .exact = point.reference || (whole && point.lossless)});
    }
    return bestThatFits(candidates, limit, higherIsCloser);
}

void findFrontier(std::vector<TradeOffPoint>& points, bool higherIsCloser) {
    const auto closer = [&](const TradeOffPoint& a,
                            const TradeOffPoint& b) { // whether a is closer to the reference than b
        return a.lossless
                   ? !b.lossless
                   : a.quality && b.quality && (higherIsCloser ? *a.quality > *b.quality : *a.quality < *b.quality);
    };
    // What cannot be compared may be anything, so the figures of the rest decide nothing.
    const auto isJudged = [](const TradeOffPoint& point) {
        return !point.reference && point.leftOut.isEmpty() && (point.quality || point.lossless);
    };
    for (TradeOffPoint& point : points) {
        point.better.reset();
        point.frontier = isJudged(point);
        if (!point.frontier) {
            continue;
        }
        for (std::size_t other = 0; other < points.size(); ++other) {
            const TradeOffPoint& rival = points[other];
            if (&rival == &point || !isJudged(rival)) {
                continue;
            }
            const bool beats = (rival.size <= point.size && closer(rival, point)) ||
                               (rival.size < point.size && !closer(point, rival));
            if (beats && (!point.better || rival.size < points[*point.better].size)) {
                point.better = other;
            }
        }
        point.frontier = !point.better;
    }
}

} // namespace gufo::ui
