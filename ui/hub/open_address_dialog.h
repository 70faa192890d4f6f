// Asks for the address of a model or its name on a hub, and shows which host would be contacted before it is.
#pragma once

#include "hub/model_place.h"

#include <QDialog>

class QPushButton;

namespace gufo::ui {

class AddressField;

class OpenAddressDialog : public QDialog {
    Q_OBJECT

public:
    explicit OpenAddressDialog(QWidget* parent = nullptr);
    [[nodiscard]] AddressField* address() const { return m_address; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    [[nodiscard]] QPushButton* downloadButton() const { return m_download; }

signals:
    void openRequested(const gufo::hub::ModelPlace& place);
    void downloadRequested(const gufo::hub::ModelPlace& place);

private:
    void update();
    void finish(void (OpenAddressDialog::*request)(const hub::ModelPlace&));

    AddressField* m_address;
    QPushButton* m_open;
    QPushButton* m_download;
};

} // namespace gufo::ui
