#include "adapter/change_norms.h"

#include "adapter/tensor_change.h"
#include "base/parallel.h"
#include "base/try.h"
#include "quantize/write_model.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gufo {
namespace {

constexpr std::uint64_t kPieceWeights = 1U << 16U; // few enough for a quick cancel

// Σw² over finite weights, added up in the order of the weights.
Result<double> energyOf(const Model& base, const TensorInfo& tensor, const JobContext& job) {
    const auto rows = GUFO_TRY(base.rowsOf(tensor));
    const std::uint64_t weights = tensor.weights();
    std::vector<float> piece(std::min(weights, kPieceWeights));
    double energy = 0;
    for (std::uint64_t first = 0; first < weights; first += piece.size()) {
        GUFO_TRY(job.check());
        const std::span<float> values = std::span(piece).first(std::min<std::uint64_t>(piece.size(), weights - first));
        GUFO_TRY(decode(rows, first, values));
        for (const float value : values) {
            energy += std::isfinite(value) ? double{value} * double{value} : 0;
        }
        job.advance(values.size());
    }
    return energy;
}

Result<> measure(const Model& base, std::span<const AdapterUse> adapters, ChangedTensor& changed,
                 const JobContext& job) {
    const TensorInfo& tensor = base.tensor(changed.tensor);
    const auto energy = energyOf(base, tensor, job);
    if (!energy) {
        Error error = energy.error();
        error.place = Place::tensor(std::string(tensor.name));
        return std::unexpected(std::move(error));
    }
    changed.weightNorm = std::sqrt(*energy);
    for (AdapterChange& change : changed.changes) {
        const AdapterUse& use = adapters[change.adapter];
        const auto loaded = GUFO_TRY(TensorChange::load(use.adapter, changed.tensor, tensor.shape));
        const auto rows = GUFO_TRY(base.rowsOf(tensor));
        change.norm = GUFO_TRY(loaded.norm(rows, use.strength, job));
    }
    return {};
}

} // namespace

std::vector<ChangedTensor> changedTensors(std::span<const AdapterUse> adapters) {
    std::map<std::uint64_t, ChangedTensor> byTensor;
    for (std::size_t i = 0; i < adapters.size(); ++i) {
        for (const AdaptedTensor& adapted : adapters[i].adapter.tensors) {
            ChangedTensor& changed = byTensor[adapted.tensor.value];
            changed.tensor = adapted.tensor;
            changed.changes.push_back({.adapter = i, .rank = adapted.rank});
        }
        for (const ReplacedTensor& replaced : adapters[i].adapter.replaced) {
            ChangedTensor& changed = byTensor[replaced.tensor.value];
            changed.tensor = replaced.tensor;
            if (changed.changes.empty() || changed.changes.back().adapter != i) {
                changed.changes.push_back({.adapter = i});
            }
            changed.changes.back().replaces = true;
        }
    }
    std::vector<ChangedTensor> changed;
    for (auto& [index, tensor] : byTensor) {
        changed.push_back(std::move(tensor));
    }
    return changed;
}

Result<std::vector<ChangedTensor>> measureChanges(const Model& base, std::span<const AdapterUse> adapters,
                                                  const JobContext& job) {
    std::vector<ChangedTensor> changed = changedTensors(adapters);
    std::uint64_t weights = 0;
    for (const ChangedTensor& tensor : changed) {
        weights += base.tensor(tensor.tensor).weights();
    }
    job.start(weights);
    std::vector<Result<>> results(changed.size());
    const bool finished = parallelFor(changed.size(), 1, job, [&](std::uint64_t i, std::uint64_t, unsigned) {
        results[i] = measure(base, adapters, changed[i], job);
    });
    if (!finished || job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    for (Result<>& result : results) {
        GUFO_TRY(std::move(result));
    }
    GUFO_TRY(checkUnchanged(base));
    return changed;
}

} // namespace gufo
