// Reads the header of a GGUF file of any version and byte order into a Model. It does not touch tensor data.
//
// Layout: specification "gguf.md" of ggml; v1 with 32-bit counts, its published draft, v2, v3 (also big-endian).
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/byte_source.h"
#include "base/job_context.h"
#include "model/model.h"

#include <memory>

namespace gufo::gguf {

// The key that keeps space free in a header (Reserve); its value is an array of bytes.
inline constexpr std::string_view kReservedKey = "gufo.reserved";
inline constexpr std::string_view kContainer = "gguf"; // Model::container
inline constexpr std::uint32_t kMaxVersion = 3;

// Whether the bytes start with GGUF's magic number.
[[nodiscard]] bool hasMagic(Bytes start);

// Reads a single file; for a shard, the model has only the shard's own part. Errors: NotAModel, UnsupportedVersion,
// Truncated, CountTooLarge, StringTooLong, UnknownValueType, ArrayTooLong, NestingTooDeep, TooManyDimensions (more than
// Shape::kMaxDimensions), LimitExceeded (reader_limits.h), NotSupported (a tensor type's number is one that Gufo uses
// for types of other containers), FileChangedWhileReading, Cancelled. A fault that does not prevent showing the file is
// a finding instead.
[[nodiscard]] Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> source,
                                                        const JobContext& job = {});

} // namespace gufo::gguf
