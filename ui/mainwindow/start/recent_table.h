// The table of recent files on the start page. Each file has two lines; missing files are greyed out.
#pragma once

#include "ui/mainwindow/start/recent_files.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <set>

class QSortFilterProxyModel;

namespace gufo::ui {

class RecentModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { FileColumn, ArchitectureColumn, ParametersColumn, TypeColumn, SizeColumn, OpenedColumn, ColumnCount };
    enum Role { FolderRole = Qt::UserRole, MissingRole, DraftRole, SortRole };

    explicit RecentModel(RecentFiles* files, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const hub::ModelPlace& placeAt(int row) const;
    void checkFiles(); // checks off the UI thread which are missing, and which have unsaved changes

signals:
    void checked();

private:
    RecentFiles* m_files;
    std::vector<RecentFile> m_rows;
    std::set<hub::ModelPlace> m_missing;
    std::set<hub::ModelPlace> m_drafts;
};

class RecentTable : public QTableView {
    Q_OBJECT

public:
    explicit RecentTable(RecentFiles* files, QWidget* parent = nullptr);
    void setFilter(const QString& text);
    void checkFiles() { m_model->checkFiles(); }
    void setNarrow(bool narrow); // hides the least important columns

signals:
    void openRequested(const gufo::hub::ModelPlace& place);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] std::vector<hub::ModelPlace> selectedPlaces() const;
    void openSelected();
    void removeSelected();

    RecentFiles* m_files;
    RecentModel* m_model;
    QSortFilterProxyModel* m_proxy;
};

// "Today 09:14", "Yesterday", "17 November", "3 May 2025".
[[nodiscard]] QString openedText(const QDateTime& opened, const QDateTime& now);

} // namespace gufo::ui
