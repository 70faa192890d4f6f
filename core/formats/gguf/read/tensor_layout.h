// Where the tensors of a file are: sizes, offsets, and everything that is wrong with them. O(n log n) in the tensors.
#pragma once

#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::gguf {

// Completes a model of one file after its header has been read: files[0].dataOffset, and of each tensor offset, bytes,
// bytesPresent. Only bytes of the header's padding are touched. `offsetsFromStart`: the draft of v1 counts offsets
// from the start of the file, all others from the start of the tensor data.
void layOutTensors(Model& model, FindingList& findings, bool offsetsFromStart);

} // namespace gufo::gguf
