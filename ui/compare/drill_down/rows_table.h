// The tables of comparisons: rows that are read and chosen, without grid, frame or numbers beside them.
#pragma once

#include <QTableView>

namespace gufo::ui {

[[nodiscard]] QTableView* makeRowsTable(const QString& accessibleName, QAbstractItemModel* model, int rowHeight,
                                        QWidget* parent = nullptr);

} // namespace gufo::ui
