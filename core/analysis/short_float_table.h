// Counts how often each of the 65,536 values of a 16-bit float type occurs. This is everything about a tensor except
// the order of its weights, so its statistics and any histogram follow exactly.
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

    // Counts of one worker.
    ShortFloatTable();
    void count(Bytes values); // less than 4 GiB
    void add(ShortFloatTable& other);

    // The moments of values that were counted as little-endian words from a file of byte order `order`.
    [[nodiscard]] Moments moments(std::uint32_t typeId, ByteOrder order);
    void addTo(Histogram& histogram, const BinPlan& plan, std::uint32_t typeId, ByteOrder order);

private:
    void empty(); // moves m_counts to m_totals
    template<typename Use>
    void forEachValue(std::uint32_t typeId, ByteOrder order, Use use) const;

    std::vector<std::uint32_t> m_counts;
    std::uint64_t m_counted = 0; // number of values in m_counts, which must not overflow
    std::vector<std::uint64_t> m_totals;
};

} // namespace gufo
