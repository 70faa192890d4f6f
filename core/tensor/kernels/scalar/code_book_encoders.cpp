// The encoders of the types with code books of several weights: IQ1, IQ2 and IQ3. An entry of a book is the levels of
// eight or four weights. For a given scale, the best entry is found among those nearest to the rounded weights or, in
// the end, among all.
#include "tensor/code_books.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/pack_blocks.h"
#include "tensor/kernels/scalar/scale_factors.h"

#include <bit>
#include <limits>
#include <vector>

namespace gufo::scalar {
namespace {

using Four = float __attribute__((vector_size(16)));
using FourMasks = std::int32_t __attribute__((vector_size(16)));

Four four(const float* from) { return Four{from[0], from[1], from[2], from[3]}; }
Four fourTimes(float value) { return Four{value, value, value, value}; }
float sum(Four v) { return (v[0] + v[2]) + (v[1] + v[3]); }
float least(Four v) {
    const float a = v[0] < v[2] ? v[0] : v[2];
    const float b = v[1] < v[3] ? v[1] : v[3];
    return a < b ? a : b;
}
Four smallerOf(Four a, Four b) { return a < b ? a : b; }

// --- the levels of a weight in an entry, in ascending order

struct Iq2Weights {
    static constexpr std::size_t kTogether = 8;
    static constexpr unsigned kBits = 2;
    static constexpr std::array<float, 3> kLevels{8, 25, 43};
    static unsigned nearest(float u) { return (u > 16.5F ? 1U : 0U) + (u > 34 ? 1U : 0U); }
};
struct Iq3XxsWeights {
    static constexpr std::size_t kTogether = 4;
    static constexpr unsigned kBits = 3;
    static constexpr std::array<float, 8> kLevels{4, 12, 20, 28, 36, 44, 52, 62};
    static unsigned nearest(float u) { return u < 56 ? static_cast<unsigned>(u * 0.125F) : 7; }
};
struct Iq3SWeights {
    static constexpr std::size_t kTogether = 4;
    static constexpr unsigned kBits = 3;
    static constexpr std::array<float, 8> kLevels{1, 3, 5, 7, 9, 11, 13, 15};
    static unsigned nearest(float u) { return u < 14 ? static_cast<unsigned>(u * 0.5F) : 7; }
};
struct Iq1Weights { // in eighths, without the shift
    static constexpr std::size_t kTogether = 8;
    static constexpr unsigned kBits = 2;
    static constexpr std::array<float, 3> kLevels{-8, 0, 8};
    static unsigned nearest(float u) { return (u > -4 ? 1U : 0U) + (u > 4 ? 1U : 0U); }
};

// The cost of an entry with levels g: Σ g (g × square + linear), and with one wrong sign the least g × flip besides.
template<std::size_t Together>
struct Costs {
    std::array<Four, Together / 4> square;
    std::array<Four, Together / 4> linear;
    std::array<Four, Together / 4> flip;
};

struct Choice {
    std::uint16_t entry = 0;
    float cost = std::numeric_limits<float>::infinity();
};

template<typename Weights, std::size_t Size>
class CodeBook {
public:
    static constexpr std::size_t kTogether = Weights::kTogether;
    static constexpr std::size_t kLevels = Weights::kLevels.size();
    static constexpr std::size_t kParts = kTogether / 4;
    using Cost = Costs<kTogether>;
    using Levels = Weights;

    explicit CodeBook(const std::array<std::uint16_t, Size>& grid) {
        for (std::size_t e = 0; e < Size; ++e) {
            for (std::size_t i = 0; i < kTogether; ++i) {
                const float level = Weights::kLevels[grid[e] >> (Weights::kBits * i) & kMask];
                m_entries[e][i] = level;
                m_columns[i][e] = level;
            }
        }
        findNeighbours(grid);
    }

    [[nodiscard]] const float* entry(std::size_t e) const { return m_entries[e].data(); }

    // The best of the entries near a point, whose digits in base kLevels are the rounded weights.
    template<bool Flip>
    [[nodiscard]] Choice near(const Cost& costs, std::size_t point) const {
        Choice best;
        for (std::size_t n = 0; n < kNear; ++n) {
            const std::uint16_t e = m_near[point * kNear + n];
            Four total{};
            Four flip = fourTimes(std::numeric_limits<float>::infinity());
            for (std::size_t p = 0; p < kParts; ++p) {
                const Four g = four(entry(e) + 4 * p);
                total += g * (g * costs.square[p] + costs.linear[p]);
                flip = Flip ? smallerOf(flip, g * costs.flip[p]) : flip;
            }
            const float cost = Flip ? sum(total) + least(flip) : sum(total);
            best = cost < best.cost ? Choice{e, cost} : best;
        }
        return best;
    }

    // The best of all entries.
    template<bool Flip>
    [[nodiscard]] Choice best(const Cost& costs) const {
        Four bestCosts = fourTimes(std::numeric_limits<float>::infinity());
        FourMasks bestEntries{};
        FourMasks entries{0, 1, 2, 3};
        for (std::size_t e = 0; e < Size; e += 4, entries += 4) {
            Four total{};
            Four flip = fourTimes(std::numeric_limits<float>::infinity());
            for (std::size_t i = 0; i < kTogether; ++i) {
                const Four g = four(m_columns[i].data() + e);
                total += g * (g * costs.square[i / 4][i % 4] + costs.linear[i / 4][i % 4]);
                flip = Flip ? smallerOf(flip, g * costs.flip[i / 4][i % 4]) : flip;
            }
            total = Flip ? total + flip : total;
            const FourMasks better = total < bestCosts;
            bestCosts = better ? total : bestCosts;
            bestEntries = better ? entries : bestEntries;
        }
        Choice best;
        for (std::size_t i = 0; i < 4; ++i) {
            if (bestCosts[i] < best.cost) {
                best = {static_cast<std::uint16_t>(bestEntries[i]), bestCosts[i]};
            }
        }
        return best;
    }

private:
    static constexpr std::size_t kNear = 12;
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

    // Lists the kNear entries next to each point. Distances are sums over the two halves of the weights.
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
        m_near.resize(kHalfPoints * kHalfPoints * kNear);
        std::vector<std::uint32_t> keys(Size);
        for (std::size_t point = 0; point < kHalfPoints * kHalfPoints; ++point) {
            const auto& low = distances[point % kHalfPoints];
            const auto& high = distances[point / kHalfPoints];
            for (std::size_t e = 0; e < Size; ++e) {
                const std::uint32_t distance = low[grid[e] % kHalfEntries] + high[grid[e] / kHalfEntries];
                keys[e] = static_cast<std::uint32_t>(distance * Size + e);
            }
            std::ranges::nth_element(keys, keys.begin() + kNear);
            std::sort(keys.begin(), keys.begin() + kNear);
            for (std::size_t n = 0; n < kNear; ++n) {
                m_near[point * kNear + n] = static_cast<std::uint16_t>(keys[n] % Size);
            }
        }
    }

    std::array<std::array<float, kTogether>, Size> m_entries;
    std::array<std::array<float, Size>, kTogether> m_columns;
    std::vector<std::uint16_t> m_near;
};

template<typename Book>
Choice chosen(const Book& book, const typename Book::Cost& costs, std::size_t point, bool flip, Effort effort) {
    if (effort == Effort::Thorough) {
        return flip ? book.template best<true>(costs) : book.template best<false>(costs);
    }
    return flip ? book.template near<true>(costs, point) : book.template near<false>(costs, point);
}

void addFit(LevelFit& fit, Four x, Four w, Four level, float scale) {
    const Four rest = x - scale * level;
    const Four weighted = w * level;
    fit.error += sum(w * rest * rest);
    fit.slope += sum(weighted * rest);
    fit.curve += sum(weighted * level);
}

// --- magnitudes and signs

// How the signs of eight weights are stored.
enum class Signs : std::uint8_t {
    Free, // a bit for each
    Even, // seven bits; the number of negative weights is even
};

// Eight weights: the entries of their magnitudes, and a bit for each negative one.
template<std::size_t Entries>
struct SignedCodes {
    std::array<std::uint16_t, Entries> entries{};
    std::uint8_t signs = 0;
};

// Chooses the entries and signs of eight weights. A sign that must be wrong costs 4 × scale × w |x| × level: it is that
// of the weight for which this is least, which depends on the entry.
template<Signs kind, typename Book, std::size_t Entries>
void chooseSigned(const Book& book, const float* x, const float* w, float scale, Effort effort,
                  SignedCodes<Entries>& codes, LevelFit& fit) {
    constexpr std::size_t kTogether = Book::kTogether;
    const float perScale = scale > 0 ? 1 / scale : 0.0F;
    std::array<float, 8> magnitude;
    std::array<float, 8> product; // w |x|
    unsigned negative = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        magnitude[i] = std::abs(x[i]);
        product[i] = w[i] * magnitude[i];
        negative |= (x[i] < 0 ? 1U : 0U) << i;
    }
    const bool odd = kind == Signs::Even && std::popcount(negative) % 2 != 0;
    std::array<Choice, Entries> plain;
    std::array<Choice, Entries> flipped;
    std::array<typename Book::Cost, Entries> costs;
    for (std::size_t e = 0; e < Entries; ++e) {
        const std::size_t first = e * kTogether;
        for (std::size_t p = 0; p < kTogether / 4; ++p) {
            const Four products = four(product.data() + first + 4 * p);
            costs[e].square[p] = scale * scale * four(w + first + 4 * p);
            costs[e].linear[p] = -2 * scale * products;
            costs[e].flip[p] = 4 * scale * products;
        }
        const auto cheapest = static_cast<std::size_t>(
            std::min_element(product.begin() + first, product.begin() + first + kTogether) - product.begin());
        std::size_t point = 0;
        std::size_t flippedPoint = 0;
        for (std::size_t i = first + kTogether; i-- > first;) {
            const std::size_t level = Book::Levels::nearest(magnitude[i] * perScale);
            point = point * Book::kLevels + level;
            flippedPoint = flippedPoint * Book::kLevels + (i == cheapest ? 0 : level);
        }
        if (!odd || Entries > 1) {
            plain[e] = chosen(book, costs[e], point, false, effort);
        }
        if (odd) {
            flipped[e] = chosen(book, costs[e], flippedPoint, true, effort);
        }
    }
    std::size_t flippedEntry = Entries; // none
    if (odd) {
        flippedEntry = 0;
        for (std::size_t e = 1; e < Entries; ++e) {
            const float change = flipped[e].cost - plain[e].cost;
            const float least = flipped[flippedEntry].cost - plain[flippedEntry].cost;
            flippedEntry = change < least ? e : flippedEntry;
        }
    }
    std::array<float, 8> levels;
    for (std::size_t e = 0; e < Entries; ++e) {
        const std::uint16_t entry = e == flippedEntry ? flipped[e].entry : plain[e].entry;
        codes.entries[e] = entry;
        std::copy_n(book.entry(entry), kTogether, levels.begin() + e * kTogether);
        if (e == flippedEntry) {
            std::size_t wrong = e * kTogether;
            for (std::size_t i = wrong + 1; i < (e + 1) * kTogether; ++i) {
                wrong = product[i] * levels[i] < product[wrong] * levels[wrong] ? i : wrong;
            }
            negative ^= 1U << wrong;
        }
    }
    codes.signs = static_cast<std::uint8_t>(negative);
    for (std::size_t i = 0; i < 8; ++i) {
        levels[i] = (negative >> i & 1U) != 0 ? -levels[i] : levels[i];
    }
    for (std::size_t p = 0; p < 2; ++p) {
        addFit(fit, four(x + 4 * p), four(w + 4 * p), four(levels.data() + 4 * p), scale);
    }
}

constexpr std::array kIq2Peaks{8.0F,  20.0F, 25.0F, 30.0F, 35.0F, 39.0F, 43.0F,
                               47.0F, 51.0F, 55.0F, 60.0F, 66.0F, 74.0F};
constexpr std::array kIq3XxsPeaks{4.0F,  28.0F, 36.0F, 42.0F, 46.0F, 50.0F, 53.0F,
                                  56.0F, 59.0F, 62.0F, 65.0F, 69.0F, 75.0F};
constexpr std::array kIq3SPeaks{1.0F, 7.0F, 9.0F, 10.5F, 11.5F, 12.3F, 13.0F, 13.7F, 14.3F, 15.0F, 15.7F, 16.6F, 18.0F};

template<Signs kind, const auto& grid, typename Weights, std::size_t Count, const auto& peaks>
struct SignedCoder {
    using Book = CodeBook<Weights, grid.size()>;
    static constexpr std::size_t kWeights = Count;
    static constexpr bool kPositive = true;
    static constexpr auto& kPeaks = peaks;
    using Group = SignedCodes<8 / Book::kTogether>;
    using Codes = std::array<Group, Count / 8>;

    static LevelFit choose(const float* x, const float* w, float scale, Effort effort, Codes& codes) {
        static const Book kBook(grid);
        LevelFit fit;
        for (std::size_t g = 0; g < codes.size(); ++g) {
            chooseSigned<kind>(kBook, x + 8 * g, w + 8 * g, scale, effort, codes[g], fit);
        }
        return fit;
    }
};

// The factors 1, 3, …, 31 of the scale, and those to which the largest may be mapped.
struct OddFactors {
    static constexpr Factors kFactors{1, 2, 16};
    static constexpr std::array kLargest{31.0F, 30.0F, 29.0F, 28.0F, 27.0F, 26.0F, 25.0F, 32.5F, 34.0F};
};

unsigned sevenSigns(std::uint8_t signs) { return signs & 127U; }

struct FormatIQ2_XXS : OddFactors {
    using Coder = SignedCoder<Signs::Even, kIq2XxsGrid, Iq2Weights, 32, kIq2Peaks>;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 66;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            auto word = static_cast<std::uint32_t>(blocks[s].factor) << 28U;
            for (std::size_t g = 0; g < 4; ++g) {
                to[2 + 8 * s + g] = static_cast<std::byte>(blocks[s].codes[g].entries[0]);
                word |= sevenSigns(blocks[s].codes[g].signs) << (7 * g);
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
    using Coder = SignedCoder<Signs::Even, kIq2XsGrid, Iq2Weights, 16, kIq2Peaks>;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 74;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 2].codes[g % 2];
            put(to + 2 + 2 * g, static_cast<std::uint16_t>(group.entries[0] | sevenSigns(group.signs) << 9U));
        }
        packFactors(blocks, 16, to + 66);
    }
};

struct FormatIQ2_S : OddFactors {
    using Coder = SignedCoder<Signs::Free, kIq2SGrid, Iq2Weights, 16, kIq2Peaks>;
    static constexpr float kUnit = 0.125F;
    static constexpr std::size_t kBlockBytes = 82;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        std::fill_n(to + 66, 8, std::byte{});
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 2].codes[g % 2];
            to[2 + g] = static_cast<std::byte>(group.entries[0]);
            to[34 + g] = static_cast<std::byte>(group.signs);
            to[66 + g / 4] |= static_cast<std::byte>(group.entries[0] >> 8U << (2 * (g % 4)));
        }
        packFactors(blocks, 16, to + 74);
    }
};

struct FormatIQ3_XXS : OddFactors {
    using Coder = SignedCoder<Signs::Even, kIq3XxsGrid, Iq3XxsWeights, 32, kIq3XxsPeaks>;
    static constexpr float kUnit = 0.25F;
    static constexpr std::size_t kBlockBytes = 98;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            auto word = static_cast<std::uint32_t>(blocks[s].factor) << 28U;
            for (std::size_t g = 0; g < 4; ++g) {
                const auto& group = blocks[s].codes[g];
                to[2 + 8 * s + 2 * g] = static_cast<std::byte>(group.entries[0]);
                to[3 + 8 * s + 2 * g] = static_cast<std::byte>(group.entries[1]);
                word |= sevenSigns(group.signs) << (7 * g);
            }
            put(to + 66 + 4 * s, word);
        }
    }
};

struct FormatIQ3_S : OddFactors {
    using Coder = SignedCoder<Signs::Free, kIq3SGrid, Iq3SWeights, 32, kIq3SPeaks>;
    static constexpr float kUnit = 1;
    static constexpr std::size_t kBlockBytes = 110;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        std::fill_n(to + 66, 8, std::byte{});
        for (std::size_t g = 0; g < 32; ++g) {
            const auto& group = blocks[g / 4].codes[g % 4];
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

// --- ternary weights with a shift

// Eight weights.
struct ShiftedCodes {
    std::uint16_t entry = 0;
    bool negativeShift = false;
};

// The levels of Count weights are 8 t ± 1, where the sign is common to `Shared` weights.
template<std::size_t Count, std::size_t Shared>
struct ShiftedCoder {
    using Book = CodeBook<Iq1Weights, kIq1Grid.size()>;
    static constexpr std::size_t kWeights = Count;
    static constexpr bool kPositive = true;
    static constexpr std::array kPeaks{7.0F, 8.0F, 9.0F, 10.0F, 11.0F, 12.0F, 13.0F, 14.5F, 16.0F, 18.0F, 20.5F, 24.0F};
    using Codes = std::array<ShiftedCodes, Count / 8>;

    static LevelFit choose(const float* x, const float* w, float scale, Effort effort, Codes& codes) {
        LevelFit total;
        for (std::size_t first = 0; first < Count; first += Shared) {
            LevelFit best{.error = std::numeric_limits<float>::infinity()};
            Codes trial;
            bool bestNegative = false;
            for (const bool negative : {false, true}) {
                const LevelFit fit = chooseShared(x + first, w + first, scale, negative, Effort::Quick, trial.data());
                if (fit.error < best.error) {
                    best = fit;
                    bestNegative = negative;
                    std::copy_n(trial.begin(), Shared / 8, codes.begin() + first / 8);
                }
            }
            if (effort == Effort::Thorough) {
                best = chooseShared(x + first, w + first, scale, bestNegative, effort, codes.data() + first / 8);
            }
            total = {total.error + best.error, total.slope + best.slope, total.curve + best.curve};
        }
        return total;
    }

private:
    static const Book& book() {
        static const Book kBook(kIq1Grid);
        return kBook;
    }

    static LevelFit chooseShared(const float* x, const float* w, float scale, bool negative, Effort effort,
                                 ShiftedCodes* codes) {
        const float shift = negative ? -1.0F : 1.0F;
        const float perScale = scale > 0 ? 1 / scale : 0.0F;
        LevelFit fit;
        for (std::size_t g = 0; g < Shared / 8; ++g) {
            typename Book::Cost costs;
            std::size_t point = 0;
            for (std::size_t i = 8; i-- > 0;) {
                point = point * 3 + Iq1Weights::nearest(x[8 * g + i] * perScale - shift);
            }
            for (std::size_t p = 0; p < 2; ++p) {
                const Four weights = four(w + 8 * g + 4 * p);
                costs.square[p] = scale * scale * weights;
                costs.linear[p] = -2 * scale * weights * (four(x + 8 * g + 4 * p) - scale * shift);
            }
            const Choice choice = chosen(book(), costs, point, false, effort);
            codes[g] = {choice.entry, negative};
            for (std::size_t p = 0; p < 2; ++p) {
                addFit(fit, four(x + 8 * g + 4 * p), four(w + 8 * g + 4 * p),
                       four(book().entry(choice.entry) + 4 * p) + shift, scale);
            }
        }
        return fit;
    }
};

// The factors 1, 3, …, 15 of the scale.
struct FewOddFactors {
    static constexpr Factors kFactors{1, 2, 8};
    static constexpr std::array kLargest{15.0F, 14.5F, 14.0F, 13.5F, 13.0F, 12.5F, 12.0F, 11.5F, 15.7F, 16.5F};
    static constexpr float kUnit = 0.125F;
};

struct FormatIQ1_S : FewOddFactors {
    using Coder = ShiftedCoder<32, 32>;
    static constexpr std::size_t kBlockBytes = 50;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        put(to, d);
        for (std::size_t s = 0; s < 8; ++s) {
            unsigned word = static_cast<unsigned>(blocks[s].factor) << 12U;
            word |= blocks[s].codes[0].negativeShift ? 0x8000U : 0U;
            for (std::size_t g = 0; g < 4; ++g) {
                const unsigned entry = blocks[s].codes[g].entry;
                to[2 + 4 * s + g] = static_cast<std::byte>(entry);
                word |= entry >> 8U << (3 * g);
            }
            put(to + 34 + 2 * s, static_cast<std::uint16_t>(word));
        }
    }
};

struct FormatIQ1_M : FewOddFactors {
    using Coder = ShiftedCoder<16, 8>;
    static constexpr std::size_t kBlockBytes = 56;
    static void pack(std::uint16_t d, const SubBlock<Coder>* blocks, std::byte* to) {
        std::fill_n(to + 32, 16, std::byte{});
        for (std::size_t g = 0; g < 32; ++g) {
            const ShiftedCodes& group = blocks[g / 2].codes[g % 2];
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

void installCodeBookEncoders(Kernels& kernels) {
    kernels.encode[TensorType::IQ2_XXS] = encodeSuperBlocks<FormatIQ2_XXS>;
    kernels.encode[TensorType::IQ2_XS] = encodeSuperBlocks<FormatIQ2_XS>;
    kernels.encode[TensorType::IQ2_S] = encodeSuperBlocks<FormatIQ2_S>;
    kernels.encode[TensorType::IQ3_XXS] = encodeSuperBlocks<FormatIQ3_XXS>;
    kernels.encode[TensorType::IQ3_S] = encodeSuperBlocks<FormatIQ3_S>;
    kernels.encode[TensorType::IQ1_S] = encodeSuperBlocks<FormatIQ1_S>;
    kernels.encode[TensorType::IQ1_M] = encodeSuperBlocks<FormatIQ1_M>;
}

} // namespace gufo::scalar
