#include "ui/widgets/rows_table.h"

#include <QHeaderView>

namespace gufo::ui {

QTableView* makeRowsTable(const QString& accessibleName, QAbstractItemModel* model, int rowHeight, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setAccessibleName(accessibleName);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(rowHeight);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed); // otherwise Qt would measure every row
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

} // namespace gufo::ui
