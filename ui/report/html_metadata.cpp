#include "text/line_diff.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr qsizetype kLongestValue = 300; // characters of a value in a cell
constexpr std::size_t kMaxElements = 20;
constexpr std::size_t kMaxTokens = 100;
constexpr std::size_t kContext = 3; // unchanged lines around a change
constexpr std::size_t kMaxDiffLines = 5000;

QString shortValue(std::string_view key, const Value& value, std::string_view architecture) {
    const QString text = namedValue(key, value, architecture);
    return text.size() > kLongestValue ? text.left(kLongestValue - 1) + u'…' : text;
}

QString maybeElement(std::string_view key, const std::optional<Value>& value, std::string_view architecture) {
    return value ? filled("<code>%1</code>", escaped(shortValue(key, *value, architecture)))
                 : filled("<span class=\"muted\">%1</span>", QCoreApplication::translate("gufo::ui::Report", "none"));
}

QString headed(const QStringList& titles) {
    QString html = QStringLiteral("<div class=\"scroll\"><table><thead><tr>");
    for (const QString& title : titles) {
        html += filled("<th>%1</th>", escaped(title));
    }
    return html + QStringLiteral("</tr></thead><tbody>");
}
QString tableEnd() { return QStringLiteral("</tbody></table></div>"); }

QString elementsOf(std::string_view key, const ArrayDifference& elements, std::string_view architecture) {
    QString html = filled(
        "<details><summary>%1</summary>%2",
        QCoreApplication::translate("gufo::ui::Report", "%n elements differ", nullptr, numerus(elements.differing)),
        headed({QCoreApplication::translate("gufo::ui::Report", "Index"),
                QCoreApplication::translate("gufo::ui::Report", "Reference"),
                QCoreApplication::translate("gufo::ui::Report", "Here")}));
    for (std::size_t i = 0; i < std::min(elements.first.size(), kMaxElements); ++i) {
        const auto& element = elements.first[i];
        html += filled("<tr><td class=\"n\">%1</td><td class=\"value\">%2</td><td class=\"value\">%3</td></tr>",
                       formatCount(element.index), maybeElement(key, element.reference, architecture),
                       maybeElement(key, element.other, architecture));
    }
    html += tableEnd();
    if (elements.differing > kMaxElements) {
        html += filled("<p class=\"muted\">%1</p>", QCoreApplication::translate("gufo::ui::Report", "and %1 more")
                                                        .arg(formatCount(elements.differing - kMaxElements)));
    }
    return html + QStringLiteral("</details>");
}

QString valueCell(const ComparisonReport& report, const MetadataRow& row, std::size_t model) {
    const MetadataRow::Cell& cell = row.cells[model];
    if (!cell.index) {
        const bool removed = row.cells[report.matches.reference].index.has_value();
        return removed ? filled("<span class=\"tag removed\">%1</span>",
                                QCoreApplication::translate("gufo::ui::Report", "removed"))
                       : QStringLiteral("–");
    }
    const Metadata& metadata = report.matches.models[model]->metadata;
    const Value& value = metadata[*cell.index].value;
    const std::string_view architecture = metadata.architecture();
    if (model != report.matches.reference && cell.status == KeyStatus::Same) {
        return filled("<span class=\"muted\">%1</span>", QCoreApplication::translate("gufo::ui::Report", "the same"));
    }
    QString html;
    if (cell.status == KeyStatus::Added) {
        html +=
            filled("<span class=\"tag added\">%1</span> ", QCoreApplication::translate("gufo::ui::Report", "added"));
    }
    if (cell.typeOnly) {
        return html +
               escaped(QCoreApplication::translate("gufo::ui::Report", "the same as %1").arg(formatValueType(value)));
    }
    if (row.chatTemplate) {
        const std::string_view text = asString(value).value_or(std::string_view());
        return html + QCoreApplication::translate("gufo::ui::Report", "%n characters", nullptr, numerus(text.size()));
    }
    html += filled("<code>%1</code> <span class=\"muted\">%2</span>", escaped(shortValue(row.key, value, architecture)),
                   escaped(formatValueType(value)));
    return cell.elements ? html + elementsOf(row.key, *cell.elements, architecture) : html;
}

template<typename T>
QString change(const std::optional<T>& before, const std::optional<T>& after) {
    const auto text = [](const std::optional<T>& value) {
        return value ? formatReal(static_cast<double>(*value), 6) : QStringLiteral("–");
    };
    return before == after ? text(before) : text(before) + QStringLiteral(" → ") + text(after);
}

QString tokensOf(const TokenizerDifference& tokens, const QString& name) {
    QString html = filled(
        "<h3>%1</h3><p class=\"muted\">%2</p>",
        escaped(QCoreApplication::translate("gufo::ui::Report", "Tokens of %1").arg(name)),
        QCoreApplication::translate("gufo::ui::Report",
                                    "%1 missing, %2 new, %3 under other ids, %4 with other scores, %5 of other types")
            .arg(formatCount(tokens.onlyInReference), formatCount(tokens.onlyInOther), formatCount(tokens.otherIds),
                 formatCount(tokens.otherScores), formatCount(tokens.otherTypes)));
    html += headed({QCoreApplication::translate("gufo::ui::Report", "Token"),
                    QCoreApplication::translate("gufo::ui::Report", "Id"),
                    QCoreApplication::translate("gufo::ui::Report", "Score"),
                    QCoreApplication::translate("gufo::ui::Report", "Type")});
    for (std::size_t i = 0; i < std::min(tokens.first.size(), kMaxTokens); ++i) {
        const TokenDifference& token = tokens.first[i];
        html += filled("<tr><td class=\"value\"><code>%1</code></td><td>%2</td><td>%3</td><td>%4</td></tr>",
                       escaped(displayText(token.text.substr(0, 400))), change(token.referenceId, token.otherId),
                       change(token.referenceScore, token.otherScore), change(token.referenceType, token.otherType));
    }
    return html + tableEnd();
}

// The changed lines, with a few unchanged ones around each change.
QString diffOf(std::string_view before, std::string_view after) {
    const auto from = text::splitLines(before);
    const auto to = text::splitLines(after);
    const auto lines = text::diffLines(from, to);
    std::vector<bool> shown(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind != text::DiffLine::Kind::Same) {
            for (std::size_t k = i - std::min(i, kContext); k < std::min(lines.size(), i + kContext + 1); ++k) {
                shown[k] = true;
            }
        }
    }
    QString html = QStringLiteral("<pre class=\"diff\">");
    std::size_t written = 0;
    for (std::size_t i = 0; i < lines.size() && written < kMaxDiffLines; ++i) {
        if (!shown[i]) {
            html += i == 0 || shown[i - 1] ? QStringLiteral("<span class=\"gap\">⋯</span>") : QString();
            continue;
        }
        const text::DiffLine& line = lines[i];
        const bool added = line.kind == text::DiffLine::Kind::Added;
        const std::string_view content = added ? to[line.after] : from[line.before];
        const char* styleClass = added ? "add" : line.kind == text::DiffLine::Kind::Removed ? "del" : "ctx";
        const char* sign = added ? "+ " : line.kind == text::DiffLine::Kind::Removed ? "− " : "  ";
        html += filled("<span class=\"%1\">%2%3</span>", QString::fromLatin1(styleClass), QString::fromUtf8(sign),
                       escaped(displayText(content)));
        ++written;
    }
    if (written == kMaxDiffLines) {
        html += QStringLiteral("<span class=\"gap\">⋯</span>");
    }
    return html + QStringLiteral("</pre>");
}

} // namespace

QString htmlMetadata(const ComparisonReport& report, const QStringList& names) {
    QStringList titles{QCoreApplication::translate("gufo::ui::Report", "Key")};
    titles += names;
    QString rows;
    std::size_t same = 0;
    for (const MetadataRow& row : report.metadata.rows) {
        if (row.same()) {
            ++same;
            continue;
        }
        rows += filled("<tr><td class=\"name\"><code>%1</code></td>", escaped(displayText(row.key)));
        for (std::size_t model = 0; model < row.cells.size(); ++model) {
            rows += filled("<td class=\"value\">%1</td>", valueCell(report, row, model));
        }
        rows += QStringLiteral("</tr>");
    }
    QString html = rows.isEmpty() ? QString() : headed(titles) + rows + tableEnd();
    html += filled(
        "<p class=\"muted note\">%1</p>",
        QCoreApplication::translate("gufo::ui::Report", "%n keys are the same in all files.", nullptr, numerus(same)));
    for (std::size_t model = 0; model < report.metadata.tokenizers.size(); ++model) {
        if (!report.metadata.tokenizers[model].same()) {
            html += tokensOf(report.metadata.tokenizers[model], names[static_cast<qsizetype>(model)]);
        }
    }
    return html;
}

QString htmlTemplates(const ComparisonReport& report, const QStringList& names) {
    QString html;
    for (const MetadataRow& row : report.metadata.rows) {
        if (!row.chatTemplate) {
            continue;
        }
        const Value* reference = report.matches.models[report.matches.reference]->metadata.find(row.key);
        const auto before = reference != nullptr ? asString(*reference) : std::nullopt;
        for (std::size_t model = 0; model < row.cells.size(); ++model) {
            const Value* other = report.matches.models[model]->metadata.find(row.key);
            const auto after = other != nullptr ? asString(*other) : std::nullopt;
            if (row.cells[model].status == KeyStatus::Changed && before && after) {
                html += filled("<h3>%1%2 <code class=\"muted\">%3</code></h3>", seriesMark(report.matches, model),
                               escaped(names[static_cast<qsizetype>(model)]), escaped(displayText(row.key))) +
                        diffOf(*before, *after);
            }
        }
    }
    return html;
}

} // namespace gufo::ui
