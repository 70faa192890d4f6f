#include "analysis/compare/exchanged_tensors.h"

#include "analysis/compare/match_content.h"
#include "analysis/compare/pair_figures.h"

#include <algorithm>

namespace gufo {
namespace {

// Quantisation to 2 bits per weight has a normalised squared error of about 0.1, and exchanged matrices one of about 2.
// Norms resemble each other, so that exchanged ones differ little.
constexpr double kMatrixError = 0.3;
constexpr double kVectorError = 1e-4;

bool isSuspect(const ComparedCell& cell, const TensorPart& part) {
    if (cell.state != ComparedCell::State::Compared || cell.comparison.identical) {
        return false;
    }
    const auto error = figuresOf(cell.comparison.sums).nmse;
    return !error || *error > (part.rows == 1 ? kVectorError : kMatrixError);
}

} // namespace

Result<std::vector<ExchangedTensor>> findExchanged(const TensorMatches& matches, const ModelComparison& comparison,
                                                   const JobContext& job) {
    std::vector<ExchangedTensor> exchanged;
    for (std::size_t model = 0; model < matches.models.size(); ++model) {
        std::vector<std::size_t> suspects; // rows
        std::vector<std::size_t> rows;
        std::vector<TensorPart> parts; // of the suspects
        std::vector<TensorPart> references;
        for (std::size_t row = 0; row < matches.rows.size() && model != matches.reference; ++row) {
            const TensorMatch& match = matches.rows[row];
            if (!match.has(matches.reference) || !match.comparable(model)) {
                continue;
            }
            rows.push_back(row);
            references.push_back(match.cells[matches.reference].part);
            if (isSuspect(comparison.rows[row].cells[model], match.cells[model].part)) {
                suspects.push_back(row);
                parts.push_back(match.cells[model].part);
            }
        }
        if (suspects.empty()) {
            continue;
        }
        const auto pairs = GUFO_TRY(
            matchByContent(*matches.models[model], parts, *matches.models[matches.reference], references, job));
        for (const ContentPair& pair : pairs) {
            if (suspects[pair.a] != rows[pair.b]) {
                exchanged.push_back({.model = model, .row = suspects[pair.a], .holds = rows[pair.b]});
            }
        }
    }
    std::ranges::sort(exchanged, {}, [](const ExchangedTensor& one) { return std::pair(one.model, one.row); });
    return exchanged;
}

} // namespace gufo
