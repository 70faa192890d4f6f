// The files that named mixes ("Q4_K_M") would make of a model, and models in memory with the weights that such a file,
// or the file of a plan, would have. Nothing is written.
//
// Threads: any but the UI thread, because importance matrices and weights are read.
#pragma once

#include "quantize/quantize_model.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo {

struct PresetFile {
    const Recipe* recipe = nullptr;
    QuantizePlan file;
};
// One for each mix with fewer bits than the model has, ascending in size. Mixes that need an importance matrix are left
// out without one. `request` has the importance matrix and what else is asked for; its recipe is ignored. Errors: the
// errors of planQuantization().
[[nodiscard]] Result<std::vector<PresetFile>> presetFiles(const Model& model, const QuantizeRequest& request,
                                                          const JobContext& job);
// Of these, the largest that is no larger than a file of `bytes` bytes, and the smallest that is larger.
[[nodiscard]] std::vector<PresetFile> presetsBeside(std::span<const PresetFile> presets, std::uint64_t bytes);

// A model with the weights of a planned file. What keeps its type views the bytes of `model`. Errors: the errors of
// quantisedInMemory() and swapTensors().
[[nodiscard]] Result<std::shared_ptr<const Model>> plannedInMemory(const std::shared_ptr<const Model>& model,
                                                                   std::span<const PlannedTensor> tensors,
                                                                   const Imatrix* imatrix, const JobContext& job);

} // namespace gufo
