#include "ui/compare/drill_down/pair_statistics_table.h"

#include "ui/theme/series_paint.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QStyledItemDelegate>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 24;
constexpr int kMaxRows = 5; // rows shown without scrolling
constexpr int kSquare = 9;
constexpr int kPadding = 5; // of the style, around a cell's text

// Paints the file's mark before its name.
class FileDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant series = index.data(PairStatisticsModel::kSwatchRole);
        QStyleOptionViewItem text = option;
        if (series.isValid()) {
            text.rect.setLeft(option.rect.left() + kSquare + 6);
            if (option.state.testFlag(QStyle::State_Selected)) {
                painter->fillRect(option.rect, themeColor(Token::Selection));
            }
        }
        QStyledItemDelegate::paint(painter, text, index);
        if (series.isValid()) {
            paintSeriesMark(*painter, {option.rect.left() + 8 + kSquare / 2.0, option.rect.center().y() + 0.5}, kSquare,
                            series.toInt());
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
    verticalHeader()->setDefaultSectionSize(kRowHeight);
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
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1) + kPadding;
    std::vector<int> widths;
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        int width = metrics.horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            width = std::max(width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()));
        }
        widths.push_back(width + margin + (column == 0 ? kSquare + 8 : 0));
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
    const bool fits = each >= -kPadding;
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        if (!isColumnHidden(column)) {
            setColumnWidth(column, widths[static_cast<std::size_t>(column)] + (fits ? each : 0));
        }
    }
    const int bar = !fits ? horizontalScrollBar()->sizeHint().height() : 0;
    setFixedHeight(horizontalHeader()->sizeHint().height() + shown * kRowHeight + 2 + bar);
}

} // namespace gufo::ui

#include "moc_pair_statistics_table.cpp"
