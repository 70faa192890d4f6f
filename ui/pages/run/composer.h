// The field where a person writes: Enter sends, Shift+Enter begins a new line, and while an answer comes the button
// stops it.
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
    // Sending nothing makes sense: to go on with a text that is there.
    void setMayBeEmpty(bool may);
    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    [[nodiscard]] GrowingEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* button() const { return m_button; }

signals:
    void sent(const QString& text);
    void stopRequested();
    void editLastRequested(); // Up in an empty field
    void picturePasted();     // which is no text

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
};

} // namespace gufo::ui
