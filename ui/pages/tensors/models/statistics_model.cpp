#include "ui/pages/tensors/models/statistics_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"

#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

QString real(const std::optional<double>& value) {
    if (!value) {
        return QString(QChar(0x2014));
    }
    const bool exponent = *value != 0 && std::abs(*value) < 1e-4;
    return formatReal(*value, exponent ? 2 : 4);
}

struct Row {
    const char* title;
    QString (*figure)(const Statistics&);
    QString (*tip)(const Statistics&);
    std::optional<double> Statistics::* real = nullptr; // what the figure shows rounded
};

QString fullReal(const std::optional<double>& value) { return value ? formatReal(*value, 17) : QString(); }

constexpr std::array<Row, 9> kRows{{
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Minimum"), [](const Statistics& s) { return real(s.min); },
     [](const Statistics& s) { return fullReal(s.min); }, &Statistics::min},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Maximum"), [](const Statistics& s) { return real(s.max); },
     [](const Statistics& s) { return fullReal(s.max); }, &Statistics::max},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Mean"), [](const Statistics& s) { return real(s.mean); },
     [](const Statistics& s) { return fullReal(s.mean); }, &Statistics::mean},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Std deviation σ"), [](const Statistics& s) { return real(s.std); },
     [](const Statistics& s) { return fullReal(s.std); }, &Statistics::std},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Mean |w|"), [](const Statistics& s) { return real(s.absMean); },
     [](const Statistics& s) { return fullReal(s.absMean); }, &Statistics::absMean},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Skewness"), [](const Statistics& s) { return real(s.skew); },
     [](const Statistics& s) { return fullReal(s.skew); }, &Statistics::skew},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Excess kurtosis"),
     [](const Statistics& s) { return real(s.kurtosis); }, [](const Statistics& s) { return fullReal(s.kurtosis); },
     &Statistics::kurtosis},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "Zeros"), [](const Statistics& s) { return formatCount(s.zeros); },
     [](const Statistics& s) { return QStringLiteral("%1 / %2").arg(formatCount(s.zeros), formatCount(s.count)); }},
    {QT_TRANSLATE_NOOP("gufo::ui::StatisticsModel", "NaN, infinite"),
     [](const Statistics& s) {
         return s.nans + s.infinities == 0
                    ? QStringLiteral("0")
                    : QStringLiteral("%1, %2").arg(formatCount(s.nans), formatCount(s.infinities));
     },
     [](const Statistics& s) {
         return s.firstNonFinite ? StatisticsModel::tr("The first is weight %1.").arg(formatCount(*s.firstNonFinite))
                                 : QString();
     }},
}};

} // namespace

void StatisticsModel::setStatistics(std::optional<Statistics> statistics) {
    m_statistics = std::move(statistics);
    emit dataChanged(index(0, 1), index(static_cast<int>(kRows.size()) - 1, 1));
}

int StatisticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kRows.size());
}

int StatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant StatisticsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = kRows[static_cast<std::size_t>(index.row())];
    const bool figure = index.column() == 1;
    switch (role) {
    case Qt::DisplayRole:
        return !figure ? tr(row.title) : m_statistics ? row.figure(*m_statistics) : QString(QChar(0x2026));
    case Qt::ToolTipRole:
        return figure && m_statistics ? row.tip(*m_statistics) : QString();
    case kExactRole:
        return figure && m_statistics && row.real != nullptr && ((*m_statistics).*row.real)
                   ? QVariant(*((*m_statistics).*row.real))
                   : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole: {
        const bool bad =
            figure && index.row() == static_cast<int>(kRows.size()) - 1 && m_statistics && m_statistics->firstNonFinite;
        return themeColor(bad ? Token::ErrorText : figure ? Token::Text : Token::Muted);
    }
    default:
        return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == 0 ? tr("Statistic") : tr("Value");
}

} // namespace gufo::ui

#include "moc_statistics_model.cpp"
