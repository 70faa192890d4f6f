#include "ui/compare/drill_down/pair_list.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/models/tensor_delegates.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kListMargin = 12;
constexpr int kResortMs = 600;
constexpr int kTypeWidth = 58;
constexpr int kFigureWidth = 66;
constexpr int kShareWidth = 104;
constexpr int kMinName = 130;
constexpr int kListSquare = 9;
constexpr int kBarWidth = 34;
constexpr int kBarHeight = 7;

// A figure with a square in its map colour, or with a bar.
class FigureDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        if (const QVariant swatch = index.data(PairTableModel::kSwatchRole); swatch.isValid()) {
            const int text = option.fontMetrics.horizontalAdvance(index.data().toString());
            const int left =
                std::max(option.rect.left() + 2, option.rect.right() - std::max(text, 26) - 12 - kListSquare - 6);
            painter->fillRect(left, option.rect.center().y() - kListSquare / 2, kListSquare, kListSquare,
                              swatch.value<QColor>());
        }
        if (const QVariant share = index.data(PairTableModel::kShareRole); share.isValid()) {
            const int width = std::max(1, static_cast<int>(kBarWidth * share.toDouble()));
            painter->fillRect(option.rect.left() + 8, option.rect.center().y() - kBarHeight / 2, width, kBarHeight,
                              themeColor(Token::StrongLine));
        }
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return {QStyledItemDelegate::sizeHint(option, index).width(), kTensorRowHeight};
    }
};

} // namespace

PairList::PairList(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_model(comparison) {
    m_title = themedLabel(tr("Worst first"), TextStyle::Section, Token::Text, this);
    m_counts = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this);
    m_error = new ElidedLabel(TextStyle::Table, Token::ErrorText, Qt::ElideRight, this);
    m_error->hide();
    m_filter = new FilterField(tr("Filter"), this);
    m_filter->setAccessibleName(tr("Filter tensors"));
    m_filter->setToolTip(filterHint());
    m_filter->setMinimumWidth(80);
    m_order = new SegmentedControl(tr("Order"), this);
    m_order->addSegment(tr("By metric"), {}, tr("Tensors that are farthest from the reference in any file first"));
    m_order->addSegment(tr("By share of error"), {}, tr("Tensors with the largest share of the total error first"));
    m_view = new QTableView(this);
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new FigureDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setSortingEnabled(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);
    m_view->setAccessibleName(tr("Tensors, the worst first"));
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kTensorRowHeight);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->horizontalHeader()->setSortIndicatorClearable(true);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setMinimumSectionSize(40);

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(kListMargin, 6, kListMargin, 6);
    tools->setSpacing(8);
    tools->addWidget(m_title);
    tools->addWidget(m_counts, 2);
    tools->addWidget(m_error, 2);
    tools->addWidget(m_filter, 3);
    tools->addWidget(m_order);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(tools);
    layout->addWidget(m_view, 1);
    setMinimumWidth(376);

    m_resort.setSingleShot(true);
    m_resort.setInterval(kResortMs);
    connect(&m_resort, &QTimer::timeout, this, [this] {
        m_model.resort();
        updateCounts();
    });
    connect(&comparison, &Comparison::filesChanged, this, [this] {
        m_model.refill();
        fitColumns();
        updateCounts();
    });
    connect(&comparison, &Comparison::matched, this, [this] {
        m_model.refill();
        sortBy(m_order->current());
        fitColumns();
        updateCounts();
    });
    connect(&comparison, &Comparison::rowsFound, this, [this](const std::vector<std::size_t>& rows) {
        m_model.rowsFound(rows);
        if (!m_resort.isActive()) {
            m_resort.start();
        }
    });
    connect(&comparison, &Comparison::behavioursMeasured, this, [this] {
        m_model.resort();
        fitColumns();
        m_view->viewport()->update();
    });
    connect(&comparison, &Comparison::stateChanged, this, [this] {
        if (!m_comparison.isBusy()) {
            m_resort.stop();
            m_model.resort();
            updateCounts();
        }
    });
    connect(m_order, &SegmentedControl::chosen, this, [this](int choice) {
        sortBy(choice);
        selectFirst();
    });
    connect(m_filter, &FilterField::filterChanged, this, &PairList::filterBy);
    connect(m_filter, &FilterField::leftDownwards, this, [this] { m_view->setFocus(); });
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &PairList::sorted);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid() && !m_selecting) {
            emit currentChanged(now.data(PairTableModel::kRowRole).toUInt());
        }
    });
    updateCounts();
}

void PairList::setMetric(Metric metric) {
    m_model.setMetric(metric);
    auto* segment = m_order->segment(0);
    segment->setText(tr("By %1").arg(metricTitle(metricFact(metric))));
    segment->updateGeometry();
}

void PairList::sortBy(int choice) {
    m_order->setCurrent(choice);
    m_view->sortByColumn(choice == 1 ? m_model.shareColumn() : -1, Qt::AscendingOrder);
}

void PairList::sorted(int column, Qt::SortOrder order) {
    const auto file = m_model.fileOf(column);
    const bool isWorstFirst = column < 0 || ((file || column == m_model.shareColumn()) && order == Qt::AscendingOrder);
    m_title->setText(isWorstFirst ? tr("Worst first") : tr("Tensors"));
    if (file) {
        m_order->setCurrent(0);
        if (*file != m_model.file()) {
            m_model.setFile(*file);
            emit fileChosen(*file);
        }
    } else {
        m_order->setCurrent(column == m_model.shareColumn() ? 1 : 0);
    }
    if (isWorstFirst) {
        selectFirst();
    }
}

void PairList::selectFirst() {
    if (!m_comparison.isBusy() && m_model.rowCount() > 0) {
        m_view->selectRow(0);
        m_view->scrollToTop();
    }
}

void PairList::filterBy(const QString& text) {
    const auto row = current();
    auto filter = text::TensorFilter::parse(text);
    m_filterError = filter ? QString() : filterProblemText(filter.error());
    if (filter) {
        m_model.setFilter(std::move(*filter));
    }
    if (row && m_model.indexOfRow(*row) >= 0) {
        select(*row);
    }
    updateCounts();
}

void PairList::select(std::size_t row) {
    if (m_model.indexOfRow(row) < 0 && !m_filter->text().isEmpty()) {
        m_filter->clear();
    }
    const int at = m_model.indexOfRow(row);
    if (at < 0) {
        return;
    }
    m_selecting = true;
    const QModelIndex index = m_model.index(at, 0);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    m_selecting = false;
}

std::optional<std::size_t> PairList::current() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? std::optional<std::size_t>(index.data(PairTableModel::kRowRole).toUInt()) : std::nullopt;
}

void PairList::updateCounts() {
    const auto counts = m_model.counts();
    m_error->setText(m_filterError);
    m_error->setVisible(!m_filterError.isEmpty());
    m_counts->setVisible(m_filterError.isEmpty());
    m_counts->setText(
        counts.apart == 0
            ? tr("%n tensors", nullptr, numerus(counts.all))
            : tr("%n tensors, %1 without counterpart", nullptr, numerus(counts.all)).arg(formatCount(counts.apart)));
}

// The name takes the remaining width; if it is too narrow, the type is hidden, and then the list scrolls sideways.
// Titles always have room for their sort arrow.
void PairList::fitColumns() {
    constexpr int kPadding = 16;
    constexpr int kArrow = 14;
    constexpr int kSquareRoom = kListSquare + 6;
    constexpr int kRowsMeasured = 40; // of the worst, whose texts are the longest: "other shape"
    const QFontMetrics titles(m_view->horizontalHeader()->font());
    const QFontMetrics texts(m_view->font());
    const auto widthOf = [&](int column, int minimum) {
        const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = std::max(minimum, titles.horizontalAdvance(title) + kPadding + kArrow);
        for (int row = 0; row < std::min(m_model.rowCount(), kRowsMeasured); ++row) {
            const QString text = m_model.index(row, column).data().toString();
            width = std::max(width, texts.horizontalAdvance(text) + kPadding +
                                        (column >= PairTableModel::kFirstFile ? kSquareRoom : 0));
        }
        return width;
    };
    const int share = m_model.shareColumn();
    const int figures = share - PairTableModel::kFirstFile;
    for (int column = 0; column < m_model.columnCount(); ++column) { // the columns depend on the files
        m_view->setColumnHidden(column, false);
    }
    int left = m_view->viewport()->width();
    for (int column = PairTableModel::kFirstFile; column <= share; ++column) {
        const int width = widthOf(column, column == share ? kShareWidth : kFigureWidth);
        m_view->setColumnWidth(column, width);
        left -= column == share && figures == 0 ? 0 : width;
    }
    const int type = widthOf(PairTableModel::kType, kTypeWidth);
    const bool showType = left - type >= kMinName;
    left -= showType ? type : 0;
    m_view->setColumnHidden(share, figures == 0);
    m_view->setColumnHidden(PairTableModel::kType, !showType);
    m_view->setColumnWidth(PairTableModel::kType, type);
    m_view->setColumnWidth(PairTableModel::kName, std::max(left, kMinName));
}

void PairList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
}

QString PairList::copyText(CopyFormat format) const { return viewText(*m_view, format); }

QJsonObject PairList::saveState() const {
    return {{QStringLiteral("order"), m_order->current()}, {QStringLiteral("filter"), m_filter->text()}};
}

void PairList::restoreState(const QJsonObject& state) {
    m_order->setCurrent(std::clamp(state[QStringLiteral("order")].toInt(), 0, 1));
    m_filter->setText(state[QStringLiteral("filter")].toString());
    filterBy(m_filter->text());
}

} // namespace gufo::ui

#include "moc_pair_list.cpp"
