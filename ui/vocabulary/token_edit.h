// A text field that colours its tokens with alternating tints, and marks control and user-defined tokens as chips.
#pragma once

#include "ui/vocabulary/token_cells.h"

#include <QPlainTextEdit>

namespace gufo::ui {

class TokenEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    // The limit of the text, because it is laid out on the UI thread.
    static constexpr int kMaxCharacters = 20'000;

    explicit TokenEdit(QWidget* parent = nullptr);
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer);
    // Sets the tokens of the current text.
    void setTokens(std::shared_ptr<const TokenizedText> tokens);

    // Whether to mark control, unknown and user-defined tokens only.
    void setOnlySpecials(bool only);

    // Describes the tokens at a character, one per line; empty if there are none. For tooltips and screen readers.
    [[nodiscard]] QString describe(int position) const;
    // The first token at a character.
    [[nodiscard]] std::optional<TokenId> tokenAt(int position) const;

signals:
    void tokenClicked(quint64 id);
    void textCut(); // the pasted or dropped text was truncated

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    [[nodiscard]] const TokenCell* cellAt(int position) const;
    [[nodiscard]] int characterAt(QPoint point) const; // −1: none
    void paintCells(QPainter& painter, const QTextBlock& block, QPointF origin) const;
    void paintCell(QPainter& painter, QRectF rect, std::size_t index) const;

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::shared_ptr<const TokenizedText> m_tokens;
    bool m_onlySpecials = false;
    int m_validTo = 0; // m_tokens describes the characters before this position
};

} // namespace gufo::ui
