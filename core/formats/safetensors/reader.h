// Reads the header of a safetensors file into a Model. It does not touch tensor data.
//
// Layout (safetensors README): u64 length n of the header, n bytes of JSON, tensor data. Each member of the JSON object
// is a tensor {dtype, shape, data_offsets: [begin, end)}, with offsets from the end of the header, except __metadata__,
// which maps text to text. Trailing spaces of the header are reserved space. The tensors must fill the data exactly.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/job_context.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"
#include "tensor/tensor_type.h"

#include <cstdint>
#include <string_view>

namespace gufo::safetensors {

inline constexpr std::string_view kContainer = "safetensors"; // Model::container
inline constexpr std::uint64_t kMaxHeader = 100'000'000;      // bytes; the format's own limit
inline constexpr std::uint64_t kLengthBytes = 8;
inline constexpr std::string_view kSuffix = ".safetensors";

// Reads a single file. The metadata are the members of __metadata__. Errors: Truncated, LimitExceeded (header,
// tensors), BadSyntax and NestingTooDeep (JSON), Malformed (a tensor's description is incomplete, of an unknown type or
// wrong; tensors overlap, leave gaps or do not end with the file), CountTooLarge, TooManyDimensions, NotAModel (a file
// that is too short), FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file,
                                                        const JobContext& job = {});

// The same, but a file with the name of a shard is opened with the other shards of its set (sets/shard_index.h).
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job);

// The data types of safetensors. They have the names in the table of tensor types, except that the table knows the
// types that ggml also has under ggml's numbers.

// The number of a tensor whose type has a name that is not in the table. The table of tensor types has no such row.
inline constexpr std::uint32_t kUnknownDataType = 0xFFFF'FFFFU;

// Null if there is no such type.
[[nodiscard]] const TensorTypeFact* findDataType(std::string_view name);

} // namespace gufo::safetensors
