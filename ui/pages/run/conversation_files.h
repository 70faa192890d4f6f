// Exports the conversation that is shown, imports others, and copies conversations and turns as text.
//
// Threads: UI thread only.
#pragma once

#include "ui/pages/run/conversation_shelf.h"
#include "ui/run/conversation_exchange.h"

namespace gufo::ui {

class ConversationFiles : public QObject {
    Q_OBJECT

public:
    // The session and the shelf must outlive this object; dialogs belong to `page`.
    ConversationFiles(ChatSession* session, ConversationShelf* shelf, QWidget* page);

    // How the speakers are called in the texts.
    void setNames(const ExportNames& names) { m_names = names; }
    [[nodiscard]] QString markdown() const; // empty if there is no conversation
    void copy() const;                      // the conversation
    void copyTurn(int turn) const;          // an answer without its thoughts

    enum class Format { Markdown, Json };
    void askWhereToExport(Format format);
    void exportTo(const QString& path, Format format); // emits exported() at the end
    void askWhatToImport();
    void importFrom(const QString& path); // shows it as a new conversation

signals:
    void exported(); // after success or failure; a notice gives the reason of a failure
    void noticed(const QString& text, bool isError);

private:
    ChatSession* m_session;
    ConversationShelf* m_shelf;
    QWidget* m_page;
    ExportNames m_names;
};

} // namespace gufo::ui
