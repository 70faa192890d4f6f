// Spin boxes in which nothing that is typed is dropped. Qt's own refuse single characters and remove what they take for
// group separators, so that 1.5 or 1,5 becomes 15. Here a text that is no number of the range stays as it is until the
// field is left; then the value from before comes back, and a tip says why.
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace gufo::ui {

class CountBox : public QSpinBox {
    Q_OBJECT

public:
    explicit CountBox(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] int valueFromText(const QString& text) const override;
    void fixup(QString& input) const override;
};

class RealBox : public QDoubleSpinBox {
    Q_OBJECT

public:
    explicit RealBox(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    void fixup(QString& input) const override;
};

} // namespace gufo::ui
