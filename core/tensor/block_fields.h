// The inside of one block, for people: its scales and the code of each weight, as stored and as used. What the value
// grid, the block scale distribution and the use of codes are made from.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

// Where a part of a block stands in its bytes and what it is: "d", "dmin", "scales", "qs", "qh", "signs" …
struct BlockField {
    std::string_view name;
    std::uint32_t offset; // bytes from the start of the block
    std::uint32_t bytes;
    std::uint32_t fieldSize; // bytes that are swapped together in big-endian files: 1, 2, 4 or 8
};
// In byte order of the block; empty for types that are not quantised or not known.
[[nodiscard]] std::span<const BlockField> blockFields(std::uint32_t typeId);

// One weight of a block explained: value = level × scale − minimum.
struct WeightFields {
    float value = 0;
    std::int32_t code = 0;      // the number of the weight's level, as blockCodes() counts: 0 … codeCount − 1
    std::int32_t level = 0;     // what the code stands for: the code less an offset, or an entry of the code book
    float scale = 0;            // the effective multiplier of the sub-block (super-block scale × sub-block scale)
    float minimum = 0;          // what is subtracted (types with minima), else 0
    std::uint32_t subBlock = 0; // index in the block
};
// Explains weight `index` of the block. Errors: NotDecodable, InvalidArgument.
[[nodiscard]] Result<WeightFields> explainWeight(std::uint32_t typeId, Bytes block, std::uint32_t index,
                                                 ByteOrder order = ByteOrder::Little);

// Effective scales of the sub-blocks of one block, in order, appended to `out`; for types with minima `minima` too
// (may be null). Sub-block sizes: subBlockSize(). Errors: NotDecodable.
[[nodiscard]] Result<> blockScales(std::uint32_t typeId, Bytes block, std::vector<float>& out,
                                   std::vector<float>* minima = nullptr, ByteOrder order = ByteOrder::Little);
// Weights that share a scale: 16 or 32 in K-quants, the whole block in simple types; 0 for unquantised types.
[[nodiscard]] std::uint32_t subBlockSize(std::uint32_t typeId);
// How many different codes a weight can have (16 for Q4_K, 3 for TQ1_0); 0 for types whose weights have no code of
// their own (floats, integers). The codes of IQ2 and IQ3 are the magnitudes of their grids with sign, ascending (6 and
// 16); those of IQ1 the three weights of its grid each shifted down or up, in eighths of the scale (6).
[[nodiscard]] std::uint32_t codeCount(std::uint32_t typeId);
// Codes (0 … codeCount − 1) of all weights of one block, appended to `out`. Errors: NotDecodable.
[[nodiscard]] Result<> blockCodes(std::uint32_t typeId, Bytes block, std::vector<std::uint16_t>& out,
                                  ByteOrder order = ByteOrder::Little);

} // namespace gufo
