// Edits one value of a key or of an array's element. Its form depends on the type: a spin box with the exact range, a
// combo box of names, a check box, or a line of text. It returns exactly what was typed, or says why that is not valid.
#pragma once

#include "model/owned_value.h"
#include "model/value_text.h"

#include <QAbstractSpinBox>
#include <QString>
#include <QWidget>

#include <expected>

class QAbstractItemView;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace gufo::ui {

// A spin box for integers of every width. It accepts exactly the range of its type, including 64 bits, in decimal or
// with 0x.
class IntegerBox : public QAbstractSpinBox {
    Q_OBJECT

public:
    explicit IntegerBox(ValueType integerType, QWidget* parent = nullptr);
    void setValue(const Value& value); // of the type
    // The content of the field as a value.
    [[nodiscard]] std::expected<Value, ValueProblem> value() const;
    [[nodiscard]] QLineEdit* field() const { return lineEdit(); }

    void stepBy(int steps) override; // stops at the ends of the range
    [[nodiscard]] QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void changed();

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;

private:
    ValueType m_type;
};

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
