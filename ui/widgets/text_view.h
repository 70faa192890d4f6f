// Text of a model: monospace, line numbers, long lines broken at the edge. Read-only, unless it is set as text to be
// edited.
#pragma once

#include <QPlainTextEdit>

namespace gufo::ui {

class TextView : public QPlainTextEdit {
    Q_OBJECT

public:
    // Shown at most; a layout of more would hold up the window.
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 10U;

    explicit TextView(QWidget* parent = nullptr);

    // Bytes that need not be UTF-8: what is not is shown as \xNN. Returns how many of them are shown.
    std::size_t setBytes(std::string_view bytes);
    // To be edited, as it is.
    void setEditable(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Numbers;
    void restyle();
    void placeNumbers();
    void paintNumbers(QPaintEvent* event);
    [[nodiscard]] int numbersWidth() const;
    QWidget* m_numbers;
};

} // namespace gufo::ui
