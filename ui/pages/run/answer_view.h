// The text of one turn as Markdown blocks or plain lines, with its tokens shaded by probability. The view is as high as
// its text. It loads nothing and follows no links by itself.
//
// Positions are UTF-16 units of the turn's text.
#pragma once

#include "ui/run/chat_tree.h"
#include "ui/run/markdown.h"

#include <QTextEdit>

#include <vector>

namespace gufo::ui {

// The colour of a token's shade; transparent from a probability of 0.9 up.
[[nodiscard]] QColor shadeOf(double logProbability);

class AnswerView : public QTextEdit {
    Q_OBJECT

public:
    explicit AnswerView(QWidget* parent = nullptr);

    // Updates the blocks that differ from those shown. `base` is the position of their text in the turn's.
    void setBlocks(std::vector<MarkdownBlock> blocks, qsizetype base = 0);
    // Sets the tokens of the text. Tokens outside of the shown blocks are not drawn.
    void setTokens(const std::vector<TurnToken>& tokens);
    void setShaded(bool shaded);
    void setGrowing(bool growing); // shows a mark at the end while more text is expected
    void setMuted(bool muted);
    // A text is shown as plain lines, which can be edited; setBlocks() then only gets blocks of plainBlocks().
    void showAsText(bool isText, bool editable);
    // Selects a range of the turn's text. Returns false if nothing of it is shown
    // here.
    bool selectText(qsizetype begin, qsizetype length);

    // −1: no token.
    void setCurrentToken(int token);
    [[nodiscard]] int currentToken() const { return m_current; }
    [[nodiscard]] int tokenAt(const QPoint& viewportPosition) const;
    // The rectangle of the token's first line in the viewport; empty if it is not shown.
    [[nodiscard]] QRect tokenRect(int token) const;

signals:
    void tokenHovered(int token);     // −1: none any more
    void tokenKeyed(int token);       // reached by the arrow keys
    void cardKeyPressed(int key);     // Up, Down, Enter or Escape, for the card of the current token
    void edited(const QString& text); // by the user
    void linkActivated(const QString& target);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; // left to the transcript
    void focusOutEvent(QFocusEvent* event) override;
    QVariant loadResource(int type, const QUrl& name) override;

private:
    struct Piece { // a range of the document
        qsizetype source;
        qsizetype sourceLength;
        int begin;
        int length;
    };
    struct Stretch {
        int begin;
        int end;
    };

    void write(QTextCursor& cursor, const MarkdownBlock& block, bool isLast, bool endsList);
    void writeRuns(QTextCursor& cursor, const MarkdownRuns& runs, const QTextCharFormat& base);
    void writeTable(QTextCursor& cursor, const MarkdownBlock& block);
    void setMargins(const std::vector<MarkdownBlock>& blocks);
    [[nodiscard]] QTextBlockFormat blockFormat(const MarkdownBlock& block, bool isLast) const;
    [[nodiscard]] QTextCharFormat charFormat(const MarkdownBlock& block) const;
    void restyle();
    void takeEdit();
    bool showCardAtCursor();
    void fitHeight();
    [[nodiscard]] std::vector<Stretch> stretchesOf(const TurnToken& token) const;
    [[nodiscard]] std::vector<QRectF> rectsOf(Stretch stretch) const;
    void paintGrounds(QPainter& painter, const QRect& area) const;
    void paintTokens(QPainter& painter, const QRect& area) const;
    void paintMarkers(QPainter& painter, const QRect& area) const;
    void paintCaret(QPainter& painter) const;
    [[nodiscard]] int tokenOf(int position) const; // a position in the document
    void moveToken(int by);

    std::vector<MarkdownBlock> m_blocks;
    std::vector<int> m_starts;              // start of each block in the document
    std::vector<std::size_t> m_firstPieces; // index of each block's first piece
    std::vector<Piece> m_pieces; // sorted by position, which is the same order in the text and in the document
    qsizetype m_base = 0;
    std::vector<TurnToken> m_tokens; // without candidates
    bool m_fresh = true;             // the document's last block is empty and can be reused
    bool m_shaded = false;
    bool m_growing = false;
    bool m_muted = false;
    bool m_isText = false;
    bool m_writing = false;   // the document is being changed by setBlocks()
    bool m_cardByKey = false; // the arrow keys belong to the card of the current token
    int m_current = -1;
    QPoint m_pressed; // where the mouse was last pressed
    int m_hovered = -1;
};

} // namespace gufo::ui
