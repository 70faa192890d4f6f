// Checks whether a model can be written in a version and byte order.
#pragma once

#include "model/model.h"
#include "model/save_target.h"

namespace gufo::gguf {

[[nodiscard]] ValueLayout layoutFor(const SaveTarget& target);

// Errors, with the place: UnsupportedVersion; NotSupported for big-endian before version 3, a value whose type the
// version does not have, a length that does not fit, and, if the byte order changes, tensors of a type whose fields are
// unknown. Entries that `base` already contains in that version and byte order are accepted.
[[nodiscard]] Result<> checkConversion(const Model& base, const Model& edited, const SaveTarget& target);

} // namespace gufo::gguf
