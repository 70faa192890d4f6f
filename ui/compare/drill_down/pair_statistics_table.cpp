#include "ui/compare/drill_down/pair_statistics_table.h"

#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 24;
constexpr int kMostRows = 5; // without scrolling
constexpr int kSquare = 9;

// The colour of the file before its name.
class FileDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant series = index.data(PairStatisticsModel::kSwatchRole);
        QStyleOptionViewItem own = option;
        if (series.isValid()) {
            own.rect.setLeft(option.rect.left() + kSquare + 6);
            if (option.state.testFlag(QStyle::State_Selected)) {
                painter->fillRect(option.rect, themeColor(Token::Selection));
            }
        }
        QStyledItemDelegate::paint(painter, own, index);
        if (series.isValid()) {
            painter->fillRect(option.rect.left() + 8, option.rect.center().y() - kSquare / 2, kSquare, kSquare,
                              seriesColor(series.toInt()));
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
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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

void PairStatisticsTable::figuresCame() {
    m_model->figuresCame();
    fit(m_width);
}

std::vector<int> PairStatisticsTable::widthsOfTexts() const {
    constexpr int kPadding = 18;
    std::vector<int> widths;
    const QFontMetrics metrics(themeFont(TextStyle::Table));
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        int width = metrics.horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            width = std::max(width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()));
        }
        widths.push_back(width + kPadding + (column == 0 ? kSquare + 8 : 0));
    }
    return widths;
}

// Columns as wide as their texts, those that matter least giving way.
void PairStatisticsTable::fit(int width) {
    m_width = width;
    const int rows = m_model->rowCount();
    setVisible(rows > 0);
    const int shown = std::min(rows, kMostRows);
    setFixedHeight(horizontalHeader()->sizeHint().height() + shown * kRowHeight + 2);
    if (rows == 0) {
        return;
    }
    constexpr int kScrollBar = 10;
    std::vector<int> widths = widthsOfTexts();
    int left = width - 2 - (rows > shown ? kScrollBar : 0);
    for (const int each : widths) {
        left -= each;
    }
    const std::array giveWay{PairStatisticsModel::kEqual, PairStatisticsModel::kMae,    PairStatisticsModel::kAt,
                             PairStatisticsModel::kBits,  PairStatisticsModel::kCosine, PairStatisticsModel::kNmse};
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        setColumnHidden(column, false);
    }
    for (const int column : giveWay) {
        if (left >= 0) {
            break;
        }
        setColumnHidden(column, true);
        left += std::exchange(widths[static_cast<std::size_t>(column)], 0);
    }
    const auto visible = static_cast<int>(std::ranges::count_if(widths, [](int each) { return each > 0; }));
    const int extra = std::max(0, left) / std::max(1, visible);
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        if (const int each = widths[static_cast<std::size_t>(column)]; each > 0) {
            setColumnWidth(column, each + extra);
        }
    }
}

} // namespace gufo::ui
