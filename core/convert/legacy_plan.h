// Plans the conversion of a file from before GGUF (GGML, GGMF, GGJT) to GGUF.
//
// Files of LLaMA were made from the original weights, whose query and key heads already have the order that the rotary
// embedding of GGUF expects, so no rows are permuted. The slices of a model in several files are joined.
// Files of other families cannot be converted, because they lack the merges of their byte-level
// vocabularies.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

// Whether the file is from before GGUF.
[[nodiscard]] bool isLegacy(const Model& model);

// `name` is the value of general.name; if it is empty, the name of the file is used. With `vocabularyOnly`, and for
// files that are only a vocabulary, no tensors are planned, and sizes that only tensors state are taken from the first
// LLaMA. Keys that the file does not state get the values that its runtimes assumed; PlannedKey::from is then
// "assumed". Errors: NotSupported (Detail::FamilyNotConverted, TensorsUnmapped, QuantisationUnknown, TensorSizeUnknown,
// SlicesNotConverted); WrongShape (sizes that contradict the header); NoSuchTensor.
[[nodiscard]] Result<ConversionPlan> planLegacy(std::shared_ptr<const Model> model, std::string_view name = {},
                                                bool vocabularyOnly = false);

// The error that rounding scales to f16 makes: for each row of the plan, the largest absolute error of a weight; no
// value for rows whose scales are not rounded. Reads the tensors of the rows that have a value. JobContext::threads
// workers. Progress is in weights. Errors: the errors of legacyLoss(); Cancelled.
[[nodiscard]] Result<std::vector<std::optional<double>>> measureLoss(const Model& model, const ConversionPlan& plan,
                                                                     const JobContext& job = {});

} // namespace gufo::convert
