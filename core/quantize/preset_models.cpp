#include "quantize/preset_models.h"

#include "model/swapped_model.h"
#include "quantize/calibration.h"

#include <algorithm>

namespace gufo {

Result<std::vector<PresetFile>> presetFiles(const Model& model, const QuantizeRequest& request, const JobContext& job) {
    std::vector<PresetFile> presets;
    const std::uint64_t own = model.totals().tensorBytes;
    for (const Recipe& recipe : recipes()) {
        QuantizeRequest asked = request;
        asked.recipe = {.recipe = &recipe};
        asked.recipeText.clear();
        QuantizePlan file = GUFO_TRY(planQuantization(model, asked, job));
        if (file.tensorBytes < own && file.types.needImportance.empty()) {
            presets.push_back({.recipe = &recipe, .file = std::move(file)});
        }
    }
    std::ranges::sort(presets, {}, [](const PresetFile& preset) { return preset.file.fileBytes; });
    return presets;
}

std::vector<PresetFile> presetsBeside(std::span<const PresetFile> presets, std::uint64_t bytes) {
    const auto larger =
        std::ranges::upper_bound(presets, bytes, {}, [](const PresetFile& preset) { return preset.file.fileBytes; });
    std::vector<PresetFile> beside;
    if (larger != presets.begin()) {
        beside.push_back(*std::prev(larger));
    }
    if (larger != presets.end()) {
        beside.push_back(*larger);
    }
    return beside;
}

Result<std::shared_ptr<const Model>> plannedInMemory(const std::shared_ptr<const Model>& model,
                                                     std::span<const PlannedTensor> tensors, const Imatrix* imatrix,
                                                     const JobContext& job) {
    std::vector<ProbedTensor> changed;
    for (const PlannedTensor& planned : tensors) {
        if (planned.typeId != model->tensor(planned.tensor).typeId) {
            changed.push_back({.tensor = planned.tensor, .typeId = planned.typeId});
        }
    }
    const auto quantised = GUFO_TRY(quantisedInMemory(model, changed, imatrix, job));
    std::vector<TensorSwap> swaps;
    for (const ProbedTensor& each : changed) {
        swaps.push_back({.tensor = each.tensor, .from = quantised});
    }
    return swapTensors(model, swaps);
}

} // namespace gufo
