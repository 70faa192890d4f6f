// Imports tensors from another model that is open in a tab or in a file. Bytes and types are kept. A tensor with
// another shape is imported only if the user selects it.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/tensor_import.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace gufo::ui {

class FilterField;
class JobBar;

class ImportTensorsDialog : public QDialog {
    Q_OBJECT

public:
    // `wanted` are ticked if the other model contains them.
    ImportTensorsDialog(std::shared_ptr<const Model> into, std::vector<std::string> wanted, QWidget* parent);
    [[nodiscard]] TensorImportModel* tensors() const { return m_tensors; }
    // Reads a file in a job and lists its tensors.
    void openFile(const std::filesystem::path& path);
    // The selected tensors, after the dialog was accepted.
    [[nodiscard]] std::vector<Change> takeChanges() { return std::move(m_changes); }
    // Hashes the selected tensors in a job and closes the dialog. Saving compares the hashes to notice that their file
    // has changed in the meantime.
    void accept() override;

signals:
    void sourceShown();

private:
    void choose(int row);
    void chooseFile();
    void showSource(std::shared_ptr<const Model> from);
    void count();

    std::shared_ptr<const Model> m_into;
    std::vector<std::string> m_wanted;
    std::vector<std::shared_ptr<const Model>> m_sources; // by row of the combo box
    QComboBox* m_source;
    FilterField* m_filter;
    JobBar* m_bar;
    TensorImportModel* m_tensors;
    QSortFilterProxyModel* m_shown;
    QTableView* m_view;
    QCheckBox* m_otherShapes;
    QLabel* m_problem;
    QPushButton* m_take;
    LatestJob m_opening{this};
    LatestJob m_hashing{this};
    std::vector<Change> m_changes;
};

} // namespace gufo::ui
