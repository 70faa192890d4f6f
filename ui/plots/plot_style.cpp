#include "ui/plots/plot_style.h"

#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kTickLength = 4;
constexpr int kGradientStops = 32;
constexpr int kDecadesLabelledAll = 5;
constexpr int kFewDecades = 2;

} // namespace

void styleAxis(QCPAxis& axis) {
    const QPen line(themeColor(Token::PlotAxis), 1);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLength(0, kTickLength);
    axis.setSubTickLength(0, 0);
    axis.setTickLabelFont(themeFont(TextStyle::Axis));
    axis.setTickLabelColor(themeColor(Token::Muted));
    axis.setTickLabelPadding(3);
    axis.grid()->setPen(QPen(themeColor(Token::PlotGrid), 1));
    axis.grid()->setZeroLinePen(Qt::NoPen);
    axis.grid()->setSubGridVisible(false);
}

void stylePlot(QCustomPlot& plot) {
    plot.setBackground(QBrush(themeColor(Token::Base)));
    plot.setFont(themeFont(TextStyle::Axis));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        styleAxis(*axis);
    }
}

void styleAxisLabel(QCPAxis& axis, int padding) {
    axis.setLabelFont(themeFont(TextStyle::Axis));
    axis.setLabelColor(themeColor(Token::Muted));
    axis.setLabelPadding(padding);
}

QCPColorGradient colorGradient(ColorMap map) {
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= kGradientStops; ++i) {
        const double at = static_cast<double>(i) / kGradientStops;
        gradient.setColorStopAt(at, colorMapAt(map, at));
    }
    gradient.setLevelCount(256);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

QCPColorGradient divergingGradient() {
    // Equally light on both sides, so that the sign can be told by the hue alone and the size by the lightness alone.
    // Blue and red stay apart for all kinds of colour blindness.
    constexpr std::array<QRgb, 9> kStops{0xFF08306B, 0xFF2166AC, 0xFF4393C3, 0xFF92C5DE, 0xFFF7F7F7,
                                         0xFFF4A582, 0xFFD6604D, 0xFFB2182B, 0xFF67001F};
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (std::size_t i = 0; i < kStops.size(); ++i) {
        gradient.setColorStopAt(static_cast<double>(i) / static_cast<double>(kStops.size() - 1),
                                QColor::fromRgb(kStops[i]));
    }
    gradient.setLevelCount(256);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

QString powerOfTen(int exponent) {
    static const QString superscripts = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString label = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent))) {
        label += superscripts[digit.digitValue()];
    }
    return label;
}

QVector<QString> DecadeTicker::createLabelVector(const QVector<double>& ticks, const QLocale&, QChar, int) {
    const auto isNearOne = [](double tick) { return tick > 0.9e-3 && tick < 1.1e3; };
    const bool plain = std::ranges::all_of(ticks, isNearOne);
    QVector<QString> labels;
    for (const double tick : ticks) {
        labels << (plain ? formatReal(tick, 3) : powerOfTen(static_cast<int>(std::lround(std::log10(tick)))));
    }
    return labels;
}

QVector<double> CountLogTicker::createTickVector(double, const QCPRange& range) {
    const int last = static_cast<int>(std::floor(std::log10(range.upper)));
    QVector<double> ticks;
    for (int decade = 0; decade <= last; ++decade) {
        const double power = std::pow(10, decade);
        ticks << power;
        if (last < kFewDecades) {
            ticks << 2 * power << 5 * power;
        }
    }
    return ticks;
}

QString CountLogTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return powerOfTen(static_cast<int>(std::lround(std::log10(tick))));
}

QVector<QString> CountLogTicker::createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                                   int precision) {
    const bool few = ticks.size() > 1 && ticks[1] < 10; // the ticks 1 and 2 are consecutive
    if (few) {
        QVector<QString> labels;
        for (const double tick : ticks) {
            labels << formatCount(static_cast<std::uint64_t>(tick + 0.5));
        }
        return labels;
    }
    QVector<QString> labels = QCPAxisTickerLog::createLabelVector(ticks, locale, format, precision);
    for (qsizetype i = 0; labels.size() > kDecadesLabelledAll && i < labels.size(); ++i) {
        if (i % 2 != 0) {
            labels[i].clear();
        }
    }
    return labels;
}

double CountTicker::getTickStep(const QCPRange& range) { return std::max(1.0, QCPAxisTicker::getTickStep(range)); }

QString CountTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    const auto count = static_cast<std::uint64_t>(std::max(tick, 0.0) + 0.5);
    QString text = count < 1000 ? QString::number(count) : formatParameters(count);
    // Shortens 2.00 M to 2 M.
    const qsizetype point = text.indexOf(QLatin1Char('.'));
    if (point >= 0) {
        const qsizetype unit = text.indexOf(QLatin1Char(' '));
        QString digits = text.left(unit);
        while (digits.endsWith(QLatin1Char('0'))) {
            digits.chop(1);
        }
        if (digits.endsWith(QLatin1Char('.'))) {
            digits.chop(1);
        }
        text = digits + text.mid(unit);
    }
    return text;
}

QString ValueTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return formatReal(tick, 4); }

double IndexTicker::getTickStep(const QCPRange& range) {
    const double wanted = range.size() / std::max(1, mTickCount);
    return std::max(1.0, std::exp2(std::ceil(std::log2(wanted))));
}

int IndexTicker::getSubTickCount(double) { return 0; }

QString IndexTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return tick < 0 ? QString() : formatCount(static_cast<std::uint64_t>(tick + 0.5));
}

} // namespace gufo::ui
