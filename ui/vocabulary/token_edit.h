// A text field whose tokens are coloured: alternating tints, and chips for control and user-defined tokens.
#pragma once

#include "ui/vocabulary/token_cells.h"

#include <QPlainTextEdit>

namespace gufo::ui {

class TokenEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    // The field lays text out on the UI thread, so it takes no more than this.
    static constexpr int kMaxCharacters = 20'000;

    explicit TokenEdit(QWidget* parent = nullptr);
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer);
    // Tokens of the present text.
    void setTokens(std::shared_ptr<const TokenizedText> tokens);

    // Whether only control, unknown and user-defined tokens are marked.
    void setOnlySpecials(bool only);

    // All about the tokens at a character, a line each; empty if there are none. For tool tips and screen readers.
    [[nodiscard]] QString describe(int position) const;
    // The first token at a character.
    [[nodiscard]] std::optional<TokenId> tokenAt(int position) const;

signals:
    void tokenClicked(quint64 id);
    void textCut(); // more was pasted or dropped than fits

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
    int m_validTo = 0; // characters before are those that m_tokens tells of
};

} // namespace gufo::ui
