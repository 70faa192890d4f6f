// Individual weights for display: a tile of exact values together with the stored representation of each, and the
// explanation of one weight by the bytes of its block. The value grid uses them; it shows far fewer weights than the
// heat map (slice.h) but represents F64 and I64 exactly.
//
// Threads: any but the UI thread, because the mapped file is read.
#pragma once

#include "analysis/slice.h"
#include "base/job_context.h"
#include "model/model.h"
#include "tensor/block_fields.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace gufo {

// The index in the tensor of the weight at `row` and `column` of the matrix that a request selects.
[[nodiscard]] std::uint64_t weightIndex(const Shape& shape, const SliceRequest& matrix, std::uint64_t row,
                                        std::uint64_t column);

// The matrix that contains a weight (with rows along `rowDimension`), and its row and column. `index` must be less than
// shape.weights().
struct WeightPosition {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    std::array<std::uint64_t, Shape::kMaxDimensions> fixed{};
};
[[nodiscard]] WeightPosition weightPosition(const Shape& shape, std::uint64_t index, std::size_t rowDimension = 1);

// What a block of the type stores for code 0 (tensor/block_fields.h): −128 if it stores signed bytes, as Q8_0 does,
// otherwise 0. For other codes it stores as much more as the code is.
[[nodiscard]] std::int32_t firstStored(std::uint32_t typeId);

struct WeightTile {
    std::uint64_t firstRow = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    // [row][column], row-major. `stored` holds the bits of a float, an integer sign-extended, or what a block
    // stores for a quantised weight: its code, sign-extended if that is a signed byte.
    std::vector<double> values;
    std::vector<std::uint64_t> stored;
    std::vector<bool> present; // false if the file ends before the weight
};
// Errors: as for readSlice().
[[nodiscard]] Result<WeightTile> readWeightTile(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                                const JobContext& job = {});

struct WeightExplanation {
    std::uint64_t block = 0;      // index of the block in the tensor
    std::uint64_t offset = 0;     // offset of the block in the file
    std::vector<std::byte> bytes; // bytes of the block, or for unquantised types of the weight itself; empty if the
                                  // weight is computed (model/computed_weights.h)
    std::vector<bool> decisive;   // for each byte, whether changing it can change this weight
    WeightFields fields;          // for unquantised types only `value` is meaningful
    struct Constant {             // a floating-point constant of the block or its row header: d, dmin …
        std::string_view name;
        float value;
    };
    std::vector<Constant> constants;
};
// Errors: NotDecodable, InvalidArgument (no such weight), Truncated (its bytes are missing), the errors of
// Model::bytesOf.
[[nodiscard]] Result<WeightExplanation> explainTensorWeight(const Model& model, TensorIndex tensor,
                                                            std::uint64_t index);
// The same without `decisive`, for many weights: which bytes decide is found by changing each bit of the block.
[[nodiscard]] Result<WeightExplanation> explainStoredWeight(const Model& model, TensorIndex tensor,
                                                            std::uint64_t index);

} // namespace gufo
