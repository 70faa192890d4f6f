// Gufo's own engine: what its row in the table of engines offers, and what the header tells about running a model.
//
// Thread contract: pure functions, besides reading the file; of the weights, loading and predicting read only the small
// tensors.
#pragma once

#include "inference/interface/embedder.h"
#include "inference/interface/memory_needs.h"
#include "inference/interface/session.h"

namespace gufo::inference {

// Prepares a model for Gufo's own engine. Only small tensors are read; the weights stay mapped. All errors come before
// anything is loaded: NotRunnable (args: every feature of the architecture or tensor type that the engine lacks),
// NoSuchKey and NoSuchTensor (args: all that are missing), InvalidArgument (a hyper-parameter with an impossible
// value), TensorsNotUsed (args: all tensors that the engine does not know and that are not in LoadedModel::leftOut()),
// WrongShape (place: the tensor; args: actual shape, required shape), FileNotFound (a missing shard), Truncated. A
// model that generates nothing (embedder.h) is NotRunnable.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadForInference(std::shared_ptr<const Model> model);

// Whether the model generates no text, so that this is all it can do.
[[nodiscard]] bool onlyEmbeds(const Model& model);
// Whether it has a decoder that would generate text, but only its encoder is run.
[[nodiscard]] bool leavesOutDecoder(const Model& model);

// Computes vectors. A session of `options` is started. Errors: the errors of loadForInference() and
// LoadedModel::startSession().
[[nodiscard]] Result<std::unique_ptr<Embedder>>
openBuiltInEmbedder(const std::shared_ptr<const Model>& model, const SessionOptions& options, const JobContext& job);

// `options` as for startSession(). Errors: the errors of loadForInference() and startSession(), except NotEnoughMemory.
[[nodiscard]] Result<MemoryNeeds> memoryNeeds(const std::shared_ptr<const Model>& model, const SessionOptions& options);
// Errors: the errors of memoryNeeds() where not even an estimate is possible; the errors of estimateMemory() for a file
// that is not a model or whose metadata lack a figure.
[[nodiscard]] Result<MemoryForecast> forecastMemory(const std::shared_ptr<const Model>& model,
                                                    const SessionOptions& options, const MachineMemory& machine);

} // namespace gufo::inference
