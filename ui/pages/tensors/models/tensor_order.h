// Which tensors a table shows, and in which order. Models with many tensors are filtered and sorted in jobs.
#pragma once

#include "base/job_context.h"
#include "text/tensor_filter.h"
#include "ui/pages/tensors/models/tensor_rows.h"

#include <memory>
#include <vector>

namespace gufo::ui {

struct TensorOrder {
    std::shared_ptr<const TensorRows> rows;
    text::TensorFilter filter{};
    int column = -1; // −1: file order
    bool ascending = true;
    std::vector<std::optional<double>> deviations{}; // by tensor; needed for the columns of figures of weights

    [[nodiscard]] bool isFileOrder() const { return column < 0 && filter.matchesAll(); }
    // Equal tensors keep the file order. Errors: Cancelled.
    [[nodiscard]] Result<std::vector<TensorIndex>> find(const JobContext& job = {}) const;
};

[[nodiscard]] inline bool showsWeights(int column) {
    return column == static_cast<int>(TensorColumn::Sigma) || column == static_cast<int>(TensorColumn::Distribution);
}

} // namespace gufo::ui
