#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/comparison_report.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"
#include "ui/report/metric.h"
#include "ui/report/origin_report.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {

QString reportText(const char* text) { return QCoreApplication::translate("gufo::ui::Report", text); }

namespace {

// The report's style sheet. The colours are the design tokens, for light and dark; seriesRules() adds the colours of
// the files.
constexpr char kReportStyle[] = R"css(
:root{color-scheme:light dark;--window:#f2f3f5;--base:#fff;--alt:#f8f9fa;--text:#1a1e25;--muted:#5b6470;--line:#dcdfe4;
--grid:#e9ebef;--axis:#8a929e;--accent:#3a56c5;--same:#e3e6eb;--absent:#bec4cd;--bad:#b3261e;--badfill:#fcebe9;
--goodfill:#e2f3ec;--left:#d55e00;--good:#1b7a4b}
@media(prefers-color-scheme:dark){:root{--window:#1f2228;--base:#17191e;--alt:#1b1e23;--text:#e3e6eb;--muted:#9ba3b0;
--line:#30343d;--grid:#262a31;--axis:#6e7683;--accent:#8fa5ff;--same:#2c3038;--absent:#474d59;--bad:#ff8078;
--badfill:#3a2223;--goodfill:#1d3a31;--left:#f08a4b;--good:#56c98d}}
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);font:14px/1.45 system-ui,"Noto Sans","Segoe UI",sans-serif}
main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}
header h1{font-size:24px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
header p{margin:0;color:var(--muted);overflow-wrap:anywhere}
section{background:var(--base);border:1px solid var(--line);border-radius:8px;padding:18px 20px;margin-top:20px}
h2{font-size:16px;margin:0 0 12px}
h3{font-size:14px;margin:18px 0 8px;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.words{white-space:pre-line;overflow-wrap:anywhere}
.note{margin:8px 0 0}
code,.mono,pre{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:12px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--muted);white-space:nowrap;border-bottom-color:var(--absent)}
tbody tr:nth-child(even){background:var(--alt)}
.n{text-align:right;white-space:nowrap}
.name{overflow-wrap:anywhere;min-width:12em}
.value{overflow-wrap:anywhere;max-width:34em}
.sw{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:7px;background:var(--c)}
.tag{display:inline-block;padding:0 7px;border-radius:4px;background:var(--same);font-size:12px;white-space:nowrap}
.tag.missing,.tag.reshaped,.tag.failed,.tag.removed{background:var(--badfill);color:var(--bad)}
.tag.extra,.tag.added{background:var(--goodfill);color:var(--good)}
.mark{margin-right:7px;vertical-align:-1px}.mark path{fill:var(--c)}.mark.ref path{fill:none;stroke:var(--c);stroke-width:1.5}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:6px 18px;margin-bottom:8px}
.key{display:inline-flex;align-items:center;gap:6px;color:var(--muted)}
.maps{display:flex;flex-wrap:wrap;gap:22px 36px}
.pair{display:flex;flex-wrap:wrap;gap:16px 36px}
figure{margin:0;min-width:0;max-width:100%}
figcaption{margin-bottom:8px;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 8px}
figcaption .right{margin-left:auto;padding-left:16px;font-variant-numeric:tabular-nums}
svg{max-width:100%;height:auto;overflow:visible}
svg text{fill:var(--text);font-size:11px}
svg text.muted{fill:var(--muted)}
svg text.strong{font-weight:600}
.grid{stroke:var(--grid);fill:none}
.axis{stroke:var(--axis);fill:none}
.same{fill:var(--same)}
.absent{fill:none;stroke:var(--axis);stroke-dasharray:2 2}
.failed{fill:var(--badfill);stroke:var(--bad)}
.left{stroke:var(--left);stroke-width:1.5}
.line{fill:none;stroke:var(--c);stroke-width:1.6;stroke-dasharray:var(--d)}
.point{fill:var(--c);stroke:var(--c);stroke-width:2}
.point.hollow{fill:var(--base)}
.frontier{fill:none;stroke:var(--accent);stroke-width:1.3;opacity:.75}
.strip{list-style:none;margin:8px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:12px}
.strip li{display:flex;align-items:center;gap:6px}
details{margin-top:10px}
summary{cursor:pointer;color:var(--accent)}
pre.diff{margin:0;padding:8px 0;border:1px solid var(--line);border-radius:4px;overflow-x:auto;line-height:1.5}
pre.diff span{display:block;padding:0 12px;min-width:max-content}
pre.diff .add{background:var(--goodfill)}
pre.diff .del{background:var(--badfill)}
pre.diff .gap{color:var(--muted)}
@media print{body{background:none}section{break-inside:avoid-page}}
)css";

constexpr std::size_t kWorst = 40;     // rows of the list of the worst tensors
constexpr std::size_t kMaxRows = 5000; // rows of the full list

struct GroupRow {
    TensorGroup group;
    const char* name;
};
constexpr auto kGroups = std::to_array<GroupRow>({
    {TensorGroup::Embedding, QT_TRANSLATE_NOOP("gufo::ui::Report", "Embedding")},
    {TensorGroup::Attention, QT_TRANSLATE_NOOP("gufo::ui::Report", "Attention")},
    {TensorGroup::FeedForward, QT_TRANSLATE_NOOP("gufo::ui::Report", "Feed-forward")},
    {TensorGroup::Recurrent, QT_TRANSLATE_NOOP("gufo::ui::Report", "Recurrent")},
    {TensorGroup::Norm, QT_TRANSLATE_NOOP("gufo::ui::Report", "Norms")},
    {TensorGroup::Output, QT_TRANSLATE_NOOP("gufo::ui::Report", "Output")},
    {TensorGroup::Other, QT_TRANSLATE_NOOP("gufo::ui::Report", "Other")},
});

class Page {
public:
    Page(const ComparisonReport& report, const MetricFact& metric, TextSink& out)
        : m_report(report)
        , m_matches(report.matches)
        , m_metric(metric)
        , m_out(out)
        , m_names(modelNames(report.matches.models))
        , m_scale(scaleOf(report, metric)) {}

    void write() {
        const QString title =
            QCoreApplication::translate("gufo::ui::Report", "%1 compared").arg(m_names.join(QStringLiteral(", ")));
        m_out.write(filled("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                           "'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                           "<meta name=\"color-scheme\" content=\"light dark\"><title>%1</title><style>",
                           escaped(title)));
        m_out.write(kReportStyle);
        m_out.write(seriesRules());
        m_out.write("</style></head><body><main>");
        const QString reference = m_names[static_cast<qsizetype>(m_matches.reference)];
        m_out.write(filled(
            "<header><h1>%1</h1><p>%2</p></header>", escaped(heading()),
            escaped(
                QCoreApplication::translate("gufo::ui::Report", "Reference: %1. Comparison by Gufo.").arg(reference))));
        if (m_report.origin != nullptr) {
            section(QCoreApplication::translate("gufo::ui::Report", "Comparison with the origin"),
                    originHtml(*m_report.origin));
        }
        for (const FileOrigin& origin : m_report.origins) {
            section(QCoreApplication::translate("gufo::ui::Report", "%1 and its origin")
                        .arg(m_names[static_cast<qsizetype>(origin.file)]),
                    originHtml(origin.report()));
        }
        section(QCoreApplication::translate("gufo::ui::Report", "Models"), models() + exchanged());
        section(QCoreApplication::translate("gufo::ui::Report", "%1 by block and role").arg(metricTitle(m_metric)),
                htmlMaps(m_report, m_metric, m_names));
        section(QCoreApplication::translate("gufo::ui::Report", "What each part changes in the answers"),
                htmlBehaviour(m_report, m_names));
        section(QCoreApplication::translate("gufo::ui::Report", "Distance of the states, layer by layer"),
                htmlLayers(m_report, m_names));
        section(QCoreApplication::translate("gufo::ui::Report", "Architecture"),
                htmlArchitecture(m_report, m_metric, m_names));
        section(modelCount() > 2 ? QCoreApplication::translate("gufo::ui::Report", "Size against quality")
                                 : QCoreApplication::translate("gufo::ui::Report", "Groups of tensors"),
                htmlTradeoff(m_report, m_metric, m_names) + groups());
        section(QCoreApplication::translate("gufo::ui::Report", "Errors"), htmlProfiles(m_report, m_names));
        section(QCoreApplication::translate("gufo::ui::Report", "Tensors, worst first"), tensors());
        section(QCoreApplication::translate("gufo::ui::Report", "Metadata"), htmlMetadata(m_report, m_names));
        section(QCoreApplication::translate("gufo::ui::Report", "Chat templates"), htmlTemplates(m_report, m_names));
        m_out.write("</main></body></html>\n");
    }

private:
    // A paragraph for each model whose tensors have the weights of others.
    [[nodiscard]] QString exchanged() const {
        QString text;
        for (std::size_t model = 0; model < modelCount(); ++model) {
            const QString line = exchangedText(m_matches, m_report.exchanged, model);
            text += line.isEmpty() ? QString()
                                   : QStringLiteral("<p>%1: %2</p>")
                                         .arg(escaped(m_names[static_cast<qsizetype>(model)]), escaped(line));
        }
        return text;
    }
    static MetricScale scaleOf(const ComparisonReport& report, const MetricFact& metric) {
        std::vector<double> figures;
        for (std::size_t row = 0; row < report.matches.rows.size(); ++row) {
            for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
                if (const auto figure = metricOf(metric, report, row, model)) {
                    figures.push_back(*figure);
                }
            }
        }
        return scaleFor(metric, figures);
    }

    [[nodiscard]] std::size_t modelCount() const { return m_matches.models.size(); }
    [[nodiscard]] QString nameOf(std::size_t model) const { return m_names[static_cast<qsizetype>(model)]; }

    // The model's name if all models agree on it, otherwise the files' names.
    [[nodiscard]] QString heading() const {
        QString name;
        for (const auto& model : m_matches.models) {
            const QString title = displayText(model->metadata.string("general.name").value_or(std::string_view()));
            if (title.isEmpty() || (!name.isEmpty() && title != name)) {
                return m_names.join(QStringLiteral(" · "));
            }
            name = title;
        }
        return name;
    }

    void section(const QString& title, const QString& content) {
        if (!content.isEmpty()) {
            m_out.write(filled("<section><h2>%1</h2>%2</section>", escaped(title), content));
        }
    }

    [[nodiscard]] static QString figureCell(const MetricFact& metric, const std::optional<double>& value) {
        return filled("<td class=\"n\">%1</td>", value ? metricText(metric, *value) : QStringLiteral("–"));
    }

    [[nodiscard]] QString models() const {
        QString html =
            filled("<div class=\"scroll\"><table><thead><tr><th>%1</th><th class=\"n\">%2</th><th class=\"n\">%3</th>",
                   QCoreApplication::translate("gufo::ui::Report", "File"),
                   QCoreApplication::translate("gufo::ui::Report", "Size"),
                   QCoreApplication::translate("gufo::ui::Report", "Bits"));
        for (const MetricFact& metric : pairMetrics(m_report)) {
            html += filled("<th class=\"n\">%1</th>", metricFullTitle(metric));
        }
        if (!m_report.divergences.empty()) {
            html += filled("<th class=\"n\">%1</th>", metricFullTitle(metricFact(Metric::Divergence)));
        }
        html += filled("<th>%1</th></tr></thead><tbody>", QCoreApplication::translate("gufo::ui::Report", "Tensors"));
        for (std::size_t model = 0; model < modelCount(); ++model) {
            const auto whole = m_matches.models[model]->totals();
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            html += filled("<tr><td class=\"name\" title=\"%1\">%2<b>%3</b></td><td "
                           "class=\"n\">%4</td><td class=\"n\">%5</td>",
                           escaped(displayText(m_matches.models[model]->path().filename().native())),
                           seriesMark(m_matches, model), escaped(nameOf(model)), formatBytes(whole.fileBytes),
                           whole.bitsPerWeight ? formatBitsPerWeight(*whole.bitsPerWeight) : QStringLiteral("–"));
            const bool reference = model == m_matches.reference;
            for (const MetricFact& metric : pairMetrics(m_report)) {
                html += reference ? QStringLiteral("<td></td>") : figureCell(metric, metric.of(totals.byParameters));
            }
            if (!m_report.divergences.empty()) {
                html += reference ? QStringLiteral("<td></td>")
                                  : figureCell(metricFact(Metric::Divergence), m_report.divergence(model));
            }
            html += filled("<td>%1</td></tr>", reference ? QCoreApplication::translate("gufo::ui::Report", "reference")
                                                         : escaped(countsOf(totals)));
        }
        html += QStringLiteral("</tbody></table></div>");
        return html + largest() + leftOut() + importance();
    }

    [[nodiscard]] static QString countsOf(const ComparisonTotals& totals) {
        if (totals.same() && totals.equal == 0) {
            return QCoreApplication::translate("gufo::ui::Report", "all %1 identical").arg(formatCount(totals.tensors));
        }
        QStringList parts;
        const auto add = [&](std::uint64_t count, const QString& text) {
            if (count != 0) {
                parts << text.arg(formatCount(count));
            }
        };
        add(totals.identical, QCoreApplication::translate("gufo::ui::Report", "%1 identical"));
        add(totals.equal, QCoreApplication::translate("gufo::ui::Report", "%1 equal"));
        add(totals.tensors - totals.identical - totals.equal,
            QCoreApplication::translate("gufo::ui::Report", "%1 different"));
        add(totals.renamed, QCoreApplication::translate("gufo::ui::Report", "%1 renamed"));
        add(totals.missing, QCoreApplication::translate("gufo::ui::Report", "%1 missing"));
        add(totals.extra, QCoreApplication::translate("gufo::ui::Report", "%1 extra"));
        add(totals.reshaped, QCoreApplication::translate("gufo::ui::Report", "%1 of another shape"));
        add(totals.failed, QCoreApplication::translate("gufo::ui::Report", "%1 not comparable"));
        return parts.join(QStringLiteral(", "));
    }

    // The section on where the largest errors are.
    [[nodiscard]] QString largest() const {
        QString html;
        for (std::size_t model = 0; model < modelCount(); ++model) {
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            if (!totals.maximumRow) {
                continue;
            }
            const TensorMatch& match = m_matches.rows[*totals.maximumRow];
            const std::uint64_t columns = std::max<std::uint64_t>(match.cells[model].part.columns, 1);
            html += filled(
                "<p class=\"muted note\">%1%2</p>", seriesMark(m_matches, model),
                QCoreApplication::translate("gufo::ui::Report", "Largest error of %1: %2 in %3 at row %4, column %5")
                    .arg(escaped(nameOf(model)), formatReal(totals.sums.maximum, 4),
                         filled("<code>%1</code>", escaped(displayText(match.label()))),
                         formatCount(totals.sums.maximumIndex / columns),
                         formatCount(totals.sums.maximumIndex % columns)));
        }
        return html;
    }

    // With which importance matrix errors were weighted, or that the figures do not see the importance matrix of a
    // file.
    [[nodiscard]] QString importance() const {
        QString html;
        for (const QString& note :
             importanceNotes(m_matches, m_report.comparison.hasImportance ? m_report.imatrix : nullptr)) {
            html += filled("<p class=\"muted note\">%1</p>", escaped(note));
        }
        return html;
    }

    // What the figures of each file leave out.
    [[nodiscard]] QString leftOut() const {
        QString html;
        for (std::size_t model = 0; model < modelCount(); ++model) {
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            for (const QString& note : incompleteNotes(totals)) {
                html += filled("<p class=\"note\">%1%2: %3</p>", seriesMark(m_matches, model), escaped(nameOf(model)),
                               escaped(note));
            }
        }
        return html;
    }

    // The section on bits and quality per group of tensors.
    [[nodiscard]] QString groups() const {
        const MetricFact& metric = m_metric.ofPair() ? m_metric : *findReportMetric("sqnr");
        QString html =
            filled("<h3>%1</h3><div class=\"scroll\"><table><thead><tr><th>%2</th><th class=\"n\">%3</th>",
                   escaped(QCoreApplication::translate("gufo::ui::Report", "Bits per weight and %1 of each group")
                               .arg(metricTitle(metric))),
                   QCoreApplication::translate("gufo::ui::Report", "Group"),
                   QCoreApplication::translate("gufo::ui::Report", "Weights"));
        for (std::size_t model = 0; model < modelCount(); ++model) {
            html += model == m_matches.reference ? QString()
                                                 : filled("<th class=\"n\" colspan=\"2\">%1%2</th>",
                                                          seriesMark(m_matches, model), escaped(nameOf(model)));
        }
        html += QStringLiteral("</tr></thead><tbody>");
        for (const GroupRow& group : kGroups) {
            const ComparisonTotals ofReference =
                m_report.comparison.totals(m_matches, m_matches.reference, group.group);
            if (ofReference.weights == 0) {
                continue;
            }
            html += filled("<tr><td>%1</td><td class=\"n\">%2</td>", reportText(group.name),
                           formatParameters(ofReference.weights));
            for (std::size_t model = 0; model < modelCount(); ++model) {
                if (model == m_matches.reference) {
                    continue;
                }
                const ComparisonTotals totals = m_report.comparison.totals(m_matches, model, group.group);
                const auto value = metric.of(totals.byParameters);
                const QString words = totalsText(totals);
                html +=
                    filled("<td class=\"n muted\">%1</td><td class=\"n\">%2</td>",
                           totals.bitsPerWeight() ? formatBitsPerWeight(*totals.bitsPerWeight()) : QStringLiteral("–"),
                           !words.isEmpty() ? words
                           : value          ? metricTextWithUnit(metric, *value)
                                            : QStringLiteral("–"));
            }
            html += QStringLiteral("</tr>");
        }
        return html + QStringLiteral("</tbody></table></div>");
    }

    [[nodiscard]] QString tensors() const {
        const std::vector<std::size_t> rows = worstFirst(m_report, m_metric, std::nullopt);
        if (rows.empty()) {
            return filled("<p>%1</p>", QCoreApplication::translate("gufo::ui::Report", "No tensor differs."));
        }
        const std::size_t first = std::min(rows.size(), kWorst);
        QString html = table(std::span(rows).first(first));
        const auto rest = std::span(rows).subspan(first);
        if (!rest.empty()) {
            const auto listed = rest.first(std::min(rest.size(), kMaxRows));
            html += filled(
                "<details><summary>%1</summary>%2%3</details>",
                QCoreApplication::translate("gufo::ui::Report", "The other %1 that differ")
                    .arg(formatCount(rest.size())),
                table(listed),
                listed.size() < rest.size()
                    ? filled("<p class=\"muted\">%1</p>",
                             QCoreApplication::translate("gufo::ui::Report", "%1 more are in the CSV and JSON exports.")
                                 .arg(formatCount(rest.size() - listed.size())))
                    : QString());
        }
        return html;
    }

    [[nodiscard]] QString table(std::span<const std::size_t> rows) const {
        const bool pair = modelCount() == 2;
        QString html = filled("<div class=\"scroll\"><table><thead><tr><th>%1</th><th class=\"n\">%2</th>",
                              QCoreApplication::translate("gufo::ui::Report", "Tensor"),
                              QCoreApplication::translate("gufo::ui::Report", "Shape"));
        for (std::size_t model = 0; model < modelCount(); ++model) {
            html += filled("<th%1>%2%3</th>",
                           pair || model == m_matches.reference ? QString() : QStringLiteral(" colspan=\"2\""),
                           seriesMark(m_matches, model), escaped(nameOf(model)));
        }
        if (pair) {
            for (const MetricFact& metric : pairMetrics(m_report)) {
                html += filled("<th class=\"n\">%1</th>", metricFullTitle(metric));
            }
            html += QStringLiteral("<th></th>");
        }
        html += QStringLiteral("</tr></thead><tbody>");
        for (const std::size_t row : rows) {
            html += rowOf(row, pair);
        }
        return html + QStringLiteral("</tbody></table></div>");
    }

    [[nodiscard]] QString typeOf(std::size_t row, std::size_t model) const {
        const TensorMatch& match = m_matches.rows[row];
        return match.has(model)
                   ? QString::fromStdString(m_matches.models[model]->tensor(match.cells[model].part.tensor).typeName())
                   : QStringLiteral("–");
    }

    // "different" adds nothing to the figures, so what they leave out is shown instead.
    [[nodiscard]] QString tagOf(std::size_t row, std::size_t model) const {
        const CellVerdict verdict = cellVerdict(m_report, row, model);
        if (verdict == CellVerdict::Reference || verdict == CellVerdict::Absent) {
            return {};
        }
        const ComparedCell& cell = m_report.comparison.rows[row].cells[model];
        if (verdict == CellVerdict::Different) {
            const QString notes = leftOutNotes(cell.comparison.sums, cell.comparison.truncated).join(u'\n');
            const QString tag = leftOutText(cell.comparison.sums, cell.comparison.truncated);
            return tag.isEmpty() ? QString()
                                 : filled("<span class=\"tag failed\" title=\"%1\">%2</span>", escaped(notes), tag);
        }
        QString hint = cell.error ? errorReason(*cell.error) : QString();
        if (verdict == CellVerdict::Renamed || verdict == CellVerdict::Reshaped) {
            const TensorInfo& tensor = m_matches.models[model]->tensor(m_matches.rows[row].cells[model].part.tensor);
            hint = displayText(tensor.name) + QStringLiteral("  ") + formatShape(tensor.shape);
        }
        return filled("<span class=\"tag %1\" title=\"%2\">%3</span>", QString::fromLatin1(verdictName(verdict)),
                      escaped(hint), verdictText(verdict));
    }

    // A swatch in the figure's colour on the map.
    [[nodiscard]] QString swatch(double value) const {
        return filled("<i class=\"sw\" style=\"--c:%1\"></i>", metricColour(m_scale, value));
    }

    [[nodiscard]] QString rowOf(std::size_t row, bool pair) const {
        const TensorMatch& match = m_matches.rows[row];
        std::size_t owner = m_matches.reference;
        for (std::size_t model = 0; !match.has(owner) && model < modelCount(); ++model) {
            owner = match.has(model) ? model : owner;
        }
        const TensorPart& part = match.cells[owner].part;
        const QString shape = match.slice || match.part
                                  ? QStringLiteral("%1 × %2").arg(formatCount(part.columns), formatCount(part.rows))
                                  : formatShape(m_matches.models[owner]->tensor(part.tensor).shape);
        QString html = filled("<tr><td class=\"name\"><code>%1</code></td><td class=\"n\">%2</td>",
                              escaped(displayText(match.label())), shape);
        for (std::size_t model = 0; model < modelCount(); ++model) {
            html += filled("<td>%1</td>", escaped(typeOf(row, model)));
            if (!pair && model != m_matches.reference) {
                const auto value = metricOf(m_metric, m_report, row, model);
                html += filled("<td class=\"n\">%1 %2 %3</td>", value ? swatch(*value) : QString(),
                               value ? metricText(m_metric, *value) : QString(), tagOf(row, model));
            }
        }
        if (pair) {
            const std::size_t other = 1 - m_matches.reference;
            for (const MetricFact& metric : pairMetrics(m_report)) {
                html += figureCell(metric, metricOf(metric, m_report, row, other));
            }
            html += filled("<td>%1</td>", tagOf(row, other));
        }
        return html + QStringLiteral("</tr>");
    }

    const ComparisonReport& m_report;
    const TensorMatches& m_matches;
    const MetricFact& m_metric;
    TextSink& m_out;
    QStringList m_names;
    MetricScale m_scale; // for the swatches beside figures
};

} // namespace

void writeComparisonHtml(const ComparisonReport& report, const MetricFact& metric, TextSink& out) {
    Page(report, metric, out).write();
}

} // namespace gufo::ui
