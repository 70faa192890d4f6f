// Takes tensors from another model: one that is open in a tab, or a file. Bytes and types as they are; a tensor of
// another shape only where the person says so.
#pragma once

#include "ui/jobs/job.h"
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
    // `wanted` are ticked where another model has them.
    ImportTensorsDialog(std::shared_ptr<const Model> into, std::vector<std::string> wanted, QWidget* parent);
    [[nodiscard]] TensorImportModel* tensors() const { return m_tensors; }
    // Reads a file in a job and offers its tensors.
    void openFile(const std::filesystem::path& path);

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
    QPointer<Job> m_opening;
};

} // namespace gufo::ui
