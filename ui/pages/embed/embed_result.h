// What the page shows of a set of texts. Computed in a job and not changed afterwards.
#pragma once

#include "analysis/vector_set.h"
#include "inference/measuring/line_vectors.h"
#include "ui/pages/embed/text_lines.h"

#include <QImage>
#include <QStringList>

#include <filesystem>
#include <memory>

namespace gufo::ui {

struct EmbedResult {
    std::shared_ptr<const TextLines> lines{};
    std::string query{};
    inference::LineVectors vectors{};
    // Of vectors, not of scores:
    std::vector<float> cosines{};
    PlaneProjection plane{};
    QImage map{};      // a pixel for each cosine
    float minimum = 0; // the cosine with the darkest colour; the brightest one is 1

    [[nodiscard]] std::size_t size() const { return lines->size(); }
    [[nodiscard]] bool ranks() const { return vectors.pooling == inference::Pooling::Rank; }
    [[nodiscard]] float cosine(std::size_t a, std::size_t b) const { return cosines[a * size() + b]; }
    [[nodiscard]] QStringList scoreNames() const; // of the columns of a ranking
};

// Errors: see vectorsOfLines().
[[nodiscard]] Result<std::shared_ptr<const EmbedResult>>
embedTextLines(const inference::Engine& engine, const std::shared_ptr<const Model>& model,
               std::shared_ptr<const TextLines> lines, const inference::LineRequest& request, const JobContext& job);

// Why the texts cannot be used, in one or two sentences.
[[nodiscard]] QString lineProblemText(const EmbedResult& result);

// Errors: see OutputFile. The vectors are written as the model yields them, in the order of the lines.
enum class EmbedExport { Npy, Csv, CosinesCsv, RankingCsv };
[[nodiscard]] Result<> writeEmbedding(const EmbedResult& result, EmbedExport what, const std::filesystem::path& path);

} // namespace gufo::ui
