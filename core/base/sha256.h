// SHA-256 (FIPS 180-4). It proves that tensor bytes have not changed, and sha256sum can verify its results.
//
// Threads: one at a time per object.
#pragma once

#include "base/byte_source.h"

#include <array>
#include <string>

namespace gufo {

using Sha256Digest = std::array<std::byte, 32>;

class Sha256 {
public:
    void add(Bytes bytes);
    // Must be called only once.
    [[nodiscard]] Sha256Digest finish();

private:
    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_block{};
    std::uint64_t m_bytes = 0;
};

[[nodiscard]] Sha256Digest sha256(Bytes bytes);
[[nodiscard]] std::string hexText(Bytes bytes); // "6a09e667…"

} // namespace gufo
