// What must hold for a model to be written in a version and byte order, and the change of byte order of tensor data.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/write/writer.h"
#include "model/model.h"
#include "model/save_target.h"

namespace gufo::gguf {

[[nodiscard]] ValueLayout layoutFor(const SaveTarget& target);

// Errors, with the place: UnsupportedVersion; NotSupported: big-endian before version 3, a value whose type the version
// has not, a length that does not fit, tensors of a type whose fields are not known where the byte order changes.
// What `base` has already, in that version and order, may stay.
[[nodiscard]] Result<> checkConversion(const Model& base, const Model& edited, const SaveTarget& target);

// Passes the tensor's bytes on in pieces, in the other byte order where `swap`. Errors: those of `out`; NotSupported.
[[nodiscard]] Result<> passTensor(std::uint32_t typeId, Bytes bytes, bool swap, const Sink& out, const JobContext& job);

} // namespace gufo::gguf
