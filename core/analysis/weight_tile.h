// Single weights for people: a tile of exact values with what is stored for each, and one weight explained by the
// bytes of its block. For the value grid, which shows far fewer weights than the heat map (slice.h) but loses nothing
// of F64 and I64.
//
// Threads: any; they read the mapped file, so never the UI thread.
#pragma once

#include "analysis/slice.h"
#include "base/job_context.h"
#include "model/model.h"
#include "tensor/block_fields.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace gufo {

// Index in the tensor of the weight at `row` and `column` of the matrix that a request selects.
[[nodiscard]] std::uint64_t weightIndex(const Shape& shape, const SliceRequest& matrix, std::uint64_t row,
                                        std::uint64_t column);

// The matrix in which a weight stands (rows along `rowDimension`), and where. `index` must be below shape.weights().
struct WeightPosition {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    std::array<std::uint64_t, Shape::kMaxDimensions> fixed{};
};
[[nodiscard]] WeightPosition weightPosition(const Shape& shape, std::uint64_t index, std::size_t rowDimension = 1);

struct WeightTile {
    std::uint64_t firstRow = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    // [row][column], row-major. What is stored: the bits of a float, an integer sign-extended, the code of a quantised
    // weight.
    std::vector<double> values;
    std::vector<std::uint64_t> stored;
    std::vector<bool> present; // false where the file ends before the weight
};
// Errors: as readSlice().
[[nodiscard]] Result<WeightTile> readWeightTile(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                                const JobContext& job = {});

struct WeightExplanation {
    std::uint64_t block = 0;      // index of the block in the tensor
    std::uint64_t offset = 0;     // of the block in the file
    std::vector<std::byte> bytes; // of the block; for unquantised types of the weight itself
    std::vector<bool> decisive;   // for each byte: another value of it can change this weight
    WeightFields fields;          // for unquantised types only `value` counts
    struct Constant {             // a float of the block: d, dmin …
        std::string_view name;
        float value;
    };
    std::vector<Constant> constants;
};
// Errors: NotDecodable, InvalidArgument (no such weight), Truncated (its bytes are missing), those of Model::bytesOf.
[[nodiscard]] Result<WeightExplanation> explainTensorWeight(const Model& model, TensorIndex tensor,
                                                            std::uint64_t index);

} // namespace gufo
