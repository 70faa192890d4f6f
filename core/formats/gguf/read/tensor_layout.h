// Determines where the tensors of a file are: their sizes and offsets, with a finding for everything that is wrong.
// Takes O(n log n) for n tensors.
#pragma once

#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::gguf {

// Completes a model of one file whose header was read: files[0].dataOffset, and the offset, bytes and bytesPresent of
// each tensor. A type whose size contradicts the offsets in a file that is otherwise in order is ambiguous: another
// program uses its number for a type of its own. Tensors of such a type are treated like those of an unknown type. It
// accesses only the padding after the header. `offsetsFromStart` is true for the draft of v1, which counts offsets from
// the start of the file instead of the start of the tensor data.
void layOutTensors(Model& model, FindingList& findings, bool offsetsFromStart);

} // namespace gufo::gguf
