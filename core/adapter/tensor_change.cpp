#include "adapter/tensor_change.h"

#include <algorithm>
#include <cmath>

namespace gufo {
namespace {

constexpr std::uint64_t kWeightsAtATime = 1U << 16U; // few enough for a quick cancel

Result<StoredRows> replacementIn(const Model& adapter, TensorIndex index) {
    const TensorInfo& tensor = adapter.tensor(index);
    const Place place = Place::tensor(std::string(tensor.name));
    if (!tensor.complete()) {
        return std::unexpected(
            fail(ErrorCode::Truncated, place, {std::string(tensor.name), tensor.bytes.value_or(0), tensor.bytesPresent})
                .error()
                .in(adapter.path()));
    }
    auto rows = adapter.rowsOf(tensor);
    return rows ? std::move(rows) : std::unexpected(std::move(rows).error().in(adapter.path()));
}

} // namespace

Result<TensorChange> TensorChange::load(const Adapter& adapter, TensorIndex tensor, const Shape& shape) {
    TensorChange change;
    change.m_adapter = &adapter;
    change.m_adapted = adapter.productOf(tensor);
    change.m_weights = shape.weights().value_or(0);
    if (const ReplacedTensor* replaced = adapter.replacementOf(tensor)) {
        change.m_replacement = GUFO_TRY(replacementIn(*adapter.model, replaced->by));
    }
    if (change.m_adapted != nullptr) {
        change.m_product = GUFO_TRY(LowRankProduct::load(adapter, *change.m_adapted, shape));
    }
    return change;
}

Result<> TensorChange::apply(std::uint64_t first, double strength, std::span<float> weights) const {
    if (m_replacement) {
        std::vector<float> others(weights.size());
        GUFO_TRY(decode(*m_replacement, first, others));
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = strength == 1
                             ? others[i]
                             : static_cast<float>((1 - strength) * double{weights[i]} + strength * double{others[i]});
        }
    }
    if (m_product) {
        m_product->addTo(first, static_cast<float>(scaleAt(strength)), weights);
    }
    return {};
}

Result<double> TensorChange::norm(const StoredRows& base, double strength, const JobContext& job) const {
    if (!m_replacement) {
        return std::abs(scaleAt(strength)) * std::sqrt(m_product->squaredNorm(job));
    }
    double energy = 0;
    std::vector<float> before(std::min(m_weights, kWeightsAtATime));
    std::vector<float> after;
    for (std::uint64_t first = 0; first < m_weights && !job.stopRequested(); first += before.size()) {
        before.resize(std::min(kWeightsAtATime, m_weights - first));
        GUFO_TRY(decode(base, first, before));
        after = before;
        GUFO_TRY(apply(first, strength, after));
        for (std::size_t i = 0; i < before.size(); ++i) {
            const double difference = double{after[i]} - double{before[i]};
            energy += std::isfinite(difference) ? difference * difference : 0;
        }
    }
    return std::sqrt(energy);
}

} // namespace gufo
