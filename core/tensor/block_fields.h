// Explains the contents of one block: its scales and the code of each weight, as stored and as used. The value grid,
// the distribution of block scales and the code statistics use it.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

// A field of a block and its location: "d", "dmin", "scales", "qs", "qh", "signs" …
struct BlockField {
    std::string_view name;
    std::uint32_t offset; // bytes from the start of the block
    std::uint32_t bytes;
    std::uint32_t fieldSize; // bytes that form one number and are swapped together in big-endian files: 1, 2, 4 or 8
};
// The fields in the order of their offsets; empty for types that are not quantised or not known.
[[nodiscard]] std::span<const BlockField> blockFields(std::uint32_t typeId);
// The fields of the row header; empty for types without one.
[[nodiscard]] std::span<const BlockField> rowHeaderFields(std::uint32_t typeId);

// The bytes of one block, and of the header of its row if the type has row headers.
struct StoredBlock {
    Bytes bytes;
    Bytes header;

    StoredBlock(Bytes block, Bytes rowHeader = {}) // NOLINT: implicit, as few types have row headers
        : bytes(block)
        , header(rowHeader) {}
};

// The explanation of one weight of a block: value = level × scale − minimum.
struct WeightFields {
    float value = 0;
    std::int32_t code = 0;      // number of the weight's level, as returned by blockCodes(): 0 … codeCount − 1
    std::int32_t level = 0;     // what the code stands for: the code minus an offset, or an entry of the code book
    float scale = 0;            // effective scale of the sub-block (super-block scale × sub-block scale)
    float minimum = 0;          // is subtracted (types with minima); otherwise 0
    std::uint32_t subBlock = 0; // index of the sub-block in the block
};
// Explains weight `index` of the block. Errors: NotDecodable, InvalidArgument (not one block and its header).
[[nodiscard]] Result<WeightFields> explainWeight(std::uint32_t typeId, const StoredBlock& block, std::uint32_t index,
                                                 ByteOrder order = ByteOrder::Little);

// Appends the effective scales of the sub-blocks of one block to `out`, in order, and for types with minima also to
// `minima` (may be null). See subBlockSize(). Errors: as for explainWeight().
[[nodiscard]] Result<> blockScales(std::uint32_t typeId, const StoredBlock& block, std::vector<float>& out,
                                   std::vector<float>* minima = nullptr, ByteOrder order = ByteOrder::Little);
// The number of weights that share a scale: 16 or 32 in K-quants, the whole block in simple types, 0 for unquantised
// types.
[[nodiscard]] std::uint32_t subBlockSize(std::uint32_t typeId);
// The number of different codes of a weight (16 for Q4_K, 3 for TQ1_0); 0 for types without codes (floats, integers).
// The codes of IQ2 and IQ3 are the signed magnitudes of their grids in ascending order (6 and 16). Those of IQ1 are the
// three weights of its grid, each shifted down or up, in eighths of the scale (6). If a type has two code books, the
// codes of the second follow the codes of the first.
[[nodiscard]] std::uint32_t codeCount(std::uint32_t typeId);
// Appends the codes (0 … codeCount − 1) of all weights of one block to `out`. Errors: as for explainWeight().
[[nodiscard]] Result<> blockCodes(std::uint32_t typeId, const StoredBlock& block, std::vector<std::uint16_t>& out,
                                  ByteOrder order = ByteOrder::Little);

} // namespace gufo
