// The operations that turn a tensor of a source into a tensor of GGUF, as data: one row for each kind in operation.cpp.
// The same operations drive the conversion (tensor_values.h), are shown in the plan, and can be undone to compare a
// converted model with its origin.
//
// Shapes are in the order of GGUF, fastest dimension first. Operations on rows name the axis along which they select:
// the dimensions below that axis are moved as a whole, and those above it count tensors of one shape that are treated
// alike.
#pragma once

#include "base/error.h"
#include "model/tensor_info.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::convert {

enum class OperationKind : std::uint8_t {
    Rename,
    Reshape,
    PermuteRope,   // interleaves the halves of each head, whose elements RoPE rotates in pairs
    UnpermuteRope, // its inverse
    Add,
    Scale, // by a mantissa times a power of two (scaleBy())
    NegateExponential,
    LogarithmOfNegative,
    Reciprocal,
    RoundToTernary, // to −s, 0 or s, where s is the mean of the absolute values of the tensor
    Transpose,      // the two fastest dimensions
    SliceRows,
    EveryOther,       // rows first, first + step, …
    PickRows,         // the listed rows, in the order of the list
    RegroupRows,      // the parts of every group: all first parts, then all second parts …; the first rows may stay
    UngroupRows,      // and back
    TakeParts,        // the same part of every group, as a dimension of its own
    Stack,            // tensors of one shape become one with a further dimension
    Unstack,          // one of them
    Compute,          // from the configuration, without a source
    RepackMxfp4,      // MXFP4 whose codes are pairs in order
    RepackNvfp4,      // NVFP4 whose scales are a separate tensor
    RepackLegacy,     // blocks in the layout of files from before GGUF (legacy_blocks.h)
    DequantiseBlocks, // a scale for each block of rows and columns
    DequantiseGptq,
    DequantiseAwq,
    DequantisePacked,  // compressed-tensors
    DequantiseAffine,  // MLX
    DequantiseRows,    // bitsandbytes, 8 bits
    DequantiseTable,   // bitsandbytes, 4 bits: codes into a table of levels
    DequantiseTernary, // BitNet: four weights in a byte, and one scale
};

// Whether and how an operation can be undone.
enum class Reversal : std::uint8_t {
    Inverse,  // inverseOf()
    Part,     // nothing: rows are left out, which other tensors may have
    Recoding, // nothing: values remain, but not the codes and scales by which they were stored
    Rounding, // nothing: values are rounded
    NoSource, // there is nothing to return to
};

struct OperationFact {
    OperationKind kind;
    std::string_view name; // for JSON: "permute_rope"
    Reversal reversal;
    // The parameters in order. One that ends with "…" takes all that remain, as a list.
    std::span<const std::string_view> parameters;
};
[[nodiscard]] std::span<const OperationFact> operationFacts();
[[nodiscard]] const OperationFact& operationFact(OperationKind kind);

struct Operation {
    OperationKind kind = OperationKind::Rename;
    std::vector<std::int64_t> parameters{};
    bool operator==(const Operation&) const = default;
};

// Multiplies by a finite number, which the operation states exactly.
[[nodiscard]] Operation scaleBy(double factor);
// The number of a Scale.
[[nodiscard]] double factorOf(const Operation& scale);

// The operation that undoes `operation` on a tensor that had the shape `before`; nothing where its reversal is not
// Inverse.
[[nodiscard]] std::optional<Operation> inverseOf(const Operation& operation, const Shape& before);

// The shape of the result of an operation on one tensor, or for Stack on `parameters[0]` tensors of that shape. Errors:
// InvalidArgument (Detail::OperationUnfit).
[[nodiscard]] Result<Shape> shapeAfter(const Operation& operation, const Shape& before);

// For operations that select rows: how the rows of the result lie in the source.
struct RowSelection {
    std::uint64_t rowWeights = 0; // weights of a row, the same in both
    std::uint64_t sourceRows = 0; // along the axis
    std::uint64_t rows = 0;       // of the result for each tensor above the axis
    std::uint64_t count = 0;      // tensors above the axis

    // The row of the source that becomes row `row` < rows.
    [[nodiscard]] std::uint64_t sourceOf(std::uint64_t row) const;

    const Operation* operation = nullptr; // which must outlive it
};
// Nothing if the operation does not select rows. Errors: as for shapeAfter().
[[nodiscard]] Result<std::optional<RowSelection>> rowSelection(const Operation& operation, const Shape& before);

// "[48, 300]".
[[nodiscard]] std::string shapeText(const Shape& shape);

} // namespace gufo::convert
