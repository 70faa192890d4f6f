// How the entries of the code books of several weights (IQ1, IQ2 and IQ3) are chosen for a given scale. An entry is the
// levels of eight or four weights. The best one is found among those near the rounded weights or, in the end, among
// all.
#pragma once

#include "tensor/kernels/portable/lanes.h"
#include "tensor/kernels/scalar/code_book_tables.h"

#include <cstring>
#include <limits>
#include <type_traits>

namespace {

using gufo::scalar::CodeBookTables;
using gufo::scalar::kNearEntries;

using Eight = float __attribute__((vector_size(32)));
using EightInts = std::int32_t __attribute__((vector_size(32)));
using Four = float __attribute__((vector_size(16)));
using FourInts = std::int32_t __attribute__((vector_size(16)));

constexpr float kInfinite = std::numeric_limits<float>::infinity();

template<typename Vector>
inline Vector loaded(const float* from) {
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
inline Four lowHalf(Eight v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
inline Four highHalf(Eight v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
inline FourInts lowHalf(EightInts v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
inline FourInts highHalf(EightInts v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }
inline Four smallerOf(Four a, Four b) { return a < b ? a : b; }
inline float sum(Eight v) {
    const Four four = lowHalf(v) + highHalf(v);
    return (four[0] + four[2]) + (four[1] + four[3]);
}
inline std::int32_t sum(FourInts v) {
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2);
    return v[0];
}

// The least of the elements, in all of them. The order of operations is fixed, because zeros differ in their signs.
template<typename Vector>
inline Vector leastOf(Vector v) {
    Vector other = __builtin_shufflevector(v, v, 2, 3, 0, 1);
    v = v < other ? v : other;
    other = __builtin_shufflevector(v, v, 1, 0, 3, 2);
    return v < other ? v : other;
}

// Folds each of four vectors to one number: operation(operation(v0, v2), operation(v1, v3)).
template<typename Operation>
inline Four folded(const Four (&v)[4], Operation operation) {
    const Four ab =
        operation(__builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7));
    const Four cd =
        operation(__builtin_shufflevector(v[2], v[3], 0, 4, 1, 5), __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7));
    return operation(__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
}

// How well levels fit the weights of a sub-block at a scale: Σ w (x − scale v)², Σ w v (x − scale v) and Σ w v².
struct LevelFit {
    float error = 0;
    float slope = 0;
    float curve = 0;

    // The change of the scale that fits these levels best.
    [[nodiscard]] float step() const { return curve > 0 ? slope / curve : 0.0F; }
};
struct FitSums {
    Eight error{};
    Eight slope{};
    Eight curve{};

    void add(Eight x, Eight w, Eight level, float scale) {
        const Eight rest = x - scale * level;
        const Eight weighted = w * level;
        error += w * rest * rest;
        slope += weighted * rest;
        curve += weighted * level;
    }
    [[nodiscard]] LevelFit fit() const { return {sum(error), sum(slope), sum(curve)}; }
};

enum class Effort : std::uint8_t {
    Quick,    // looks at the likely entries only
    Thorough, // finds the best one
};

struct Choice {
    std::uint16_t entry = 0;
    float cost = kInfinite;
};

// The cost of an entry with levels g: Σ g (g × square + linear), and with one wrong sign the least g × flip besides.
template<typename Vector>
struct Costs {
    Vector square;
    Vector linear;
    Vector flip;
};

// The number of each weight's nearest level in ascending order, and the weights of an entry.
struct Iq2Levels {
    static constexpr std::size_t kTogether = 8;
    static constexpr EightInts kPowers = {1, 3, 9, 27, 81, 243, 729, 2187};
    static EightInts nearestNumber(Eight u) { return EightInts{} - (u > 16.5F) - (u > 34.0F); }
};
struct Iq1Levels { // in eighths, without the shift
    static constexpr std::size_t kTogether = 8;
    static constexpr EightInts kPowers = Iq2Levels::kPowers;
    static EightInts nearestNumber(Eight u) { return EightInts{} - (u > -4.0F) - (u > 4.0F); }
};
template<int Step> // between levels, of which there are eight
struct Iq3Levels {
    static constexpr std::size_t kTogether = 4;
    static constexpr EightInts kPowers = {1, 8, 64, 512, 1, 8, 64, 512};
    static EightInts nearestNumber(Eight u) {
        const Eight number = u * (1.0F / Step);
        return __builtin_convertvector(number < 7.0F ? number : Eight{} + 7.0F, EightInts);
    }
};

// The best of the entries near a point.
template<bool Flip, typename Vector>
inline Choice nearest(const CodeBookTables& book, const Costs<Vector>& costs, std::size_t point) {
    constexpr std::size_t kTogether = sizeof(Vector) / sizeof(float);
    constexpr std::int32_t kNone = kNearEntries - 1; // if no cost is a number
    const std::uint16_t* const near = book.near + point * kNearEntries;
    Four least = Four{} + kInfinite;
    FourInts places{};
    FourInts place = {0, 1, 2, 3};
    for (std::size_t n = 0; n < kNearEntries; n += 4, place += 4) {
        Four totals[4];
        Four flips[4];
        for (std::size_t k = 0; k < 4; ++k) {
            const auto g = loaded<Vector>(book.entries + near[n + k] * kTogether);
            const Vector total = g * (g * costs.square + costs.linear);
            const Vector flip = Flip ? g * costs.flip : Vector{};
            if constexpr (kTogether == 8) {
                totals[k] = lowHalf(total) + highHalf(total);
                flips[k] = smallerOf(lowHalf(flip), highHalf(flip));
            } else {
                totals[k] = total;
                flips[k] = flip;
            }
        }
        Four cost = folded(totals, [](Four a, Four b) { return a + b; });
        if constexpr (Flip) {
            cost += folded(flips, smallerOf);
        }
        const FourInts better = cost < least;
        least = better ? cost : least;
        places = better ? place : places;
    }
    const Four cost = leastOf(least);
    return {near[leastOf(least == cost ? places : FourInts{} + kNone)[0]], cost[0]};
}

// The best of all entries; of equal ones the first, however many fit a vector.
template<bool Flip, typename Vector>
inline Choice bestOfAll(const CodeBookTables& book, const Costs<Vector>& costs) {
    constexpr std::size_t kTogether = sizeof(Vector) / sizeof(float);
    using Costs = Lanes::Part;
    using Entries = LaneInts::Part;
    constexpr std::size_t kAtOnce = sizeof(Costs) / sizeof(float);
    Costs square[kTogether];
    Costs linear[kTogether];
    Costs flips[kTogether];
    for (std::size_t i = 0; i < kTogether; ++i) {
        square[i] = Costs{} + costs.square[i];
        linear[i] = Costs{} + costs.linear[i];
        flips[i] = Costs{} + costs.flip[i];
    }
    Costs least = Costs{} + kInfinite;
    Entries entries{};
    Entries entry{};
    for (std::size_t s = 0; s < kAtOnce; ++s) {
        entry[s] = static_cast<std::int32_t>(s);
    }
    for (std::size_t e = 0; e < book.size; e += kAtOnce, entry += static_cast<std::int32_t>(kAtOnce)) {
        Costs total{};
        Costs flip = Costs{} + kInfinite;
        for (std::size_t i = 0; i < kTogether; ++i) {
            const auto g = loaded<Costs>(book.columns + i * book.size + e);
            total += g * (g * square[i] + linear[i]);
            flip = Flip ? smallerPart(flip, g * flips[i]) : flip;
        }
        total = Flip ? total + flip : total;
        const Entries better = total < least;
        least = better ? total : least;
        entries = better ? entry : entries;
    }
    Choice best;
    for (std::size_t s = 0; s < kAtOnce; ++s) {
        const auto candidate = static_cast<std::uint16_t>(entries[s]);
        if (least[s] < best.cost || (least[s] == best.cost && candidate < best.entry)) {
            best = {candidate, least[s]};
        }
    }
    return best;
}

template<bool Flip, typename Vector>
inline Choice chosen(const CodeBookTables& book, const Costs<Vector>& costs, std::size_t point, Effort effort) {
    return effort == Effort::Thorough ? bestOfAll<Flip>(book, costs) : nearest<Flip>(book, costs, point);
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
    std::uint16_t entries[Entries];
    std::uint8_t signs;
};

// Count weights. Tables returns the code book.
template<Signs kind, typename Levels, std::size_t Count, const CodeBookTables& (*Tables)()>
struct SignedCoder {
    static constexpr std::size_t kWeights = Count;
    static constexpr std::size_t kGroups = Count / 8;
    static constexpr std::size_t kTogether = Levels::kTogether;
    static constexpr std::size_t kEntries = 8 / kTogether;
    using Part = std::conditional_t<kTogether == 8, Eight, Four>;
    using Group = SignedCodes<kEntries>;
    struct Codes {
        Group groups[kGroups];
    };
    static const CodeBookTables& tables() { return Tables(); }

    // What does not depend on the scale.
    struct Prepared {
        struct OfEight {
            Eight x, w;
            Eight magnitude;
            Eight product; // w |x|
            Eight sign;    // 1 or −1
            unsigned negative = 0;
            bool odd = false;                // a sign must be wrong
            std::uint8_t cheapest[kEntries]; // the weight whose wrong sign costs least for each level
        };
        OfEight groups[kGroups];

        void set(const float* x, const float* w) {
            for (std::size_t g = 0; g < kGroups; ++g) {
                OfEight& to = groups[g];
                to.x = loaded<Eight>(x + 8 * g);
                to.w = loaded<Eight>(w + 8 * g);
                const EightInts below = to.x < 0.0F;
                to.sign = below ? Eight{} - 1.0F : Eight{} + 1.0F;
                to.magnitude = to.x * to.sign;
                to.product = to.w * to.magnitude;
                to.negative = 0;
                for (std::size_t i = 0; i < 8; ++i) {
                    to.negative |= (below[i] != 0 ? 1U : 0U) << i;
                }
                to.odd = kind == Signs::Even && __builtin_parity(to.negative) != 0;
                for (std::size_t e = 0; e < kEntries; ++e) {
                    std::size_t least = e * kTogether;
                    for (std::size_t i = least + 1; i < (e + 1) * kTogether; ++i) {
                        least = to.product[i] < to.product[least] ? i : least;
                    }
                    to.cheapest[e] = static_cast<std::uint8_t>(least);
                }
            }
        }
    };

    static Part partOf(Eight v, std::size_t e) {
        if constexpr (kTogether == 8) {
            return v;
        } else {
            return e == 0 ? lowHalf(v) : highHalf(v);
        }
    }

    static constexpr EightInts kPlaces = {0, 1, 2, 3, 4, 5, 6, 7};

    // The place of the least cost among the weights of an entry.
    static std::int32_t leastPlace(Eight costs, std::size_t e) {
        constexpr std::int32_t kNone = 7; // if no cost is a number
        if constexpr (kTogether == 8) {
            const Four least = leastOf(smallerOf(lowHalf(costs), highHalf(costs)));
            const Eight all = __builtin_shufflevector(least, least, 0, 1, 2, 3, 4, 5, 6, 7);
            const EightInts places = costs == all ? kPlaces : EightInts{} + kNone;
            const FourInts low = lowHalf(places);
            const FourInts high = highHalf(places);
            return leastOf(low < high ? low : high)[0];
        } else {
            const Four four = partOf(costs, e);
            const FourInts places = FourInts{0, 1, 2, 3} + static_cast<std::int32_t>(4 * e);
            return leastOf(four == leastOf(four) ? places : FourInts{} + kNone)[0];
        }
    }

    static LevelFit choose(const CodeBookTables& book, const Prepared& prepared, float scale, Effort effort,
                           Codes& codes) {
        const float perScale = scale > 0 ? 1 / scale : 0.0F;
        FitSums fit;
        for (std::size_t g = 0; g < kGroups; ++g) {
            const auto& from = prepared.groups[g];
            const EightInts digits = Levels::nearestNumber(from.magnitude * perScale) * Levels::kPowers;
            std::int32_t points[kEntries];
            if constexpr (kTogether == 8) {
                points[0] = sum(lowHalf(digits) + highHalf(digits));
            } else {
                points[0] = sum(lowHalf(digits));
                points[1] = sum(highHalf(digits));
            }
            const Costs<Eight> all{.square = scale * scale * from.w,
                                   .linear = -2 * scale * from.product,
                                   .flip = 4 * scale * from.product};
            Group& to = codes.groups[g];
            Choice flipped[kEntries];
            std::size_t flippedEntry = from.odd ? 0 : kEntries; // kEntries: none
            float leastChange = kInfinite;
            for (std::size_t e = 0; e < kEntries; ++e) {
                const Costs<Part> costs{partOf(all.square, e), partOf(all.linear, e), partOf(all.flip, e)};
                Choice plain;
                if (!from.odd || kEntries > 1) {
                    plain = chosen<false>(book, costs, static_cast<std::size_t>(points[e]), effort);
                    to.entries[e] = plain.entry;
                }
                if (from.odd) {
                    // A wrong sign costs 4 × scale × w |x| × level. The sign of the weight with the lowest cost is
                    // flipped; which weight this is depends on the entry.
                    const std::int32_t point = points[e] - digits[from.cheapest[e]];
                    flipped[e] = chosen<true>(book, costs, static_cast<std::size_t>(point), effort);
                    const float change = kEntries > 1 ? flipped[e].cost - plain.cost : 0.0F;
                    if (change < leastChange) {
                        leastChange = change;
                        flippedEntry = e;
                    }
                }
            }
            if (flippedEntry != kEntries) {
                to.entries[flippedEntry] = flipped[flippedEntry].entry;
            }
            Eight level;
            if constexpr (kTogether == 8) {
                level = loaded<Eight>(book.entries + to.entries[0] * 8U);
            } else {
                level =
                    __builtin_shufflevector(loaded<Four>(book.entries + to.entries[0] * 4U),
                                            loaded<Four>(book.entries + to.entries[1] * 4U), 0, 1, 2, 3, 4, 5, 6, 7);
            }
            Eight sign = from.sign;
            to.signs = static_cast<std::uint8_t>(from.negative);
            if (flippedEntry != kEntries) {
                const std::int32_t wrong = leastPlace(from.product * level, flippedEntry);
                sign = kPlaces == wrong ? -sign : sign;
                to.signs ^= static_cast<std::uint8_t>(1U << static_cast<unsigned>(wrong));
            }
            fit.add(from.x, from.w, level * sign, scale);
        }
        return fit.fit();
    }
};

// --- ternary weights with a shift

// Eight weights.
struct ShiftedCodes {
    std::uint16_t entry;
    bool negativeShift;
};

// The levels of Count weights are 8 t ± 1, where the sign is common to Shared weights.
template<std::size_t Count, std::size_t Shared>
struct ShiftedCoder {
    static constexpr std::size_t kWeights = Count;
    struct Codes {
        ShiftedCodes groups[Count / 8];
    };
    static const CodeBookTables& tables() { return gufo::scalar::iq1Tables(); }

    struct Prepared {
        Eight x[Count / 8];
        Eight w[Count / 8];
        void set(const float* fromX, const float* fromW) {
            for (std::size_t g = 0; g < Count / 8; ++g) {
                x[g] = loaded<Eight>(fromX + 8 * g);
                w[g] = loaded<Eight>(fromW + 8 * g);
            }
        }
    };

    static LevelFit choose(const CodeBookTables& book, const Prepared& prepared, float scale, Effort effort,
                           Codes& codes) {
        LevelFit total;
        for (std::size_t first = 0; first < Count / 8; first += Shared / 8) {
            ShiftedCodes trial[Shared / 8];
            ShiftedCodes* const to = codes.groups + first;
            LevelFit best = chooseShared(book, prepared, first, scale, false, Effort::Quick, to);
            const LevelFit other = chooseShared(book, prepared, first, scale, true, Effort::Quick, trial);
            const bool negative = other.error < best.error;
            if (negative) {
                best = other;
                std::memcpy(to, trial, sizeof trial);
            }
            if (effort == Effort::Thorough) {
                best = chooseShared(book, prepared, first, scale, negative, effort, to);
            }
            total = {total.error + best.error, total.slope + best.slope, total.curve + best.curve};
        }
        return total;
    }

private:
    static LevelFit chooseShared(const CodeBookTables& book, const Prepared& prepared, std::size_t first, float scale,
                                 bool negative, Effort effort, ShiftedCodes* codes) {
        const float shift = negative ? -1.0F : 1.0F;
        const float perScale = scale > 0 ? 1 / scale : 0.0F;
        FitSums fit;
        for (std::size_t g = 0; g < Shared / 8; ++g) {
            const Eight x = prepared.x[first + g];
            const Eight w = prepared.w[first + g];
            const EightInts digits = Iq1Levels::nearestNumber(x * perScale - shift) * Iq1Levels::kPowers;
            const Costs<Eight> costs{
                .square = scale * scale * w, .linear = -2 * scale * w * (x - scale * shift), .flip = {}};
            const auto point = static_cast<std::size_t>(sum(lowHalf(digits) + highHalf(digits)));
            const Choice choice = chosen<false>(book, costs, point, effort);
            codes[g] = {choice.entry, negative};
            fit.add(x, w, loaded<Eight>(book.entries + choice.entry * 8U) + shift, scale);
        }
        return fit.fit();
    }
};

} // namespace
