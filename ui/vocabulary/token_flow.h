// Shows the tokens of a text as a flow of boxes, each with its text and below it its id.
#pragma once

#include "ui/vocabulary/token_cells.h"

#include <QAbstractScrollArea>

namespace gufo::ui {

class TokenFlow : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenFlow(QWidget* parent = nullptr);
    void setTokens(std::shared_ptr<const text::Tokenizer> tokenizer, std::shared_ptr<const TokenizedText> tokens);
    // The index of the token at a point of the viewport; empty if there is none.
    [[nodiscard]] std::optional<std::size_t> tokenAt(QPoint point) const;
    [[nodiscard]] QRect placeOf(std::size_t token) const; // in the viewport
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void tokenClicked(quint64 id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void arrange();
    [[nodiscard]] QString textOf(std::size_t token) const;
    [[nodiscard]] int boxHeight() const;

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::shared_ptr<const TokenizedText> m_tokens;
    std::vector<QRect> m_boxes; // by token, from the top of the content
};

} // namespace gufo::ui
