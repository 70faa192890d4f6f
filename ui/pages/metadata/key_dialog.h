// Asks for a new key with its value, or for a new name of a key. Names are completed from the catalogue, names of the
// model's architecture first. A name that is already taken is refused with an explanation.
#pragma once

#include "model/model.h"
#include "model/owned_value.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <memory>

namespace gufo::ui {

class ValueEditor;

class KeyDialog : public QDialog {
    Q_OBJECT

public:
    // Asks for a new key whose name may begin with `prefix`.
    KeyDialog(std::shared_ptr<const Model> model, const QString& prefix, QWidget* parent);
    // Asks for a new name of the key `renamed`.
    KeyDialog(std::shared_ptr<const Model> model, const std::string& renamed, QWidget* parent);

    [[nodiscard]] std::string key() const;
    [[nodiscard]] const OwnedValue& value() const { return m_value; } // valid once accepted

    void accept() override;

private:
    void build();
    void complete();
    void nameChanged();
    void typeChanged();
    [[nodiscard]] QString problem() const; // why the name is not allowed; empty if it is
    [[nodiscard]] std::expected<OwnedValue, QString> entered() const;
    [[nodiscard]] ValueType chosenType() const;
    [[nodiscard]] bool choseArray() const;

    std::shared_ptr<const Model> m_model;
    std::string m_renamed;
    QLineEdit* m_name;
    QLabel* m_meaning;
    QLabel* m_problem;
    QComboBox* m_type = nullptr;
    QWidget* m_valuePlace = nullptr;
    QLabel* m_valueHint = nullptr;
    ValueEditor* m_editor = nullptr;
    QPlainTextEdit* m_text = nullptr; // edits strings, and arrays with one element per line
    QDialogButtonBox* m_buttons;
    OwnedValue m_value;
    bool m_typeIsChosen = false; // by the user
};

} // namespace gufo::ui
