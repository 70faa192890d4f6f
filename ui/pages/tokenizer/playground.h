// Tries out the tokenizer on any text: colours its tokens, describes each, and counts them.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/theme/theme.h"
#include "ui/vocabulary/token_cells.h"
#include "ui/vocabulary/token_edit.h"

#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>

namespace gufo::ui {

// Shows the tokens of a text as a flow of boxes, each with its text and below it its id.
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

class Playground : public QWidget {
    Q_OBJECT

public:
    explicit Playground(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // Creates the tokenizer in a job on the first call for a model.
    void activate();

    [[nodiscard]] TokenEdit* edit() const { return m_edit; }
    [[nodiscard]] QString idText() const; // the ids, separated by spaces
    [[nodiscard]] const TokenizedText* tokens() const { return m_tokens.get(); }
    [[nodiscard]] QString countText() const { return m_counts->text(); }
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void tokenRequested(quint64 id); // by a click, or by Ctrl+Return at the cursor
    void ready();                    // creating the tokenizer has succeeded or failed
    void encoded();                  // tokens() match the text

private:
    void prepared(Result<std::shared_ptr<const text::Tokenizer>> tokenizer);
    void encode();
    void showCounts();
    void showCursor();
    void showProblem(const QString& text, Token token);

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::shared_ptr<const TokenizedText> m_tokens;
    TokenEdit* m_edit;
    QCheckBox* m_special;
    QCheckBox* m_bos;
    QCheckBox* m_eos;
    QCheckBox* m_ids; // shows m_flow
    TokenFlow* m_flow;
    QPushButton* m_copy;
    QPushButton* m_stop;
    QLabel* m_counts;
    QLabel* m_cursor;
    QLabel* m_problem;
    LatestJob m_making{this};
    LatestJob m_encoding{this};
    QTimer m_slow; // delays the stop button
};

} // namespace gufo::ui
