#include "cli/verbs/stats_text.h"

#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

constexpr int kBarColumns = 50;

// Formats as formatReal() does, but with an ASCII minus sign, which other programs can parse.
QString real(const std::optional<double>& value, int significant) {
    return value ? ui::formatReal(*value, significant).replace(QChar(0x2212), QLatin1Char('-')) : QStringLiteral("-");
}

struct Figure {
    const char* title;
    QString (*text)(const Statistics&, int significant);
};

// The columns of the table and the lines of a block, in display order.
constexpr auto kFigures = std::to_array<Figure>({
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Count"), [](const Statistics& s, int) { return ui::formatCount(s.count); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Min"), [](const Statistics& s, int digits) { return real(s.min, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Max"), [](const Statistics& s, int digits) { return real(s.max, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Mean"), [](const Statistics& s, int digits) { return real(s.mean, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Std"), [](const Statistics& s, int digits) { return real(s.std, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Mean |x|"),
     [](const Statistics& s, int digits) { return real(s.absMean, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Skew"), [](const Statistics& s, int digits) { return real(s.skew, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Kurtosis"),
     [](const Statistics& s, int digits) { return real(s.kurtosis, digits); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Zeros"), [](const Statistics& s, int) { return ui::formatCount(s.zeros); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "NaN"), [](const Statistics& s, int) { return ui::formatCount(s.nans); }},
    {QT_TRANSLATE_NOOP("gufo::cli::Cli", "Inf"),
     [](const Statistics& s, int) { return ui::formatCount(s.infinities); }},
});

std::vector<Column> columns() {
    std::vector<Column> columns = {{Cli::tr("Tensor")}, {Cli::tr("Type")}, {Cli::tr("Shape"), Align::Right}};
    for (const Figure& figure : kFigures) {
        columns.push_back({Cli::tr(figure.title), Align::Right});
    }
    return columns;
}

} // namespace

StatisticsTable::StatisticsTable()
    : m_table(columns()) {}

void StatisticsTable::add(const QString& name, const QString& type, const QString& shape,
                          const Statistics& statistics) {
    std::vector<QString> cells = {name, type, shape};
    for (const Figure& figure : kFigures) {
        cells.push_back(figure.text(statistics, 4));
    }
    m_table.addRow(std::move(cells));
}

void printStatistics(Console& console, const QString& name, const QString& type, const QString& shape,
                     const Statistics& statistics) {
    QStringList title = {console.coloured(Colour::Bold, name), type, shape};
    title.removeAll(QString());
    console.out().writeLine(title.join(QStringLiteral("  ")));
    TextTable table({{}, {}});
    for (const Figure& figure : kFigures) {
        table.addRow({Cli::tr(figure.title), figure.text(statistics, 9)});
    }
    if (statistics.firstNonFinite) {
        table.addRow({Cli::tr("First NaN or Inf"), Cli::tr("at weight %1").arg(*statistics.firstNonFinite)});
    }
    table.print(console, 2);
}

void printHistogram(Console& console, const Histogram& histogram) {
    const std::uint64_t highest = std::max<std::uint64_t>(1, std::ranges::max(histogram.counts));
    TextTable table(
        {{Cli::tr("From"), Align::Right}, {Cli::tr("To"), Align::Right}, {Cli::tr("Count"), Align::Right}, {}});
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const std::uint64_t count = histogram.counts[i];
        const double share = static_cast<double>(count) / static_cast<double>(highest);
        const int columns = count == 0 ? 0 : std::max(1, static_cast<int>(share * kBarColumns + 0.5));
        table.addRow({real(histogram.edge(i), 6), real(histogram.edge(i + 1), 6), ui::formatCount(count),
                      QString(columns, QChar(0x2588))});
    }
    table.print(console, 2);
}

} // namespace gufo::cli
