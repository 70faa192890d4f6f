// Reads the header of a GGUF file of any version and byte order into a Model. Tensor data is not touched.
//
// Layout: specification "gguf.md" of ggml; v1 with 32-bit counts, its published draft, v2, v3 (big-endian too).
// Threads: pure; may run on any thread.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"
#include "model/model.h"

#include <memory>

namespace gufo::gguf {

inline constexpr std::uint32_t kMaxVersion = 3;

// True if the bytes start with GGUF's magic.
[[nodiscard]] bool hasMagic(Bytes start);

// The error for bytes that are no model, naming the first of them.
[[nodiscard]] Error notAModel(Bytes start, std::filesystem::path path);

// One file, by itself: a shard gives the model of its own part. Errors: NotAModel, UnsupportedVersion, Truncated,
// CountTooLarge, StringTooLong, UnknownValueType, ArrayTooLong, NestingTooDeep, TooManyDimensions (more than
// Shape::kMaxDimensions), LimitExceeded (limits.h), FileChangedWhileReading, Cancelled. What can be shown in spite of a
// fault is a finding.
[[nodiscard]] Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> source,
                                                        const JobContext& job = {});

} // namespace gufo::gguf
