// A bar below a page that reports an event and offers actions for it. Above the page it would move the rows under the
// pointer whenever it came or went.
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace gufo::ui {

struct NoticeAction {
    QString text;
    std::function<void()> run; // called after the bar is hidden
    bool primary = false;
};

class NoticeBar : public QWidget {
    Q_OBJECT

public:
    enum class Tone { Warning, Error, Info };

    explicit NoticeBar(QWidget* parent = nullptr);
    void showNotice(const QString& text, std::vector<NoticeAction> actions = {}, Tone tone = Tone::Warning);
    // Shows a notice that hides by itself after a while.
    void showInPassing(const QString& text, Tone tone);
    // The button of an action; null if there is none.
    [[nodiscard]] QPushButton* actionButton(int index = 0) const;
    [[nodiscard]] QString text() const;

signals:
    void dismissed(); // by the user, without an action

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QHBoxLayout* m_layout;
    std::vector<QPushButton*> m_actions;
    Tone m_tone = Tone::Warning;
    int m_shown = 0; // counts notices, so that the timer of an earlier one is ignored
};

} // namespace gufo::ui
