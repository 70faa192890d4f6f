// Makes a read-only table of rows without grid, frame or row numbers.
#pragma once

#include <QTableView>

namespace gufo::ui {

[[nodiscard]] QTableView* makeRowsTable(const QString& accessibleName, QAbstractItemModel* model, int rowHeight,
                                        QWidget* parent = nullptr);

} // namespace gufo::ui
