// The files of a comparison in a report: their marks, the classes of their lines, and the frames of charts with a
// legend.
#pragma once

#include "ui/report/comparison_report.h"

namespace gufo::ui {

// "s2", or "ref" for the reference: gives an element the colour and the dashes of the file.
[[nodiscard]] QString seriesClass(const TensorMatches& matches, std::size_t model);
// The file's mark in a line of text.
[[nodiscard]] QString seriesMark(const TensorMatches& matches, std::size_t model);
// The file's mark as the data of an SVG path.
[[nodiscard]] QString seriesPath(const TensorMatches& matches, std::size_t model, double x, double y, double radius);
// The style rules of all classes.
[[nodiscard]] QString seriesRules();

// A chart as a figure that can be understood alone: with its title, the files and their reference, and a legend of
// lines.
[[nodiscard]] QString chartFigure(const ComparisonReport& report, const QStringList& names, const QString& title,
                                  const QString& svg);
// "Q8_0, Q4_0 against F16 (reference), 47 tensors".
[[nodiscard]] QString chartSubject(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
