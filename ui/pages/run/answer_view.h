// The text of one turn: Markdown blocks, or lines as they are, with its tokens shaded by their probability. As high as
// its text. Loads nothing and follows no link by itself.
//
// Places are UTF-16 units of the turn's text.
#pragma once

#include "ui/run/chat_tree.h"
#include "ui/run/markdown.h"

#include <QTextEdit>

#include <vector>

namespace gufo::ui {

// Of a token's shade: nothing from a probability of 0.9 up.
[[nodiscard]] QColor shadeOf(double logProbability);

class AnswerView : public QTextEdit {
    Q_OBJECT

public:
    explicit AnswerView(QWidget* parent = nullptr);

    // What differs from the blocks shown is put in their place. `base`: where their text begins in the turn's.
    void setBlocks(std::vector<MarkdownBlock> blocks, qsizetype base = 0);
    // Tokens whose text the blocks show; those outside are not drawn.
    void setTokens(const std::vector<TurnToken>& tokens);
    void setShaded(bool shaded);
    void setGrowing(bool growing); // a mark at the end: more will come
    void setMuted(bool muted);

    // −1: none.
    void setCurrentToken(int token);
    [[nodiscard]] int currentToken() const { return m_current; }
    [[nodiscard]] int tokenAt(const QPoint& viewportPosition) const;
    // The first line of it, in the viewport; empty if it is not shown.
    [[nodiscard]] QRect tokenRect(int token) const;

signals:
    void tokenHovered(int token); // −1: no longer
    void tokenKeyed(int token);   // reached with the arrow keys
    void cardKeyPressed(int key); // Up, Down, Enter, Escape: for what shows the current token
    void linkActivated(const QString& target);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; // the transcript's
    void focusOutEvent(QFocusEvent* event) override;
    QVariant loadResource(int type, const QUrl& name) override;

private:
    struct Piece { // of the document
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
    [[nodiscard]] QTextBlockFormat blockFormat(const MarkdownBlock& block, bool isLast) const;
    [[nodiscard]] QTextCharFormat charFormat(const MarkdownBlock& block) const;
    void restyle();
    void fitHeight();
    [[nodiscard]] std::vector<Stretch> stretchesOf(const TurnToken& token) const;
    [[nodiscard]] std::vector<QRectF> rectsOf(Stretch stretch) const;
    void paintGrounds(QPainter& painter, const QRect& area) const;
    void paintTokens(QPainter& painter, const QRect& area) const;
    void paintMarkers(QPainter& painter, const QRect& area) const;
    void paintCaret(QPainter& painter) const;
    [[nodiscard]] int tokenOf(int position) const; // in the document
    void moveToken(int by);

    std::vector<MarkdownBlock> m_blocks;
    std::vector<int> m_starts;              // of the blocks in the document
    std::vector<std::size_t> m_firstPieces; // of the blocks
    std::vector<Piece> m_pieces;            // by place, in the text and in the document
    qsizetype m_base = 0;
    std::vector<TurnToken> m_tokens; // without candidates
    bool m_fresh = true;             // the document's last block is empty and to be used
    bool m_shaded = false;
    bool m_growing = false;
    bool m_muted = false;
    int m_current = -1;
    QPoint m_pressed; // the mouse, last
    int m_hovered = -1;
};

} // namespace gufo::ui
