// Counts how often each value occurs in a tensor whose weights have few different ones: 16-bit numbers, types with a
// scale of eight bits and weights of four, and ternary weights with a 16-bit scale. This is everything about a tensor
// except the order of its weights, so its statistics and any histogram follow exactly.
#pragma once

#include "analysis/moments.h"
#include "base/byte_order.h"
#include "base/byte_source.h"
#include "tensor/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gufo {

// A type whose values can be tabled. Its key is what the weights of a table have in common: the 16 bits of a number, or
// a byte with two weights and above it the byte of their scale, or the scale of ternary weights.
struct TabledType {
    static constexpr std::size_t kKeys = 65'536;
    static constexpr std::size_t kMaxValues = 3;
    using Values = std::array<float, kMaxValues>;

    TensorType type;
    std::size_t values;       // that a key has
    std::size_t tables;       // of kKeys counts: one for each value of a key, or one for all
    std::uint64_t mostCounts; // by which a byte of the tensor increases the sum of all tables, at most
    bool isNumber;            // whether the key is a 16-bit number, which has the byte order of the file
    void (*count)(Bytes blocks, std::uint32_t* counts); // whole blocks
    Values (*valuesOf)(std::uint16_t key);              // as the decoder of the type computes them
};

class ValueTable {
public:
    // All types that can be tabled.
    [[nodiscard]] static std::span<const TabledType> types();

    // The type is one of types(). The table belongs to one worker.
    explicit ValueTable(const TabledType& type);
    void count(Bytes blocks); // whole blocks, less than 4 GiB
    void add(ValueTable& other);

    // The moments of the weights that were counted, from a file of byte order `order`.
    [[nodiscard]] Moments moments(ByteOrder order);
    void addTo(Histogram& histogram, const BinPlan& plan, ByteOrder order);

private:
    void empty(); // moves m_counts to m_totals
    template<typename Use>
    void forEachValue(ByteOrder order, Use use) const;

    const TabledType& m_type;
    std::vector<std::uint32_t> m_counts; // by table and key
    std::uint64_t m_counted = 0;         // the sum of m_counts; none of them must overflow
    std::vector<std::uint64_t> m_totals;
};

} // namespace gufo
