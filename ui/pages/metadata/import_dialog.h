// Previews what importing keys will change, and lets the user select the keys.
#pragma once

#include "ui/pages/metadata/models/import_model.h"

#include <QDialog>
#include <QPushButton>
#include <QTableView>

namespace gufo::ui {

class ImportDialog : public QDialog {
    Q_OBJECT

public:
    // `from` names the source of the keys.
    ImportDialog(std::shared_ptr<const Model> model, std::vector<ImportRow> rows, const QString& from, QWidget* parent);
    [[nodiscard]] ImportModel* keys() const { return m_keys; }
    [[nodiscard]] QTableView* view() const { return m_view; }

private:
    void count();

    ImportModel* m_keys;
    QTableView* m_view;
    QPushButton* m_take;
};

} // namespace gufo::ui
