// The message field: Enter sends, Shift+Enter starts a new line, and while an answer is generated, the button stops it.
#pragma once

#include "ui/widgets/growing_edit.h"

#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class Composer : public QWidget {
    Q_OBJECT

public:
    explicit Composer(QWidget* parent = nullptr);

    enum class State { Idle, Working, Off };
    void setState(State state);
    void setPlaceholder(const QString& text);
    // Allows sending an empty text, which continues the existing text.
    void setMayBeEmpty(bool may);
    // Shows the button alone, which continues a text that is written elsewhere.
    void setContinues(bool continues);
    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    [[nodiscard]] GrowingEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* button() const { return m_button; }

signals:
    void sent(const QString& text);
    void stopRequested();
    void editLastRequested(); // Up was pressed in an empty field
    void picturePasted();     // it was not inserted, because pictures cannot be sent

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void send();
    void showButton();

    GrowingEdit* m_field;
    QPushButton* m_button;
    State m_state = State::Off;
    bool m_mayBeEmpty = false;
    bool m_continues = false;
};

} // namespace gufo::ui
