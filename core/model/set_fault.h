// Whether the files of a model in several files (shards of GGUF, safetensors or PyTorch) are all there and belong
// together. Readers open what they can and report the rest as findings; whatever writes or runs a model asks here
// first, so that a part that is missing or wrong is named instead of left out.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/model.h"

namespace gufo {

// Error: SetIncomplete, which names the part: it is missing, empty, unreadable, renamed, in the place of another, or of
// another model; a tensor is in two parts; or fewer or more tensors are there than the parts announce. A model in a
// single file that claims to be nothing else is complete.
[[nodiscard]] Result<> checkSet(const Model& model);

// Whether tensors may be absent only because a part is absent or wrong. Their absence is then a consequence of that,
// and no fault of its own.
[[nodiscard]] bool isIncompleteSet(const Model& model);

// Whether a finding of a reader says that a part is missing or does not belong to the others.
[[nodiscard]] bool isSetFault(const Finding& finding);

} // namespace gufo
