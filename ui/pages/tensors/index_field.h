// A field for an index from 0: accepts digits with or without separators and the up and down keys, and clamps to the
// valid range.
#pragma once

#include <QLineEdit>

#include <cstdint>

namespace gufo::ui {

class IndexField : public QLineEdit {
    Q_OBJECT

public:
    explicit IndexField(const QString& accessibleName, QWidget* parent = nullptr);
    void setCount(std::uint64_t count); // valid indices are below `count`
    void setValue(std::uint64_t value); // does not emit chosen()
    [[nodiscard]] std::uint64_t value() const { return m_value; }

signals:
    void chosen(std::uint64_t value); // by the user

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void take();
    void step(int by);
    void set(std::uint64_t value);
    std::uint64_t m_count = 1;
    std::uint64_t m_value = 0;
};

} // namespace gufo::ui
