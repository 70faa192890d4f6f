// What the model reads, at the left of the page Inside: a field for a text, the conversation of Run, the model that is
// compared, and the tokens that have been read, of which one is chosen.
#pragma once

#include "ui/pages/inside/inside_partner.h"
#include "ui/pages/inside/token_text.h"
#include "ui/widgets/job_bar.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class ReadingPanel : public QWidget {
    Q_OBJECT

public:
    static constexpr qsizetype kMaxCharacters = 200'000; // of the field, whose layout would block the window

    explicit ReadingPanel(QWidget* parent = nullptr);

    [[nodiscard]] QPlainTextEdit* field() const { return m_field; }
    [[nodiscard]] QPushButton* readButton() const { return m_read; }
    [[nodiscard]] QPushButton* conversationButton() const { return m_conversation; }
    [[nodiscard]] InsidePartner* partner() const { return m_partner; }
    [[nodiscard]] TokenText* tokens() const { return m_tokens; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString message() const { return m_message->text(); }
    // A line beneath the tokens; empty: none.
    void say(const QString& text, bool isError);
    // Whether a text can be read, and whether the model is being evaluated.
    void setAble(bool isAble, bool isBusy);

signals:
    void readWanted();
    void conversationWanted();
    void textChanged();

private:
    QPlainTextEdit* m_field;
    QPushButton* m_read;
    QPushButton* m_conversation;
    InsidePartner* m_partner;
    TokenText* m_tokens;
    JobBar* m_bar;
    QLabel* m_message;
};

} // namespace gufo::ui
