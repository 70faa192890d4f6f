#include "ui/pages/diagram/diagram_figures.h"

#include "analysis/compare/compare_models.h"
#include "base/try.h"
#include "quantize/imatrix_coverage.h"
#include "ui/messages/figure_text.h"
#include "ui/report/metric.h"
#include "ui/shell/native_path.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

class FigureWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::DiagramPage)
};

} // namespace

std::optional<double> DiagramFigures::of(std::span<const TensorIndex> chosen) const {
    Share sum;
    for (const TensorIndex tensor : chosen) {
        sum.part += tensors[tensor.value].part;
        sum.whole += tensors[tensor.value].whole;
    }
    if (!(sum.whole > 0)) {
        return {};
    }
    if (kind == Kind::Coverage) {
        return sum.part / sum.whole;
    }
    return sum.part > 0 ? 10 * std::log10(sum.whole / sum.part) : std::numeric_limits<double>::infinity();
}

QString DiagramFigures::text(std::span<const TensorIndex> chosen) const {
    const std::optional<double> figure = of(chosen);
    if (!figure) {
        return {};
    }
    if (kind == Kind::Coverage) {
        return FigureWords::tr("%1 % covered by %2").arg(formatFixed(100 * *figure, 1), partner);
    }
    return std::isinf(*figure) ? FigureWords::tr("No difference from %1").arg(partner)
                               : FigureWords::tr("SQNR %1 against %2")
                                     .arg(metricTextWithUnit(metricFact(Metric::Sqnr), *figure), partner);
}

Result<std::shared_ptr<const DiagramFigures>> errorFigures(const std::shared_ptr<const Model>& model,
                                                           const std::shared_ptr<const Model>& partner,
                                                           const JobContext& job) {
    const std::array models{model, partner};
    const std::size_t reference = proposedReference(models);
    const TensorMatches matches = GUFO_TRY(matchTensors(models, reference, job));
    const ModelComparison comparison = GUFO_TRY(compareModels(matches, {}, job));
    auto figures = std::make_shared<DiagramFigures>();
    figures->kind = DiagramFigures::Kind::Error;
    figures->partner = fileNameText(partner->path());
    figures->tensors.resize(model->tensors.size());
    for (const ComparedRow& row : comparison.rows) {
        const ComparedCell& cell = row.cells[1 - reference];
        const TensorMatch& match = matches.rows[row.row];
        if (cell.state != ComparedCell::State::Compared || !match.has(0)) {
            continue;
        }
        DiagramFigures::Share& share = figures->tensors[match.cells[0].part.tensor.value];
        share.part += cell.comparison.sums.ee;
        // Weights that are all 0 in both files do not differ, either.
        share.whole += std::max(cell.comparison.sums.aa, std::numeric_limits<double>::min());
    }
    return figures;
}

Result<std::shared_ptr<const DiagramFigures>> coverageFigures(const Model& model, const Imatrix& imatrix,
                                                              const JobContext& job) {
    auto figures = std::make_shared<DiagramFigures>();
    figures->kind = DiagramFigures::Kind::Coverage;
    figures->partner = fileNameText(imatrix.path());
    figures->tensors.resize(model.tensors.size());
    job.start(model.tensors.size());
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        GUFO_TRY(job.check());
        const TensorInfo& tensor = model.tensor(TensorIndex{i});
        if (imatrix.contains(tensor.name)) {
            const Imatrix::MatrixCounts counts = GUFO_TRY(imatrix.countMatrices(tensor));
            figures->tensors[i] = {.part = static_cast<double>(counts.given), .whole = static_cast<double>(counts.all)};
        } else if (expectsImportance(tensor)) {
            figures->tensors[i] = {.part = 0, .whole = 1};
        }
        job.advance(1);
    }
    return figures;
}

} // namespace gufo::ui
