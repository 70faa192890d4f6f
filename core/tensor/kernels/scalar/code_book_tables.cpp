#include "tensor/kernels/scalar/code_book_tables.h"

#include "tensor/code_books.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gufo::scalar {
namespace {

// The levels of a weight in an entry, in ascending order, and in how many bits of the grid their numbers are.
struct Iq2Weights {
    static constexpr std::size_t kTogether = 8;
    static constexpr unsigned kBits = 2;
    static constexpr std::array<float, 3> kLevels{8, 25, 43};
};
struct Iq3XxsWeights {
    static constexpr std::size_t kTogether = 4;
    static constexpr unsigned kBits = 3;
    static constexpr std::array<float, 8> kLevels{4, 12, 20, 28, 36, 44, 52, 62};
};
struct Iq3SWeights {
    static constexpr std::size_t kTogether = 4;
    static constexpr unsigned kBits = 3;
    static constexpr std::array<float, 8> kLevels{1, 3, 5, 7, 9, 11, 13, 15};
};
struct Iq1Weights {
    static constexpr std::size_t kTogether = 8;
    static constexpr unsigned kBits = 2;
    static constexpr std::array<float, 3> kLevels{-8, 0, 8};
};

template<typename Weights, std::size_t Size>
class CodeBook {
public:
    explicit CodeBook(const std::array<std::uint16_t, Size>& grid)
        : m_entries(Size * kTogether)
        , m_columns(Size * kTogether) {
        for (std::size_t e = 0; e < Size; ++e) {
            for (std::size_t i = 0; i < kTogether; ++i) {
                const float level = Weights::kLevels[grid[e] >> (Weights::kBits * i) & kMask];
                m_entries[e * kTogether + i] = level;
                m_columns[i * Size + e] = level;
            }
        }
        findNeighbours(grid);
    }

    [[nodiscard]] CodeBookTables tables() const { return {m_entries.data(), m_columns.data(), m_near.data(), Size}; }

private:
    static constexpr std::size_t kTogether = Weights::kTogether;
    static constexpr std::size_t kLevels = Weights::kLevels.size();
    static constexpr unsigned kMask = (1U << Weights::kBits) - 1;
    static constexpr std::size_t kHalf = kTogether / 2;
    static constexpr std::size_t kHalfPoints = [] {
        std::size_t points = 1;
        for (std::size_t i = 0; i < kHalf; ++i) {
            points *= kLevels;
        }
        return points;
    }();
    static constexpr std::size_t kHalfEntries = std::size_t{1} << (Weights::kBits * kHalf);

    // Lists the entries next to each point. Distances are sums over the two halves of the weights.
    void findNeighbours(const std::array<std::uint16_t, Size>& grid) {
        std::vector<std::array<std::uint32_t, kHalfEntries>> distances(kHalfPoints);
        for (std::size_t point = 0; point < kHalfPoints; ++point) {
            for (std::size_t half = 0; half < kHalfEntries; ++half) {
                float distance = 0;
                for (std::size_t i = 0, digits = point; i < kHalf; ++i, digits /= kLevels) {
                    const std::size_t code = half >> (Weights::kBits * i) & kMask;
                    const float rest =
                        Weights::kLevels[std::min(code, kLevels - 1)] - Weights::kLevels[digits % kLevels];
                    distance += rest * rest;
                }
                distances[point][half] = static_cast<std::uint32_t>(distance);
            }
        }
        m_near.resize(kHalfPoints * kHalfPoints * kNearEntries);
        std::vector<std::uint32_t> keys(Size);
        for (std::size_t point = 0; point < kHalfPoints * kHalfPoints; ++point) {
            const auto& low = distances[point % kHalfPoints];
            const auto& high = distances[point / kHalfPoints];
            for (std::size_t e = 0; e < Size; ++e) {
                const std::uint32_t distance = low[grid[e] % kHalfEntries] + high[grid[e] / kHalfEntries];
                keys[e] = static_cast<std::uint32_t>(distance * Size + e);
            }
            std::ranges::nth_element(keys, keys.begin() + kNearEntries);
            std::sort(keys.begin(), keys.begin() + kNearEntries);
            for (std::size_t n = 0; n < kNearEntries; ++n) {
                m_near[point * kNearEntries + n] = static_cast<std::uint16_t>(keys[n] % Size);
            }
        }
    }

    std::vector<float> m_entries;
    std::vector<float> m_columns;
    std::vector<std::uint16_t> m_near;
};

template<typename Weights, const auto& grid>
const CodeBookTables& tablesOf() {
    static const CodeBook<Weights, grid.size()> kBook(grid);
    static const CodeBookTables kTables = kBook.tables();
    return kTables;
}

} // namespace

const CodeBookTables& iq2XxsTables() { return tablesOf<Iq2Weights, kIq2XxsGrid>(); }
const CodeBookTables& iq2XsTables() { return tablesOf<Iq2Weights, kIq2XsGrid>(); }
const CodeBookTables& iq2STables() { return tablesOf<Iq2Weights, kIq2SGrid>(); }
const CodeBookTables& iq3XxsTables() { return tablesOf<Iq3XxsWeights, kIq3XxsGrid>(); }
const CodeBookTables& iq3STables() { return tablesOf<Iq3SWeights, kIq3SGrid>(); }
const CodeBookTables& iq1Tables() { return tablesOf<Iq1Weights, kIq1Grid>(); }

} // namespace gufo::scalar
