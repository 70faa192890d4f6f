// The right side of the Tokenizer page: the current token, and the vocabulary as a whole.
#pragma once

#include "ui/vocabulary/token_links.h"
#include "ui/widgets/ruled_table.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

// Shows the text of one token as a large chip, elided if it is long.
class TokenChip : public QWidget {
    Q_OBJECT

public:
    explicit TokenChip(QWidget* parent);
    void setToken(const QString& text, std::int64_t type);
    [[nodiscard]] QSize sizeHint() const override { return {200, 28}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    std::int64_t m_type = 0;
};

class NearestTokens;

class TokenDetails : public QWidget {
    Q_OBJECT

public:
    explicit TokenDetails(QWidget* parent = nullptr);
    // `links` is null until its job is done; then call this again.
    void setVocabulary(std::shared_ptr<const TokenArrays> vocabulary, std::shared_ptr<const TokenLinks> links);
    void setToken(std::optional<std::uint64_t> id);
    [[nodiscard]] NearestTokens* nearest() const { return m_nearest; } // gets its model from the page
    [[nodiscard]] QString figures() const;                             // of the token, as lines "name value"

signals:
    void tokenRequested(quint64 id); // a part of the merge rule that produces the token

private:
    void showToken();
    void showFacts();

    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::shared_ptr<const TokenLinks> m_links;
    std::optional<std::uint64_t> m_id;
    QLabel* m_hint;
    TokenChip* m_chip;
    RuledTable* m_token;
    QWidget* m_merge;
    QLabel* m_rank;
    QPushButton* m_left;
    QPushButton* m_right;
    NearestTokens* m_nearest;
    RuledTable* m_facts;
    QList<QPair<QString, QString>> m_rows;
};

} // namespace gufo::ui
