// A view of a model's text: monospaced, with line numbers and wrapped lines. It is read-only unless setEditable() is
// called.
#pragma once

#include <QPlainTextEdit>

namespace gufo::ui {

class TextView : public QPlainTextEdit {
    Q_OBJECT

public:
    // The limit of the shown text; the layout of more would block the UI thread.
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 10U;

    explicit TextView(QWidget* parent = nullptr);

    // Shows bytes that need not be UTF-8; invalid bytes appear as \xNN. Returns the number of bytes shown.
    std::size_t setBytes(std::string_view bytes);
    // Shows a text for editing.
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
