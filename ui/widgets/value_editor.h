// A field for one value of a key or of an array's elements, as the value's type asks: a spin box with the exact range,
// a combo box of names, a check box, a line of text. Gives back exactly what was typed, or says why it is no value.
#pragma once

#include "model/owned_value.h"

#include <QString>
#include <QWidget>

#include <expected>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace gufo::ui {

class IntegerBox;

// Which value a field is for.
struct ValueSubject {
    std::string key;
    std::string architecture;
    ValueType type = ValueType::String; // no array
    bool namesToken = false;            // an id in the vocabulary: a button asks for the picker
    bool escaped = false;               // texts always with escapes: tokens
};

class ValueEditor : public QWidget {
    Q_OBJECT

public:
    explicit ValueEditor(ValueSubject subject, QWidget* parent = nullptr);

    void setValue(const Value& value); // of the subject's type
    // Error: a sentence for people.
    [[nodiscard]] std::expected<OwnedValue, QString> value() const;
    // Whether something else stands there than what setValue() put there.
    [[nodiscard]] bool isChanged() const { return text() != m_given; }
    [[nodiscard]] const ValueSubject& subject() const { return m_subject; }
    [[nodiscard]] QWidget* field() const; // that has the focus
    void selectAll();
    void hidePopups();
    // Says why the value is none, beside the field; nothing if it is one.
    void showProblem();

signals:
    void changed();
    void pickRequested(); // another token

private:
    void makeNames();
    void makeChoices();
    [[nodiscard]] QString text() const;

    ValueSubject m_subject;
    IntegerBox* m_integer = nullptr;
    QComboBox* m_combo = nullptr;
    QCheckBox* m_check = nullptr;
    QLineEdit* m_line = nullptr;
    bool m_escapes = false;
    QString m_given;
};

} // namespace gufo::ui
