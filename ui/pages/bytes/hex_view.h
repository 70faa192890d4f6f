// The bytes of a file in hexadecimal and as text, coloured by what they are. Files of any size scroll alike: the
// position is a 64-bit number, which the scroll bar shows as closely as it can.
//
// Mouse: a click puts the cursor on a byte, dragging selects bytes, a double click selects a field. Keys: arrows, Page
// Up and Down, Home and End move, with Ctrl to the next field or the ends of the file, with Shift they select.
#pragma once

#include "ui/pages/bytes/byte_window.h"

#include <QAbstractScrollArea>
#include <QColor>

namespace gufo::ui {

// What kind of field it is, for its colour.
enum class FieldColor : std::uint8_t { Structure, Name, Value, Record, Scale, Codes, Program, Padding, Damage };
// A record that contradicts the file has the colour of damage, and so has what the end of the file cuts off.
[[nodiscard]] FieldColor fieldColorOf(const ByteField& field, std::uint64_t fileBytes);
[[nodiscard]] QColor fieldFill(FieldColor color); // behind the bytes

class HexView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit HexView(ByteWindow* window, QWidget* parent = nullptr);

    // Of the new map, from its first byte on.
    void reset();
    [[nodiscard]] std::uint64_t cursor() const { return m_cursor; }
    // Moves the cursor and shows it.
    void goTo(std::uint64_t offset);
    void select(ByteRange range); // and shows its first byte
    // The selected bytes: at least the one at the cursor, unless the file is empty.
    [[nodiscard]] ByteRange selection() const;
    [[nodiscard]] ByteRange shown() const; // on the screen
    [[nodiscard]] int bytesPerRow() const { return m_perRow; }
    [[nodiscard]] QRect rectOf(std::uint64_t offset) const; // of the digits, in the viewport
    [[nodiscard]] std::optional<std::uint64_t> offsetAt(QPoint point) const;
    // Lines of offset, digits and text of a range, as far as it has been read.
    [[nodiscard]] QString dump(ByteRange range) const;

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void cursorMoved();
    void scrolled();   // other bytes are shown
    void copyWanted(); // of the selection, by the keyboard

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override; // tooltips

private:
    struct Metrics {
        int character = 0;
        int row = 0;
        int hex = 0;  // x of the first digits
        int text = 0; // x of the first character
        int width = 0;
    };
    [[nodiscard]] Metrics metrics(int perRow) const;
    [[nodiscard]] std::uint64_t rows() const;
    [[nodiscard]] int visibleRows() const; // whole ones
    [[nodiscard]] std::uint64_t lastTop() const;
    void setTop(std::uint64_t row);
    void updateScrollBar();
    void moveTo(std::uint64_t offset, bool selects);
    void showCursor();
    void ask(); // for the bytes that are shown
    [[nodiscard]] QString tipAt(std::uint64_t offset) const;

    ByteWindow* m_window;
    Metrics m_metrics;
    int m_perRow = 16;
    std::uint64_t m_top = 0; // first row shown
    std::uint64_t m_cursor = 0;
    std::uint64_t m_anchor = 0; // where the selection began
    bool m_settingBar = false;
    int m_wheel = 0; // of a wheel with fine steps
};

} // namespace gufo::ui
