// A spin box for integers of every width. It accepts exactly the range of its type, including 64 bits, in decimal or
// with 0x.
#pragma once

#include "model/value_text.h"

#include <QAbstractSpinBox>

namespace gufo::ui {

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

} // namespace gufo::ui
