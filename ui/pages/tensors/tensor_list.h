// The left side of the Tensors page: the filter, the table or tree, and the counts of the shown tensors.
#pragma once

#include "ui/pages/tensors/models/tensor_table_model.h"
#include "ui/pages/tensors/models/tensor_tree_model.h"
#include "ui/shell/page.h"

#include <QAbstractItemView>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

namespace gufo::ui {

class FilterField;
class SegmentedControl;

class TensorList : public QWidget {
    Q_OBJECT

public:
    explicit TensorList(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model, const ModelDocument* document = nullptr);
    // Switches to another snapshot. Filter, order, selection and scroll position are kept.
    void follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves);
    void setEditable(bool editable);
    void showTable();                 // instead of a tree
    void say(const QString& message); // shown below the filter until the user types or selects
    // The selected tensors and those in selected groups, sorted.
    [[nodiscard]] std::vector<TensorIndex> selected() const;

    [[nodiscard]] std::optional<TensorIndex> current() const { return m_current; }
    // Selects a tensor and scrolls to it. Clears the filter if it hides the tensor.
    void select(TensorIndex tensor);

    [[nodiscard]] FilterField* filterField() const { return m_filterField; }
    [[nodiscard]] TensorSummaries& summaries() { return m_summaries; }
    // Fetches weights on a server so that all tensors can be sorted by figures of them; hidden unless some are missing.
    [[nodiscard]] QPushButton* fetchButton() const { return m_fetch; }
    [[nodiscard]] QAbstractItemView* view() const; // the table or tree that is shown
    [[nodiscard]] const TensorTableModel& table() const { return m_tableModel; }
    [[nodiscard]] TensorTableModel& table() { return m_tableModel; }
    [[nodiscard]] const TensorTreeModel& tree() const { return m_treeModel; }
    [[nodiscard]] QMenu* menu() const { return m_menu; }
    [[nodiscard]] const std::array<QAbstractItemView*, 2> views() const;
    [[nodiscard]] QString copyText(CopyFormat format) const;

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

    // Starts computing σ and histograms of the visible tensors.
    void activate();

signals:
    void currentChanged(gufo::TensorIndex tensor);
    void cleared(); // nothing is selected

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum View { kTable, kBlocks, kRoles };
    void buildMenu();
    void setUpView(QAbstractItemView& view);
    void applyFilter();
    void expandMatches();
    void setView(int view);
    void showCounts();
    void showAnalysed();
    [[nodiscard]] bool isSortedByWeights() const;
    void layColumnsOut();
    void fitColumns();
    void setColumnWidth(int column, int width);
    void columnMenu(QPoint position);
    [[nodiscard]] QMenu* makeColumnMenu(QWidget* parent);
    void currentIndexChanged(const QModelIndex& index);
    // Restores the current row after a model reset.
    void restoreCurrent(QAbstractItemView::ScrollHint hint = QAbstractItemView::EnsureVisible);
    void wantSummaries();
    [[nodiscard]] std::vector<TensorIndex> inSight() const;

    std::shared_ptr<const TensorRows> m_rows;
    const ModelDocument* m_document = nullptr;
    QMenu* m_menu = nullptr;
    TensorSummaries m_summaries;
    TensorTableModel m_tableModel;
    TensorTreeModel m_treeModel;
    std::optional<TensorIndex> m_current;
    bool m_restoring = false;
    bool m_active = false;
    bool m_regularExpression = false;
    std::array<bool, kTensorColumns> m_columnWanted{};
    std::array<int, kTensorColumns> m_columnWidths{};
    QTimer m_wantSoon;
    QTimer m_showAnalysedSoon;
    QString m_countsText;
    std::uint64_t m_sortedRevision = 0; // of the summaries, when rows were last sorted because all were known

    FilterField* m_filterField;
    SegmentedControl* m_viewChoice;
    QToolButton* m_more;
    QStackedWidget* m_stack;
    QTableView* m_table;
    QTreeView* m_tree;
    QLabel* m_counts;
    QPushButton* m_fetch; // weights on a server, so that all can be sorted
    QLabel* m_filterError;
    QAction* m_expressionAction = nullptr;
};

} // namespace gufo::ui
