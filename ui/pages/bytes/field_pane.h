// The right side of the Bytes page: what the byte at the cursor means, and the fields that the screen shows.
#pragma once

#include "ui/pages/bytes/byte_window.h"
#include "ui/pages/bytes/hex_view.h"

#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <memory>

namespace gufo::ui {

class FieldModel;

class FieldPane : public QWidget {
    Q_OBJECT

public:
    // The window and the view must outlive it.
    FieldPane(ByteWindow* window, HexView* view, QWidget* parent = nullptr);

    // Whose keys and tensors the fields belong to; null if the file is not a model.
    void setModel(std::shared_ptr<const Model> model) { m_model = std::move(model); }
    [[nodiscard]] QTableView* table() const { return m_table; }

signals:
    void said(const QString& text); // the meaning in a line
    void placeRequested(const gufo::Place& place);

private:
    void showField();
    void showFields();
    void fitColumns(); // to what is shown
    void goBack();     // to what the field belongs to

    ByteWindow* m_window;
    HexView* m_view;
    std::shared_ptr<const Model> m_model;
    FieldModel* m_fields;
    QLabel* m_heading;
    QLabel* m_meaning;
    QPushButton* m_link;
    QTableView* m_table;
};

} // namespace gufo::ui
