// Checks whether a model can be written in a version and byte order, and converts the byte order of tensor data.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/write/writer.h"
#include "model/model.h"
#include "model/save_target.h"
#include "tensor/row_layout.h"

#include <optional>

namespace gufo::gguf {

[[nodiscard]] ValueLayout layoutFor(const SaveTarget& target);

// Errors, with the place: UnsupportedVersion; NotSupported for big-endian before version 3, a value whose type the
// version does not have, a length that does not fit, and, if the byte order changes, tensors of a type whose fields are
// unknown. Entries that `base` already contains in that version and byte order are accepted.
[[nodiscard]] Result<> checkConversion(const Model& base, const Model& edited, const SaveTarget& target);

// Passes the bytes of a tensor to `out` in pieces. If `swapped` is set, it is the layout of the tensor's rows and the
// byte order is swapped. Errors: those of `out`; Cancelled; those of swapByteOrder().
[[nodiscard]] Result<> passTensor(Bytes bytes, const std::optional<RowLayout>& swapped, const Sink& out,
                                  const JobContext& job);

} // namespace gufo::gguf
