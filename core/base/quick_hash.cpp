#include "base/quick_hash.h"

#include "base/byte_order.h"

#include <array>

namespace gufo {
namespace {

// Odd constants without a pattern: the fractional parts of the square roots of 2, 3, 5 and 7.
constexpr std::array<std::uint64_t, 4> kKeys{0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                             0xa54ff53a5f1d36f1};

} // namespace

std::uint64_t quickHash(Bytes bytes, std::uint64_t seed) {
    constexpr std::size_t kStride = 64;
    std::array<std::uint64_t, 4> lanes{seed ^ kKeys[0], seed ^ kKeys[1], seed ^ kKeys[2], seed ^ kKeys[3]};
    const std::uint64_t length = bytes.size();
    std::array<std::byte, kStride> last{};
    while (!bytes.empty()) {
        const std::byte* from = bytes.data();
        if (bytes.size() < kStride) {
            std::memcpy(last.data(), from, bytes.size());
            from = last.data();
        }
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            const auto a = load<std::uint64_t>(from + 16 * lane);
            const auto b = load<std::uint64_t>(from + 16 * lane + 8);
            lanes[lane] = foldedProduct(a ^ lanes[lane], b ^ kKeys[lane]) + lanes[lane];
        }
        bytes = bytes.subspan(std::min(bytes.size(), kStride));
    }
    std::uint64_t hash = foldedProduct(length ^ kKeys[0], kKeys[1]);
    for (const std::uint64_t lane : lanes) {
        hash = foldedProduct(hash ^ lane, kKeys[2]);
    }
    return hash;
}

} // namespace gufo
