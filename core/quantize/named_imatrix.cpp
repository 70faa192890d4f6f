#include "quantize/named_imatrix.h"

#include "base/detail.h"

namespace gufo {

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
