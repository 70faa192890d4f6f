// The encoders of the ternary types, whose scale is found exactly.
#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/pack_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gufo::scalar {
namespace {

// The best codes 0, 1, 2 for −d, 0, d, and the half d. Without importance or with it, the weights that are not 0 are
// the largest ones, so all their numbers are tried: n of them with their weighted mean as d reduce the error by
// (Σ w |x|)² / Σ w.
std::uint16_t chooseTernary(const float* x, const float* w, std::array<Code, 256>& codes) {
    std::array<std::uint16_t, 256> order{};
    for (std::size_t i = 0; i < 256; ++i) {
        order[i] = static_cast<std::uint16_t>(i);
    }
    // Equal magnitudes keep their order. clang 19 rejects std::stable_sort of GCC 12's library.
    std::ranges::sort(order, std::less(), [&](std::uint16_t i) { return std::pair(-std::abs(x[i]), i); });
    double products = 0;
    double weights = 0;
    double best = 0;
    double scale = 0;
    for (const std::uint16_t i : order) {
        products += static_cast<double>(w[i]) * std::abs(static_cast<double>(x[i]));
        weights += static_cast<double>(w[i]);
        if (weights > 0 && products * products > best * weights) {
            best = products * products / weights;
            scale = products / weights;
        }
    }
    const std::uint16_t half = halfFromFloat(std::min(static_cast<float>(scale), 65504.0F));
    const float threshold = floatFromHalf(half) / 2;
    for (std::size_t i = 0; i < 256; ++i) {
        codes[i] = x[i] > threshold ? 2 : x[i] < -threshold ? 0 : 1;
    }
    return half;
}

template<typename Pack>
void encodeTernary(const float* x, std::size_t blocks, const float* importance, std::size_t columns, Pack pack) {
    std::array<float, 256> ones{};
    ones.fill(1);
    std::array<Code, 256> codes{};
    for (std::size_t b = 0; b < blocks; ++b) {
        const float* const w = importance != nullptr ? importance + 256 * b % columns : ones.data();
        const std::uint16_t d = chooseTernary(x + 256 * b, w, codes);
        pack(b, codes.data(), d);
    }
}

// Packs up to five digits of base 3 as a fraction of 256, rounded up; the first digit is the most significant one.
void packDigits(const Code* codes, std::size_t bytes, std::size_t digits, std::byte* to) {
    for (std::size_t i = 0; i < bytes; ++i) {
        unsigned number = 0;
        for (std::size_t n = 0; n < 5; ++n) {
            number = 3 * number + (n < digits ? codes[n * bytes + i] : 0U);
        }
        to[i] = static_cast<std::byte>((256 * number + 242) / 243);
    }
}

void encodeTQ1_0(const float* x, std::size_t blocks, const float* importance, std::size_t columns, std::byte* out) {
    encodeTernary(x, blocks, importance, columns, [&](std::size_t b, const Code* codes, std::uint16_t d) {
        std::byte* const to = out + 54 * b;
        packDigits(codes, 32, 5, to);
        packDigits(codes + 160, 16, 5, to + 32);
        packDigits(codes + 240, 4, 4, to + 48);
        put(to + 52, d);
    });
}

// The fourth code, 2 d, is not used: runtimes take the type for a ternary one.
void encodeTQ2_0(const float* x, std::size_t blocks, const float* importance, std::size_t columns, std::byte* out) {
    encodeTernary(x, blocks, importance, columns, [&](std::size_t b, const Code* codes, std::uint16_t d) {
        packPairsOfBits(codes, 0, out + 66 * b);
        put(out + 66 * b + 64, d);
    });
}

} // namespace

void installLevelEncoders(Kernels& kernels) {
    kernels.encode[TensorType::TQ1_0] = encodeTQ1_0;
    kernels.encode[TensorType::TQ2_0] = encodeTQ2_0;
}

} // namespace gufo::scalar
