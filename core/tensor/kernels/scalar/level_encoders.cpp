// The encoders of types whose weights have separate levels, but which nested_search.h does not cover: ik_llama.cpp's
// types with two code books, and the ternary types.
#include "tensor/code_books.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/pack_blocks.h"
#include "tensor/kernels/scalar/scale_factors.h"

#include <functional>
#include <limits>

namespace gufo::scalar {
namespace {

// --- two code books

// The nearest level of a book to each multiple of a half from −128 up. All levels are whole numbers, so all points
// between two multiples have the same nearest level.
template<std::size_t Size>
constexpr std::array<Code, 512> nearestLevels(const std::int8_t* book) {
    std::array<Code, 512> nearest{};
    for (int i = 0; i < 512; ++i) {
        int bestDistance = 1'000'000;
        for (std::size_t level = 0; level < Size; ++level) {
            const int rest = 2 * (i - 256) + 1 - 4 * book[level]; // in quarters, from the middle of the interval
            if (rest * rest < bestDistance) {
                bestDistance = rest * rest;
                nearest[static_cast<std::size_t>(i)] = static_cast<Code>(level);
            }
        }
    }
    return nearest;
}

// A sub-block of sixteen weights, all with levels of one of the two books in `levels`.
template<const auto& levels, const auto& peaks>
struct TwoBooksCoder {
    static constexpr std::size_t kBook = levels.size() / 2;
    static constexpr std::size_t kWeights = 16;
    static constexpr bool kPositive = false;
    static constexpr auto& kPeaks = peaks;
    struct Codes {
        std::array<Code, 16> codes{};
        unsigned book = 0;
    };

    static LevelFit choose(const float* x, const float* w, float scale, Effort /*effort*/, Codes& codes) {
        static constexpr std::array kNearest{nearestLevels<kBook>(levels.data()),
                                             nearestLevels<kBook>(levels.data() + kBook)};
        const float perScale = scale != 0 ? 2 / scale : 0.0F; // to halves of a level
        LevelFit best{.error = std::numeric_limits<float>::infinity()};
        for (unsigned book = 0; book < 2; ++book) {
            Codes trial{.book = book};
            LevelFit fit;
            for (std::size_t i = 0; i < 16; ++i) {
                const float halves = std::clamp(x[i] * perScale, -256.0F, 255.0F) + 256;
                trial.codes[i] = kNearest[book][static_cast<std::size_t>(halves)];
                const auto level = static_cast<float>(levels[book * kBook + trial.codes[i]]);
                const float rest = x[i] - scale * level;
                const float weighted = w[i] * level;
                fit.error += w[i] * rest * rest;
                fit.slope += weighted * rest;
                fit.curve += weighted * level;
            }
            if (fit.error < best.error) {
                best = fit;
                codes = trial;
            }
        }
        return best;
    }
};

constexpr std::array kIk2Peaks{-31.0F, -27.0F, -24.0F, -35.0F, -40.0F, -46.0F, 17.0F, 15.0F, 20.0F, 23.0F, 26.0F};
constexpr std::array kIk3Peaks{-63.0F, -58.0F, -52.0F, -68.0F, -74.0F, 47.0F, 43.0F, 51.0F, 55.0F, 60.0F};
constexpr std::array kIk4Peaks{-127.0F, -120.0F, -113.0F, -134.0F, -142.0F, 113.0F, 107.0F, 100.0F, 119.0F, 126.0F};
constexpr std::array kIk5Peaks{-126.0F, -123.0F, -119.0F, -129.0F, 121.0F, 118.0F, 114.0F, 124.0F};

// All codes of a super-block in a row, and a bit for the book of each sub-block.
template<typename Coder>
struct Gathered {
    std::array<Code, 256> codes;
    std::uint16_t books = 0;

    explicit Gathered(const SubBlock<Coder>* blocks) {
        for (std::size_t s = 0; s < 16; ++s) {
            std::ranges::copy(blocks[s].codes.codes, codes.begin() + 16 * s);
            books |= static_cast<std::uint16_t>(blocks[s].codes.book << s);
        }
    }
};

struct FormatIQ2_K {
    using Coder = TwoBooksCoder<kIk2Levels, kIk2Peaks>;
    static constexpr Factors kFactors{-8, 1, 16};
    static constexpr std::array kLargest{-8.0F, -7.5F, -7.0F, -6.5F, -8.5F, 7.0F, 6.5F, 6.0F, 7.5F};
    static constexpr float kUnit = 1;
    static constexpr std::size_t kBlockBytes = 76;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        const Gathered<Coder> all(blocks);
        put(to, d);
        put(to + 2, all.books);
        for (std::size_t s = 0; s < 16; s += 2) {
            to[4 + s / 2] = static_cast<std::byte>(blocks[s].factor | blocks[s + 1].factor << 4);
        }
        packPairsOfBits(all.codes.data(), 0, to + 12);
    }
};

struct FormatIQ3_K {
    using Coder = TwoBooksCoder<kIk3Levels, kIk3Peaks>;
    static constexpr Factors kFactors{-31, 2, 32};
    static constexpr std::array kLargest{31.0F, 30.0F, 29.0F, 28.0F, 27.0F, 32.5F};
    static constexpr float kUnit = 1;
    static constexpr std::size_t kBlockBytes = 110;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        const Gathered<Coder> all(blocks);
        std::array<Code, 16> magnitudes{};
        unsigned negative = 0;
        for (std::size_t s = 0; s < 16; ++s) { // factors 0 … 15 are −31, −29, …, −1
            const int factor = blocks[s].factor;
            negative |= (factor < 16 ? 1U : 0U) << s;
            magnitudes[s] = static_cast<Code>(factor < 16 ? 15 - factor : factor - 16);
        }
        put(to, d);
        put(to + 2, all.books);
        put(to + 4, static_cast<std::uint16_t>(negative));
        for (std::size_t s = 0; s < 16; s += 2) {
            to[6 + s / 2] = static_cast<std::byte>(magnitudes[s] | magnitudes[s + 1] << 4U);
        }
        packPairsOfBits(all.codes.data(), 0, to + 14);
        packSingleBits(all.codes.data(), 2, to + 78);
    }
};

// The scales of IQ4_K and IQ5_K.
struct WideFactors {
    static constexpr Factors kFactors{-32, 1, 64};
    static constexpr std::array kLargest{-32.0F, -31.0F, -30.0F, -29.0F, 31.0F, 30.0F, 29.0F};
    static constexpr float kUnit = 1;
    template<typename Coder>
    static void packHead(std::uint16_t d, std::uint16_t books, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        put(to + 2, books);
        std::fill_n(to + 4, 12, std::byte{});
        for (std::size_t s = 0; s < 16; ++s) {
            const auto factor = static_cast<unsigned>(blocks[s].factor);
            to[4 + s / 4] |= static_cast<std::byte>(factor >> 4U << (s % 4 * 2));
            to[8 + s / 2] |= static_cast<std::byte>((factor & 15U) << (s % 2 * 4));
        }
    }
};

struct FormatIQ4_K : WideFactors {
    using Coder = TwoBooksCoder<kIk4Levels, kIk4Peaks>;
    static constexpr std::size_t kBlockBytes = 144;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        const Gathered<Coder> all(blocks);
        packHead(d, all.books, blocks, to);
        for (std::size_t s = 0; s < 8; ++s) {
            packNibbles(all.codes.data() + 32 * s, 16, to + 16 + 16 * s);
        }
    }
};

struct FormatIQ5_K : WideFactors {
    using Coder = TwoBooksCoder<kIk5Levels, kIk5Peaks>;
    static constexpr std::size_t kBlockBytes = 176;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        const Gathered<Coder> all(blocks);
        packHead(d, all.books, blocks, to);
        for (std::size_t s = 0; s < 4; ++s) {
            packNibbles(all.codes.data() + 64 * s, 32, to + 16 + 32 * s);
        }
        packSingleBits(all.codes.data(), 4, to + 144);
    }
};

// --- ternary

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
    kernels.encode[TensorType::IQ2_K] = encodeSuperBlocks<FormatIQ2_K>;
    kernels.encode[TensorType::IQ3_K] = encodeSuperBlocks<FormatIQ3_K>;
    kernels.encode[TensorType::IQ4_K] = encodeSuperBlocks<FormatIQ4_K>;
    kernels.encode[TensorType::IQ5_K] = encodeSuperBlocks<FormatIQ5_K>;
    kernels.encode[TensorType::TQ1_0] = encodeTQ1_0;
    kernels.encode[TensorType::TQ2_0] = encodeTQ2_0;
}

} // namespace gufo::scalar
