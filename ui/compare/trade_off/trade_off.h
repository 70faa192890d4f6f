// Size against quality: the points of a comparison, and which of them are worth having. A point is on the efficient
// frontier where nothing of at most its size is as close to the reference.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/report/metric.h"

#include <QString>

namespace gufo::ui {

enum class SizeMeasure : std::uint8_t { Bytes, BitsPerWeight };
// What kind of types most of a file's bytes are in.
enum class TypeFamily : std::uint8_t { KQuants, IQuants, Legacy, Unquantised };

struct TradeOffPoint {
    std::size_t file = 0;
    QString label;
    TypeFamily family = TypeFamily::Legacy;
    double size = 0; // bytes, or bits per weight
    std::uint64_t bytes = 0;
    std::optional<double> bits{};
    std::optional<double> quality{}; // nothing: identical to the reference, or not known yet
    bool reference = false;
    bool identical = false; // though it is not the reference
    bool frontier = false;
    std::optional<std::size_t> better{}; // index of a point that is not larger and closer, if not on the frontier
};

// Of whole models, or of the tensors of one group; in the order of the files. Files that have nothing of the group are
// left out.
[[nodiscard]] std::vector<TradeOffPoint> tradeOff(const Comparison& comparison, Metric metric, SizeMeasure size,
                                                  std::optional<TensorGroup> group);
// Marks frontier and better.
void findFrontier(std::vector<TradeOffPoint>& points, bool higherIsCloser);
[[nodiscard]] TypeFamily familyOf(const Model& model);
[[nodiscard]] QString familyTitle(TypeFamily family);
[[nodiscard]] QString groupTitle(TensorGroup group);

} // namespace gufo::ui
