// What all plots look like: colours and fonts of the theme, axes at the left and the bottom, and the labels of ticks.
#pragma once

#include "ui/theme/theme.h"

#include <qcustomplot.h>

#include <cstdint>

namespace gufo::ui {

// Left edge of every plot's axis from the widget's left edge, so that plots below each other line up.
inline constexpr int kPlotLeftMargin = 56;

// Applies background, axis, tick and grid pens and fonts; again after each Theme::changed().
void stylePlot(QCustomPlot& plot);
void styleAxis(QCPAxis& axis);
void styleAxisLabel(QCPAxis& axis, int padding); // its name, that many pixels from the ticks

[[nodiscard]] QCPColorGradient colorGradient(ColorMap map);

// Counts on a logarithmic axis: 10⁰, 10², 10⁴ …; 1, 2, 5, 10, 20 … where there are few decades.
class CountLogTicker : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override;
};

// Counts on a linear axis: 1.5 M.
class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

// Real numbers, with a true minus.
class ValueTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

// Row and column numbers: whole, thousands separated, at multiples of powers of two as blocks are.
class IndexTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

} // namespace gufo::ui
