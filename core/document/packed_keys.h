// Keys as bytes, for the clipboard and for drag and drop between programs. The form is a GGUF file without tensors,
// which preserves every type and value.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/model.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo {

// Returns nothing if a key cannot be written to a file: a duplicate, an invalid alignment, an array whose file has
// changed.
[[nodiscard]] std::optional<std::vector<std::byte>> packKeys(const Model& model, std::span<const KvIndex> keys);

// Returns a model with these keys only. Errors: those of the GGUF reader, because the bytes may come from anywhere.
[[nodiscard]] Result<std::shared_ptr<const Model>> unpackKeys(Bytes bytes);

} // namespace gufo
