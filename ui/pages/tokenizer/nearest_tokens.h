// The tokens whose embeddings are most similar to the embedding of the current token, by the cosine. They are found
// when the user asks for them, because that reads the whole table of embeddings.
#pragma once

#include "analysis/vector_set.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/vocabulary/token_arrays.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>

namespace gufo::ui {

class JobBar;

// The table of embeddings: a matrix of whole rows by token whose values can be decoded, which is token_embd.weight, or
// what it is called in other containers. Nothing if there is none, or the file ends within it.
[[nodiscard]] std::optional<TensorIndex> embeddingTable(const Model& model);

class NearestTokens : public QWidget {
    Q_OBJECT

public:
    explicit NearestTokens(QWidget* parent = nullptr);
    // `weights` has the table of embeddings; without one, the section is hidden.
    void setModel(std::shared_ptr<const Model> weights, std::shared_ptr<const TokenArrays> vocabulary);
    void setToken(std::optional<std::uint64_t> token);
    [[nodiscard]] const std::vector<Neighbour>& found() const { return m_found; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void finished();
    void tokenRequested(quint64 id);

private:
    void find();
    void showState();
    void take(std::vector<Neighbour> found);

    std::shared_ptr<const Model> m_weights;
    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::optional<TensorIndex> m_table;
    std::optional<std::uint64_t> m_token;
    std::vector<Neighbour> m_found;
    LatestJob m_job{this};
    QPushButton* m_find;
    QLabel* m_problem;
    QTableWidget* m_list;
    JobBar* m_progress;
};

} // namespace gufo::ui
