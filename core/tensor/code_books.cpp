#include "tensor/code_books.h"

namespace gufo {

constexpr std::array<std::uint16_t, 256> kIq2XxsGrid{
#include "tensor/code_books/iq2_xxs_grid.inc"
};
constexpr std::array<std::uint16_t, 512> kIq2XsGrid{
#include "tensor/code_books/iq2_xs_grid.inc"
};
constexpr std::array<std::uint16_t, 1024> kIq2SGrid{
#include "tensor/code_books/iq2_s_grid.inc"
};
constexpr std::array<std::uint16_t, 2048> kIq1Grid{
#include "tensor/code_books/iq1_s_grid.inc"
};
constexpr std::array<std::uint16_t, 256> kIq3XxsGrid{
#include "tensor/code_books/iq3_xxs_grid.inc"
};
constexpr std::array<std::uint16_t, 512> kIq3SGrid{
#include "tensor/code_books/iq3_s_grid.inc"
};

namespace {

template<typename To, unsigned bits, std::size_t count>
constexpr std::array<To, count> inBytes(const std::array<std::uint16_t, count>& grid) {
    std::array<To, count> entries{};
    for (std::size_t i = 0; i < count; ++i) {
        for (unsigned field = 0; field < sizeof(To); ++field) {
            const auto code = static_cast<To>(grid[i] >> (bits * field) & ((1U << bits) - 1));
            entries[i] |= code << (8 * field);
        }
    }
    return entries;
}

} // namespace

constexpr std::array<std::uint64_t, 256> kIq2XxsBytes = inBytes<std::uint64_t, 2>(kIq2XxsGrid);
constexpr std::array<std::uint64_t, 512> kIq2XsBytes = inBytes<std::uint64_t, 2>(kIq2XsGrid);
constexpr std::array<std::uint64_t, 1024> kIq2SBytes = inBytes<std::uint64_t, 2>(kIq2SGrid);
constexpr std::array<std::uint64_t, 2048> kIq1Bytes = inBytes<std::uint64_t, 2>(kIq1Grid);
constexpr std::array<std::uint32_t, 256> kIq3XxsBytes = inBytes<std::uint32_t, 3>(kIq3XxsGrid);
constexpr std::array<std::uint32_t, 512> kIq3SBytes = inBytes<std::uint32_t, 3>(kIq3SGrid);

} // namespace gufo
