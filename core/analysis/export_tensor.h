// Exports the values of a tensor as a file for other programs. The export is streamed, so its memory does not depend on
// the size of the tensor.
//
//   npy  NumPy's format 1.0 in C order (shape = the dimensions, slowest first). Integers and F64 keep their type;
//        every other type is written as f4.
//   csv  One line per row (dims[0] values), with the rows of higher dimensions one after another. A tensor of one
//        dimension has one value per line. Numbers have the fewest digits that read back as the same number.
//   f32  The values of npy as bare little-endian floats, whatever the type.
// raw The encoded bytes as they are in the file; the present bytes of a truncated tensor. Weights that are not
//        stored in order are put in order.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gufo {

enum class ExportFormat : std::uint8_t { Npy, Csv, F32, Raw };

// Writes a temporary file next to `out` and renames it; after an error or a cancel, `out` is unchanged. Progress is in
// encoded bytes. Threads: any. Errors: NotDecodable, NotSupported (size unknown), Truncated (the file ends before the
// tensor does; not for Raw), FileNotFound (missing shard or folder), InvalidArgument (`out` is a file of the model
// itself), FileChangedWhileReading, Cancelled, and the errors of OutputFile.
[[nodiscard]] Result<> exportTensor(const Model& model, TensorIndex tensor, const std::filesystem::path& out,
                                    ExportFormat format, const JobContext& job = {});

// The header of NumPy's format 1.0, after which the numbers follow in C order.

// `scalar` is NumPy's name of the type ("<f4"); `shape` has the slowest dimension first.
[[nodiscard]] std::string npyHeader(std::string_view scalar, std::span<const std::uint64_t> shape);
// Of an array of records, whose fields follow each other without gaps.
struct NpyField {
    std::string_view name;
    std::string_view scalar;
};
[[nodiscard]] std::string npyHeader(std::span<const NpyField> fields, std::span<const std::uint64_t> shape);

} // namespace gufo
