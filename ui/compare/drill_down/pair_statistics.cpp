#include "ui/compare/drill_down/pair_statistics.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/comparison_report.h"
#include "ui/theme/series_paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QStyledItemDelegate>

#include <algorithm>

namespace gufo::ui {

PairStatisticsModel::PairStatisticsModel(const Comparison& comparison, QObject* parent)
    : QAbstractTableModel(parent)
    , m_comparison(comparison) {}

void PairStatisticsModel::setRow(std::optional<std::size_t> row) {
    beginResetModel();
    m_row = row;
    m_files = row ? m_comparison.others() : std::vector<std::size_t>{};
    endResetModel();
}

void PairStatisticsModel::figuresArrived() {
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    }
}

int PairStatisticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_files.size());
}

int PairStatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

// The position [row, column] of a weight of the part. The row counts over all higher dimensions.
QString PairStatisticsModel::placeText(std::size_t file, std::uint64_t index) const {
    const TensorPart& part = m_comparison.matches()->rows[*m_row].cells[file].part;
    if (index == PairSums::kNone || part.columns == 0) {
        return QStringLiteral("—");
    }
    return QStringLiteral("[%1, %2]").arg(formatCount(index / part.columns), formatCount(index % part.columns));
}

QString PairStatisticsModel::text(std::size_t file, int column) const {
    const TensorMatch& match = m_comparison.matches()->rows[*m_row];
    if (column == kFile) {
        return m_comparison.files()[file].label;
    }
    if (!match.has(file)) {
        return column == kType ? tr("missing") : QStringLiteral("—");
    }
    if (column == kType) {
        return QString::fromStdString(
            m_comparison.files()[file].model->tensor(match.cells[file].part.tensor).typeName());
    }
    if (column == kBits) {
        const auto bits = m_comparison.bitsPerWeight(*m_row, file);
        return bits ? formatBitsPerWeight(*bits) : QStringLiteral("—");
    }
    const PairCell& cell = m_comparison.cell(*m_row, file);
    if (cell.state == PairCell::State::Pending && m_comparison.isComparable(*m_row, file)) {
        return QStringLiteral("…");
    }
    if (cell.state != PairCell::State::Compared) {
        return QStringLiteral("—");
    }
    const PairFigures figures = figuresOf(cell.sums);
    const auto real = [](std::optional<double> value, int digits) {
        return value ? formatReal(*value, digits) : QStringLiteral("—");
    };
    switch (column) {
    case kRmse:
        return real(figures.rmse, 3);
    case kMae:
        return real(figures.mae, 3);
    case kMaxError:
        return real(figures.maxError, 3);
    case kAt:
        return placeText(file, cell.sums.maximumIndex);
    case kNmse:
        return real(figures.nmse, 3);
    case kSqnr:
        if (figures.sqnrDb) {
            return formatFixed(*figures.sqnrDb, 1);
        }
        return cell.likeness() == Likeness::Different ? QStringLiteral("—") : likenessText(cell.likeness(), cell.sums);
    case kCosine:
        return figures.cosine ? formatFixed(*figures.cosine, 4) : QStringLiteral("—");
    case kEqual:
        return figures.equalShare ? QStringLiteral("%1 %").arg(formatFixed(100 * *figures.equalShare, 1))
                                  : QStringLiteral("—");
    default:
        return {};
    }
}

std::optional<double> PairStatisticsModel::figure(std::size_t file, int column) const {
    const TensorMatch& match = m_comparison.matches()->rows[*m_row];
    if (!match.has(file)) {
        return {};
    }
    if (column == kBits) {
        return m_comparison.bitsPerWeight(*m_row, file);
    }
    const PairCell& cell = m_comparison.cell(*m_row, file);
    if (cell.state != PairCell::State::Compared) {
        return {};
    }
    const PairFigures figures = figuresOf(cell.sums);
    switch (column) {
    case kRmse:
        return figures.rmse;
    case kMae:
        return figures.mae;
    case kMaxError:
        return figures.maxError;
    case kNmse:
        return figures.nmse;
    case kSqnr:
        return figures.sqnrDb;
    case kCosine:
        return figures.cosine;
    default:
        return {};
    }
}

QVariant PairStatisticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_row || !m_comparison.matches() || *m_row >= m_comparison.matches()->rows.size() ||
        index.row() >= rowCount()) {
        return {};
    }
    const std::size_t file = fileOf(index.row());
    const PairCell& cell = m_comparison.cell(*m_row, file);
    switch (role) {
    case Qt::DisplayRole:
        return text(file, index.column());
    case kExactRole: {
        if (index.column() == kEqual && cell.state == PairCell::State::Compared) {
            const auto share = figuresOf(cell.sums).equalShare;
            return share ? QVariant(exactText(100 * *share) + QLatin1Char('%')) : QVariant();
        }
        const auto value = figure(file, index.column());
        return value ? QVariant(*value) : QVariant();
    }
    case Qt::TextAlignmentRole:
        return QVariant(index.column() >= kBits ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case kSwatchRole:
        return index.column() == kFile ? QVariant(m_comparison.files()[file].series) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() >= kRmse && !leftOutNotes(cell.sums, cell.truncated).isEmpty()) {
            return themeColor(Token::WarningText);
        }
        return index.column() == kAt ? QVariant(themeColor(Token::Muted)) : QVariant();
    case Qt::AccessibleDescriptionRole:
    case Qt::ToolTipRole: {
        const QString notes =
            cell.error ? errorReason(*cell.error) : leftOutNotes(cell.sums, cell.truncated).join(u'\n');
        return notes.isEmpty() ? QVariant() : role == Qt::ToolTipRole ? notes.toHtmlEscaped() : notes;
    }
    default:
        return {};
    }
}

QVariant PairStatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(section >= kBits ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case kFile:
        return tr("File");
    case kType:
        return tr("Type");
    case kBits:
        return tr("Bits");
    case kRmse:
        return tr("RMSE");
    case kMae:
        return tr("MAE");
    case kMaxError:
        return tr("Max error");
    case kAt:
        return tr("at");
    case kNmse:
        return tr("NMSE");
    case kSqnr:
        return tr("SQNR dB");
    case kCosine:
        return tr("Cosine");
    case kEqual:
        return tr("Equal");
    default:
        return {};
    }
}

// ---- the table

namespace {

constexpr int kStatisticsRowHeight = 24;
constexpr int kMaxRows = 5; // rows shown without scrolling
constexpr int kStatisticsSquare = 9;
constexpr int kStatisticsPadding = 5; // of the style, around a cell's text

// Paints the file's mark before its name.
class FileDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant series = index.data(PairStatisticsModel::kSwatchRole);
        QStyleOptionViewItem text = option;
        if (series.isValid()) {
            text.rect.setLeft(option.rect.left() + kStatisticsSquare + 6);
            if (option.state.testFlag(QStyle::State_Selected)) {
                painter->fillRect(option.rect, themeColor(Token::Selection));
            }
        }
        QStyledItemDelegate::paint(painter, text, index);
        if (series.isValid()) {
            paintSeriesMark(*painter,
                            {option.rect.left() + 8 + kStatisticsSquare / 2.0, option.rect.center().y() + 0.5},
                            kStatisticsSquare, series.toInt());
        }
    }
};

} // namespace

PairStatisticsTable::PairStatisticsTable(const Comparison& comparison, QWidget* parent)
    : QTableView(parent)
    , m_model(new PairStatisticsModel(comparison, this)) {
    setModel(m_model);
    setItemDelegate(new FileDelegate(this));
    setAccessibleName(tr("Figures of the tensor"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(kStatisticsRowHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(36);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) {
            emit fileChosen(m_model->fileOf(now.row()));
        }
    });
}

void PairStatisticsTable::setRow(std::optional<std::size_t> row) {
    m_model->setRow(row);
    fit(m_width);
}

void PairStatisticsTable::figuresArrived() {
    m_model->figuresArrived();
    fit(m_width);
}

std::vector<int> PairStatisticsTable::widthsOfTexts() const {
    const QFontMetrics metrics(font());
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1) + kStatisticsPadding;
    std::vector<int> widths;
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        int width = metrics.horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            width = std::max(width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()));
        }
        widths.push_back(width + margin + (column == 0 ? kStatisticsSquare + 8 : 0));
    }
    return widths;
}

// Fits columns to their contents. If there is too little room, the place of the largest error gives way, because the
// plots show it too, then most of the space between columns; if that is not enough, the table scrolls sideways.
void PairStatisticsTable::fit(int width) {
    m_width = width;
    const int rows = m_model->rowCount();
    setVisible(rows > 0);
    if (rows == 0) {
        return;
    }
    constexpr int kScrollBar = 10;
    const int shown = std::min(rows, kMaxRows);
    const std::vector<int> widths = widthsOfTexts();
    int left = width - 2 - (rows > shown ? kScrollBar : 0);
    for (const int each : widths) {
        left -= each;
    }
    const bool showsPlace = left >= 0;
    setColumnHidden(PairStatisticsModel::kAt, !showsPlace);
    left += showsPlace ? 0 : widths[PairStatisticsModel::kAt];
    const int visible = PairStatisticsModel::kColumns - (showsPlace ? 0 : 1);
    const int each = left >= 0 ? left / visible : (left - visible + 1) / visible;
    const bool fits = each >= -kStatisticsPadding;
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        if (!isColumnHidden(column)) {
            setColumnWidth(column, widths[static_cast<std::size_t>(column)] + (fits ? each : 0));
        }
    }
    const int bar = !fits ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + shown * kStatisticsRowHeight + 2 + bar);
}

} // namespace gufo::ui

#include "moc_pair_statistics.cpp"
