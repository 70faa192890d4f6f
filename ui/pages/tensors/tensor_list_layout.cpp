// The layout of the list of tensors, and its columns.
#include "ui/messages/problem_text.h"
#include "ui/models/tensor_delegates.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kListMargin = 12;
constexpr int kFooterHeight = 26;
constexpr int kMinWidth = 298;
constexpr int kWantDelayMs = 150;
constexpr int kAnalysedDelayMs = 250;

struct ColumnRow {
    TensorColumn column;
    int width;
    bool shown; // initially
};
constexpr std::array<ColumnRow, kTensorColumns> kLayout{{{TensorColumn::Name, 190, true},
                                                         {TensorColumn::Type, 62, true},
                                                         {TensorColumn::Shape, 120, true},
                                                         {TensorColumn::Size, 76, true},
                                                         {TensorColumn::Sigma, 58, true},
                                                         {TensorColumn::Distribution, 84, true},
                                                         {TensorColumn::BitsPerWeight, 84, false},
                                                         {TensorColumn::Block, 52, false},
                                                         {TensorColumn::Role, 110, false},
                                                         {TensorColumn::Offset, 110, false},
                                                         {TensorColumn::Weights, 100, false}}};
// The columns in the order in which they are hidden to make room for the name.
constexpr std::array kGiveWay{TensorColumn::Weights, TensorColumn::Offset,        TensorColumn::Role,
                              TensorColumn::Block,   TensorColumn::BitsPerWeight, TensorColumn::Distribution,
                              TensorColumn::Sigma,   TensorColumn::Size,          TensorColumn::Shape};

} // namespace

TensorList::TensorList(QWidget* parent)
    : QWidget(parent)
    , m_tableModel(&m_summaries)
    , m_treeModel(&m_summaries) {
    for (const ColumnRow& column : kLayout) {
        m_columnWanted[static_cast<std::size_t>(column.column)] = column.shown;
        m_columnWidths[static_cast<std::size_t>(column.column)] = column.width;
    }
    m_filterField = new FilterField(filterExample());
    m_filterField->setToolTip(filterHint());
    m_filterField->setAccessibleName(tr("Filter tensors"));
    m_viewChoice = new SegmentedControl(tr("View"));
    m_viewChoice->addSegment(tr("Table"));
    m_viewChoice->addSegment(tr("Blocks"), {}, tr("A tree by block, then role"));
    m_viewChoice->addSegment(tr("Roles"), {}, tr("A tree by role, then block"));
    m_more = new QToolButton;
    m_more->setIcon(themeIcon(QStringLiteral("more")));
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("Columns and options of the list"));
    m_more->setAccessibleName(tr("Options of the list"));
    m_filterError = themedLabel({}, TextStyle::Axis, Token::ErrorText, this);
    m_filterError->setContentsMargins(kListMargin, 0, kListMargin, 6);
    m_filterError->setWordWrap(true);
    m_filterError->hide();

    m_table = new QTableView;
    m_table->setModel(&m_tableModel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kTensorRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Tensors"));
    m_tree = new QTreeView;
    m_tree->setModel(&m_treeModel);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(16);
    m_tree->setAccessibleName(tr("Tree of tensors"));
    setUpView(*m_table);
    setUpView(*m_tree);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_tree);
    m_counts = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_counts->setContentsMargins(kListMargin, 0, kListMargin, 0);
    m_counts->setObjectName(QStringLiteral("counts"));
    m_counts->setFixedHeight(kFooterHeight);
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(kListMargin, 8, kListMargin, 8);
    tools->setSpacing(8);
    tools->addWidget(m_filterField, 1);
    tools->addWidget(m_viewChoice);
    tools->addWidget(m_more);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(tools);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_filterError); // below the rows, which it must not move
    m_fetch = new QPushButton(themeIcon(QStringLiteral("download")), {}, this);
    m_fetch->setProperty("small", true);
    m_fetch->hide();
    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(0, 0, kListMargin, 0);
    footer->addWidget(m_counts, 1);
    footer->addWidget(m_fetch);
    layout->addLayout(footer);
    connect(m_fetch, &QPushButton::clicked, this, [this] {
        m_summaries.setFetching(true);
        wantSummaries();
        showAnalysed();
    });
    m_stack->setMinimumWidth(kMinWidth); // the tools above may be wider
    buildMenu();

    m_wantSoon.setSingleShot(true);
    m_wantSoon.setInterval(kWantDelayMs);
    connect(&m_wantSoon, &QTimer::timeout, this, &TensorList::wantSummaries);
    connect(m_filterField, &FilterField::filterChanged, this, &TensorList::applyFilter);
    connect(m_filterField, &FilterField::leftDownwards, this, [this] { view()->setFocus(); });
    connect(m_viewChoice, &SegmentedControl::chosen, this, &TensorList::setView);
    connect(&m_tableModel, &QAbstractItemModel::layoutChanged, this, [this] { m_wantSoon.start(); });
    connect(&m_tableModel, &TensorTableModel::arranged, this, [this] {
        showCounts();
        restoreCurrent();
        m_wantSoon.start();
    });
    connect(&m_treeModel, &TensorTreeModel::built, this, [this] {
        expandMatches();
        restoreCurrent();
        m_wantSoon.start();
    });
    m_treeModel.setShown(false);
    m_showAnalysedSoon.setSingleShot(true);
    m_showAnalysedSoon.setInterval(kAnalysedDelayMs);
    connect(&m_showAnalysedSoon, &QTimer::timeout, this, &TensorList::showAnalysed);
    connect(&m_summaries, &TensorSummaries::ready, this, [this] {
        if (isSortedByWeights() && !m_showAnalysedSoon.isActive()) {
            m_showAnalysedSoon.start();
        }
    });
    // Rows are sorted once all are known, because they would jump under the pointer with each tensor. Sorting brings
    // other rows into sight, after which nothing may be new.
    connect(&m_summaries, &TensorSummaries::idle, this, [this] {
        if (isSortedByWeights() && m_sortedRevision != m_summaries.revision()) {
            m_sortedRevision = m_summaries.revision();
            const QHeaderView* header = m_table->horizontalHeader();
            m_tableModel.sort(header->sortIndicatorSection(), header->sortIndicatorOrder());
        }
        showAnalysed();
    });
}

void TensorList::setUpView(QAbstractItemView& view) {
    view.setFrameShape(QFrame::NoFrame);
    view.setItemDelegate(new TensorCellDelegate(&view));
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::ExtendedSelection);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* header = &view == m_table ? m_table->horizontalHeader() : m_tree->header();
    header->setStretchLastSection(false);
    header->setHighlightSections(false);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setMinimumSectionSize(40);
    connect(header, &QWidget::customContextMenuRequested, this, &TensorList::columnMenu);
    connect(header, &QHeaderView::sectionResized, this, [this, header](int section, int, int width) {
        if (width > 0 && header->sectionResizeMode(section) == QHeaderView::Interactive) {
            setColumnWidth(section, width); // in both views
        }
    });
    connect(view.selectionModel(), &QItemSelectionModel::currentChanged, this, &TensorList::currentIndexChanged);
    connect(view.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { m_wantSoon.start(); });
}

void TensorList::buildMenu() {
    auto* menu = new QMenu(m_more);
    m_menu = menu;
    m_expressionAction = menu->addAction(tr("Filter is a &regular expression"));
    m_expressionAction->setCheckable(true);
    connect(m_expressionAction, &QAction::toggled, this, [this](bool on) {
        m_regularExpression = on;
        applyFilter();
    });
    menu->addSeparator();
    connect(menu->addAction(tr("&Expand all")), &QAction::triggered, m_tree, &QTreeView::expandAll);
    connect(menu->addAction(tr("&Collapse all")), &QAction::triggered, m_tree, &QTreeView::collapseAll);
    connect(menu->addAction(tr("&File order")), &QAction::triggered, this,
            [this] { m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); });
    menu->addSeparator();
    QMenu* columns = makeColumnMenu(menu);
    columns->setTitle(tr("C&olumns"));
    menu->addMenu(columns);
    connect(m_more, &QToolButton::clicked, menu,
            [this, menu] { menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height()))); });
}

QMenu* TensorList::makeColumnMenu(QWidget* parent) {
    auto* menu = new QMenu(parent);
    for (int i = 1; i < kTensorColumns; ++i) {
        QAction* action = menu->addAction(tensorColumnTitle(static_cast<TensorColumn>(i)));
        action->setCheckable(true);
        connect(menu, &QMenu::aboutToShow, action,
                [this, action, i] { action->setChecked(m_columnWanted[static_cast<std::size_t>(i)]); });
        connect(action, &QAction::triggered, this, [this, i](bool on) {
            m_columnWanted[static_cast<std::size_t>(i)] = on;
            fitColumns();
        });
    }
    return menu;
}

void TensorList::columnMenu(QPoint position) {
    QMenu* menu = makeColumnMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(static_cast<QWidget*>(sender())->mapToGlobal(position));
}

void TensorList::setColumnWidth(int column, int width) {
    if (std::exchange(m_columnWidths[static_cast<std::size_t>(column)], width) == width) {
        return;
    }
    for (QHeaderView* header : {m_table->horizontalHeader(), m_tree->header()}) {
        if (header->sectionResizeMode(column) == QHeaderView::Interactive && !header->isSectionHidden(column)) {
            header->resizeSection(column, width);
        }
    }
}

void TensorList::layColumnsOut() {
    for (QHeaderView* header : {m_table->horizontalHeader(), m_tree->header()}) {
        for (int i = 0; i < kTensorColumns; ++i) {
            header->setSectionResizeMode(i, i == 0 ? QHeaderView::Stretch : QHeaderView::Interactive);
            header->resizeSection(i, m_columnWidths[static_cast<std::size_t>(i)]);
        }
    }
    fitColumns();
}

void TensorList::fitColumns() {
    std::array<bool, kTensorColumns> shown = m_columnWanted;
    int room = width() - m_table->verticalScrollBar()->sizeHint().width();
    for (const ColumnRow& column : kLayout) {
        const auto at = static_cast<std::size_t>(column.column);
        room -= shown[at] ? m_columnWidths[at] : 0;
    }
    for (const TensorColumn column : kGiveWay) {
        const auto at = static_cast<std::size_t>(column);
        if (room < 0 && shown[at]) {
            shown[at] = false;
            room += m_columnWidths[at];
        }
    }
    for (int i = 1; i < kTensorColumns; ++i) {
        m_table->setColumnHidden(i, !shown[static_cast<std::size_t>(i)]);
        m_tree->setColumnHidden(i, !shown[static_cast<std::size_t>(i)]);
    }
}

void TensorList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitColumns();
    m_wantSoon.start();
}

} // namespace gufo::ui
