// Size against quality: the points of a comparison, and the Pareto frontier. A point is on the frontier if no other
// point that is not larger is at least as close to the reference.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/report/metric.h"

#include <QString>

namespace gufo::ui {

enum class SizeMeasure : std::uint8_t { Bytes, BitsPerWeight };

struct TradeOffPoint {
    std::size_t file = 0;
    QString label;
    int series = -1; // as ComparedFile::series
    double size = 0; // bytes, or bits per weight
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> memory{}; // to run the whole model
    bool tooLarge = false;                 // for the limit of memory
    std::optional<double> bits{};
    std::optional<double> quality{}; // empty: nothing was lost, or not known yet
    bool reference = false;
    bool lossless = false; // another file, but all its weights equal the reference's
    QString likeness{};    // short words in place of a missing quality
    QStringList leftOut{}; // what the quality leaves out, a sentence each; such a point is never on the frontier
    bool frontier = false;
    std::optional<std::size_t> better{}; // if not on the frontier: index of a point that is not larger, but closer
};

// The points of whole models, or of the tensors of one group, in file order. Files without tensors of the group are
// omitted. Metric::Divergence always compares whole models, whatever the group.
[[nodiscard]] std::vector<TradeOffPoint> tradeOff(const Comparison& comparison, Metric metric, SizeMeasure size,
                                                  std::optional<TensorGroup> group);
// Sets `frontier` and `better` of the points.
void findFrontier(std::vector<TradeOffPoint>& points, bool higherIsCloser);
// Marks the points that take more than `limit` bytes to run, and returns the index of the best of the others.
std::optional<std::size_t> fitPoints(std::vector<TradeOffPoint>& points, std::uint64_t limit, bool higherIsCloser);
[[nodiscard]] QString groupTitle(TensorGroup group);

} // namespace gufo::ui
