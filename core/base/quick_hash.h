// A fast 64-bit checksum for the program's own journals and fingerprints. It detects accidents, not forgery.
#pragma once

#include "base/byte_source.h"

namespace gufo {

// The two halves of the 128-bit product, folded: every bit of both factors affects every bit of the result.
[[nodiscard]] inline std::uint64_t foldedProduct(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// Depends on the order and number of the bytes, and gives the same result on every machine.
[[nodiscard]] std::uint64_t quickHash(Bytes bytes, std::uint64_t seed = 0);

// The checksum of bytes that are read piece by piece. All pieces have kHashPiece bytes, except the last.
inline constexpr std::uint64_t kHashPiece = std::uint64_t{1} << 20U;
class PieceHash {
public:
    void add(Bytes piece) { m_value = quickHash(piece, m_value); }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0;
};

} // namespace gufo
