// A field for the address of a model or its name on a hub. A text below it says which host would be contacted and for
// what, before anything is sent. Hosts without encryption are only accepted with the user's consent.
#pragma once

#include "hub/model_place.h"

#include <QString>
#include <QWidget>

#include <optional>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace gufo::ui {

class AddressField : public QWidget {
    Q_OBJECT

public:
    explicit AddressField(QWidget* parent = nullptr);

    void setText(const QString& text);
    // What was typed; nothing unless it is an address or a name that may be contacted.
    [[nodiscard]] std::optional<hub::ModelPlace> place() const;
    // Keeps the consent to contact the host without encryption, or its withdrawal. To be called before the address is
    // used.
    void keepConsent() const;

    [[nodiscard]] QLineEdit* edit() const { return m_edit; }
    [[nodiscard]] QString explanation() const; // which host would be contacted, or why it is no address

signals:
    void changed();

private:
    void update();

    QLineEdit* m_edit;
    QLabel* m_explanation;
    QCheckBox* m_consent;
    std::optional<hub::ModelPlace> m_place; // of the text, even if it may not be contacted
    QString m_plainHost;                    // that it would contact without encryption
    bool m_isUsable = false;
};

} // namespace gufo::ui
