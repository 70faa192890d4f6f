// Hashes tensors, to prove that their bytes have not changed.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <span>
#include <string>

namespace gufo::saving {

// The SHA-256, in hexadecimal, over the SHA-256 of each tensor's bytes in the given byte order. Progress is in bytes.
// Errors: Cancelled, FileChangedWhileReading, those of reading.
[[nodiscard]] Result<std::string> hashTensors(const Model& model, std::span<const TensorIndex> tensors, ByteOrder order,
                                              const JobContext& job);

} // namespace gufo::saving
