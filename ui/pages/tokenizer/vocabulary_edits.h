// Edits of the vocabulary besides single cells: setting the type of many tokens, and adding tokens at the end. Tokens,
// scores and types change together in one step.
#pragma once

#include "base/job_context.h"
#include "model/change.h"
#include "model/model.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include <memory>
#include <vector>

namespace gufo::ui {

class TokenArrays;

// The changes that set token_type of these (sorted) tokens. Few are set one by one; for many the array is rebuilt, so
// use a job. Errors: Cancelled; NoSuchKey; WrongValueType if the array's type cannot hold the number.
[[nodiscard]] Result<std::vector<Change>> changesOfTypes(const Model& model, const std::vector<std::uint64_t>& tokens,
                                                         std::int64_t type, const JobContext& job);

// The changes that append tokens, with types and (typed) scores if the model has such arrays. Error: a sentence, if the
// arrays differ in length from the tokens or cannot hold the value.
[[nodiscard]] std::expected<std::vector<Change>, QString>
changesOfAdding(const Model& model, const std::vector<std::string>& texts, std::int64_t type, const std::string& score);

// Asks for tokens to add, and warns if the model's embedding has no rows for them.
class AddTokensDialog : public QDialog {
    Q_OBJECT

public:
    AddTokensDialog(std::shared_ptr<const Model> model, QWidget* parent);
    [[nodiscard]] const std::vector<Change>& changes() const { return m_changes; } // valid once accepted
    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] QString warning() const { return m_warning->text(); }

    void accept() override;

private:
    void check();
    [[nodiscard]] std::expected<std::vector<std::string>, QString> texts() const;

    std::shared_ptr<const Model> m_model;
    QPlainTextEdit* m_texts;
    QComboBox* m_type;
    QLineEdit* m_score;
    QLabel* m_warning;
    QLabel* m_problem;
    QPushButton* m_add;
    std::vector<Change> m_changes;
    std::size_t m_count = 0;
};

// The number of rows of the token embedding: one per token that the model knows. Empty if there is none.
[[nodiscard]] std::optional<std::uint64_t> embeddingRows(const Model& model);

} // namespace gufo::ui
