#include "ui/pages/tensors/tensor_list.h"

#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"

#include <QHeaderView>
#include <QJsonArray>

#include <algorithm>

namespace gufo::ui {
namespace {

// Models up to this size are analysed completely in the background; of larger ones, only the visible tensors.
constexpr std::uint64_t kAnalysedWhole = 2ULL << 30U;
// Limits of column widths that a session restores.
constexpr int kMinColumn = 40;
constexpr int kMaxColumn = 1'000;

} // namespace

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
    layColumnsOut();
    applyFilter();
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

#include "moc_tensor_list.cpp"
