// The models in the folder of a model: its other quantisations, and the files that are used with it.
//
// Threads: thread-safe. Headers and vocabularies are read, so the functions must not be called on the UI thread.
#pragma once

#include "pairing/pairing.h"
#include "validate/validate.h"

#include <memory>
#include <vector>

namespace gufo {

struct NeighbourModel {
    std::shared_ptr<const Model> model;
    bool sameModel = false; // the same weights in other types, or the model itself
    Pairing pairing{};      // with the model, unless it is the same
};

// Whether both are the same model, perhaps in other types, as far as their headers tell.
[[nodiscard]] bool isSameModel(const Model& a, const Model& b);

// The model itself first, then those in its folder that are the same model, and those that are used with it or would be
// (projectors, adapters, importance matrices, prediction blocks, drafts that fit). A model that is on a server, or in
// no file, has none but itself. Errors: Cancelled, FileChangedWhileReading.
[[nodiscard]] Result<std::vector<NeighbourModel>> neighboursOf(const std::shared_ptr<const Model>& model,
                                                               const JobContext& job = {});

// Adds what validate() cannot know: a projector beside the model that fits, or that fits no model of the folder; for a
// projector, the same about the models beside it. Only files with "mmproj" in their names are taken for projectors, so
// that a folder without any is not read. Errors: Cancelled, FileChangedWhileReading.
[[nodiscard]] Result<> addNeighbourFindings(const std::shared_ptr<const Model>& model, Validation& validation,
                                            const JobContext& job = {});

} // namespace gufo
