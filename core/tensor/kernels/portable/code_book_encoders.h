// Encoders of the types with code books of several weights: IQ1, IQ2 and IQ3.
//
// The weights of a super-block of 256 are levels × d × kUnit × factor: a half d, and for each sub-block an integer
// factor and the entries of its levels. A format provides:
//   Coder             chooses the levels of a sub-block for a given scale (code_book_search.h)
//   kFactors, kUnit   the factors, and their unit
//   kPeaks            the levels to which the largest weight of a sub-block may be mapped
//   kLargest          the factors to which the largest scale of a sub-block may be mapped
//   kBlockBytes, pack(d, sub-blocks, bytes)
#pragma once

#include "tensor/kernels/portable/code_book_search.h"
#include "tensor/kernels/portable/pack_blocks.h"
#include "tensor/kernels/portable/scale_search.h"

namespace {

inline float storedHalf(float wanted) { return nearestHalf(allLanes(wanted))[0]; }
inline float sizeOf(float v) { return v < 0 ? -v : v; }
inline float within(float v, float most) { return v < 0 ? 0.0F : v > most ? most : v; }

// The factors first, first + step, ….
struct Factors {
    int first;
    int step;
    int count;

    [[nodiscard]] constexpr float at(int i) const { return static_cast<float>(first + step * i); }
};

template<typename Coder>
struct SubBlock {
    int factor = 0; // its number among the format's factors
    typename Coder::Codes codes;
};

template<typename Format>
class BookSearch {
    using Coder = typename Format::Coder;
    static constexpr std::size_t kCount = 256 / Coder::kWeights;

public:
    BookSearch(const float* x, const float* w)
        : m_x(x)
        , m_w(w)
        , m_book(Coder::tables()) {
        for (std::size_t s = 0; s < kCount; ++s) {
            m_prepared[s].set(x + s * Coder::kWeights, w + s * Coder::kWeights);
        }
    }

    void encode(std::byte* out) {
        m_best.error = 0;
        for (std::size_t i = 0; i < 256; ++i) {
            m_best.error += m_w[i] * m_x[i] * m_x[i];
        }
        float largest = 0;
        for (std::size_t s = 0; s < kCount; ++s) {
            m_ideal[s] = idealScale(s);
            largest = sizeOf(m_ideal[s]) > sizeOf(largest) ? m_ideal[s] : largest;
        }
        if (largest != 0) {
            for (const float factor : Format::kLargest) {
                trySuperScale(largest / (factor * Format::kUnit), Effort::Quick);
            }
            for (int round = 0; round < 2 && m_best.d != 0; ++round) {
                trySuperScale(m_best.d + m_best.step / Format::kUnit, Effort::Thorough);
            }
        }
        const float d = chooseCodes();
        Format::pack(halfBits(d), m_subBlocks, out);
    }

private:
    struct Trial {
        float d = 0;
        float step = 0; // to the d × kUnit that fits the levels best
        float error = 0;
        int factors[kCount]{};
    };

    LevelFit choose(std::size_t s, float scale, Effort effort, typename Coder::Codes& codes) const {
        return Coder::choose(m_book, m_prepared[s], scale, effort, codes);
    }

    // The best scale of a sub-block by itself: tries many, and fits the best of them to its levels.
    [[nodiscard]] float idealScale(std::size_t s) const {
        const float* const x = m_x + s * Coder::kWeights;
        const float* const w = m_w + s * Coder::kWeights;
        float peak = 0;
        float bestError = 0;
        for (std::size_t i = 0; i < Coder::kWeights; ++i) {
            peak = sizeOf(x[i]) > sizeOf(peak) ? x[i] : peak;
            bestError += w[i] * x[i] * x[i];
        }
        if (sizeOf(peak) < kSmallest) {
            return 0;
        }
        peak = sizeOf(peak);
        float best = 0;
        typename Coder::Codes codes;
        const auto attempt = [&](float scale) {
            const LevelFit fit = choose(s, scale, Effort::Quick, codes);
            const float fitted = scale + fit.step();
            const float error = fit.error - fit.step() * fit.slope;
            if (error < bestError && fitted > 0) {
                bestError = error;
                best = fitted;
            }
        };
        for (const float level : Format::kPeaks) {
            attempt(peak / level);
        }
        for (int round = 0; round < 2 && best != 0; ++round) {
            attempt(best);
        }
        return best;
    }

    // Tries a value of d with the two factors next to the ideal scale of each sub-block or, in the end, with all that
    // give a scale of similar size: there may be better ones than the nearest, because the error of many fine levels
    // has many minima.
    void trySuperScale(float wanted, Effort effort) {
        constexpr Factors kFactors = Format::kFactors;
        Trial trial{.d = storedHalf(wanted)};
        const float unit = trial.d * Format::kUnit;
        if (trial.d <= 0) {
            return;
        }
        float slope = 0;
        float curve = 0;
        typename Coder::Codes codes;
        for (std::size_t s = 0; s < kCount; ++s) {
            const float position = (m_ideal[s] / unit - static_cast<float>(kFactors.first)) / kFactors.step;
            const float clamped = within(position, static_cast<float>(kFactors.count - 1));
            const float ideal = sizeOf(m_ideal[s]);
            int factor = 0;
            LevelFit fit{.error = kInfinite};
            for (int candidate = 0; candidate < kFactors.count; ++candidate) {
                const float scale = unit * kFactors.at(candidate);
                const bool similar = sizeOf(scale) > 0.7F * ideal && sizeOf(scale) < 1.35F * ideal;
                const bool next = sizeOf(static_cast<float>(candidate) - clamped) < 1;
                if (!next && (effort == Effort::Quick || !similar)) {
                    continue;
                }
                const LevelFit candidateFit = choose(s, scale, Effort::Quick, codes);
                if (candidateFit.error < fit.error) {
                    fit = candidateFit;
                    factor = candidate;
                }
            }
            trial.factors[s] = factor;
            trial.error += fit.error;
            slope += kFactors.at(factor) * fit.slope;
            curve += kFactors.at(factor) * kFactors.at(factor) * fit.curve;
            if (!(trial.error < m_best.error)) {
                return;
            }
        }
        trial.step = curve > 0 ? slope / curve : 0.0F;
        m_best = trial;
    }

    // Chooses the levels for the best d, and returns the half that fits them best.
    float chooseCodes() {
        const float unit = m_best.d * Format::kUnit;
        float slope = 0;
        float curve = 0;
        for (std::size_t s = 0; s < kCount; ++s) {
            const float factor = Format::kFactors.at(m_best.factors[s]);
            m_subBlocks[s].factor = m_best.factors[s];
            const LevelFit fit = choose(s, unit * factor, Effort::Thorough, m_subBlocks[s].codes);
            slope += factor * fit.slope;
            curve += factor * factor * fit.curve;
        }
        const float wanted = curve > 0 ? m_best.d + slope / curve / Format::kUnit : m_best.d;
        const float fitted = storedHalf(wanted);
        const float change = (fitted - m_best.d) * Format::kUnit;
        const bool better = m_best.d != 0 && change * (change * curve - 2 * slope) < 0;
        return better ? fitted : m_best.d;
    }

    const float* m_x;
    const float* m_w;
    const CodeBookTables& m_book;
    typename Coder::Prepared m_prepared[kCount];
    float m_ideal[kCount]{};
    Trial m_best;
    SubBlock<Coder> m_subBlocks[kCount]{};
};

// A function of the table Kernels::encode.
template<typename Format>
inline void encodeWithBook(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                           std::byte* out) {
    float ones[256];
    for (float& one : ones) {
        one = 1;
    }
    for (std::size_t b = 0; b < blocks; ++b) {
        const float* const w = importance != nullptr ? importance + 256 * b % columns : ones;
        BookSearch<Format>(x + 256 * b, w).encode(out + b * Format::kBlockBytes);
    }
}

constexpr float kIq2Peaks[] = {8.0F,  20.0F, 25.0F, 30.0F, 35.0F, 39.0F, 43.0F,
                               47.0F, 51.0F, 55.0F, 60.0F, 66.0F, 74.0F};
constexpr float kIq3XxsPeaks[] = {4.0F,  28.0F, 36.0F, 42.0F, 46.0F, 50.0F, 53.0F,
                                  56.0F, 59.0F, 62.0F, 65.0F, 69.0F, 75.0F};
constexpr float kIq3SPeaks[] = {1.0F, 7.0F, 9.0F, 10.5F, 11.5F, 12.3F, 13.0F, 13.7F, 14.3F, 15.0F, 15.7F, 16.6F, 18.0F};

// The factors 1, 3, …, 31 of the scale, and those to which the largest may be mapped.
struct OddFactors {
    static constexpr Factors kFactors{1, 2, 16};
    static constexpr float kLargest[] = {31.0F, 30.0F, 29.0F, 28.0F, 27.0F, 26.0F, 25.0F, 32.5F, 34.0F};
};

unsigned sevenSigns(std::uint8_t signs) { return signs & 127U; }

struct FormatIQ2_XXS : OddFactors {
    using Coder = SignedCoder<Signs::Even, Iq2Levels, 32, gufo::scalar::iq2XxsTables>;
    static constexpr auto& kPeaks = kIq2Peaks;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 66;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            auto word = static_cast<std::uint32_t>(blocks[s].factor) << 28U;
            for (std::size_t g = 0; g < 4; ++g) {
                to[2 + 8 * s + g] = static_cast<std::byte>(blocks[s].codes.groups[g].entries[0]);
                word |= sevenSigns(blocks[s].codes.groups[g].signs) << (7 * g);
            }
            put(to + 6 + 8 * s, word);
        }
    }
};

// Packs a 4-bit factor for each of `count` sub-blocks.
template<typename Coder>
void packFactors(const SubBlock<Coder>* blocks, std::size_t count, std::byte* to) {
    for (std::size_t s = 0; s < count; s += 2) {
        to[s / 2] = static_cast<std::byte>(blocks[s].factor | blocks[s + 1].factor << 4);
    }
}

struct FormatIQ2_XS : OddFactors {
    using Coder = SignedCoder<Signs::Even, Iq2Levels, 16, gufo::scalar::iq2XsTables>;
    static constexpr auto& kPeaks = kIq2Peaks;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 74;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 2].codes.groups[g % 2];
            put(to + 2 + 2 * g, static_cast<std::uint16_t>(group.entries[0] | sevenSigns(group.signs) << 9U));
        }
        packFactors(blocks, 16, to + 66);
    }
};

struct FormatIQ2_S : OddFactors {
    using Coder = SignedCoder<Signs::Free, Iq2Levels, 16, gufo::scalar::iq2STables>;
    static constexpr auto& kPeaks = kIq2Peaks;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 82;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        std::memset(to + 66, 0, 8);
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 2].codes.groups[g % 2];
            to[2 + g] = static_cast<std::byte>(group.entries[0]);
            to[34 + g] = static_cast<std::byte>(group.signs);
            to[66 + g / 4] |= static_cast<std::byte>(group.entries[0] >> 8U << (2 * (g % 4)));
        }
        packFactors(blocks, 16, to + 74);
    }
};

struct FormatIQ3_XXS : OddFactors {
    using Coder = SignedCoder<Signs::Even, Iq3Levels<8>, 32, gufo::scalar::iq3XxsTables>;
    static constexpr auto& kPeaks = kIq3XxsPeaks;
    static constexpr float kUnit = 0.25F;
    static constexpr std::size_t kBlockBytes = 98;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            auto word = static_cast<std::uint32_t>(blocks[s].factor) << 28U;
            for (std::size_t g = 0; g < 4; ++g) {
                const auto& group = blocks[s].codes.groups[g];
                to[2 + 8 * s + 2 * g] = static_cast<std::byte>(group.entries[0]);
                to[3 + 8 * s + 2 * g] = static_cast<std::byte>(group.entries[1]);
                word |= sevenSigns(group.signs) << (7 * g);
            }
            put(to + 66 + 4 * s, word);
        }
    }
};

struct FormatIQ3_S : OddFactors {
    using Coder = SignedCoder<Signs::Free, Iq3Levels<2>, 32, gufo::scalar::iq3STables>;
    static constexpr auto& kPeaks = kIq3SPeaks;
    static constexpr float kUnit = 1;
    static constexpr std::size_t kBlockBytes = 110;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        std::memset(to + 66, 0, 8);
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 4].codes.groups[g % 4];
            for (std::size_t e = 0; e < 2; ++e) {
                const std::size_t at = 2 * g + e;
                to[2 + at] = static_cast<std::byte>(group.entries[e]);
                to[66 + at / 8] |= static_cast<std::byte>(group.entries[e] >> 8U << (at % 8));
            }
            to[74 + g] = static_cast<std::byte>(group.signs);
        }
        packFactors(blocks, 8, to + 106);
    }
};

constexpr float kIq1Peaks[] = {7.0F, 8.0F, 9.0F, 10.0F, 11.0F, 12.0F, 13.0F, 14.5F, 16.0F, 18.0F, 20.5F, 24.0F};

// The factors 1, 3, …, 15 of the scale.
struct FewOddFactors {
    static constexpr Factors kFactors{1, 2, 8};
    static constexpr float kLargest[] = {15.0F, 14.5F, 14.0F, 13.5F, 13.0F, 12.5F, 12.0F, 11.5F, 15.7F, 16.5F};
    static constexpr float kUnit = 0.125F;
};

struct FormatIQ1_S : FewOddFactors {
    using Coder = ShiftedCoder<32, 32>;
    static constexpr auto& kPeaks = kIq1Peaks;
    static constexpr std::size_t kBlockBytes = 50;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            unsigned word = static_cast<unsigned>(blocks[s].factor) << 12U;
            word |= blocks[s].codes.groups[0].negativeShift ? 0x8000U : 0U;
            for (std::size_t g = 0; g < 4; ++g) {
                const unsigned entry = blocks[s].codes.groups[g].entry;
                to[2 + 4 * s + g] = static_cast<std::byte>(entry);
                word |= entry >> 8U << (3 * g);
            }
            put(to + 34 + 2 * s, static_cast<std::uint16_t>(word));
        }
    }
};

struct FormatIQ1_M : FewOddFactors {
    using Coder = ShiftedCoder<16, 8>;
    static constexpr auto& kPeaks = kIq1Peaks;
    static constexpr std::size_t kBlockBytes = 56;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        std::memset(to + 32, 0, 16);
        for (std::size_t g = 0; g < 32; ++g) {
            const ShiftedCodes& group = blocks[g / 2].codes.groups[g % 2];
            to[g] = static_cast<std::byte>(group.entry);
            const unsigned nibble = group.entry >> 8U | (group.negativeShift ? 8U : 0U);
            to[32 + g / 2] |= static_cast<std::byte>(nibble << (g % 2 * 4));
        }
        for (std::size_t n = 0; n < 4; ++n) {
            unsigned word = (d >> (4 * n) & 15U) << 12U;
            for (std::size_t s = 0; s < 4; ++s) {
                word |= static_cast<unsigned>(blocks[4 * n + s].factor) << (3 * s);
            }
            put(to + 48 + 2 * n, static_cast<std::uint16_t>(word));
        }
    }
};

} // namespace
