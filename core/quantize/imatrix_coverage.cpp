#include "quantize/imatrix_coverage.h"

#include "quantize/recipe.h"

#include <algorithm>
#include <numeric>

namespace gufo {
namespace {

ImatrixRow rowOf(std::string_view tensor, const Imatrix::Values& values) {
    ImatrixRow row{.tensor = std::string(tensor), .columns = values.sums.size() / values.counts.size()};
    row.counts = values.counts;
    std::vector<double> columns(row.columns);
    for (std::size_t i = 0; i < values.sums.size(); ++i) {
        columns[i % columns.size()] += values.sums[i];
    }
    const double all = std::accumulate(columns.begin(), columns.end(), 0.0);
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t top = std::min(order.size(), ImatrixRow::kTop);
    std::ranges::partial_sort(
        order, order.begin() + static_cast<std::ptrdiff_t>(top),
        [&](std::size_t a, std::size_t b) { return columns[a] != columns[b] ? columns[a] > columns[b] : a < b; });
    for (std::size_t i = 0; all > 0 && i < top; ++i) {
        row.top.push_back({.column = order[i], .share = columns[order[i]] / all});
    }
    return row;
}

} // namespace

std::uint64_t ImatrixRow::used() const {
    return static_cast<std::uint64_t>(std::ranges::count_if(counts, [](double count) { return count > 0; }));
}

double ImatrixRow::rows() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }

Result<std::vector<ImatrixRow>> imatrixCoverage(const Imatrix& imatrix, const JobContext& job) {
    std::vector<ImatrixRow> rows;
    job.start(imatrix.entries());
    for (const std::string_view name : imatrix.names()) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto values = imatrix.values(name);
        if (!values) {
            return std::unexpected(values.error());
        }
        if (*values && !(*values)->counts.empty()) {
            rows.push_back(rowOf(name, **values));
        }
        job.advance(1);
    }
    return rows;
}

Result<ImatrixPartners> imatrixPartners(const Imatrix& imatrix, const Model& model, const JobContext& job) {
    ImatrixPartners partners;
    for (const std::string_view name : imatrix.names()) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto tensor = model.findTensor(name);
        if (!tensor) {
            partners.withoutTensor.emplace_back(name);
        } else if (!imatrix.check(model.tensor(*tensor))) {
            partners.otherShape.emplace_back(name);
        }
    }
    for (const TensorInfo& tensor : model.tensors) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        // Embedding and output are quantised without importance.
        if (tensor.name.starts_with("blk.") && !recipeKeeps(tensor) && !imatrix.contains(tensor.name)) {
            partners.withoutEntry.emplace_back(tensor.name);
        }
    }
    std::ranges::sort(partners.withoutEntry);
    return partners;
}

} // namespace gufo
