// Counts how often each value occurs in a tensor whose weights have few different ones: 16-bit floats, types with a
// scale of eight bits and weights of four, and ternary weights with a 16-bit scale. This is everything about a tensor
// except the order of its weights, so its statistics and any histogram follow exactly.
#pragma once

#include "analysis/moments.h"
#include "base/byte_order.h"
#include "tensor/tensor_type.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gufo {

class ValueTable {
public:
    // A key is the 16 bits of a float, or a byte of two weights with that of their scale above it. For ternary weights
    // it is the scale, and each of the three digits has a table.
    static constexpr std::size_t kKeys = 65'536;
    static constexpr std::array kTypes = {TensorType::F16, TensorType::BF16, TensorType::MXFP4, TensorType::NVFP4,
                                          TensorType::TQ1_0};

    // For one of kTypes. The table belongs to one worker.
    explicit ValueTable(TensorType type);
    void count(Bytes blocks); // whole blocks, less than 4 GiB
    void add(ValueTable& other);

    // The moments of the weights that were counted, from a file of byte order `order`.
    [[nodiscard]] Moments moments(ByteOrder order);
    void addTo(Histogram& histogram, const BinPlan& plan, ByteOrder order);

private:
    void empty(); // moves m_counts to m_totals
    template<typename Use>
    void forEachValue(ByteOrder order, Use use) const;

    TensorType m_type;
    std::vector<std::uint32_t> m_counts; // by digit and key
    std::uint64_t m_counted = 0;         // the sum of m_counts, none of which must overflow
    std::vector<std::uint64_t> m_totals;
};

} // namespace gufo
