// Edits one value of a key or of an array's element. Its form depends on the type: a spin box with the exact range, a
// combo box of names, a check box, or a line of text. It returns exactly what was typed, or says why that is not valid.
#pragma once

#include "model/owned_value.h"

#include <QString>
#include <QWidget>

#include <expected>

class QAbstractItemView;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace gufo::ui {

class IntegerBox;

// Identifies the value that a field edits.
struct ValueSubject {
    std::string key;
    std::string architecture;
    ValueType type = ValueType::String; // not Array
    bool namesToken = false;            // a token id: a button opens the picker
    bool escaped = false;               // always show strings with escapes, as tokens need
};

class ValueEditor : public QWidget {
    Q_OBJECT

public:
    explicit ValueEditor(ValueSubject subject, QWidget* parent = nullptr);

    void setValue(const Value& value); // of the subject's type
    // Error: a sentence for the user.
    [[nodiscard]] std::expected<OwnedValue, QString> value() const;
    // Whether the content differs from what setValue() set.
    [[nodiscard]] bool isChanged() const { return text() != m_given; }
    [[nodiscard]] const ValueSubject& subject() const { return m_subject; }
    [[nodiscard]] QWidget* field() const; // the widget that has the focus
    // The list of completions, which takes the keys while it is shown; null if the form has none.
    [[nodiscard]] QAbstractItemView* completions() const;
    void selectAll();
    void hidePopups();

signals:
    void changed();
    void pickRequested(); // the user wants to pick another token

private:
    void makeCombo();
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
