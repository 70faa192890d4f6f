// The sections about what swapping tensors has shown, and about the states after each block.
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/behaviour.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr std::size_t kListedParts = 40;
constexpr std::size_t kMostColumns = 256; // of the map; further tokens share a column
constexpr double kMapLabels = 34;
constexpr double kLayerMapWidth = 880;
constexpr double kDistanceDecades = 4;

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Report)
};

QString shareOf(double nats, double total) {
    return total > 0 ? QString::number(100 * nats / total, 'f', 1) + QStringLiteral(" %") : QString();
}

QString partRow(const QString& name, const QString& tensors, double from, double restored, double total) {
    return filled("<tr><td class=\"name\"><code>%1</code></td><td class=\"n\">%2</td><td class=\"n\">%3</td><td "
                  "class=\"n muted\">%4</td><td class=\"n\">%5</td><td class=\"n muted\">%6</td></tr>",
                  escaped(name), tensors, formatReal(from, 4), shareOf(from, total), formatReal(restored, 4),
                  shareOf(restored, total));
}

QString partsTable(const Behaviour& behaviour) {
    std::vector<const BehaviourPart*> parts;
    for (const BehaviourPart& part : behaviour.parts) {
        parts.push_back(&part);
    }
    std::ranges::sort(parts, std::greater(),
                      [](const BehaviourPart* part) { return std::pair(part->fromOther + part->restored, part); });
    QString html = filled("<div class=\"scroll\"><table><thead><tr><th>%1</th><th class=\"n\">%2</th><th class=\"n\" "
                          "colspan=\"2\">%3</th><th class=\"n\" colspan=\"2\">%4</th></tr></thead><tbody>",
                          escaped(Words::tr("Swapped together")), escaped(Words::tr("Tensors")),
                          escaped(Words::tr("KL swapped in (nats)")), escaped(Words::tr("KL restored (nats)")));
    for (std::size_t i = 0; i < std::min(parts.size(), kListedParts); ++i) {
        const BehaviourPart& part = *parts[i];
        const QString name = displayText(part.name);
        html += partRow(part.refined ? Words::tr("%1 (part of its block)").arg(name) : name,
                        formatCount(part.tensors.size()), part.fromOther, part.restored, behaviour.total);
    }
    html += partRow(Words::tr("interaction: what the parts do not add up to"), {}, behaviour.interactionFromOther,
                    behaviour.interactionRestored, behaviour.total);
    html += QStringLiteral("</tbody></table></div>");
    if (parts.size() > kListedParts) {
        html +=
            filled("<p class=\"muted\">%1</p>",
                   escaped(Words::tr("%n more parts are not listed.", nullptr, numerus(parts.size() - kListedParts))));
    }
    return html;
}

// Blocks downwards, tokens to the right, on a logarithmic scale below the largest distance.
QString layerSvg(const Behaviour& behaviour) {
    const std::size_t blocks = behaviour.layers.size();
    const std::size_t tokens = behaviour.layers.front().relative.size();
    const std::size_t columns = std::min(tokens, kMostColumns);
    if (columns == 0) {
        return {};
    }
    std::vector<double> figures(blocks * columns);
    double high = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t token = 0; token < tokens; ++token) {
            const double distance = behaviour.layers[block].relative[token];
            double& cell = figures[block * columns + token * columns / tokens];
            cell = std::isfinite(distance) ? std::max(cell, distance) : cell;
            high = std::max(high, cell);
        }
    }
    if (high <= 0) {
        return {};
    }
    const MetricScale scale{{.low = high * std::pow(10, -kDistanceDecades), .high = high, .logarithmic = true},
                            Metric::Divergence}; // lower is closer, as for a divergence
    const double row = std::clamp(280.0 / static_cast<double>(blocks), 3.0, 16.0);
    const double column = (kLayerMapWidth - kMapLabels) / static_cast<double>(columns);
    const double height = row * static_cast<double>(blocks);
    QString svg =
        filled("<svg class=\"plot\" role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" width=\"%2\" "
               "height=\"%3\" shape-rendering=\"crispEdges\">",
               escaped(Words::tr("Distance of the states by block and token")), px(kLayerMapWidth), px(height + 32));
    for (std::size_t block = 0; block < blocks; ++block) {
        const double top = row * static_cast<double>(block);
        // Neighbours of the same colour are one rectangle, which keeps the file small.
        for (std::size_t begin = 0; begin < columns;) {
            const QString colour = metricColour(scale, figures[block * columns + begin]);
            std::size_t end = begin + 1;
            while (end < columns && metricColour(scale, figures[block * columns + end]) == colour) {
                ++end;
            }
            svg += filled("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>",
                          px(kMapLabels + column * static_cast<double>(begin)), px(top),
                          px(column * static_cast<double>(end - begin)), px(row), colour);
            begin = end;
        }
    }
    const std::size_t rowStep = static_cast<std::size_t>(std::ceil(12.0 / row));
    for (std::size_t block = 0; block < blocks; block += rowStep) {
        svg += filled("<text class=\"muted\" x=\"%1\" y=\"%2\" text-anchor=\"end\">%3</text>", px(kMapLabels - 6),
                      px(row * (static_cast<double>(block) + 0.5) + 4), QString::number(block));
    }
    const std::size_t step = std::max<std::size_t>(1, tokens / 8);
    for (std::size_t token = 0; token < tokens; token += step) {
        svg += filled(
            "<text class=\"muted\" x=\"%1\" y=\"%2\">%3</text>",
            px(kMapLabels + (kLayerMapWidth - kMapLabels) * static_cast<double>(token) / static_cast<double>(tokens)),
            px(height + 14), QString::number(token));
    }
    svg += filled("<text class=\"muted\" x=\"%1\" y=\"%2\" text-anchor=\"middle\">%3</text></svg>",
                  px((kLayerMapWidth + kMapLabels) / 2), px(height + 28),
                  escaped(Words::tr("token; block downwards; largest distance %1").arg(formatReal(high, 2))));
    return svg;
}

} // namespace

QString htmlBehaviour(const ComparisonReport& report, const QStringList& names) {
    QString html;
    for (std::size_t model = 0; model < report.behaviours.size(); ++model) {
        const Behaviour* behaviour = report.behaviours[model].get();
        if (behaviour == nullptr) {
            continue;
        }
        html += filled("<h3>%1%2</h3><p>%3</p>%4", seriesMark(report.matches, model),
                       escaped(names[static_cast<qsizetype>(model)]),
                       escaped(Words::tr("KL divergence from the reference: %1 nats, mean of %n positions of %2",
                                         nullptr, numerus(behaviour->positions))
                                   .arg(formatReal(behaviour->total, 4), report.behaviourText)),
                       partsTable(*behaviour));
    }
    return html;
}

QString htmlLayers(const ComparisonReport& report, const QStringList& names) {
    QString html;
    for (std::size_t model = 0; model < report.behaviours.size(); ++model) {
        const Behaviour* behaviour = report.behaviours[model].get();
        if (behaviour == nullptr || behaviour->layers.empty()) {
            continue;
        }
        html += filled("<h3>%1%2</h3><p>%3</p><div class=\"scroll\">%4</div>", seriesMark(report.matches, model),
                       escaped(names[static_cast<qsizetype>(model)]), escaped(layerWords(*behaviour).join(u' ')),
                       layerSvg(*behaviour));
    }
    return html;
}

} // namespace gufo::ui
