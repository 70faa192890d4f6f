#include "ui/report/html_series.h"

#include "ui/messages/catalogue.h"
#include "ui/report/html_text.h"
#include "ui/report/series.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

QString hexColour(std::uint32_t colour) { return QStringLiteral("#%1").arg(colour, 6, 16, QLatin1Char('0')); }

int seriesIn(const TensorMatches& matches, std::size_t model) { return seriesOf(model, matches.reference); }

QString classOf(int series) { return series < 0 ? QStringLiteral("ref") : QStringLiteral("s%1").arg(series); }

} // namespace

QString seriesClass(const TensorMatches& matches, std::size_t model) { return classOf(seriesIn(matches, model)); }

QString seriesPath(const TensorMatches& matches, std::size_t model, double x, double y, double radius) {
    QString path;
    for (const QPointF& corner : seriesShape(seriesIn(matches, model))) {
        path += filled("%1%2 %3", path.isEmpty() ? QStringLiteral("M") : QStringLiteral("L"),
                       px(x + radius * corner.x()), px(y + radius * corner.y()));
    }
    return path + u'Z';
}

QString seriesMark(const TensorMatches& matches, std::size_t model) {
    return filled("<svg class=\"mark %1\" width=\"11\" height=\"11\" aria-hidden=\"true\"><path d=\"%2\"/></svg>",
                  seriesClass(matches, model), seriesPath(matches, model, 5.5, 5.5, 4.5));
}

QString seriesRules() {
    const auto colours = [](bool dark) {
        QString text;
        for (int series = -1; series < static_cast<int>(kSeriesStyles); ++series) {
            const SeriesStyle& style = seriesStyle(series);
            text += filled("--%1:%2;", classOf(series), hexColour(dark ? style.dark : style.light));
        }
        return text;
    };
    QString rules = filled(":root{%1}@media(prefers-color-scheme:dark){:root{%2}}\n", colours(false), colours(true));
    for (int series = -1; series < static_cast<int>(kSeriesStyles); ++series) {
        QStringList dashes;
        for (const double length : seriesDashes(series)) {
            dashes << px(length);
        }
        rules += filled(".%1{--c:var(--%1);--d:%2}\n", classOf(series),
                        dashes.isEmpty() ? QStringLiteral("none") : dashes.join(u' '));
    }
    return rules;
}

QString chartSubject(const ComparisonReport& report, const QStringList& names) {
    QStringList others;
    for (qsizetype model = 0; model < names.size(); ++model) {
        if (model != static_cast<qsizetype>(report.matches.reference)) {
            others << names[model];
        }
    }
    const auto tensors = static_cast<std::size_t>(std::ranges::count_if(report.comparison.rows, &ComparedRow::wanted));
    return QCoreApplication::translate("gufo::ui::Report", "%1 against %2 (reference), %n tensors", nullptr,
                                       numerus(tensors))
        .arg(others.join(QStringLiteral(", ")), names.value(static_cast<qsizetype>(report.matches.reference)));
}

QString chartFigure(const ComparisonReport& report, const QStringList& names, const QString& title,
                    const QString& svg) {
    QString legend;
    for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
        if (model != report.matches.reference) {
            legend += filled(
                "<span class=\"key\"><svg width=\"30\" height=\"11\" aria-hidden=\"true\"><path class=\"line %1\" "
                "d=\"M0 5.5H30\"/><path class=\"point %1\" d=\"%2\"/></svg> %3</span>",
                seriesClass(report.matches, model), seriesPath(report.matches, model, 15, 5.5, 4),
                escaped(names.value(static_cast<qsizetype>(model))));
        }
    }
    return filled("<figure><figcaption><b>%1</b> <span class=\"muted\">%2</span></figcaption><div class=\"legend\">%3"
                  "</div>%4</figure>",
                  escaped(title), escaped(chartSubject(report, names)), legend, svg);
}

} // namespace gufo::ui
