#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"

#include <algorithm>
#include <map>
#include <set>

namespace gufo::ui {
namespace {

constexpr double kCellHeight = 20;
constexpr double kGroupGap = 5; // between attention and feed-forward
constexpr double kLabelWidth = 132;
constexpr double kMapWidth = 460; // width of all cells, unless they would be too narrow or too wide
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

struct RoleKey {
    int order;
    std::string name; // as in the label
    auto operator<=>(const RoleKey&) const = default;
};
struct BlockKey {
    std::string_view prefix;
    std::int64_t block; // -1: none
    auto operator<=>(const BlockKey&) const = default;
};
using Cells = std::map<std::pair<RoleKey, BlockKey>, Cell>;

RoleKey roleOf(const TensorMatch& match) {
    std::string name = std::string(match.prefix) + std::string(match.role);
    if (!match.suffix.empty() && match.suffix != "weight") {
        name += "." + std::string(match.suffix);
    }
    return {match.fact != nullptr ? match.fact->order : 256, std::move(name)};
}

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
        m_cells.resize(report.matches.models.size());
        for (std::size_t row = 0; row < report.matches.rows.size(); ++row) {
            if (report.comparison.rows[row].wanted) {
                add(row);
            }
        }
        dropEqualRoles();
        std::vector<double> figures;
        for (const Cells& cells : m_cells) {
            for (const auto& [key, cell] : cells) {
                if (const auto figure = figureOf(cell)) {
                    figures.push_back(*figure);
                }
            }
        }
        m_scale = scaleFor(metric, figures);
        const double blocks = static_cast<double>(std::max<std::size_t>(m_blocks.size(), 1));
        m_cellWidth = std::clamp(std::floor(kMapWidth / blocks), 6.0, 26.0);
    }

    [[nodiscard]] QString text() const {
        if (m_roles.empty() && m_strip.empty()) {
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
        return html;
    }

private:
    void add(std::size_t row) {
        const TensorMatch& match = m_report.matches.rows[row];
        const RoleKey role = roleOf(match);
        const BlockKey block{match.prefix, match.block ? static_cast<std::int64_t>(*match.block) : -1};
        if (match.block) {
            m_roles.insert(role);
            m_blocks.insert(block);
        } else {
            m_strip.insert(role);
        }
        for (std::size_t model = 0; model < m_cells.size(); ++model) {
            const CellVerdict verdict = cellVerdict(m_report, row, model);
            if (verdict == CellVerdict::Absent) {
                continue;
            }
            Cell& cell = m_cells[model][{role, block}];
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
    }

    // Omits roles for which all cells are equal; they are listed below the map.
    void dropEqualRoles() {
        for (auto role = m_roles.begin(); role != m_roles.end();) {
            bool equal = m_metric.ofPair();
            for (std::size_t model = 0; model < m_cells.size() && equal; ++model) {
                for (const BlockKey& block : m_blocks) {
                    const auto found = m_cells[model].find({*role, block});
                    equal = equal && (model == m_report.matches.reference || found == m_cells[model].end() ||
                                      (gravity(found->second.worst) == 0));
                }
            }
            if (equal) {
                m_equalRoles << displayText(role->name);
                role = m_roles.erase(role);
            } else {
                ++role;
            }
        }
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

    [[nodiscard]] QString titleOf(const RoleKey& role, const BlockKey& block, const Cell& cell) const {
        QString text = displayText(role.name);
        if (block.block >= 0) {
            text =
                QCoreApplication::translate("gufo::ui::Report", "block %1, %2").arg(QString::number(block.block), text);
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

    // The y coordinate at which the row of a role begins.
    [[nodiscard]] double rowTop(const RoleKey& role) const {
        double y = 0;
        const RoleKey* before = nullptr;
        for (const RoleKey& other : m_roles) {
            if (before != nullptr && before->order < kFeedForwardOrder && other.order >= kFeedForwardOrder) {
                y += kGroupGap;
            }
            if (other == role) {
                return y;
            }
            y += kCellHeight;
            before = &other;
        }
        return y;
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
        if (!m_roles.empty()) {
            html += svgOf(model);
        }
        return html + stripOf(model) + QStringLiteral("</figure>");
    }

    [[nodiscard]] QString svgOf(std::size_t model) const {
        const double label = labelWidth();
        const double width = label + m_cellWidth * static_cast<double>(m_blocks.size());
        const double bottom = rowTop(*m_roles.rbegin()) + kCellHeight;
        const double height = bottom + 18;
        QString svg = filled(
            "<svg class=\"map\" role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" width=\"%2\" height=\"%3\">",
            escaped(m_names[static_cast<qsizetype>(model)]), px(width), px(height));
        for (const RoleKey& role : m_roles) {
            svg += filled("<text class=\"mono\" x=\"%1\" y=\"%2\" text-anchor=\"end\">%3</text>", px(label - 8),
                          px(rowTop(role) + kCellHeight / 2 + 4), escaped(shortened(displayText(role.name))));
        }
        svg += filled("<text class=\"muted\" x=\"%1\" y=\"%2\" text-anchor=\"end\">%3</text>", px(label - 8),
                      px(bottom + 14), QCoreApplication::translate("gufo::ui::Report", "block"));
        double x = label;
        std::int64_t position = 0;
        const auto every = static_cast<std::int64_t>(std::ceil(34 / m_cellWidth));
        for (const BlockKey& block : m_blocks) {
            if (position % every == 0) {
                svg += filled("<text x=\"%1\" y=\"%2\" text-anchor=\"middle\">%3</text>", px(x + m_cellWidth / 2),
                              px(bottom + 14), QString::number(block.block));
            }
            ++position;
            for (const RoleKey& role : m_roles) {
                const auto cell = m_cells[model].find({role, block});
                if (cell != m_cells[model].end()) {
                    svg += filled("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" %5><title>%6</title></rect>",
                                  px(x), px(rowTop(role)), px(m_cellWidth - 1), px(kCellHeight - 1),
                                  fillOf(cell->second), escaped(titleOf(role, block, cell->second)));
                }
            }
            x += m_cellWidth;
        }
        return svg + QStringLiteral("</svg>");
    }

    // The tensors outside of blocks: a swatch with name, type and figure for each.
    [[nodiscard]] QString stripOf(std::size_t model) const {
        QString html = QStringLiteral("<ul class=\"strip\">");
        for (const RoleKey& role : m_strip) {
            for (const auto& [key, cell] : m_cells[model]) {
                if (!(key.first == role) || key.second.block >= 0) {
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
                html +=
                    filled("<li title=\"%1\"><svg width=\"10\" height=\"14\" aria-hidden=\"true\"><rect width=\"10\" "
                           "height=\"14\" %2/></svg> <code>%3</code> <span class=\"muted\">%4</span> %5</li>",
                           escaped(titleOf(role, key.second, cell)), fillOf(cell), escaped(displayText(role.name)),
                           escaped(types.join(QStringLiteral(", "))), escaped(what));
            }
        }
        return html + QStringLiteral("</ul>");
    }

    [[nodiscard]] double labelWidth() const {
        qsizetype longest = 0;
        for (const RoleKey& role : m_roles) {
            longest = std::max(longest, shortened(displayText(role.name)).size());
        }
        return std::min(kLabelWidth, static_cast<double>(longest) * kFontWidth + 12);
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

    static constexpr int kFeedForwardOrder = 100;

    const ComparisonReport& m_report;
    const MetricFact& m_metric;
    const QStringList& m_names;
    std::vector<Cells> m_cells; // one per model
    std::set<RoleKey> m_roles;  // roles that occur in blocks
    std::set<BlockKey> m_blocks;
    std::set<RoleKey> m_strip;
    QStringList m_equalRoles;
    bool m_leavesOut = false;
    MetricScale m_scale;
    double m_cellWidth = 0;
};

} // namespace

QString htmlMaps(const ComparisonReport& report, const MetricFact& metric, const QStringList& names) {
    return Maps(report, metric, names).text();
}

} // namespace gufo::ui
