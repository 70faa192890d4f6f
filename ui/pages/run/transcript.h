// The turns of a conversation below each other in a column of readable width. It stays scrolled to the end while an
// answer grows, unless the user has scrolled up.
#pragma once

#include "ui/pages/run/turn_view.h"
#include "ui/run/chat_session.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QScrollArea>
#include <QTimer>

namespace gufo::ui {

class Transcript : public QScrollArea {
    Q_OBJECT

public:
    struct Names {
        QString user;
        QString model;
        QString tool;
    };

    // The session must outlive this object.
    explicit Transcript(ChatSession* session, QWidget* parent = nullptr);

    void setNames(const Names& names);
    void setShaded(bool shaded);
    void refresh();                                 // call when the engine has become free or busy
    [[nodiscard]] TurnView* viewOf(int turn) const; // null if it is not shown
    [[nodiscard]] const std::vector<TurnView*>& views() const { return m_views; }
    // The view in which the text of a completion is edited; null in a chat.
    [[nodiscard]] AnswerView* text() const;
    void editLast(); // edits the last question
    // Moves the keyboard focus to the answer before the one that has it (−1) or
    // after it (1). Without the focus on an answer, −1 means the last one.
    void focusAnswer(int by);
    // These are for the answer that has the focus, or else for the last one.
    void regenerate();
    void showVersion(int by);
    // Scrolls to a range of a turn's text and selects it, in place of the range that was shown before.
    void showRange(int turn, qsizetype begin, qsizetype length);
    void clearRange();
    void scrollToEnd();

signals:
    void copyRequested(int turn);
    void tokenHovered(gufo::ui::TurnView* view, gufo::ui::AnswerView* text, int token);
    void tokenKeyed(gufo::ui::TurnView* view, gufo::ui::AnswerView* text, int token);
    void linkActivated(const QString& target);
    void leftDownwards(); // by focusAnswer(), after the last answer, or when a message is no longer edited
    void moved();         // scrolled or laid out again, so that the token card must move

protected:
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void growSoon(int turn);
    void showTurn(TurnView* view, int turn);
    TurnView* makeView();
    [[nodiscard]] bool isText() const; // the conversation is one text, a completion
    [[nodiscard]] std::vector<TurnView*> answers() const;
    [[nodiscard]] TurnView* currentAnswer() const; // null if there is none

    ChatSession* m_session;
    QVBoxLayout* m_list;
    std::vector<TurnView*> m_views; // of the turns shown, in order
    Names m_names;
    QPointer<AnswerView> m_found; // has the range that is shown
    QString m_reading;            // how much of the prompt has been read
    bool m_shaded = false;
    bool m_follows = true; // scrolls to the end as it grows
    QTimer m_grow;
    QElapsedTimer m_cost;
};

} // namespace gufo::ui
