// The list of downloads: shows those that run, continues those that were stopped, and opens those that are complete.
#pragma once

#include "ui/hub/downloads.h"

#include <QDialog>

class QPushButton;
class QTableView;

namespace gufo::ui {

class EmptyState;

class DownloadsDialog : public QDialog {
    Q_OBJECT

public:
    explicit DownloadsDialog(QWidget* parent);

    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QPushButton* actionButton() const { return m_act; } // Open, Show or Continue…
    [[nodiscard]] QPushButton* stopButton() const { return m_stop; }
    [[nodiscard]] QPushButton* removeButton() const { return m_remove; }

signals:
    void openRequested(const std::filesystem::path& file);
    // Continues the download of a model that was stopped before.
    void continueRequested(const gufo::hub::ModelPlace& address, const std::filesystem::path& folder);

private:
    [[nodiscard]] int row() const; // the selected one; −1: none
    void act();
    void showActions();

    QTableView* m_table;
    EmptyState* m_empty;
    QPushButton* m_act;
    QPushButton* m_folder;
    QPushButton* m_stop;
    QPushButton* m_remove;
};

} // namespace gufo::ui
