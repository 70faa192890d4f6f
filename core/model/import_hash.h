// The hash of a tensor's bytes when it is imported into another model, by which saving notices that its file has
// changed in the meantime.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

namespace gufo {

// Reads all bytes of the tensor: a PieceHash over them. Progress is in bytes, without a start. Errors: those of
// Model::bytesOf() and ByteSource::damage(); Cancelled.
[[nodiscard]] Result<std::uint64_t> importHash(const Model& model, const TensorInfo& tensor, const JobContext& job);

} // namespace gufo
