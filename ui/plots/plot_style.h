// The appearance that all plots share: theme colours and fonts, axes at the left and the bottom, and tick labels.
#pragma once

#include "ui/theme/theme.h"

#include <qcustomplot.h>

#include <cstdint>

namespace gufo::ui {

// Distance from the widget's left edge to the left axis of every plot, so that stacked plots line up.
inline constexpr int kPlotLeftMargin = 56;

// Applies background, axis, tick and grid pens and fonts. Call it again after each Theme::changed().
void stylePlot(QCustomPlot& plot);
void styleAxis(QCPAxis& axis);
void styleAxisLabel(QCPAxis& axis, int padding); // `padding` is the distance between ticks and label in pixels

[[nodiscard]] QCPColorGradient colorGradient(ColorMap map);
// For differences: blue below zero, red above, and nearly white at zero, which is in the middle.
[[nodiscard]] QCPColorGradient divergingGradient();

// Counts on a logarithmic axis: 10⁰, 10², 10⁴ …, or 1, 2, 5, 10, 20 … if it spans few decades.
class CountLogTicker : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;
};

// Positive real numbers on a logarithmic axis, one label per power of ten. All labels are of one kind: 0.01, 0.1, 1 if
// none is far from 1, and otherwise 10⁻⁵, 10⁻⁴ ….
class DecadeTicker : public QCPAxisTickerLog {
public:
    DecadeTicker() { setSubTickCount(0); }

protected:
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;
};
// "10⁻⁵"
[[nodiscard]] QString powerOfTen(int exponent);

// Counts on a linear axis: 1.5 M.
class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

// Real numbers, with U+2212 as the minus sign.
class ValueTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

// Row and column numbers: integers with thousands separators, at multiples of powers of two to match blocks.
class IndexTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

} // namespace gufo::ui
