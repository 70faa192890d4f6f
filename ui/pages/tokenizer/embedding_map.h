// The embeddings of some tokens as points in the plane of their first two principal components.
//
// Tokens are projected when they are first shown, or, if the weights are on a server, when the user fetches them.
#pragma once

#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/projection_plot.h"
#include "ui/vocabulary/token_arrays.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace gufo::ui {

class JobBar;
class PictureMenu;

class EmbeddingMap : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMostTokens = 500; // that can be told apart, and compared in pairs in a moment

    explicit EmbeddingMap(QWidget* parent = nullptr);

    // The tokens that a map shows, and what they are.
    struct Tokens {
        std::vector<std::uint64_t> ids{}; // the first kMostTokens are shown
        QString what{};                   // "12 selected tokens", a sentence without its end
    };
    // `weights` has the table of embeddings; null or a model without one: nothing is shown.
    void showTokens(std::shared_ptr<const Model> weights, std::shared_ptr<const TokenArrays> vocabulary, Tokens tokens);
    void reset();
    void choose(std::optional<std::uint64_t> token); // marks it and the most similar ones, if it is shown

    [[nodiscard]] ProjectionPlot& plot() { return *m_plot; }
    [[nodiscard]] const std::vector<std::uint64_t>& shown() const; // tokens, by point
    [[nodiscard]] PictureMenu& pictures() const { return *m_pictures; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void drawn();
    void picked(quint64 token);

private:
    struct Drawing;
    void draw();
    void take(std::shared_ptr<const Drawing> drawing);
    void mark();
    [[nodiscard]] PictureFrame frame() const;

    std::shared_ptr<const Model> m_weights;
    std::shared_ptr<const TokenArrays> m_vocabulary;
    Tokens m_tokens;
    std::shared_ptr<const Drawing> m_drawing;
    std::optional<std::uint64_t> m_token;
    LatestJob m_job{this};

    QLabel* m_what;
    QCheckBox* m_labels;
    QPushButton* m_fetch;
    PictureMenu* m_pictures;
    ProjectionPlot* m_plot;
    JobBar* m_progress;
};

} // namespace gufo::ui
