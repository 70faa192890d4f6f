// The conversation and what belongs to it: the turns, or what can be begun while there are none; a notice; and the
// message field with its choice between a message and the result of a tool.
#pragma once

#include "ui/pages/run/engine_loader.h"
#include "ui/pages/run/transcript.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/segmented_control.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

namespace gufo::ui {

// The message field: Enter sends, Shift+Enter starts a new line, and while an answer is generated, the button stops it.
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

class ChatPane : public QWidget {
    Q_OBJECT

public:
    // The session and the loader must outlive this object.
    ChatPane(ChatSession* session, EngineLoader* loader, QWidget* parent = nullptr);

    void showState();
    // Shows a notice above the message field, until it is replaced; an empty one hides it.
    void say(const QString& text, bool isError);
    [[nodiscard]] bool showsError() const { return m_noticeIsError && !m_noticeRow->isHidden(); }

    [[nodiscard]] Transcript* transcript() const { return m_transcript; }
    [[nodiscard]] Composer* composer() const { return m_composer; }
    // Where the user writes: the message field, or the text of a completion.
    [[nodiscard]] QWidget* input() const;
    // Whether the text of the message field is the result of the tool that the model has called. Sending it resets the
    // choice.
    [[nodiscard]] bool takeSendsResult();

private:
    QWidget* makeFoot();
    void showComposer();
    void showPendingCall();
    [[nodiscard]] QStringList pendingCalls() const; // that wait for a result, now that one can be sent
    void showEmptyState();
    [[nodiscard]] const ChatTree& tree() const { return m_session->tree(); }

    ChatSession* m_session;
    EngineLoader* m_loader;
    QStackedWidget* m_turns; // empty state or transcript
    EmptyState* m_empty;
    Transcript* m_transcript;
    QLabel* m_notice;
    QWidget* m_noticeRow;
    SegmentedControl* m_sendAs; // shown while the model waits for a tool's result
    Composer* m_composer;
    bool m_noticeIsError = false;
};

} // namespace gufo::ui
