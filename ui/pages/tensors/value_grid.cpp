#include "ui/pages/tensors/value_grid.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <limits>

namespace gufo::ui {
namespace {

constexpr int kValueRowHeight = 20;
constexpr int kHeaderHeight = 21;
constexpr int kSideWidth = 63;
constexpr int kCellPadding = 7;
constexpr int kRowsHint = 7;
constexpr int kBarSteps = 1'000'000; // for matrices too large for a scroll bar

class ValueCellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (index.data(ValueGridModel::kSelectedRole).toBool()) {
            painter->fillRect(option.rect, themeColor(Token::Selection));
        }
        painter->setFont(themeFont(TextStyle::Mono));
        painter->setPen(themeColor(Token::Text));
        painter->drawText(option.rect.adjusted(2, 0, -kCellPadding, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data().toString());
        if (index.data(ValueGridModel::kBlockStartRole).toBool()) {
            painter->fillRect(QRect(option.rect.left() - 1, option.rect.top(), 2, option.rect.height() + 1),
                              themeColor(Token::Muted));
        }
        if (index.data(ValueGridModel::kCurrentRole).toBool()) {
            painter->setPen(themeColor(Token::Accent));
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
    }
};

int barValue(std::uint64_t at, std::uint64_t last) {
    return last <= std::numeric_limits<int>::max() / 2
               ? static_cast<int>(at)
               : static_cast<int>(static_cast<double>(at) / static_cast<double>(last) * kBarSteps);
}

std::uint64_t fromBar(int value, std::uint64_t last) {
    return last <= std::numeric_limits<int>::max() / 2
               ? static_cast<std::uint64_t>(value)
               : static_cast<std::uint64_t>(static_cast<double>(value) / kBarSteps * static_cast<double>(last));
}

} // namespace

ValueGrid::ValueGrid(QWidget* parent)
    : QTableView(parent)
    , m_rowBar(new QScrollBar(Qt::Vertical, this))
    , m_columnBar(new QScrollBar(Qt::Horizontal, this))
    , m_corner(new QLabel(this)) {
    ensurePolished(); // the style hides row titles and makes rows higher
    setAccessibleName(tr("Values"));
    setModel(&m_model);
    setItemDelegate(new ValueCellDelegate(this));
    setSelectionMode(NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setMinimumSectionSize(20);
    horizontalHeader()->setFixedHeight(kHeaderHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    verticalHeader()->show();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(kValueRowHeight);
    verticalHeader()->setDefaultSectionSize(kValueRowHeight);
    verticalHeader()->setFixedWidth(kSideWidth);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setSectionsClickable(false);
    m_corner->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_corner->setContentsMargins(0, 0, kCellPadding, 0);
    m_corner->setFont(themeFont(TextStyle::Table));
    for (QScrollBar* bar : {m_rowBar, m_columnBar}) {
        bar->setFocusPolicy(Qt::NoFocus);
        connect(bar, &QScrollBar::valueChanged, this, &ValueGrid::scrolled);
    }
    m_rowBar->setAccessibleName(tr("First row"));
    m_columnBar->setAccessibleName(tr("First column"));
    connect(&Theme::instance(), &Theme::changed, this, &ValueGrid::restyle);
    setCellCharacters(8);
}

void ValueGrid::restyle() { viewport()->update(); }

QSize ValueGrid::sizeHint() const { return {kSideWidth + 8 * m_columnWidth, minimumSizeHint().height()}; }

QSize ValueGrid::minimumSizeHint() const {
    return {kSideWidth + 3 * m_columnWidth, kHeaderHeight + kRowsHint * kValueRowHeight + 2 * frameWidth()};
}

void ValueGrid::setCellCharacters(int characters) {
    m_columnWidth =
        QFontMetrics(themeFont(TextStyle::Mono)).horizontalAdvance(QLatin1Char('0')) * characters + 2 * kCellPadding;
    layOut();
}

void ValueGrid::setMatrix(ValueGridModel::Matrix matrix, const QString& corner) {
    m_model.setMatrix(std::move(matrix));
    m_corner->setText(corner);
    m_currentRow = m_currentColumn = m_anchorRow = m_anchorColumn = 0;
    layOut();
}

bool ValueGrid::isEmpty() const { return m_model.matrix().rows == 0 || m_model.matrix().columns == 0; }

int ValueGrid::visibleRows() const { return std::max(1, viewport()->height() / kValueRowHeight); }

int ValueGrid::visibleColumns() const { return std::max(1, viewport()->width() / m_columnWidth); }

void ValueGrid::layOut() {
    m_corner->setGeometry(frameWidth(), frameWidth(), kSideWidth, kHeaderHeight);
    horizontalHeader()->setDefaultSectionSize(viewport()->width() / visibleColumns());
    m_model.setWindow(m_model.firstRow(), visibleRows(), m_model.firstColumn(), visibleColumns());
    syncBars();
    if (!isEmpty()) {
        emit windowChanged();
    }
}

void ValueGrid::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOut();
}

CellRange ValueGrid::window() const {
    return {.firstRow = m_model.firstRow(),
            .lastRow = m_model.firstRow() + static_cast<std::uint64_t>(std::max(m_model.rowCount(), 1) - 1),
            .firstColumn = m_model.firstColumn(),
            .lastColumn = m_model.firstColumn() + static_cast<std::uint64_t>(std::max(m_model.columnCount(), 1) - 1)};
}

void ValueGrid::syncBars() {
    m_syncing = true;
    const auto sync = [](QScrollBar* bar, std::uint64_t first, std::uint64_t all, int shown) {
        const std::uint64_t last = all - std::min(all, static_cast<std::uint64_t>(shown));
        bar->setRange(0, barValue(last, last));
        bar->setPageStep(std::max(1, barValue(static_cast<std::uint64_t>(shown), std::max<std::uint64_t>(last, 1))));
        bar->setValue(barValue(first, last));
        bar->setVisible(last > 0);
    };
    sync(m_rowBar, m_model.firstRow(), m_model.matrix().rows, m_model.rowCount());
    sync(m_columnBar, m_model.firstColumn(), m_model.matrix().columns, m_model.columnCount());
    m_syncing = false;
}

void ValueGrid::scrolled() {
    if (m_syncing) {
        return;
    }
    const auto first = [](const QScrollBar* bar, std::uint64_t all, int shown) {
        return fromBar(bar->value(), all - std::min(all, static_cast<std::uint64_t>(shown)));
    };
    m_model.setWindow(first(m_rowBar, m_model.matrix().rows, m_model.rowCount()), m_model.rowCount(),
                      first(m_columnBar, m_model.matrix().columns, m_model.columnCount()), m_model.columnCount());
    emit windowChanged();
}

void ValueGrid::moveWindow(std::uint64_t firstRow, std::uint64_t firstColumn) {
    m_model.setWindow(firstRow, visibleRows(), firstColumn, visibleColumns());
    syncBars();
    emit windowChanged();
}

void ValueGrid::setCurrent(std::uint64_t row, std::uint64_t column) { moveTo(row, column, false); }

void ValueGrid::moveTo(std::uint64_t row, std::uint64_t column, bool extend) {
    if (isEmpty()) {
        return;
    }
    row = std::min(row, m_model.matrix().rows - 1);
    column = std::min(column, m_model.matrix().columns - 1);
    const bool changed = row != m_currentRow || column != m_currentColumn || !m_model.selection();
    m_currentRow = row;
    m_currentColumn = column;
    if (!extend) {
        m_anchorRow = row;
        m_anchorColumn = column;
    }
    m_model.setSelection({.firstRow = std::min(row, m_anchorRow),
                          .lastRow = std::max(row, m_anchorRow),
                          .firstColumn = std::min(column, m_anchorColumn),
                          .lastColumn = std::max(column, m_anchorColumn)},
                         row, column);
    const CellRange shown = window();
    if (!shown.contains(row, column)) {
        // A small step moves the window by a step; a jump centres it on the weight.
        const auto place = [](std::uint64_t at, std::uint64_t first, std::uint64_t last) {
            const std::uint64_t count = last - first + 1;
            if (at >= first && at <= last) {
                return first;
            }
            if (at + 1 == first || at == last + 1) {
                return at < first ? at : at - count + 1;
            }
            return at - std::min(at, count / 2);
        };
        moveWindow(place(row, shown.firstRow, shown.lastRow), place(column, shown.firstColumn, shown.lastColumn));
    }
    if (changed) {
        emit currentCellChanged(row, column);
    }
}

void ValueGrid::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) {
        event->ignore();
        return;
    }
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    const std::uint64_t lastRow = m_model.matrix().rows - 1;
    const std::uint64_t lastColumn = m_model.matrix().columns - 1;
    const auto page = static_cast<std::uint64_t>(m_model.rowCount());
    std::uint64_t row = m_currentRow;
    std::uint64_t column = m_currentColumn;
    switch (event->key()) {
    case Qt::Key_Left:
        column -= column > 0 ? 1 : 0;
        break;
    case Qt::Key_Right:
        column += column < lastColumn ? 1 : 0;
        break;
    case Qt::Key_Up:
        row -= row > 0 ? 1 : 0;
        break;
    case Qt::Key_Down:
        row += row < lastRow ? 1 : 0;
        break;
    case Qt::Key_PageUp:
        row -= std::min(row, page);
        break;
    case Qt::Key_PageDown:
        row += std::min(page, lastRow - row);
        break;
    case Qt::Key_Home:
        column = 0;
        row = whole ? 0 : row;
        break;
    case Qt::Key_End:
        column = lastColumn;
        row = whole ? lastRow : row;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    moveTo(row, column, event->modifiers().testFlag(Qt::ShiftModifier));
    event->accept();
}

void ValueGrid::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid()) {
        moveTo(m_model.firstRow() + static_cast<std::uint64_t>(index.row()),
               m_model.firstColumn() + static_cast<std::uint64_t>(index.column()),
               event->modifiers().testFlag(Qt::ShiftModifier));
    }
}

void ValueGrid::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (event->buttons().testFlag(Qt::LeftButton) && index.isValid()) {
        moveTo(m_model.firstRow() + static_cast<std::uint64_t>(index.row()),
               m_model.firstColumn() + static_cast<std::uint64_t>(index.column()), true);
    }
}

void ValueGrid::wheelEvent(QWheelEvent* event) {
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0;
    QScrollBar* bar = sideways ? m_columnBar : m_rowBar;
    const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const int before = bar->value();
    bar->setValue(before - turned * 3 / 120);
    event->setAccepted(bar->value() != before); // at the end, the pane scrolls
}

} // namespace gufo::ui

#include "moc_value_grid.cpp"
