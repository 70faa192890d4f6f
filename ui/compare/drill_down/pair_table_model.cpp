#include "ui/compare/drill_down/pair_table_model.h"

#include "ui/messages/figure_text.h"
#include "ui/plots/metric_legend.h"
#include "ui/report/comparison_report.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"

#include <algorithm>
#include <limits>

namespace gufo::ui {

PairTableModel::PairTableModel(const Comparison& comparison, QObject* parent)
    : QAbstractTableModel(parent)
    , m_comparison(comparison) {
    refill();
}

void PairTableModel::refill() {
    beginResetModel();
    m_files = m_comparison.others();
    if (std::ranges::find(m_files, m_file) == m_files.end()) {
        // The file that lost most is the most interesting one.
        const auto minimum = std::ranges::min_element(m_files, {}, [this](std::size_t file) {
            return m_comparison.files()[file].totals.bitsPerWeight.value_or(0);
        });
        m_file = minimum == m_files.end() ? 0 : *minimum;
    }
    fillShown();
    endResetModel();
}

void PairTableModel::fillShown() {
    m_shown.clear();
    m_indexOf.clear();
    const auto& matches = m_comparison.matches();
    if (!matches) {
        return;
    }
    m_indexOf.assign(matches->rows.size(), -1);
    for (std::size_t row = 0; row < matches->rows.size(); ++row) {
        const TensorMatch& match = matches->rows[row];
        bool wanted = m_filter.matchesAll();
        for (std::size_t file = 0; !wanted && file < match.cells.size(); ++file) {
            wanted = match.has(file) &&
                     m_filter.matches(matches->models[file]->tensor(match.cells[file].part.tensor), label(row));
        }
        if (wanted) {
            m_shown.push_back(static_cast<std::uint32_t>(row));
        }
    }
    addUp();
    reorder();
}

void PairTableModel::addUp() {
    m_errorSum = 0;
    m_maxError = 0;
    const auto& matches = m_comparison.matches();
    for (std::size_t row = 0; matches && row < matches->rows.size(); ++row) {
        const PairCell& cell = m_comparison.cell(row, m_file);
        if (cell.state == PairCell::State::Compared) {
            m_errorSum += cell.sums.ee;
            m_maxError = std::max(m_maxError, cell.sums.ee);
        }
    }
}

void PairTableModel::setMetric(Metric metric) {
    m_metric = metric;
    resort();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void PairTableModel::setColors(const MetricScale& scale, ColorMap map) {
    if (scale == m_scale && map == m_map) {
        return;
    }
    m_scale = scale;
    m_map = map;
    if (!m_shown.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {kSwatchRole});
    }
}

void PairTableModel::setFile(std::size_t file) {
    if (file == m_file || std::ranges::find(m_files, file) == m_files.end()) {
        return;
    }
    m_file = file;
    addUp();
    resort();
}

void PairTableModel::setFilter(text::TensorFilter filter) {
    beginResetModel();
    m_filter = std::move(filter);
    fillShown();
    endResetModel();
}

std::optional<std::size_t> PairTableModel::fileOf(int column) const {
    const int at = column - kFirstFile;
    return at >= 0 && at < static_cast<int>(m_files.size()) ? std::optional(m_files[static_cast<std::size_t>(at)])
                                                            : std::nullopt;
}

int PairTableModel::columnOf(std::size_t file) const {
    const auto found = std::ranges::find(m_files, file);
    return found == m_files.end() ? -1 : kFirstFile + static_cast<int>(found - m_files.begin());
}

int PairTableModel::indexOfRow(std::size_t row) const { return row < m_indexOf.size() ? m_indexOf[row] : -1; }

QString PairTableModel::label(std::size_t row) const { return displayText(m_comparison.matches()->rows[row].label()); }

PairTableModel::Counts PairTableModel::counts() const {
    Counts counts{.all = m_shown.size()};
    for (const std::uint32_t row : m_shown) {
        const bool any =
            std::ranges::any_of(m_files, [&](std::size_t file) { return m_comparison.isComparable(row, file); });
        counts.apart += any ? 0 : 1;
    }
    return counts;
}

std::optional<double> PairTableModel::figure(std::size_t row, std::size_t file) const {
    if (m_metric == Metric::Divergence) {
        const BehaviourPart* part = m_comparison.behaviourOf(row, file);
        return part != nullptr ? std::optional(part->fromOther) : std::nullopt;
    }
    if (!metricFact(m_metric).ofPair()) {
        return m_comparison.bitsPerWeight(row, file);
    }
    const PairCell& cell = m_comparison.cell(row, file);
    const Likeness likeness = cell.likeness();
    const bool hasFigure = likeness == Likeness::Different || likeness == Likeness::Equal;
    return cell.state == PairCell::State::Compared && hasFigure ? metricOf(metricFact(m_metric), figuresOf(cell.sums))
                                                                : std::nullopt;
}

QString PairTableModel::stateText(std::size_t row, std::size_t file) const {
    const TensorMatch& match = m_comparison.matches()->rows[row];
    if (!match.has(file)) {
        return tr("missing");
    }
    if (!match.has(m_comparison.reference())) {
        return tr("extra");
    }
    if (!match.comparable(file)) {
        return tr("other shape");
    }
    const PairCell& cell = m_comparison.cell(row, file);
    switch (cell.state) {
    case PairCell::State::Pending:
        return QStringLiteral("…");
    case PairCell::State::NotCompared:
        return QStringLiteral("—");
    case PairCell::State::Failed:
        return tr("failed");
    case PairCell::State::Compared:
        break;
    }
    return cell.likeness() == Likeness::Different ? QStringLiteral("—") : likenessText(cell.likeness(), cell.sums);
}

QStringList PairTableModel::leftOut(std::size_t row, std::size_t file) const {
    const PairCell& cell = m_comparison.cell(row, file);
    return metricFact(m_metric).ofPair() ? leftOutNotes(cell.sums, cell.truncated) : QStringList();
}

double PairTableModel::share(std::size_t row) const {
    const PairCell& cell = m_comparison.cell(row, m_file);
    return cell.state == PairCell::State::Compared && m_errorSum > 0 ? cell.sums.ee / m_errorSum : 0;
}

QString PairTableModel::typeText(std::size_t row, std::size_t file) const {
    const TensorMatch& match = m_comparison.matches()->rows[row];
    const std::size_t has = match.has(file) ? file : m_comparison.reference();
    return match.has(has) ? QString::fromStdString(
                                m_comparison.files()[has].model->tensor(match.cells[has].part.tensor).typeName())
                          : QString();
}

PairTableModel::Rank PairTableModel::rankIn(std::size_t row, std::size_t file) const {
    const TensorMatch& match = m_comparison.matches()->rows[row];
    const bool inReference = match.has(m_comparison.reference());
    if (!match.has(file)) {
        return {.kind = inReference ? Rank::kMissing : Rank::kAbsent};
    }
    if (!inReference || !match.comparable(file)) {
        return {.kind = inReference ? Rank::kReshaped : Rank::kExtra};
    }
    const MetricFact& metric = metricFact(m_metric);
    const auto value = figure(row, file);
    const double ascending = !value ? 0 : metric.higherIsCloser ? *value : -*value;
    const PairCell& cell = m_comparison.cell(row, file);
    if (cell.state == PairCell::State::Failed) {
        return {.kind = Rank::kFailed};
    }
    if (!metric.ofPair()) {
        return {.kind = Rank::kDifferent, .value = ascending};
    }
    if (cell.state != PairCell::State::Compared) {
        return {.kind = Rank::kPending};
    }
    switch (cell.likeness()) {
    case Likeness::Identical:
    case Likeness::Equal:
        return {.kind = Rank::kSame};
    case Likeness::EqualWhereCompared:
        return {.kind = Rank::kNothingCompared};
    case Likeness::Different:
        break;
    }
    return {.kind = leftOut(row, file).isEmpty() ? Rank::kDifferent : Rank::kPartlyCompared, .value = ascending};
}

PairTableModel::Rank PairTableModel::worstRank(std::size_t row) const {
    Rank worst;
    for (const std::size_t file : m_files) {
        worst = std::min(worst, rankIn(row, file), [](const Rank& a, const Rank& b) { return (a <=> b) < 0; });
    }
    return worst;
}

std::optional<std::size_t> PairTableModel::worstRow() const {
    std::optional<std::pair<Rank, std::size_t>> worst;
    for (std::size_t row = 0; row < m_indexOf.size(); ++row) {
        const Rank rank = worstRank(row);
        if (rank.kind < Rank::kSame && (!worst || (rank <=> worst->first) < 0)) {
            worst = {rank, row};
        }
    }
    return worst ? std::optional(worst->second) : std::nullopt;
}

void PairTableModel::reorder() {
    struct Key {
        Rank rank;
        QString text;
    };
    std::vector<Key> keys(m_indexOf.size());
    const auto file = fileOf(m_sortColumn);
    for (const std::uint32_t row : m_shown) {
        Key& key = keys[row];
        if (m_sortColumn == kType) {
            key.text = typeText(row, m_file);
        } else if (m_sortColumn == shareColumn()) {
            key.rank = rankIn(row, m_file);
            if (key.rank.kind > Rank::kNothingCompared && key.rank.kind < Rank::kPending) {
                key.rank = {.kind = Rank::kDifferent, .value = -share(row)};
            }
        } else if (m_sortColumn < 0 || file) {
            key.rank = file ? rankIn(row, *file) : worstRank(row);
        }
    }
    const bool descending = m_sortColumn >= 0 && m_sortOrder == Qt::DescendingOrder;
    std::ranges::sort(m_shown, [&](std::uint32_t a, std::uint32_t b) {
        const Key& x = keys[a];
        const Key& y = keys[b];
        const bool known = x.rank.kind < Rank::kPending;
        if (known != (y.rank.kind < Rank::kPending)) { // unknown figures are last in both directions
            return known;
        }
        if (const auto order = x.rank <=> y.rank; order != 0) {
            return descending ? order > 0 : order < 0;
        }
        if (const int order = QString::compare(x.text, y.text); order != 0) {
            return descending ? order > 0 : order < 0;
        }
        return m_sortColumn == kName && descending ? a > b : a < b;
    });
    std::ranges::fill(m_indexOf, -1);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        m_indexOf[m_shown[i]] = static_cast<int>(i);
    }
}

void PairTableModel::resort() {
    addUp();
    sort(m_sortColumn, m_sortOrder);
}

void PairTableModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> rowsBefore;
    rowsBefore.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex& one : before) {
        rowsBefore.push_back(m_shown[static_cast<std::size_t>(one.row())]);
    }
    m_sortColumn = column < columnCount() ? column : -1;
    m_sortOrder = order;
    reorder();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(m_indexOf[rowsBefore[static_cast<std::size_t>(i)]], before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void PairTableModel::rowsFound(const std::vector<std::size_t>& rows) {
    int first = std::numeric_limits<int>::max();
    int last = -1;
    for (const std::size_t row : rows) {
        const int at = indexOfRow(row);
        if (at >= 0) {
            first = std::min(first, at);
            last = std::max(last, at);
        }
    }
    if (last >= 0) {
        emit dataChanged(index(first, kFirstFile), index(last, columnCount() - 1));
    }
}

int PairTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int PairTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : shareColumn() + 1; }

QVariant PairTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const std::size_t row = m_shown[static_cast<std::size_t>(index.row())];
    const auto file = fileOf(index.column());
    switch (role) {
    case kRowRole:
        return static_cast<uint>(row);
    case Qt::TextAlignmentRole:
        return QVariant(index.column() >= kFirstFile ? Qt::AlignRight | Qt::AlignVCenter
                                                     : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == kName ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case kSwatchRole:
        if (file) {
            if (const auto value = figure(row, *file)) {
                return metricColor(m_scale, *value, m_map);
            }
        }
        return {};
    case kShareRole:
        return index.column() == shareColumn() && m_maxError > 0 &&
                       m_comparison.cell(row, m_file).state == PairCell::State::Compared
                   ? QVariant(m_comparison.cell(row, m_file).sums.ee / m_maxError)
                   : QVariant();
    case Qt::ForegroundRole:
        if (file && !leftOut(row, *file).isEmpty()) {
            return themeColor(Token::WarningText);
        }
        return file && !figure(row, *file) ? QVariant(themeColor(Token::Muted)) : QVariant();
    case Qt::AccessibleDescriptionRole:
        return file ? QVariant(leftOut(row, *file).join(u'\n')) : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == kName) {
            return label(row).toHtmlEscaped();
        }
        if (file && m_comparison.cell(row, *file).error) {
            return tr("Could not be compared");
        }
        return file ? QVariant(leftOut(row, *file).join(u'\n').toHtmlEscaped()) : QVariant();
    case kExactRole:
        return exact(row, index.column());
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    if (index.column() == kName) {
        return label(row);
    }
    if (index.column() == kType) {
        return typeText(row, m_file);
    }
    if (file) {
        const auto value = figure(row, *file);
        if (m_metric == Metric::Type) {
            return m_comparison.matches()->rows[row].has(*file) ? typeText(row, *file) : tr("missing");
        }
        return value ? metricText(metricFact(m_metric), *value) : stateText(row, *file);
    }
    if (!m_comparison.isComparable(row, m_file)) {
        return QStringLiteral("—");
    }
    const double percent = 100 * share(row);
    return m_comparison.cell(row, m_file).state == PairCell::State::Compared
               ? QStringLiteral("%1 %").arg(formatFixed(percent, 2))
               : QStringLiteral("…");
}

QVariant PairTableModel::exact(std::size_t row, int column) const {
    if (const auto file = fileOf(column)) {
        const auto value = m_metric != Metric::Type ? figure(row, *file) : std::nullopt;
        return value ? QVariant(m_metric == Metric::EqualShare ? 100 * *value : *value) : QVariant();
    }
    const bool isShare = column == shareColumn() && m_comparison.isComparable(row, m_file) &&
                         m_comparison.cell(row, m_file).state == PairCell::State::Compared;
    return isShare ? QVariant(exactText(100 * share(row)) + QLatin1Char('%')) : QVariant();
}

QVariant PairTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const auto file = fileOf(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant(section >= kFirstFile ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        if (file) {
            QString tip = tr("%1 of %2").arg(metricFullTitle(metricFact(m_metric)), m_comparison.files()[*file].name);
            if (const auto divergence = m_comparison.divergence(*file)) {
                const MetricFact& info = metricFact(Metric::Divergence);
                tip += u'\n' + tr("%1 of the whole file on %2: %3")
                                   .arg(metricTitle(info), m_comparison.divergenceText(),
                                        metricTextWithUnit(info, *divergence));
            }
            return plainToolTip(tip);
        }
        if (section == shareColumn() && !m_files.empty()) {
            return tr("Share of the summed squared error of %1").arg(m_comparison.files()[m_file].name).toHtmlEscaped();
        }
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (file) {
        return m_comparison.files()[*file].label;
    }
    return section == kName ? tr("Tensor") : section == kType ? tr("Type") : tr("Share of error");
}

} // namespace gufo::ui

#include "moc_pair_table_model.cpp"
