// Finds out whether a file was quantised from the base model that it names, by comparing their weights.
//
// Threads: thread-safe; reads a sample of the weights of both, so it must not be called on the UI thread.
#pragma once

#include "base/job_context.h"
#include "model/finding.h"
#include "model/model.h"

#include <cstdint>
#include <vector>

namespace gufo {

struct BaseComparison {
    std::uint64_t compared = 0; // tensors of the same name and shape, in types of 2 bits and more
    std::vector<Finding> findings{};
};
// Progress is in tensors. Errors: Cancelled.
[[nodiscard]] Result<BaseComparison> compareWithBase(const Model& model, const Model& base, const JobContext& job = {});

} // namespace gufo
