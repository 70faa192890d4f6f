// What the person does to tokens beside editing one in its row: gives many another type, adds some at the end. Tokens,
// scores and types change together, in one step.
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

// token_type with another number for these tokens, sorted. Few are set one by one, many by making the array anew: for a
// job. Errors: Cancelled; NoSuchKey; WrongValueType, where the array's type cannot hold the number.
[[nodiscard]] Result<std::vector<Change>> changesOfTypes(const Model& model, const std::vector<std::uint64_t>& tokens,
                                                         std::int64_t type, const JobContext& job);

// Tokens at the end, with their types and scores (as typed) where the model has such arrays. Error: a sentence, where
// those have other lengths than the tokens, or cannot hold the value.
[[nodiscard]] std::expected<std::vector<Change>, QString>
changesOfAdding(const Model& model, const std::vector<std::string>& texts, std::int64_t type, const std::string& score);

// Asks for tokens to be added; says what the model's embedding has no rows for.
class AddTokensDialog : public QDialog {
    Q_OBJECT

public:
    AddTokensDialog(std::shared_ptr<const Model> model, QWidget* parent);
    [[nodiscard]] const std::vector<Change>& changes() const { return m_changes; } // once accepted
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

// Rows of the token embedding: one for each token that the model knows. Nothing if there is none.
[[nodiscard]] std::optional<std::uint64_t> embeddingRows(const Model& model);

} // namespace gufo::ui
