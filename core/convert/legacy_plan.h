// Plans the conversion of a file from before GGUF (GGML, GGMF, GGJT) to GGUF.
//
// LLaMA's files were made of the original weights, whose query and key heads already have the order that GGUF's
// rotation expects, so no rows move. Other families stored too little: of byte-level vocabularies, the merges are
// missing.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

// Whether the file is from before GGUF.
[[nodiscard]] bool isLegacy(const Model& model);

// What the file lacks gets the values that its runtimes assumed; PlannedKey::from is then "assumed". Errors:
// NotSupported (Detail::FamilyNotConverted, SlicesNotConverted, TensorsUnmapped, QuantisationUnknown); WrongShape
// (sizes that contradict the header); NoSuchTensor.
[[nodiscard]] Result<ConversionPlan> planLegacy(std::shared_ptr<const Model> model, std::string_view name = {});

// What rounding scales to f16 costs: for each row of the plan the largest error of a weight, nothing where a row loses
// nothing. Reads those tensors. Progress is in weights. Errors: those of legacyLoss(); Cancelled.
[[nodiscard]] Result<std::vector<std::optional<double>>> measureLoss(const Model& model, const ConversionPlan& plan,
                                                                     const JobContext& job = {});

} // namespace gufo::convert
