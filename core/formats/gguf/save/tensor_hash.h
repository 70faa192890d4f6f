// The proof that tensor bytes stayed what they were.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <span>
#include <string>

namespace gufo::gguf {

// SHA-256 over the SHA-256 of each of the tensors' bytes in the byte order asked for, in hexadecimal. Progress in
// bytes. Errors: Cancelled, FileChangedWhileReading, those of reading.
[[nodiscard]] Result<std::string> hashTensors(const Model& model, std::span<const TensorIndex> tensors, ByteOrder order,
                                              const JobContext& job);

} // namespace gufo::gguf
