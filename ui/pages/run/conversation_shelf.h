// The conversations with a model: lists them, opens and saves them, and undoes their deletion.
//
// A conversation has a file once something has been said, and is saved a moment after it has changed, by the thread
// that writes files.
//
// Threads: UI thread only.
#pragma once

#include "base/error.h"
#include "ui/jobs/latest_job.h"
#include "ui/run/chat_session.h"
#include "ui/run/conversation_store.h"
#include "ui/shell/notice_bar.h"

#include <QComboBox>
#include <QTimer>

#include <functional>

namespace gufo::ui {

class ConversationShelf : public QComboBox {
    Q_OBJECT

public:
    // The session must outlive this object. `undoBar` offers to undo the last deletion, until it is dismissed; earlier
    // ones follow.
    ConversationShelf(ChatSession* session, NoticeBar* undoBar, QWidget* parent = nullptr);

    void setGgufModel(std::shared_ptr<const Model> model) { m_model = std::move(model); }
    void list(); // emits listed(), and opens the conversation that restoreConversation() has named
    void restoreConversation(const QString& id) { m_wanted = id; }
    [[nodiscard]] const QString& id() const { return m_id; } // of the conversation that is shown
    [[nodiscard]] std::filesystem::path folder() const;

    void startNew(); // with the system prompt and the tools of the conversation that is shown
    void open(const QString& id);
    // Reads a conversation on a thread of the pool, then shows and saves it as a new one.
    void import(std::function<Result<ChatTree>()> read, std::function<QString(const Error&)> problem);
    void rename(); // asks for the title
    void remove(); // the conversation that is shown

    void saveSoon();
    void saveIfChanged();
    // Forgets how to undo the deletion of turns: the conversation goes on without them.
    void forgetDeletedTurns();

signals:
    void listed();
    void opened(); // a conversation was read and is shown
    void shown();  // the session has another conversation, which is not a new one
    void startedNew();
    void stored(); // a write has ended
    void noticed(const QString& text, bool isError);

private:
    // A conversation as it was before it, or some of its turns, were deleted.
    struct Deletion {
        QString id;
        ChatTree before;
        bool whole = false; // the whole conversation was deleted
    };
    void fill();
    void show(const QString& id, ChatTree tree);
    void save();
    void write(std::function<Result<>()> write, std::function<QString(const Error&)> problem);
    void offerUndo(const ChatTree& before, bool whole);
    void showDeletion();
    void undoDeletion();
    [[nodiscard]] const ChatTree& tree() const { return m_session->tree(); }

    ChatSession* m_session;
    NoticeBar* m_undoBar;
    std::shared_ptr<const Model> m_model;
    QString m_id;
    QString m_wanted;
    std::vector<StoredConversation> m_stored;
    std::vector<Deletion> m_deletions;
    QTimer m_saveSoon;
    LatestJob m_opening{this};
};

} // namespace gufo::ui
