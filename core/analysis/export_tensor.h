// A tensor's values as a file that other programs read. Streamed: memory does not grow with the tensor.
//
// npy: NumPy's format 1.0 in C order (shape = the dimensions, slowest first). Integers and F64 keep their type; every
// other type is written as f4. csv: one line per row (dims[0] values), rows of higher dimensions one after the other;
// a tensor of one dimension is one value per line; shortest digits that read back as the same number. f32: the values
// of npy as bare little-endian floats, whatever the type. raw: the encoded bytes as they stand in the file, of a
// truncated tensor those that are there.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>

namespace gufo {

enum class ExportFormat : std::uint8_t { Npy, Csv, F32, Raw };

// Writes beside `out` and renames; after an error or a cancel there is nothing, or the file that was there before.
// Progress in encoded bytes. May run on any thread.
// Errors: NotDecodable, NotSupported (no size can be derived), Truncated (the file ends before the tensor does; not for
// Raw), FileNotFound (missing shard or folder), InvalidArgument (`out` is a file of the model itself),
// FileChangedWhileReading, Cancelled, and those of OutputFile.
[[nodiscard]] Result<> exportTensor(const Model& model, TensorIndex tensor, const std::filesystem::path& out,
                                    ExportFormat format, const JobContext& job = {});

} // namespace gufo
