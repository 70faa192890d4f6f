#include "ui/pages/embed/embed_result.h"

#include "base/detail.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/embed/embed_page.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kColours = 256;

float leastCosine(const std::vector<float>& cosines) {
    float minimum = 1;
    for (const float cosine : cosines) {
        if (!std::isnan(cosine)) {
            minimum = std::min(minimum, cosine);
        }
    }
    return minimum < 1 ? minimum : 0; // equal texts need a scale, too
}

// Cosines that are no numbers stay transparent.
QImage mapOf(const EmbedResult& result) {
    std::array<QRgb, kColours> colours{};
    for (int i = 0; i < kColours; ++i) {
        colours[static_cast<std::size_t>(i)] = colorMapAt(ColorMap::Viridis, i / (kColours - 1.0)).rgb();
    }
    const auto size = static_cast<int>(result.size());
    QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
    const float scale = (kColours - 1) / (1 - result.minimum);
    for (int y = 0; y < size; ++y) {
        auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
        const float* cosines = result.cosines.data() + static_cast<std::size_t>(y) * result.size();
        for (int x = 0; x < size; ++x) {
            const float at = std::round((cosines[x] - result.minimum) * scale);
            row[x] = std::isnan(at) ? qRgba(0, 0, 0, 0)
                                    : colours[static_cast<std::size_t>(std::clamp(at, 0.0F, kColours - 1.0F))];
        }
    }
    return image;
}

} // namespace

QStringList EmbedResult::scoreNames() const {
    if (vectors.width == 1) { // its label says nothing: "LABEL_0"
        return {EmbedPage::tr("Score")};
    }
    QStringList names;
    for (const std::string& label : vectors.facts.labels) {
        names << displayText(label);
    }
    for (auto i = static_cast<std::size_t>(names.size()); i < vectors.width; ++i) {
        names << EmbedPage::tr("Score %1").arg(i + 1);
    }
    return names;
}

Result<std::shared_ptr<const EmbedResult>>
embedTextLines(const inference::Engine& engine, const std::shared_ptr<const Model>& model,
               std::shared_ptr<const TextLines> lines, const inference::LineRequest& request, const JobContext& job) {
    auto vectors = GUFO_TRY(inference::vectorsOfLines(engine, model, request, job));
    auto result = std::make_shared<EmbedResult>();
    result->lines = std::move(lines);
    result->query = request.query;
    result->vectors = std::move(vectors);
    if (result->vectors.problem || result->ranks()) {
        return result;
    }
    const VectorSet set{.values = result->vectors.values, .width = result->vectors.width};
    const JobContext rest{.stop = job.stop}; // short beside the evaluation, whose progress stays
    auto cosines = GUFO_TRY(pairCosines(set, rest));
    result->cosines = std::move(cosines);
    result->plane = GUFO_TRY(projectOnPlane(set, rest));
    result->minimum = leastCosine(result->cosines);
    result->map = mapOf(*result);
    return result;
}

QString lineProblemText(const EmbedResult& result) {
    const inference::LineProblem& problem = *result.vectors.problem;
    const QString line = formatCount(result.lines->numbers[problem.line]);
    if (problem.limit > 0) {
        QString text = EmbedPage::tr("Line %1 has %2 tokens, but the model reads at most %3.")
                           .arg(line, formatCount(problem.tokens), formatCount(problem.limit));
        if (problem.others > 0) {
            text += u' ' + EmbedPage::tr("%n other lines are too long as well.", nullptr, numerus(problem.others));
        }
        return text;
    }
    if (problem.error.code == ErrorCode::InvalidArgument &&
        problem.error.args == Arguments{Detail::PromptWithoutTokens}) {
        return EmbedPage::tr("Line %1 has no tokens, and the model adds none of its own.").arg(line);
    }
    return EmbedPage::tr("Line %1 cannot be used: %2.").arg(line, errorReason(problem.error));
}

} // namespace gufo::ui
