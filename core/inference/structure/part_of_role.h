// The part to which a tensor belongs by its name alone.
#pragma once

#include "inference/engine/binding/graph_part.h"
#include "inference/engine/binding/graph_traits.h"
#include "model/tensor_role.h"

namespace gufo::inference {

struct RoleContext {
    const GraphTraits* traits = nullptr; // of the architecture; null: unknown
    bool onlyState = false;              // the block mixes by a state alone, so projections of queries belong to it
};

[[nodiscard]] GraphPart partOfRole(const TensorName& name, const RoleContext& context);
// Whether the number in the name counts layers of a projector instead of blocks.
[[nodiscard]] bool isProjectorLayer(const TensorName& name);

} // namespace gufo::inference
