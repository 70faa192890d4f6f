// The parts of a forward pass. The binder records which part asked for each tensor (BindingReport::parts), so that a
// picture of a model shows what the engine computes.
#pragma once

#include <cstdint>
#include <string_view>

namespace gufo::inference {

enum class GraphPart : std::uint8_t {
#define GUFO_GRAPH_PART(part, name, section, words) part,
#include "inference/engine/binding/graph_parts.inc"
#undef GUFO_GRAPH_PART
};

// Where a part belongs: before the blocks, in a branch of a block, beside its branches, or after the blocks.
enum class GraphSection : std::uint8_t { Begin, Mix, Cross, Feed, Beside, End };

[[nodiscard]] GraphSection graphSection(GraphPart part);
[[nodiscard]] std::string_view graphPartName(GraphPart part); // "shared_experts"

} // namespace gufo::inference
