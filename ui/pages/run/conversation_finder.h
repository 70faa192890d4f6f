// The bar that finds a text in the conversation that is shown or, if wanted, in all conversations with the model.
//
// Threads: UI thread only; the files of other conversations are read in a job.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/run/conversation_shelf.h"
#include "ui/run/conversation_search.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QToolButton>

namespace gufo::ui {

class ConversationFinder : public QWidget {
    Q_OBJECT

public:
    // The session and the shelf must outlive this object.
    ConversationFinder(ChatSession* session, ConversationShelf* shelf, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit* field() const { return m_field; }
    void close(); // forgets the text, too

signals:
    void found(const gufo::ui::TurnMatch& match); // is to be shown
    void lost();                                  // there is none any more
    void closed();
    void searchedAll(); // the list of other conversations is complete

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search();
    void searchAll();
    void showAll(const Result<std::vector<ConversationHit>>& hits);
    void step(int by);
    void showCount();

    ChatSession* m_session;
    ConversationShelf* m_shelf;
    QLineEdit* m_field;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QCheckBox* m_all;
    QListWidget* m_hits; // of all conversations
    std::vector<TurnMatch> m_matches;
    int m_current = -1; // in m_matches
    LatestJob m_searching{this};
};

} // namespace gufo::ui
