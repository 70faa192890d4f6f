#include "inference/needs.h"

#include "inference/weights.h"

namespace gufo::inference {

Result<MemoryNeeds> memoryNeeds(const std::shared_ptr<const Model>& model, const SessionOptions& options) {
    auto shape = readShape(*model);
    if (!shape) {
        return std::unexpected(std::move(shape.error()));
    }
    if (auto weights = bindWeights(*model, *shape); !weights) {
        return std::unexpected(std::move(weights.error()));
    }
    const auto estimate = estimateMemory(
        *model, {.context = options.context, .batch = options.batch, .keys = options.keys, .values = options.values});
    if (!estimate) {
        return std::unexpected(estimate.error());
    }
    return MemoryNeeds{.context = static_cast<std::uint32_t>(estimate->context),
                       .trainedContext = shape->trainedContext,
                       .weights = estimate->weights,
                       .kvCache = estimate->kvCache,
                       .kvPerToken = estimate->kvPerToken,
                       .recurrentState = estimate->recurrentState,
                       .scratch = estimate->buffers,
                       .logits = estimate->logits};
}

} // namespace gufo::inference
