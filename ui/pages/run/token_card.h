// The card below a token of an answer: what else could have stood there, how likely each was, and what kept it out.
#pragma once

#include "text/tokenizer/tokenizer.h"
#include "ui/run/chat_tree.h"

#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace gufo::ui {

class TokenCard : public QWidget {
    Q_OBJECT

public:
    explicit TokenCard(QWidget* parent);

    // `cutText` words what a sampler did: "top-p 0.80"; empty where it is not known.
    void setWords(std::shared_ptr<const text::Tokenizer> tokenizer, std::function<QString(int cut)> cutText);
    // Below `token` (in the parent), or above it if there is no room. `canBranch`: an answer can be made now.
    void showToken(const TurnToken& token, const QRect& place, bool canBranch);
    // Hides in a moment, unless the pointer comes to the card.
    void leave();
    void dismiss();
    // Up, Down, Enter, Escape; false: not for the card.
    bool pressKey(int key);

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] QString rowText(int row) const; // for tests and screen readers
    [[nodiscard]] QRect rowRect(int row) const;
    [[nodiscard]] QString headText() const { return m_head; }
    [[nodiscard]] QString footText() const { return m_others + QStringLiteral(", ") + m_entropy; }
    [[nodiscard]] QPushButton* continueButton() const { return m_continue; }
    [[nodiscard]] QPushButton* anotherButton() const { return m_another; }

signals:
    void candidateChosen(quint32 id);
    void continueRequested();
    void anotherRequested();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Row {
        quint32 id;
        QString text;
        float probability;
        int cut;
        bool isDrawn;
        QString heading; // above it: what cut it and those below
        int top;
    };
    void arrange();
    void choose(int row);
    [[nodiscard]] int rowAt(const QPoint& position) const;
    [[nodiscard]] QString tokenText(quint32 id) const;

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::function<QString(int)> m_cutText;
    std::vector<Row> m_rows;
    QString m_head;
    QString m_facts;
    QString m_others;
    QString m_entropy;
    int m_current = -1; // row under the pointer or the keyboard
    bool m_canBranch = false;
    QPushButton* m_continue;
    QPushButton* m_another;
    QTimer m_hideSoon;
};

} // namespace gufo::ui
