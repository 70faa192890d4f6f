// The card of an answer's token: the alternatives, how likely each was, and which sampler removed it.
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

    // `cutText` names what a sampler did: "top-p 0.80"; empty if it is not known.
    void setWords(std::shared_ptr<const text::Tokenizer> tokenizer, std::function<QString(int cut)> cutText);
    // The possible actions for a token. Reasons are shown in tooltips.
    struct Actions {
        bool isFree = false;      // an answer can be generated now
        QString cannotBranch{};   // why the engine cannot use another candidate; empty if it can
        QString cannotContinue{}; // why the engine cannot continue after the token; empty if it can
        QString cannotLook{};     // why the page Inside cannot show the token; empty if it can
    };
    // Shows the card below `place` (in the parent's coordinates), or above it if there is no room. `text` is the
    // token's own.
    void showToken(const TurnToken& token, const QString& text, const QRect& place, const Actions& actions);
    // Hides after a moment, unless the pointer enters the card.
    void leave();
    void dismiss();
    // Handles Up, Down, Enter and Escape. Returns false for other keys.
    bool pressKey(int key);

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] QString rowText(int row) const; // for tests and screen readers
    [[nodiscard]] QRect rowRect(int row) const;
    [[nodiscard]] QString headText() const { return m_head; }
    [[nodiscard]] QString factsText() const { return m_facts; }
    [[nodiscard]] QRect factsRect() const;

signals:
    void candidateChosen(quint32 id, const QString& text); // `text` is used if there is no id
    void continueRequested();
    void anotherRequested();
    void insideRequested();
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
        QString inserted; // the text passed to candidateChosen()
        QString text;
        float probability;
        int cut;
        bool isDrawn;
        QString heading; // heading above the row: the sampler that removed it and the following ones
        int top;
    };
    void arrange();
    [[nodiscard]] int headHeight() const; // of the token and the facts, in one line if both have room
    [[nodiscard]] bool headIsOneLine() const;
    void choose(int row);
    [[nodiscard]] int rowAt(const QPoint& position) const;
    [[nodiscard]] QString tokenText(quint32 id, const QString& text) const;

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::function<QString(int)> m_cutText;
    std::vector<Row> m_rows;
    QString m_head;
    QString m_facts;
    QString m_others;
    QString m_entropy;
    int m_current = -1; // the row under the pointer or selected by keys
    bool m_canBranch = false;
    QString m_cannotBranch;
    QPushButton* m_continue;
    QPushButton* m_another;
    QPushButton* m_inside;
    QTimer m_hideSoon;
};

} // namespace gufo::ui
