// Protects what a model shows at a glance (its keys and values, the names of its tensors) from other programs that
// write into its files: a file that is copied over another one keeps the inode, and so changes under a mapping.
#pragma once

#include "model/model.h"

namespace gufo {

// The limit of what is copied. Headers with a large vocabulary have about 25 MB.
inline constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{256} << 20U;

// Copies the pages of the model's files and companions that its strings and arrays view. What lies beyond the limit,
// and the tensor data, are as they were read only as long as ByteSource::damage() reports nothing. Returns whether
// everything was copied. Errors: those of ByteSource::damage(), if a file changed while the model was read; the model
// must then not be used. Reads the whole description; not for the UI thread.
[[nodiscard]] Result<bool> keepDescription(const Model& model, std::uint64_t maxBytes = kMaxKeptBytes);

} // namespace gufo
