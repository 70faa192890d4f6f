// Plans the conversion of a PEFT adapter to a GGUF adapter (adapter/adapter.h).
//
// The weights of the base model go through operations on their way to GGUF, and so must what is added to them. Because
// a product B·A is never built, each operation is done on a factor instead: what moves rows is done on B, what moves
// columns on A, and transposing exchanges the two. Other operations are refused.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

struct AdapterRequest {
    std::optional<TensorType> type{}; // of the factors; without one, that which each has in the source
    std::string name{};               // general.name; empty: that of the folder
};

// Whether the folder's weights are those of an adapter.
[[nodiscard]] bool isAdapter(const SourceFolder& source);

// `base` has the configuration of the base model, and its tensors if it is a GGUF file (adapter_base.h); they must fit.
// Errors: those of PeftConfig::read(); NotSupported (Detail::NoModelClass, ClassNotSupported; AdapterReplaces and
// TensorsUnmapped with the names of all tensors; PartMissing; AdapterOperation; AdapterStrength; ExpertsIncomplete);
// NoSuchTensor, WrongShape.
[[nodiscard]] Result<ConversionPlan> planAdapter(const SourceFolder& adapter, const SourceFolder& base,
                                                 const AdapterRequest& request = {});

} // namespace gufo::convert
