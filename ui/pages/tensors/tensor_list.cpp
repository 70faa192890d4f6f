#include "ui/pages/tensors/tensor_list.h"

#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/filter_text.h"
#include "ui/models/tensor_delegates.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kFooterHeight = 26;
constexpr int kMinWidth = 298; // so that the page fits a window of 900 pixels
constexpr int kWantDelayMs = 150;
constexpr int kAnalysedDelayMs = 250;
// Models up to this size are analysed completely in the background; of larger ones, only the visible tensors.
constexpr std::uint64_t kAnalysedWhole = 2ULL << 30U;

struct ColumnLayout {
    TensorColumn column;
    int width;
    bool shown; // initially
};
constexpr std::array<ColumnLayout, kTensorColumns> kLayout{{{TensorColumn::Name, 190, true},
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
constexpr int kMinColumn = 40;
constexpr int kMaxColumn = 1'000;

} // namespace

TensorList::TensorList(QWidget* parent)
    : QWidget(parent)
    , m_tableModel(&m_summaries)
    , m_treeModel(&m_summaries) {
    for (const ColumnLayout& column : kLayout) {
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
    m_filterError->setContentsMargins(kMargin, 0, kMargin, 6);
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
    m_counts->setContentsMargins(kMargin, 0, kMargin, 0);
    m_counts->setObjectName(QStringLiteral("counts"));
    m_counts->setFixedHeight(kFooterHeight);
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(kMargin, 8, kMargin, 8);
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
    footer->setContentsMargins(0, 0, kMargin, 0);
    footer->addWidget(m_counts, 1);
    footer->addWidget(m_fetch);
    layout->addLayout(footer);
    connect(m_fetch, &QPushButton::clicked, this, [this] {
        m_summaries.setFetching(true);
        wantSummaries();
        showAnalysed();
    });
    setMinimumWidth(kMinWidth);
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

std::vector<TensorIndex> TensorList::selected() const {
    std::vector<TensorIndex> tensors;
    for (const QModelIndex& row : view()->selectionModel()->selectedRows()) {
        if (view() == m_table) {
            tensors.emplace_back(row.data(kTensorIndexRole).toUInt());
        } else {
            const std::vector<TensorIndex> below = m_treeModel.tensorsBelow(row);
            tensors.insert(tensors.end(), below.begin(), below.end());
        }
    }
    std::ranges::sort(tensors);
    tensors.erase(std::ranges::unique(tensors).begin(), tensors.end());
    return tensors;
}

const std::array<QAbstractItemView*, 2> TensorList::views() const { return {m_table, m_tree}; }

void TensorList::showTable() {
    if (m_stack->currentIndex() != 0) {
        setView(kTable);
    }
}

void TensorList::say(const QString& message) {
    m_filterError->setText(message);
    m_filterError->setVisible(!message.isEmpty());
}

void TensorList::setEditable(bool editable) {
    m_tableModel.setEditable(editable);
    m_table->setDragEnabled(editable);
    m_table->setAcceptDrops(editable);
    m_table->setDragDropMode(editable ? QAbstractItemView::DragDrop : QAbstractItemView::NoDragDrop);
    m_table->setDefaultDropAction(Qt::MoveAction);
    m_table->setDragDropOverwriteMode(false);
    m_table->setDropIndicatorShown(true);
}

void TensorList::follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves) {
    m_rows = std::make_shared<const TensorRows>(model, &m_summaries, m_document);
    m_summaries.follow(std::move(model), moves);
    const auto kept = m_current ? moves[m_current->value].to : std::nullopt;
    m_current = kept;
    m_restoring = true;
    m_tableModel.follow(m_rows, moves);
    m_treeModel.follow(m_rows, moves);
    m_restoring = false;
    if (!kept) {
        emit cleared();
    }
    showCounts();
    m_wantSoon.start();
}

void TensorList::setModel(std::shared_ptr<const Model> model, const ModelDocument* document) {
    m_document = document;
    m_rows = std::make_shared<const TensorRows>(model, &m_summaries, m_document);
    m_summaries.setModel(std::move(model));
    m_current.reset();
    m_tableModel.setRows(m_rows);
    m_treeModel.setRows(m_rows);
    for (QHeaderView* header : {m_table->horizontalHeader(), m_tree->header()}) {
        for (const ColumnLayout& column : kLayout) {
            const int section = static_cast<int>(column.column);
            header->setSectionResizeMode(section, section == 0 ? QHeaderView::Stretch : QHeaderView::Interactive);
            header->resizeSection(section, m_columnWidths[static_cast<std::size_t>(section)]);
        }
    }
    fitColumns();
    applyFilter();
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

void TensorList::fitColumns() {
    std::array<bool, kTensorColumns> shown = m_columnWanted;
    int room = width() - m_table->verticalScrollBar()->sizeHint().width();
    for (const ColumnLayout& column : kLayout) {
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

QAbstractItemView* TensorList::view() const {
    return m_stack->currentIndex() == 0 ? static_cast<QAbstractItemView*>(m_table) : m_tree;
}

void TensorList::setView(int view) {
    m_viewChoice->setCurrent(view);
    m_stack->setCurrentIndex(view == kTable ? 0 : 1);
    m_treeModel.setShown(view != kTable);
    if (view != kTable) {
        m_restoring = true;
        m_treeModel.setGrouping(view == kBlocks ? TensorTreeModel::Grouping::Blocks : TensorTreeModel::Grouping::Roles);
        m_restoring = false;
        expandMatches();
    }
    restoreCurrent();
    m_wantSoon.start();
}

void TensorList::applyFilter() {
    const auto filter = text::TensorFilter::parse(m_filterField->text(),
                                                  m_regularExpression ? text::TensorFilter::Syntax::RegularExpression
                                                                      : text::TensorFilter::Syntax::Terms);
    m_filterError->setVisible(!filter);
    if (!filter) {
        m_filterError->setText(filterProblemText(filter.error()) + QLatin1Char('.'));
        return;
    }
    m_restoring = true;
    m_tableModel.setFilter(*filter);
    m_treeModel.setFilter(*filter);
    m_restoring = false;
    expandMatches();
    showCounts();
    restoreCurrent();
    m_wantSoon.start();
}

// Opens the groups of what the filter found, unless there are too many rows to look through.
void TensorList::expandMatches() {
    constexpr std::size_t kMaxExpanded = 20'000;
    if (!m_filterField->text().isEmpty() && m_tableModel.tensors().size() <= kMaxExpanded) {
        m_tree->expandAll();
    }
}

void TensorList::restoreCurrent(QAbstractItemView::ScrollHint hint) {
    if (!m_current) {
        return;
    }
    m_restoring = true;
    const int row = m_tableModel.rowOf(*m_current);
    const QModelIndex leaf = m_treeModel.indexOf(*m_current);
    if (row >= 0) {
        m_table->setCurrentIndex(m_tableModel.index(row, 0));
        m_table->scrollTo(m_tableModel.index(row, 0), hint);
    }
    if (leaf.isValid()) {
        m_tree->setCurrentIndex(leaf);
        m_tree->scrollTo(leaf, hint);
    }
    m_restoring = false;
}

void TensorList::select(TensorIndex tensor) {
    if (m_tableModel.rowOf(tensor) < 0) {
        m_filterField->clear();
        applyFilter();
    }
    const bool isNew = m_current != tensor;
    m_current = tensor;
    restoreCurrent(QAbstractItemView::PositionAtCenter);
    if (isNew) {
        emit currentChanged(tensor);
    }
}

void TensorList::currentIndexChanged(const QModelIndex& index) {
    const QVariant tensor = index.data(kTensorIndexRole);
    if (m_restoring || !tensor.isValid() || m_current == TensorIndex(tensor.toUInt())) {
        return;
    }
    m_current = TensorIndex(tensor.toUInt());
    say({});
    emit currentChanged(*m_current);
}

void TensorList::showCounts() {
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
    for (const TensorIndex tensor : m_tableModel.tensors()) {
        weights += m_rows->info(tensor).weights();
        bytes += m_rows->info(tensor).bytes.value_or(0);
    }
    const std::size_t shown = m_tableModel.tensors().size();
    const QString count = shown == m_rows->count()
                              ? tr("%n tensors", nullptr, numerus(shown))
                              : tr("%1 of %n tensors", nullptr, numerus(m_rows->count())).arg(formatCount(shown));
    m_countsText = QStringList{count, tr("%1 weights", nullptr, numerus(weights)).arg(formatParameters(weights)),
                               formatBytes(bytes)}
                       .join(QStringLiteral("     "));
    showAnalysed();
}

bool TensorList::isSortedByWeights() const {
    return view() == m_table && showsWeights(m_table->horizontalHeader()->sortIndicatorSection());
}

// Shows how much of a sort by figures of weights is done.
void TensorList::showAnalysed() {
    const std::size_t count = m_rows != nullptr ? m_rows->count() : 0;
    const std::size_t known = m_summaries.knownCount();
    const bool partly = isSortedByWeights() && m_summaries.isBusy() && known < count;
    m_counts->setText(partly ? m_countsText + QStringLiteral("     ") +
                                   tr("%1 of %n analysed", nullptr, numerus(count)).arg(formatCount(known))
                             : m_countsText);
    const bool mayFetch = m_rows != nullptr && isSortedByWeights() && !m_summaries.isFetching();
    const std::uint64_t missing = mayFetch ? bytesToFetch(m_rows->model()) : 0;
    m_fetch->setVisible(missing > 0);
    if (missing > 0) {
        m_fetch->setText(tr("Fetch %1 to sort all").arg(formatBytes(missing)));
        m_fetch->setToolTip(tr("Tensors whose weights are still on %1 come last").arg(serverOf(m_rows->model())));
    }
}

std::vector<TensorIndex> TensorList::inSight() const {
    std::vector<TensorIndex> tensors;
    const QAbstractItemView& shown = *view();
    for (int y = 0; y < shown.viewport()->height(); y += kTensorRowHeight / 2) {
        const QVariant tensor = shown.indexAt({4, y}).siblingAtColumn(0).data(kTensorIndexRole);
        if (tensor.isValid() && (tensors.empty() || tensors.back() != TensorIndex(tensor.toUInt()))) {
            tensors.emplace_back(tensor.toUInt());
        }
    }
    return tensors;
}

void TensorList::wantSummaries() {
    if (!m_active || m_rows == nullptr || !isVisible()) {
        return;
    }
    std::vector<TensorIndex> wanted = inSight();
    if (isSortedByWeights() || (!m_rows->areMany() && m_rows->model().totals().tensorBytes <= kAnalysedWhole)) {
        const std::vector<TensorIndex>& all = m_tableModel.tensors();
        wanted.insert(wanted.end(), all.begin(), all.end());
    }
    m_summaries.want(std::move(wanted));
}

void TensorList::activate() {
    m_active = true;
    m_wantSoon.start();
}

QString TensorList::copyText(CopyFormat format) const { return viewText(*view(), format); }

QJsonObject TensorList::saveState() const {
    QJsonArray columns;
    for (int i = 0; i < kTensorColumns; ++i) {
        if (m_columnWanted[static_cast<std::size_t>(i)]) {
            columns.append(i);
        }
    }
    const QHeaderView* header = m_table->horizontalHeader();
    QJsonArray widths;
    for (const int width : m_columnWidths) {
        widths.append(width);
    }
    return {{QStringLiteral("columns"), columns},
            {QStringLiteral("widths"), widths},
            {QStringLiteral("view"), m_viewChoice->current()},
            {QStringLiteral("filter"), m_filterField->text()},
            {QStringLiteral("regularExpression"), m_regularExpression},
            {QStringLiteral("sortColumn"), header->sortIndicatorSection()},
            {QStringLiteral("sortDescending"), header->sortIndicatorOrder() == Qt::DescendingOrder}};
}

void TensorList::restoreState(const QJsonObject& state) {
    const QJsonValue columns = state[QStringLiteral("columns")];
    if (columns.isArray()) {
        m_columnWanted.fill(false);
        m_columnWanted[0] = true;
        for (const QJsonValue& column : columns.toArray()) {
            if (const int i = column.toInt(-1); i >= 0 && i < kTensorColumns) {
                m_columnWanted[static_cast<std::size_t>(i)] = true;
            }
        }
    }
    const QJsonArray widths = state[QStringLiteral("widths")].toArray();
    for (int i = 0; i < kTensorColumns && widths.size() == kTensorColumns; ++i) {
        setColumnWidth(i, std::clamp(widths[i].toInt(), kMinColumn, kMaxColumn));
    }
    m_expressionAction->setChecked(state[QStringLiteral("regularExpression")].toBool());
    m_filterField->setText(state[QStringLiteral("filter")].toString());
    const int column = state[QStringLiteral("sortColumn")].toInt(-1);
    m_table->horizontalHeader()->setSortIndicator(
        column < kTensorColumns ? column : -1,
        state[QStringLiteral("sortDescending")].toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (m_rows != nullptr) {
        applyFilter();
    }
    setView(std::clamp(state[QStringLiteral("view")].toInt(), static_cast<int>(kTable), static_cast<int>(kRoles)));
    fitColumns();
}

} // namespace gufo::ui
