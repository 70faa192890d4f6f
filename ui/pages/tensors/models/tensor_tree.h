// The tree of tensors, without a model around it, so that a job can build it: groups by block and role, or by role and
// block, with sums.
#pragma once

#include "base/job_context.h"
#include "text/tensor_filter.h"
#include "ui/pages/tensors/models/tensor_rows.h"

#include <memory>
#include <vector>

namespace gufo::ui {

class TensorTree {
public:
    enum class Grouping { Blocks, Roles };
    struct Node {
        std::size_t parent = 0;
        int row = 0;
        QString label;
        std::optional<TensorIndex> tensor{}; // leaves
        std::vector<std::size_t> children{};
        std::size_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
        std::optional<std::uint32_t> typeId{}; // if all tensors below have the same type
        std::string_view ownType{};            // the file's own name of that type, if it has one
    };
    std::vector<Node> nodes{1};      // 0: the root
    std::vector<std::size_t> leafOf; // by tensor; 0: none

    // Errors: Cancelled.
    [[nodiscard]] static Result<TensorTree> build(const TensorRows& rows, const text::TensorFilter& filter,
                                                  Grouping grouping, const JobContext& job = {});

private:
    std::size_t addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor);
    void addUp(const TensorInfo& info, std::size_t leaf);
};

} // namespace gufo::ui
