// Protects what a model shows at a glance (its keys and values, the names of its tensors) from other programs that
// write into its files: a file that is copied over another one keeps the inode, and so changes under a mapping.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

namespace gufo {

// At most this many bytes are copied. Headers with a large vocabulary have about 25 MB.
inline constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{256} << 20U;

// Copies the pages of the model's files and companions that its strings and arrays view. What lies beyond the limit,
// and the tensor data, are as they were read only as long as ByteSource::damage() reports nothing. Returns whether
// everything was copied. Errors: the errors of ByteSource::damage(), if a file changed while the model was read; the
// model must then not be used. Reads the whole description; not for the UI thread.
[[nodiscard]] Result<bool> keepDescription(const Model& model, std::uint64_t maxBytes = kMaxKeptBytes);

// Whether both models have the same keys, values and tensors at the same places of files of the same sizes, so that one
// can take the place of the other. Weights are not compared. Reads the whole description; not for the UI thread.
[[nodiscard]] bool sameDescription(const Model& a, const Model& b);

// Hashes the bytes of a tensor (PieceHash) that is imported into another model. Saving compares the hash, in order to
// notice that the tensor's file has changed in the meantime. Reads all bytes of the tensor. Progress is in bytes,
// without a start. Fails as Model::bytesOf() and ByteSource::damage() do, or with Cancelled.
[[nodiscard]] Result<std::uint64_t> importHash(const Model& model, const TensorInfo& tensor, const JobContext& job);

} // namespace gufo
