// Words about the structure of a model: its parts, blocks and runs, and the whole of it as text, which is what a
// picture of it says.
#pragma once

#include "inference/structure/model_structure.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString graphPartText(inference::GraphPart part);           // "Shared experts"
[[nodiscard]] QString structureFactText(const inference::PartFact& fact); // "8 KV heads"
// The name of its kind, if it has one. Tensors without a known role are told apart by whether they belong to a block.
[[nodiscard]] QString partTitle(const inference::StructurePart& part, bool inBlock);
[[nodiscard]] QString partFactsText(const inference::StructurePart& part); // "32 heads of 128, 8 KV heads"
[[nodiscard]] QString stackTitle(const inference::StructureStack& stack);  // "Image encoder"
// What mixes tokens in a block, and what makes it differ from the other blocks of the stack: "attention, window of
// 4096", "Mamba-2", "attention + experts".
[[nodiscard]] QString blockTitle(const inference::StructureStack& stack, const inference::StructureBlock& block);
// "12 × (3 gated delta net + 1 attention)".
[[nodiscard]] QString runText(const inference::StructureStack& stack, const inference::StructureRun& run);
// "48 blocks = 12 × (3 gated delta net + 1 attention)".
[[nodiscard]] QString stackText(const inference::StructureStack& stack);
// How the part computes, in the notation of papers; empty if there is nothing to say.
[[nodiscard]] QString partFormula(const inference::StructurePart& part);
// Why the structure was not made from the engine's description of the architecture; empty if it was.
[[nodiscard]] QString originText(const inference::ModelStructure& structure);
// A line of each part, one block of each kind, and the contradictions between keys and tensors.
[[nodiscard]] QString structureText(const inference::ModelStructure& structure);

} // namespace gufo::ui
