// A place to try the tokenizer: any text, its tokens coloured, what each of them is, and how many there are.
#pragma once

#include "ui/jobs/job.h"
#include "ui/theme/theme.h"
#include "ui/vocabulary/token_edit.h"

#include <QCheckBox>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>

namespace gufo::ui {

class Playground : public QWidget {
    Q_OBJECT

public:
    explicit Playground(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // Makes the tokenizer, in a job, when first called for a model.
    void activate();

    [[nodiscard]] TokenEdit* edit() const { return m_edit; }
    [[nodiscard]] QString idText() const; // the ids, separated by spaces
    [[nodiscard]] const TokenizedText* tokens() const { return m_tokens.get(); }
    [[nodiscard]] QString countText() const { return m_counts->text(); }
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void tokenRequested(quint64 id); // by a click, or Ctrl+Return at the cursor
    void ready();                    // the tokenizer is made, or has failed
    void encoded();                  // tokens() belongs to the text

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
    QPushButton* m_copy;
    QPushButton* m_stop;
    QLabel* m_counts;
    QLabel* m_cursor;
    QLabel* m_problem;
    QPointer<Job> m_making;
    QPointer<Job> m_encoding;
    QTimer m_slow; // until the button that stops appears
};

} // namespace gufo::ui
