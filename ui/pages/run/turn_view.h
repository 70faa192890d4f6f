// One turn of a conversation: the speaker, the text with its thoughts folded away, figures, and buttons for actions.
#pragma once

#include "ui/pages/run/answer_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/growing_edit.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

// The columns of all turns and of the message field: the speaker, and text of a readable width.
inline constexpr int kSpeakerWidth = 96;
inline constexpr int kTextWidth = 662;
[[nodiscard]] QGridLayout* chatColumns(QWidget* widget);

class TurnView : public QWidget {
    Q_OBJECT

public:
    struct Look {
        QString speaker;
        bool markdown = true;
        bool isText = false; // the whole of a completion, which is edited in place
        bool shaded = false;
        bool growing = false;
        QString reading{};        // how much of the prompt has been read; empty: not known
        bool canAnswer = false;   // the engine is free
        QString tools{};          // that the model was given, as JSON
        QString cannotContinue{}; // why the engine cannot continue an answer; empty if it can
        ChatTree::Siblings siblings{};
    };

    explicit TurnView(QWidget* parent = nullptr);

    // Copies the shown parts of `turn`.
    void showTurn(const Turn& turn, const Look& look);
    [[nodiscard]] int turn() const { return m_id; }

    // Selects a range of the turn's text, and unfolds the thoughts if it is
    // there. Returns the view that shows it; null if none does.
    AnswerView* selectText(qsizetype begin, qsizetype length);

    void beginEdit();
    [[nodiscard]] bool isEditing() const { return m_editor != nullptr; }
    [[nodiscard]] GrowingEdit* editor() const { return m_editor; }
    [[nodiscard]] AnswerView* answerView() const { return m_answer; }
    [[nodiscard]] AnswerView* thoughtView() const { return m_thought; }
    [[nodiscard]] QToolButton* actionButton(const char* name) const;
    [[nodiscard]] QString captionText() const { return m_caption->text(); }

signals:
    void editEnded(); // by Send or Cancel
    void edited(int id, const QString& text);
    void textEdited(const QString& text); // of a completion, while the user types
    void copyRequested(int id);
    void editRequested(int id);
    void regenerateRequested(int id);
    void continueRequested(int id);
    void removeRequested(int id);
    void siblingRequested(int id, int by);
    void tokenHovered(gufo::ui::TurnView* view, gufo::ui::AnswerView* text, int token);
    void tokenKeyed(gufo::ui::TurnView* view, gufo::ui::AnswerView* text, int token);

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addAction(const char* name, const QString& icon, const QString& text, void (TurnView::*signal)(int));
    void connectText(AnswerView* view);
    void endEdit();
    void showParts(const Turn& turn, const Look& look);
    void showActions();

    int m_id = -1;
    QString m_text;
    bool m_isUser = false;
    bool m_growing = false;
    bool m_hovered = false;
    QLabel* m_speaker;
    QVBoxLayout* m_column;
    QToolButton* m_fold;
    AnswerView* m_thought;
    AnswerView* m_answer;
    QLabel* m_leftOut; // what did not fit into the context; never elided
    QWidget* m_foot;
    ElidedLabel* m_caption;
    QToolButton* m_before;
    QLabel* m_which;
    QToolButton* m_after;
    QWidget* m_actions;
    GrowingEdit* m_editor = nullptr;
    QWidget* m_editButtons = nullptr;
    QPushButton* m_send = nullptr;
    Look m_look;
};

} // namespace gufo::ui
