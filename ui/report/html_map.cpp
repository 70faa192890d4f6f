#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/block_layout.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"
#include "ui/report/map_grid.h"

#include <algorithm>
#include <set>

namespace gufo::ui {
namespace {

constexpr int kCellHeight = 20;
constexpr int kGroupGap = 5; // between attention and feed-forward
constexpr int kBandGap = 8;
constexpr int kPanelTitle = 20;
constexpr int kAxis = 18; // the line with block numbers
constexpr int kMostLabel = 132;
constexpr int kMapWidth = 460;   // width of all cells, unless they would be too narrow or too wide
constexpr int kMostWidth = 1000; // beyond it, blocks wrap into bands
constexpr double kFontWidth = 6.7;

// The content of a cell: one tensor, or all experts of one.
struct Cell {
    ComparedSums sums;
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
    std::size_t rows = 0;
    std::size_t identical = 0;
    bool truncated = false;
    CellVerdict worst = CellVerdict::Identical;
    std::set<std::string> types;
    std::optional<std::pair<double, std::uint32_t>> worstExpert{};

    [[nodiscard]] Likeness likeness() const { return likenessOf(sums, identical == rows, truncated); }
    [[nodiscard]] bool leavesOut() const { return sums.excluded > 0 || truncated; }
};

int gravity(CellVerdict verdict) {
    switch (verdict) {
    case CellVerdict::Failed:
        return 4;
    case CellVerdict::Missing:
    case CellVerdict::Reshaped:
        return 3;
    case CellVerdict::Extra:
        return 2;
    case CellVerdict::Different:
    case CellVerdict::Renamed:
        return 1;
    case CellVerdict::Reference:
    case CellVerdict::Identical:
    case CellVerdict::Equal:
    case CellVerdict::Absent:
        break;
    }
    return 0;
}

class Maps {
public:
    Maps(const ComparisonReport& report, const MetricFact& metric, const QStringList& names)
        : m_report(report)
        , m_metric(metric)
        , m_names(names) {
        const auto grid = layOutMap(report.matches, {.vectors = true}, {},
                                    [&](std::size_t row) { return report.comparison.rows[row].wanted; });
        m_grid = grid ? *grid : std::make_shared<MapGrid>();
        std::vector<double> figures;
        for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
            std::vector<Cell>& cells = m_cells.emplace_back();
            for (const std::vector<std::uint32_t>& rows : m_grid->cells) {
                cells.push_back(cellOf(rows, model));
            }
        }
        for (const std::vector<Cell>& cells : m_cells) {
            for (const Cell& cell : cells) {
                if (const auto figure = figureOf(cell)) {
                    figures.push_back(*figure);
                }
            }
        }
        m_scale = scaleFor(metric, figures);
        chooseRows();
        layOut();
    }

    [[nodiscard]] QString text() const {
        if (m_panels.empty() && m_grid->loose.empty()) {
            return {};
        }
        QString html = filled("<p class=\"muted\">%1</p>%2", escaped(metricHeading(m_metric)), legend());
        html += QStringLiteral("<div class=\"maps\">");
        for (std::size_t model = 0; model < m_cells.size(); ++model) {
            if (model != m_report.matches.reference) {
                html += mapOf(model);
            }
        }
        html += QStringLiteral("</div>");
        if (!m_equalRoles.isEmpty()) {
            html += filled(
                "<p class=\"muted\">%1 %2</p>",
                QCoreApplication::translate("gufo::ui::Report", "Not shown, because they are identical in all files:"),
                escaped(m_equalRoles.join(QStringLiteral(", "))));
        }
        if (m_grid->notShown > 0) {
            html += filled("<p class=\"muted\">%1</p>",
                           QCoreApplication::translate("gufo::ui::Report", "%n more tensors are not on the map",
                                                       nullptr, numerus(m_grid->notShown)));
        }
        return html;
    }

private:
    // A row of the map that is shown.
    struct ShownRow {
        QString label;
        std::size_t firstCell = 0; // one for each block
        bool startsGroup = false;
    };
    struct ShownPanel {
        const MapGridPanel* panel;
        std::vector<ShownRow> rows;
    };

    [[nodiscard]] Cell cellOf(const std::vector<std::uint32_t>& rows, std::size_t model) {
        Cell cell;
        for (const std::uint32_t row : rows) {
            const TensorMatch& match = m_report.matches.rows[row];
            const CellVerdict verdict = cellVerdict(m_report, row, model);
            if (verdict == CellVerdict::Absent) {
                continue;
            }
            ++cell.rows;
            cell.worst = gravity(verdict) > gravity(cell.worst) ? verdict : cell.worst;
            const ComparedCell& compared = m_report.comparison.rows[row].cells[model];
            if (match.has(model)) {
                const Model& file = *m_report.matches.models[model];
                cell.types.insert(file.tensor(match.cells[model].part.tensor).typeName());
                cell.weights += match.cells[model].part.weights();
                cell.bytes += partBytes(file, match.cells[model].part).value_or(0);
            }
            if (compared.state == ComparedCell::State::Compared) {
                cell.identical += compared.comparison.identical ? 1U : 0U;
                cell.truncated |= compared.comparison.truncated;
                cell.sums.merge(compared.comparison.sums);
                m_leavesOut |= cell.leavesOut();
                const auto value = m_metric.ofPair() ? m_metric.of(compared.comparison.figures()) : std::nullopt;
                const bool worse =
                    value && (!cell.worstExpert || (m_metric.higherIsCloser ? *value < cell.worstExpert->first
                                                                            : *value > cell.worstExpert->first));
                if (match.expert && worse) {
                    cell.worstExpert = {*value, *match.expert};
                }
            }
        }
        return cell;
    }

    // Omits roles for which all cells are equal; they are listed below the map.
    void chooseRows() {
        for (const MapGridPanel& panel : m_grid->panels) {
            ShownPanel shown{.panel = &panel, .rows = {}};
            bool gap = false;
            for (const MapGridRow& row : panel.rows) {
                gap |= row.startsGroup;
                if (m_metric.ofPair() && isEqualInAll(row, panel.blocks.size())) {
                    m_equalRoles << (panel.name.isEmpty() ? row.label : panel.name + QLatin1Char(' ') + row.label);
                    continue;
                }
                shown.rows.push_back(
                    {.label = row.label, .firstCell = row.firstCell, .startsGroup = gap && !shown.rows.empty()});
                gap = false;
            }
            if (!shown.rows.empty()) {
                m_panels.push_back(std::move(shown));
            }
        }
    }

    [[nodiscard]] bool isEqualInAll(const MapGridRow& row, std::size_t blocks) const {
        for (std::size_t model = 0; model < m_cells.size(); ++model) {
            for (std::size_t block = 0; block < blocks && model != m_report.matches.reference; ++block) {
                if (gravity(m_cells[model][row.firstCell + block].worst) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    void layOut() {
        std::size_t most = 1;
        qsizetype longest = 0;
        for (const ShownPanel& shown : m_panels) {
            most = std::max(most, shown.panel->blocks.size());
            for (const ShownRow& row : shown.rows) {
                longest = std::max(longest, shortened(row.label).size());
            }
        }
        m_layout.labels = std::min(kMostLabel, static_cast<int>(static_cast<double>(longest) * kFontWidth) + 12);
        m_layout.cell = std::clamp(kMapWidth / static_cast<int>(most), 6, 26);
        m_layout.rowHeight = kCellHeight;
        const auto fit = static_cast<std::size_t>((kMostWidth - m_layout.labels) / m_layout.cell);
        for (const ShownPanel& shown : m_panels) {
            BlockLayout::Panel panel{
                .columns = shown.panel->blocks.size(), .columnsPerBand = fit, .titled = !shown.panel->name.isEmpty()};
            std::ranges::transform(shown.rows, std::back_inserter(panel.gaps), &ShownRow::startsGroup);
            m_layout.panels.push_back(std::move(panel));
        }
        m_layout.width = static_cast<int>(std::min(most, fit)) * m_layout.cell;
        m_layout.height =
            m_layout.addBands(0, {.title = kPanelTitle, .group = kGroupGap, .band = kBandGap, .axis = kAxis});
    }

    [[nodiscard]] std::optional<double> figureOf(const Cell& cell) const {
        if (!m_metric.ofPair()) {
            return cell.weights != 0
                       ? std::optional(8.0 * static_cast<double>(cell.bytes) / static_cast<double>(cell.weights))
                       : std::nullopt;
        }
        return cell.sums.pairs != 0 ? m_metric.of(figuresOf(cell.sums)) : std::nullopt;
    }

    // The fill attributes of a cell.
    [[nodiscard]] QString fillOf(const Cell& cell) const {
        if (gravity(cell.worst) >= 2) {
            return cell.worst == CellVerdict::Failed ? QStringLiteral("class=\"failed\"")
                                                     : QStringLiteral("class=\"absent\"");
        }
        const auto figure = figureOf(cell);
        if (!m_metric.ofPair()) {
            return figure ? filled("fill=\"%1\"", metricColour(m_scale, *figure)) : QStringLiteral("class=\"same\"");
        }
        switch (cell.likeness()) {
        case Likeness::Identical:
        case Likeness::Equal:
            return cell.leavesOut() ? QStringLiteral("class=\"same left\"") : QStringLiteral("class=\"same\"");
        case Likeness::EqualWhereCompared:
            return QStringLiteral("class=\"failed\"");
        case Likeness::Different:
            break;
        }
        return figure ? filled("fill=\"%1\"%2", metricColour(m_scale, *figure),
                               cell.leavesOut() ? QStringLiteral(" class=\"left\"") : QString())
                      : QStringLiteral("class=\"failed\"");
    }

    [[nodiscard]] QString titleOf(const QString& label, std::optional<std::uint32_t> block, const Cell& cell) const {
        QString text = label;
        if (block) {
            text = QCoreApplication::translate("gufo::ui::Report", "block %1, %2").arg(QString::number(*block), text);
        }
        QStringList types;
        for (const std::string& type : cell.types) {
            types << QString::fromStdString(type);
        }
        text += types.isEmpty() ? QString() : QStringLiteral("\n") + types.join(QStringLiteral(", "));
        if (gravity(cell.worst) != 1) {
            text += QStringLiteral("\n") + verdictText(cell.worst);
        }
        for (const QString& note : leftOutNotes(cell.sums, cell.truncated)) {
            text += QStringLiteral("\n") + note;
        }
        if (const auto figure = figureOf(cell); figure && cell.identical != cell.rows) {
            text += QStringLiteral("\n%1 %2").arg(metricTitle(m_metric), metricTextWithUnit(m_metric, *figure));
            const PairFigures figures = figuresOf(cell.sums);
            for (const MetricFact& other : pairMetrics(m_report)) {
                if (const auto value = &other != &m_metric ? other.of(figures) : std::nullopt) {
                    text += QStringLiteral("\n%1 %2").arg(metricTitle(other), metricTextWithUnit(other, *value));
                }
            }
        }
        if (cell.rows > 1) {
            text += QStringLiteral("\n") + QCoreApplication::translate("gufo::ui::Report", "%n matrices, %1 identical",
                                                                       nullptr, numerus(cell.rows))
                                               .arg(formatCount(cell.identical));
            if (cell.worstExpert) {
                text += QStringLiteral("\n") + QCoreApplication::translate("gufo::ui::Report", "worst expert: %1, %2")
                                                   .arg(cell.worstExpert->second)
                                                   .arg(metricTextWithUnit(m_metric, cell.worstExpert->first));
            }
        }
        return text;
    }

    [[nodiscard]] QString mapOf(std::size_t model) const {
        const ComparisonTotals totals = m_report.comparison.totals(m_report.matches, model);
        const auto whole = m_report.matches.models[model]->totals();
        const auto figure = m_metric.ofPair() ? m_metric.of(totals.byParameters) : totals.bitsPerWeight();
        QStringList summary;
        if (const QString text = totalsText(totals); m_metric.ofPair() && !text.isEmpty()) {
            summary << text;
        }
        if (figure && (!m_metric.ofPair() || totals.likeness() == Likeness::Different)) {
            summary << metricTextWithUnit(m_metric, *figure);
        }
        QString html = filled("<figure><figcaption>%1<b>%2</b> <span class=\"muted\">%3, %4 %5, %6</span>"
                              "<span class=\"right\">%7</span></figcaption>",
                              seriesMark(m_report.matches, model), escaped(m_names[static_cast<qsizetype>(model)]),
                              formatBytes(whole.fileBytes),
                              whole.bitsPerWeight ? formatBitsPerWeight(*whole.bitsPerWeight) : QStringLiteral("–"),
                              QCoreApplication::translate("gufo::ui::Report", "bits/weight"),
                              escaped(QCoreApplication::translate("gufo::ui::Report", "against %1")
                                          .arg(m_names[static_cast<qsizetype>(m_report.matches.reference)])),
                              summary.join(QStringLiteral(", ")));
        if (!m_panels.empty()) {
            html += svgOf(model);
        }
        return html + stripOf(model) + QStringLiteral("</figure>");
    }

    [[nodiscard]] QString svgOf(std::size_t model) const {
        QString svg = filled(
            "<svg class=\"map\" role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" width=\"%2\" height=\"%3\">",
            escaped(m_names[static_cast<qsizetype>(model)]), px(m_layout.labels + m_layout.width), px(m_layout.height));
        for (const BlockLayout::Band& band : m_layout.bands) {
            svg += bandOf(model, band);
        }
        return svg + QStringLiteral("</svg>");
    }

    [[nodiscard]] QString bandOf(std::size_t model, const BlockLayout::Band& band) const {
        const ShownPanel& shown = m_panels[band.panel];
        QString svg;
        if (band.titled) {
            svg += filled("<text x=\"%1\" y=\"%2\">%3</text>", px(m_layout.labels), px(band.top + 14),
                          escaped(shown.panel->name));
        }
        const auto label = [&](const char* styleClass, int y, const QString& text) {
            svg += filled("<text class=\"%1\" x=\"%2\" y=\"%3\" text-anchor=\"end\">%4</text>",
                          QString::fromLatin1(styleClass), px(m_layout.labels - 8), px(y), escaped(text));
        };
        for (std::size_t row = 0; row < shown.rows.size(); ++row) {
            label("mono", band.rowTops[row] + kCellHeight / 2 + 4, shortened(shown.rows[row].label));
        }
        const int numbers = band.rowTops.back() + 14;
        label("muted", numbers, QCoreApplication::translate("gufo::ui::Report", "block"));
        const auto every = static_cast<std::size_t>((33 + m_layout.cell) / m_layout.cell);
        for (std::size_t column = 0; column < band.columns; ++column) {
            const std::uint32_t block = shown.panel->blocks[band.firstColumn + column];
            if ((band.firstColumn + column) % every == 0) {
                svg += filled("<text x=\"%1\" y=\"%2\" text-anchor=\"middle\">%3</text>",
                              px(m_layout.labels + (static_cast<double>(column) + 0.5) * m_layout.cell), px(numbers),
                              QString::number(block));
            }
            for (std::size_t row = 0; row < shown.rows.size(); ++row) {
                const Cell& cell = m_cells[model][shown.rows[row].firstCell + band.firstColumn + column];
                if (cell.rows > 0) {
                    const QRect place = m_layout.cellOf(band, row, column).translated(m_layout.labels, 0);
                    svg += filled("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" %5><title>%6</title></rect>",
                                  px(place.x()), px(place.y()), px(place.width()), px(place.height()), fillOf(cell),
                                  escaped(titleOf(shown.rows[row].label, block, cell)));
                }
            }
        }
        return svg;
    }

    // The tensors outside of blocks: a swatch with name, type and figure for each.
    [[nodiscard]] QString stripOf(std::size_t model) const {
        QString html = QStringLiteral("<ul class=\"strip\">");
        for (const MapGrid::Loose& loose : m_grid->loose) {
            const Cell& cell = m_cells[model][loose.cell];
            if (cell.rows == 0) {
                continue;
            }
            const auto figure = figureOf(cell);
            const Likeness likeness = cell.likeness();
            const QString what = gravity(cell.worst) >= 2          ? verdictText(cell.worst)
                                 : likeness != Likeness::Different ? likenessText(likeness, cell.sums)
                                 : figure                          ? metricTextWithUnit(m_metric, *figure)
                                                                   : QStringLiteral("–");
            QStringList types;
            for (const std::string& type : cell.types) {
                types << QString::fromStdString(type);
            }
            html += filled("<li title=\"%1\"><svg width=\"10\" height=\"14\" aria-hidden=\"true\"><rect width=\"10\" "
                           "height=\"14\" %2/></svg> <code>%3</code> <span class=\"muted\">%4</span> %5</li>",
                           escaped(titleOf(loose.label, {}, cell)), fillOf(cell), escaped(loose.label),
                           escaped(types.join(QStringLiteral(", "))), escaped(what));
        }
        return html + QStringLiteral("</ul>");
    }

    static QString shortened(const QString& text) { return text.size() <= 18 ? text : text.left(17) + u'…'; }

    [[nodiscard]] QString legend() const {
        constexpr double kWidth = 240;
        constexpr int kSteps = 48;
        QString svg = filled("<div class=\"legend\"><svg role=\"img\" aria-label=\"%1\" width=\"%2\" height=\"34\" "
                             "viewBox=\"-14 0 %2 34\">",
                             escaped(metricTitle(m_metric)), px(kWidth + 28));
        for (int i = 0; i < kSteps; ++i) {
            const double at = (i + 0.5) / kSteps;
            const double value = m_scale.valueAt(at);
            svg += filled("<rect x=\"%1\" width=\"%2\" height=\"10\" fill=\"%3\"/>", px(i * kWidth / kSteps),
                          px(kWidth / kSteps + 0.5), metricColour(m_scale, value));
        }
        for (const double tick : m_scale.ticks()) {
            const double x = m_scale.positionOf(tick) * kWidth;
            svg += filled(
                "<path class=\"axis\" d=\"M%1 10v4\"/><text x=\"%1\" y=\"27\" text-anchor=\"middle\">%2</text>", px(x),
                m_metric.low && !m_metric.logarithmic && m_metric.metric != Metric::EqualShare
                    ? QString::number(tick)
                    : metricText(m_metric, tick));
        }
        return svg +
               filled("</svg><span>%1 <span class=\"muted\">%2</span></span>%3%4%5%6</div>", metricFullTitle(m_metric),
                      m_metric.ofPair() ? metricHint(m_metric) : QString(),
                      key("same", QCoreApplication::translate("gufo::ui::Report", "identical")),
                      key("absent", QCoreApplication::translate("gufo::ui::Report", "missing, extra or reshaped")),
                      key("failed", QCoreApplication::translate("gufo::ui::Report", "not comparable")),
                      m_leavesOut
                          ? key("same left", QCoreApplication::translate("gufo::ui::Report", "weights left out"))
                          : QString());
    }

    static QString key(const char* styleClass, const QString& text) {
        return filled(
            "<span class=\"key\"><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" "
            "class=\"%1\"/></svg> %2</span>",
            QString::fromLatin1(styleClass), text);
    }

    const ComparisonReport& m_report;
    const MetricFact& m_metric;
    const QStringList& m_names;
    std::shared_ptr<const MapGrid> m_grid;
    std::vector<std::vector<Cell>> m_cells; // by model and cell of the grid
    std::vector<ShownPanel> m_panels;
    BlockLayout m_layout; // of m_panels
    QStringList m_equalRoles;
    bool m_leavesOut = false;
    MetricScale m_scale;
};

} // namespace

QString htmlMaps(const ComparisonReport& report, const MetricFact& metric, const QStringList& names) {
    return Maps(report, metric, names).text();
}

} // namespace gufo::ui
