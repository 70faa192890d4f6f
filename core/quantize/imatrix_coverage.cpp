#include "quantize/imatrix_coverage.h"

#include "base/detail.h"
#include "base/try.h"
#include "model/tensor_role.h"
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
        GUFO_TRY(job.check());
        const auto values = GUFO_TRY(imatrix.values(name));
        if (values && !values->counts.empty()) {
            rows.push_back(rowOf(name, *values));
        }
        job.advance(1);
    }
    return rows;
}

bool expectsImportance(const TensorInfo& tensor) {
    const RecipePart part = recipePart(tensor.name);
    return parseTensorName(tensor.name).block && part != RecipePart::TokenEmbedding && !recipeKeeps(tensor);
}

Result<ImatrixPartners> imatrixPartners(const Imatrix& imatrix, const Model& model, const JobContext& job) {
    ImatrixPartners partners;
    for (const std::string_view name : imatrix.names()) {
        GUFO_TRY(job.check());
        const auto tensor = model.findTensor(name);
        if (!tensor) {
            const bool lent = std::ranges::any_of(
                model.tensors, [&](const TensorInfo& other) { return imatrix.entryFor(other.name) == name; });
            if (!lent) {
                partners.withoutTensor.emplace_back(name);
            }
            continue;
        }
        if (!imatrix.check(model.tensor(*tensor))) {
            partners.otherShape.emplace_back(name);
            continue;
        }
        const auto matrices = GUFO_TRY(imatrix.countMatrices(model.tensor(*tensor)));
        if (matrices.given == 0) {
            partners.withoutValues.emplace_back(name);
        }
    }
    for (const TensorInfo& tensor : model.tensors) {
        GUFO_TRY(job.check());
        if (expectsImportance(tensor) && imatrix.entryFor(tensor.name).empty()) {
            partners.withoutEntry.emplace_back(tensor.name);
        }
    }
    std::ranges::sort(partners.withoutEntry);
    return partners;
}

Result<ImportanceUse> importanceUse(const Imatrix& imatrix, const Model& model, const std::vector<TensorIndex>& encoded,
                                    const JobContext& job) {
    const auto names = imatrix.names();
    const auto hasEntry = [&](const TensorInfo& tensor) { return !imatrix.entryFor(tensor.name).empty(); };
    if (std::ranges::none_of(model.tensors, hasEntry)) {
        return std::unexpected(Error{ErrorCode::InvalidArgument,
                                     imatrix.path(),
                                     {},
                                     {Argument(Detail::ImatrixFitsNothing, {names.size(), names.front()})},
                                     0});
    }
    ImportanceUse use;
    for (const TensorIndex index : encoded) {
        GUFO_TRY(job.check());
        const TensorInfo& tensor = model.tensor(index);
        const auto matrices = imatrix.countMatrices(tensor);
        if (!matrices) {
            return std::unexpected(Error(matrices.error()).in(imatrix.path()));
        }
        use.used += matrices->given > 0 ? 1 : 0;
        if (matrices->given > 0 && !imatrix.contains(tensor.name)) {
            use.borrowed.emplace_back(tensor.name);
        }
        if (matrices->given == 0 && expectsImportance(tensor)) {
            use.without.emplace_back(tensor.name);
        } else if (matrices->given > 0 && matrices->given < matrices->all) {
            use.partly.emplace_back(tensor.name);
        }
    }
    return use;
}

Result<> checkImatrix(const Imatrix& imatrix, std::span<const std::shared_ptr<const Model>> models,
                      const JobContext& job) {
    Result<> checked;
    for (const auto& model : models) {
        std::vector<TensorIndex> all;
        for (std::size_t i = 0; i < model->tensors.size(); ++i) {
            all.emplace_back(i);
        }
        const auto use = importanceUse(imatrix, *model, all, job);
        checked = use ? Result<>() : std::unexpected(use.error());
        const bool fitsNothing = !checked && !checked.error().args.empty() &&
                                 checked.error().args.front().detail() == Detail::ImatrixFitsNothing;
        if (!fitsNothing) {
            break;
        }
    }
    return checked;
}

Result<std::shared_ptr<const Imatrix>> namedImatrix(std::span<const std::shared_ptr<const Model>> models,
                                                    const JobContext& job) {
    for (const auto& model : models) {
        const auto named = model->metadata.string("quantize.imatrix.file");
        if (!named) {
            continue;
        }
        const std::filesystem::path file = model->path().parent_path() / std::filesystem::path(*named).filename();
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored)) {
            continue;
        }
        auto imatrix = Imatrix::open(file, job);
        const auto checked = imatrix ? checkImatrix(**imatrix, models, job) : std::unexpected(imatrix.error());
        if (checked) {
            return *std::move(imatrix);
        }
        if (checked.error().code == ErrorCode::Cancelled) {
            return std::unexpected(checked.error());
        }
    }
    return nullptr;
}

} // namespace gufo
