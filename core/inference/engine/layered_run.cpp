#include "inference/engine/layered_run.h"

#include "model/set_fault.h"

#include <algorithm>

namespace gufo::inference {

Result<std::unique_ptr<LayeredRun>> LayeredRun::open(std::span<const std::shared_ptr<const Model>> models,
                                                     const SessionOptions& options) {
    const std::shared_ptr<const Model>& first = models.front();
    GUFO_TRY(checkSet(*first));
    auto shape = GUFO_TRY(readShape(*first));
    auto weights = GUFO_TRY(bindWeights(*first, shape));
    for (const std::shared_ptr<const Model>& model : models.subspan(1)) {
        GUFO_TRY(checkSet(*model));
        auto otherShape = GUFO_TRY(readShape(*model));
        const Weights other = GUFO_TRY(bindWeights(*model, otherShape, SmallTensors::NotViewed));
        weights.hasFloat16 = weights.hasFloat16 || other.hasFloat16;
        weights.widestRow = std::max(weights.widestRow, other.widestRow);
        weights.widestFiner = std::max(weights.widestFiner, other.widestFiner);
    }
    auto bound = std::make_shared<BoundModel>(
        BoundModel{.model = first, .shape = std::move(shape), .weights = std::move(weights)});
    if (yieldOf(*bound) == EngineSession::Yield::States) {
        return fail(ErrorCode::NotRunnable, Place::key("general.architecture"),
                    {"general.architecture = " + std::string(first->metadata.architecture())});
    }
    SessionOptions whole = options;
    whole.batch = whole.context;
    std::unique_ptr<LayeredRun> run(new LayeredRun(std::move(bound)));
    run->m_session = GUFO_TRY(startEngineSession(run->m_bound, whole, EngineSession::Yield::Logits));
    return run;
}

Result<> LayeredRun::use(const std::shared_ptr<const Model>& model) {
    ModelShape shape = m_bound->shape;
    auto weights = GUFO_TRY(bindWeights(*model, shape));
    m_bound->weights = std::move(weights);
    m_bound->model = model;
    return {};
}

bool LayeredRun::keepsOwnKeys() const {
    const std::vector<BlockShape>& blocks = m_session->shape().blocks;
    return std::ranges::all_of(blocks, [&](const BlockShape& block) { return &blocks[block.source] == &block; });
}

bool LayeredRun::isReadAtBegin(std::string_view tensor) { return tensor.find("rope_f") != std::string_view::npos; }

} // namespace gufo::inference
