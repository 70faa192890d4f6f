// Measures how strongly adapters change a model, tensor by tensor: the norm of the change that each adds, and the norm
// of the weights to which it is added.
#pragma once

#include "adapter/adapter.h"
#include "base/job_context.h"

#include <optional>

namespace gufo {

// An adapter and how strongly it is applied: 1 as it was trained.
struct AdapterUse {
    Adapter adapter;
    double strength = 1;
};

struct AdapterChange {
    std::size_t adapter = 0; // of the list of uses
    std::uint64_t rank = 0;  // 0: no product is added
    bool replaces = false;   // another tensor takes the place of the weights
    double norm = 0;         // Frobenius norm of the change that is added to the base model's weights
};

// A tensor that at least one adapter changes.
struct ChangedTensor {
    TensorIndex tensor{0};
    std::vector<AdapterChange> changes;
    double weightNorm = 0; // of the base model's weights; NaN and infinities are left out

    // The norm of a change relative to the norm of the weights; nothing if the weights are 0.
    [[nodiscard]] std::optional<double> relative(const AdapterChange& change) const {
        return weightNorm == 0 ? std::nullopt : std::optional(change.norm / weightNorm);
    }
};

// In the base model's order, without norms.
[[nodiscard]] std::vector<ChangedTensor> changedTensors(std::span<const AdapterUse> adapters);

// The same with norms. Reads the tensors that are changed, and only those. JobContext::threads workers; the figures do
// not depend on their number. Progress is in weights. Errors: the errors of TensorChange::load(); NotDecodable,
// Truncated (a tensor of the base model); FileChangedWhileReading; Cancelled.
[[nodiscard]] Result<std::vector<ChangedTensor>> measureChanges(const Model& base, std::span<const AdapterUse> adapters,
                                                                const JobContext& job = {});

} // namespace gufo
