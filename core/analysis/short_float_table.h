// How often each of the 65,536 values of a 16-bit float type occurs: everything about the tensor except the order of
// its weights, so statistics and any histogram follow from it exactly.
#pragma once

#include "analysis/moments.h"
#include "base/byte_order.h"

#include <cstdint>
#include <vector>

namespace gufo {

class ShortFloatTable {
public:
    static constexpr std::size_t kValues = 65'536;
    [[nodiscard]] static bool holds(std::uint32_t typeId); // F16, BF16

    // One worker's counts.
    ShortFloatTable();
    void count(Bytes values); // less than 4 GiB
    void add(ShortFloatTable& other);

    // Of values read as little-endian from a file of byte order `order`.
    [[nodiscard]] Moments moments(std::uint32_t typeId, ByteOrder order);
    void addTo(Histogram& histogram, const BinPlan& plan, std::uint32_t typeId, ByteOrder order);

private:
    void empty(); // moves m_counts to m_totals
    template<typename Use>
    void forEachValue(std::uint32_t typeId, ByteOrder order, Use use) const;

    std::vector<std::uint32_t> m_counts;
    std::uint64_t m_counted = 0; // in m_counts, which must not overflow
    std::vector<std::uint64_t> m_totals;
};

} // namespace gufo
