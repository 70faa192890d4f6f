#include "cli/verbs/stats_text.h"

#include "cli/terminal_text.h"
#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::cli {
namespace {

constexpr int kBarColumns = 50;
constexpr int kFewestBarColumns = 5; // below that, bars show nothing
constexpr int kIndent = 2;

// Formats as formatReal() does, but with an ASCII minus sign, which other programs can parse.
QString real(const std::optional<double>& value, int significant) {
    return value ? ui::formatReal(*value, significant).replace(QChar(0x2212), QLatin1Char('-')) : QStringLiteral("-");
}

struct FigureRow {
    const char* title;
    QString (*text)(const Statistics&, int significant);
};

// The columns of the table and the lines of a block, in display order.
constexpr auto kFigures = std::to_array<FigureRow>({
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
    for (const FigureRow& figure : kFigures) {
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
    for (const FigureRow& figure : kFigures) {
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
    for (const FigureRow& figure : kFigures) {
        table.addRow({Cli::tr(figure.title), figure.text(statistics, 9)});
    }
    if (statistics.firstNonFinite) {
        table.addRow({Cli::tr("First NaN or Inf"), Cli::tr("at weight %1").arg(*statistics.firstNonFinite)});
    }
    table.print(console, kIndent);
}

void printHistogram(Console& console, const Histogram& histogram) {
    const std::uint64_t highest = std::max<std::uint64_t>(1, std::ranges::max(histogram.counts));
    std::vector<Column> columns{
        {Cli::tr("From"), Align::Right}, {Cli::tr("To"), Align::Right}, {Cli::tr("Count"), Align::Right}};
    std::vector<std::vector<QString>> rows;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        rows.push_back(
            {real(histogram.edge(i), 6), real(histogram.edge(i + 1), 6), ui::formatCount(histogram.counts[i])});
    }
    // The bars take what the figures leave of the terminal.
    int room = console.columns().value_or(std::numeric_limits<int>::max()) - kIndent;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        int width = displayWidth(columns[column].title);
        for (const std::vector<QString>& row : rows) {
            width = std::max(width, displayWidth(row[column]));
        }
        room -= width + TextTable::kGap;
    }
    const int longest = std::min(room, kBarColumns);
    const bool bars = longest >= kFewestBarColumns;
    if (bars) {
        columns.push_back({});
    }
    TextTable table(std::move(columns));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t count = histogram.counts[i];
        const double share = static_cast<double>(count) / static_cast<double>(highest);
        if (bars) {
            rows[i].push_back(
                QString(count == 0 ? 0 : std::max(1, static_cast<int>(share * longest + 0.5)), QChar(0x2588)));
        }
        table.addRow(std::move(rows[i]));
    }
    table.print(console, kIndent);
}

void printSpectrum(Console& console, const Spectrum& spectrum) {
    console.out().writeLine(
        spectrum.isWhole
            ? Cli::tr("  All %n singular values", nullptr, static_cast<int>(spectrum.values.size()))
            : Cli::tr("  The %n largest singular values", nullptr, static_cast<int>(spectrum.values.size())));
    console.out().writeLine(Cli::tr("  Randomised subspace iteration (Halko, Martinsson, Tropp 2011), %n passes; the "
                                    "last one changed no value by more than %1 %",
                                    nullptr, static_cast<int>(spectrum.passes))
                                .arg(real(100 * spectrum.change, 2)));
    TextTable values({{Cli::tr("Number"), Align::Right},
                      {Cli::tr("Value"), Align::Right},
                      {Cli::tr("Energy so far"), Align::Right}});
    for (std::size_t i = 0; i < spectrum.values.size(); ++i) {
        values.addRow({QString::number(i + 1), real(spectrum.values[i], 6),
                       ui::formatFixed(100 * spectrum.share(i + 1), 2) + QStringLiteral(" %")});
    }
    values.print(console, kIndent);
    const auto printLines = [&](const QString& title, const std::vector<Spectrum::Line>& lines) {
        TextTable table({{title, Align::Right}, {Cli::tr("Energy"), Align::Right}});
        for (const Spectrum::Line& line : lines) {
            const double share = spectrum.energy > 0 ? line.energy / spectrum.energy : 0;
            table.addRow({QString::number(line.index), ui::formatFixed(100 * share, 2) + QStringLiteral(" %")});
        }
        table.print(console, kIndent);
    };
    printLines(Cli::tr("Row"), spectrum.topRows);
    printLines(Cli::tr("Column"), spectrum.topColumns);
}

void printCorrelation(Console& console, const QString& with, const Correlation& correlation) {
    console.out().writeLine(
        correlation.pearson
            ? Cli::tr("  Correlation with %1: %2 (%3 pairs; of independent ones: ± %4)")
                  .arg(with, real(*correlation.pearson, 6), ui::formatCount(correlation.pairs),
                       real(*correlation.expected, 2))
            : Cli::tr("  Correlation with %1: none, because all weights of a tensor are equal").arg(with));
}

} // namespace gufo::cli
