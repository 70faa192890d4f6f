// Plans the conversion of a PEFT adapter to a GGUF adapter (adapter/adapter.h).
//
// The conversion applies operations to the weights of the base model, which must also be applied to the products B·A
// that are added to them. Because the products are never built, each operation is applied to a factor: B if it moves
// rows, A if it moves columns; a transposition exchanges the two. Other operations are refused.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

struct AdapterRequest {
    std::optional<TensorType> type{}; // of the factors; if it is absent, each float type of the source is kept
    std::string name{};               // general.name; if it is empty, the name of the folder
};

// Whether the folder has the weights of an adapter.
[[nodiscard]] bool isAdapter(const SourceFolder& source);

// `base` has the configuration of the base model, and its tensors if it is a GGUF file (conversion_source.h), whose
// shapes must then fit. Errors: the errors of PeftConfig::read() and adapterModules(); NotSupported
// (Detail::NoModelClass, ClassNotSupported; TensorsUnmapped with the names of the modules; AdapterOperation;
// ExpertsIncomplete); InvalidArgument (DuplicateTensorName, PartsDiffer); NoSuchTensor, WrongShape.
[[nodiscard]] Result<ConversionPlan> planAdapter(const SourceFolder& adapter, const SourceFolder& base,
                                                 const AdapterRequest& request = {});

} // namespace gufo::convert
