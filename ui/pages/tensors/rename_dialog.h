// Renames many tensors by a regular expression, with a live preview of the new names and their conflicts.
#pragma once

#include "ui/pages/tensors/models/tensor_renaming.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace gufo::ui {

class RenameDialog : public QDialog {
    Q_OBJECT

public:
    // If `selected` is empty, the dialog offers all tensors only.
    RenameDialog(std::shared_ptr<const Model> model, std::vector<TensorIndex> selected, QWidget* parent);
    [[nodiscard]] std::vector<Change> changes() const;
    [[nodiscard]] RenamingModel* preview() const { return m_preview; }
    [[nodiscard]] QLineEdit* pattern() const { return m_pattern; }
    [[nodiscard]] QLineEdit* replacement() const { return m_replacement; }

private:
    void update();

    std::shared_ptr<const Model> m_model;
    std::vector<TensorIndex> m_selected;
    QLineEdit* m_pattern;
    QLineEdit* m_replacement;
    QComboBox* m_scope;
    QCheckBox* m_expression;
    QLabel* m_summary;
    RenamingModel* m_preview;
    QPushButton* m_rename;
};

} // namespace gufo::ui
