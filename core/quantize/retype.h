// Single tensors in other types: changes of a document, which are saved with its other changes. quantize_model.h writes
// a whole model in other types instead.
//
// Threads: any. JobContext::threads workers encode.
#pragma once

#include "base/job_context.h"
#include "model/change.h"
#include "model/model.h"
#include "quantize/recipe.h"
#include "quantize/type_override.h"

#include <memory>
#include <vector>

namespace gufo {

// Returns the tensors that get another type, with their types. Fails as planRecipe() does, or with InvalidArgument and
// the tensor (Detail::TypeNeedsImportance, RowNotWholeBlocks).
[[nodiscard]] Result<std::vector<PlannedTensor>> planRetyping(const Model& model,
                                                              const std::vector<TypeOverride>& overrides);

// Encodes the tensors to which the overrides apply, and keeps the new bytes in memory. The keys that describe the types
// follow. Tensors that are already quantised are quantised again, because they were asked for one by one. Progress is
// in weights. Fails as planRetyping() and RetypedTensor::encode() do, or with Cancelled.
[[nodiscard]] Result<std::vector<Change>> retypeTensors(const std::shared_ptr<const Model>& model,
                                                        const std::vector<TypeOverride>& overrides,
                                                        const JobContext& job = {});

} // namespace gufo
