// The structure of a model, as a diagram shows it: stacks of blocks with the parts before and after them, the parts of
// each block in the order of the forward pass, and the facts and tensors of each part. It has no coordinates.
//
// It is made by the code by which the engine binds a model (engine/binding): hyper-parameters come from readShape(),
// and the part of a tensor is the one that asked for it. Tensors that no part asked for, and all tensors of files that
// the engine does not run, are placed by their role. Each tensor is in exactly one part.
//
// Threads: pure functions. Nothing but the header is read.
#pragma once

#include "base/job_context.h"
#include "inference/engine/binding/graph_part.h"
#include "model/model.h"
#include "model/tensor_role.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct GraphTraits; // engine/binding/graph_traits.h

enum class StructureFact : std::uint8_t {
#define GUFO_STRUCTURE_FACT(fact, name, words) fact,
#include "inference/structure/structure_facts.inc"
#undef GUFO_STRUCTURE_FACT
};
[[nodiscard]] std::string_view structureFactName(StructureFact fact); // "kv_heads"

struct PartFact {
    StructureFact fact;
    Arguments args{};
    bool operator==(const PartFact&) const = default;
};

struct StructurePart {
    GraphPart part = GraphPart::Other;
    std::vector<PartFact> facts{};
    std::vector<TensorIndex> tensors{}; // in the order of the forward pass
    bool contradicted = false;          // by a tensor that is missing, misshapen or without a place
};

struct StructureBlock {
    std::uint32_t number = 0;
    std::size_t kind = 0; // blocks of a stack with the same number look the same, but for the types of their tensors
    std::vector<StructurePart> parts{}; // in the order of the forward pass; empty if the keys declare the block, but
                                        // the file has no tensor of it
    bool parallel = false;              // the feed-forward reads what attention reads
    bool predicts = false;              // further tokens; it is not a part of the usual pass
    [[nodiscard]] const StructurePart* find(GraphPart part) const;
};

// The blocks [first, first + period × repeats) of a stack: `repeats` times the same sequence of `period` blocks.
struct StructureRun {
    std::size_t first = 0;
    std::size_t period = 1;
    std::size_t repeats = 1;
    [[nodiscard]] std::size_t blocks() const { return period * repeats; }
    bool operator==(const StructureRun&) const = default;
};

struct StructureStack {
    std::string_view prefix; // of its tensors: "v."; empty for the main one
    std::vector<StructurePart> begin;
    std::vector<StructureBlock> blocks; // by number
    std::vector<StructureRun> runs;     // of all blocks, in order
    std::vector<StructurePart> end;
};

struct Contradiction {
    PartFact what;
    std::optional<TensorIndex> tensor{};
};

struct ModelStructure {
    // No real file has more. Tensors beyond these limits are in the part Other of the main stack; beyond them, missing
    // tensors are left out.
    static constexpr std::size_t kMaxStacks = 16;
    static constexpr std::size_t kMaxContradictions = 1'000;

    std::string architecture;
    bool isModel = false; // and not an adapter, a projector or another file that belongs to a model
    bool isKnown = false; // the engine names the parts; otherwise, the names of tensors do
    std::vector<StructureStack> stacks;
    std::vector<Contradiction> contradictions; // at most kMaxContradictions of them
    std::optional<Error> refused{};            // why the hyper-parameters of a known architecture cannot be used
};

// `model` must have GGUF's keys; convert::describeStructure() is for models of any container. `besides` are, in
// ascending order, tensors that the engine need not know, so that they contradict nothing. Errors: Cancelled.
[[nodiscard]] Result<ModelStructure> structureOf(const Model& model, const JobContext& job = {},
                                                 std::span<const TensorIndex> besides = {});

// Divides a sequence of kinds into runs, so that few and long repetitions are left.
[[nodiscard]] std::vector<StructureRun> foldRuns(const std::vector<StructureBlock>& blocks);

// What a name alone does not say.
struct RoleContext {
    const GraphTraits* traits = nullptr; // of the architecture; null: unknown
    bool onlyState = false;              // the block mixes by a state alone, so projections of queries belong to it
};

// The part to which a tensor belongs by its name, in such a context.
[[nodiscard]] GraphPart partOfRole(const TensorName& name, const RoleContext& context);
// Whether the number in the name counts layers of a projector instead of blocks.
[[nodiscard]] bool isProjectorLayer(const TensorName& name);

} // namespace gufo::inference
