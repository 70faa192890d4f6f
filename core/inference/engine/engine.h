// A model that Gufo's own engine has loaded. All of its sessions share it, read only.
#pragma once

#include "inference/engine/binding/weights.h"
#include "inference/engine/weight_reader.h"
#include "inference/interface/session.h"

namespace gufo::inference {

struct BoundModel {
    std::shared_ptr<const Model> model;
    ModelShape shape;
    Weights weights;
    std::unique_ptr<WeightReader> reader{}; // null: the weights are not going to be used
};

// Errors: the errors of readShape() and bindWeights().
[[nodiscard]] Result<std::shared_ptr<const BoundModel>> makeEngine(std::shared_ptr<const Model> model,
                                                                   SmallTensors small);

// The same for a model that generates texts. Errors: the errors of loadForInference().
[[nodiscard]] Result<std::shared_ptr<const BoundModel>> makeGenerator(std::shared_ptr<const Model> model);

// The block of a model that predicts further tokens, as a model of one block (mtp_drafter.h). Its weights have no
// reader. Errors: the errors of readPredictorShape() and bindPredictor().
[[nodiscard]] Result<std::shared_ptr<const BoundModel>> makePredictor(std::shared_ptr<const Model> model,
                                                                      SmallTensors small);

// Returns `asked` with defaults filled in. Error: LimitExceeded if the context is longer than the learned positions.
[[nodiscard]] Result<SessionOptions> resolved(const BoundModel& engine, const SessionOptions& asked);

} // namespace gufo::inference
