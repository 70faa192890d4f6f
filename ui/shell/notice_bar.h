// A line above a page that says something has happened, with what can be done about it.
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
    std::function<void()> run; // the bar hides first
    bool primary = false;
};

class NoticeBar : public QWidget {
    Q_OBJECT

public:
    enum class Tone { Warning, Error, Info };

    explicit NoticeBar(QWidget* parent = nullptr);
    void showNotice(const QString& text, std::vector<NoticeAction> actions = {}, Tone tone = Tone::Warning);
    // Hides after a while; for what is said in passing.
    void showInPassing(const QString& text, Tone tone);
    // The first of them; null if there is none.
    [[nodiscard]] QPushButton* actionButton(int index = 0) const;
    [[nodiscard]] QString text() const;

signals:
    void dismissed(); // by the person, without an action

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QHBoxLayout* m_layout;
    std::vector<QPushButton*> m_actions;
    Tone m_tone = Tone::Warning;
    int m_shown = 0; // counts, so that a timer of an earlier notice does no harm
};

} // namespace gufo::ui
