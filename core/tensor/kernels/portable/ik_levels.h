// The levels of ik_llama.cpp's types for their encoders, and how the levels of a sub-block are chosen for a scale.
#pragma once

#include "tensor/code_books.h"
#include "tensor/kernels/portable/encoders.h"
#include "tensor/kernels/portable/factor_search.h"

#include <array>
#include <bit>
#include <limits>

namespace {

// --- two code books. Each level of the second is a level of the first plus kShift.

struct Ik2Book {
    static constexpr float kShift = 5;
    static Lanes level(Lanes v) {
        const Lanes low = select(v > allLanes(-22), allLanes(-13), allLanes(-31));
        const Lanes high = select(v > allLanes(9), allLanes(17), allLanes(1));
        return select(v > allLanes(-6), high, low);
    }
    static LaneInts code(Lanes v) { return LaneInts{} - (v > allLanes(-22)) - (v > allLanes(-6)) - (v > allLanes(9)); }
};

// Searched for as in Iq4Levels.
struct Ik3Book {
    static constexpr float kShift = 4;
    static constexpr float kLevels[16] = {-63, -40, -23, -10, 1, 13, 28, 47};
    static constexpr float kMiddles[16] = {-51.5F, -31.5F, -16.5F, -4.5F, 7, 20.5F, 37.5F};
    static LaneInts code(Lanes v) {
        LaneInts code = (v > allLanes(kMiddles[3])) & 4;
        code += (v > lookUp16(kMiddles, code + 1)) & 2;
        return code - (v > lookUp16(kMiddles, code));
    }
    static Lanes level(Lanes v) { return lookUp16(kLevels, code(v)); }
};

struct Ik4Book : Iq4Levels {
    static constexpr float kShift = 4;
};

// The level nearest to each multiple of a half from −128 up, and its code. All levels are whole numbers, so all numbers
// between two multiples have the same nearest level.
struct NearestLevels {
    float levels[512];
    float codes[512];

    template<std::size_t Size>
    constexpr explicit NearestLevels(const std::array<std::int8_t, Size>& books)
        : levels{}
        , codes{} {
        for (int i = 0; i < 512; ++i) {
            int bestDistance = 1'000'000;
            for (std::size_t code = 0; code < Size / 2; ++code) {
                const int rest = 2 * (i - 256) + 1 - 4 * books[code]; // in quarters, from the middle of the interval
                if (rest * rest < bestDistance) {
                    bestDistance = rest * rest;
                    levels[i] = books[code];
                    codes[i] = static_cast<float>(code);
                }
            }
        }
    }
};
constexpr NearestLevels kNearestOf32(gufo::kIk5Levels);
constexpr NearestLevels kNearestOf64(gufo::kIk6Levels);

inline LaneInts halvesFrom128(Lanes v) { return toInts(clamped(v * 2.0F, -256, 255) + 256.0F); }

struct Ik5Book {
    static constexpr float kShift = 2;
    static Lanes level(Lanes v) { return gather(kNearestOf32.levels, halvesFrom128(v)); }
    static LaneInts code(Lanes v) { return toInts(gather(kNearestOf32.codes, halvesFrom128(v))); }
};
struct Ik6Book {
    static constexpr float kShift = 1;
    static Lanes level(Lanes v) { return gather(kNearestOf64.levels, halvesFrom128(v)); }
    static LaneInts code(Lanes v) { return toInts(gather(kNearestOf64.codes, halvesFrom128(v))); }
};

// Each sub-block uses one of the two books.
template<typename Book, std::size_t Count>
struct TwoBooks {
    static constexpr std::size_t kCount = Count;

    static LevelSums fit(const Group& group, Lanes scale) {
        const Lanes perScale = inverse(scale);
        LevelSums first;
        LevelSums second;
        for (std::size_t i = 0; i < Count; ++i) {
            const Lanes v = group.x[i] * perScale;
            first.add(group.x[i], group.w[i], scale, Book::level(v));
            second.add(group.x[i], group.w[i], scale, Book::level(v - Book::kShift) + Book::kShift);
        }
        return select(second.error < first.error, second, first);
    }

    struct Errors {
        Lanes first{};
        Lanes second{};
    };
    static Errors errors(const Group& group, Lanes scale) {
        const Lanes perScale = inverse(scale);
        const Lanes shift = scale * Book::kShift;
        Errors sums;
        for (std::size_t i = 0; i < Count; ++i) {
            const Lanes v = group.x[i] * perScale;
            const Lanes first = group.x[i] - scale * Book::level(v);
            const Lanes second = (group.x[i] - shift) - scale * Book::level(v - Book::kShift);
            sums.first += group.w[i] * first * first;
            sums.second += group.w[i] * second * second;
        }
        return sums;
    }
    static Lanes error(const Group& group, Lanes scale) {
        const Errors sums = errors(group, scale);
        return smaller(sums.first, sums.second);
    }

    static void codes(const Group& group, Lanes scale, GroupCodes& codes, LaneInts& books) {
        const Errors sums = errors(group, scale);
        const LaneInts second = sums.second < sums.first;
        const Lanes shift = select(second, allLanes(Book::kShift), Lanes{});
        const Lanes perScale = inverse(scale);
        books = second & 1;
        collectCodes<Count>(codes, [&](std::size_t i) { return Book::code(group.x[i] * perScale - shift); });
    }
};

// --- IQ4_KSS: of four weights, the ones of each sixteen bits, an even number of the bits of their codes is set.

// For each code, the nearest lower and higher level whose code has the opposite bit parity, or a number far away if no
// such level exists.
struct OtherParity {
    float below[16]{};
    float above[16]{};

    constexpr OtherParity() {
        constexpr float kNone = 1e6F;
        const auto differ = [](unsigned a, unsigned b) { return std::popcount(a ^ b) % 2 != 0; };
        for (unsigned code = 0; code < 16; ++code) {
            below[code] = -kNone;
            above[code] = kNone;
            for (unsigned other = 0; other < 16; ++other) {
                if (other < code && differ(code, other)) {
                    below[code] = Ik4Book::kLevels[other];
                }
                const unsigned fromAbove = 15 - other;
                if (fromAbove > code && differ(code, fromAbove)) {
                    above[code] = Ik4Book::kLevels[fromAbove];
                }
            }
        }
    }
};
constexpr OtherParity kOtherParity;

struct EvenBooks {
    static constexpr std::size_t kCount = 32;
    static constexpr float kShift = Ik4Book::kShift;
    static LaneInts oddBits(LaneInts code) {
        const LaneInts pairs = code ^ (code >> 2);
        return (pairs ^ (pairs >> 1)) & 1;
    }

    // The weights of 16-bit word `word`.
    static std::size_t weightOf(std::size_t word, std::size_t n) { return 2 * word + n / 2 + n % 2 * 16; }

    // The levels of one book, without its shift.
    static void chooseLevels(const Group& group, Lanes scale, float shift, Lanes (&levels)[kCount]) {
        const Lanes perScale = inverse(scale);
        for (std::size_t word = 0; word < 8; ++word) {
            LaneInts odd{};
            Lanes least = allLanes(std::numeric_limits<float>::infinity());
            Lanes instead[4];
            Lanes change[4];
            for (std::size_t n = 0; n < 4; ++n) {
                const std::size_t i = weightOf(word, n);
                const Lanes v = group.x[i] * perScale - shift;
                const LaneInts code = Ik4Book::code(v);
                const Lanes level = lookUp16(Ik4Book::kLevels, code);
                const Lanes below = lookUp16(kOtherParity.below, code);
                const Lanes above = lookUp16(kOtherParity.above, code);
                instead[n] = select(above - v < v - below, above, below);
                const Lanes before = v - level;
                const Lanes after = v - instead[n];
                change[n] = group.w[i] * (after * after - before * before);
                least = smaller(change[n], least);
                odd = odd ^ oddBits(code);
                levels[i] = level;
            }
            LaneInts open = odd != LaneInts{};
            for (std::size_t n = 0; n < 4; ++n) {
                const std::size_t i = weightOf(word, n);
                const LaneInts here = open & (least >= change[n]);
                levels[i] = select(here, instead[n], levels[i]);
                open = select(here, LaneInts{}, open);
            }
        }
    }

    static LevelSums fitOf(const Group& group, Lanes scale, float shift, Lanes (&levels)[kCount]) {
        chooseLevels(group, scale, shift, levels);
        LevelSums sums;
        for (std::size_t i = 0; i < kCount; ++i) {
            sums.add(group.x[i], group.w[i], scale, levels[i] + shift);
        }
        return sums;
    }
    static LevelSums fit(const Group& group, Lanes scale) {
        Lanes levels[kCount];
        const LevelSums first = fitOf(group, scale, 0, levels);
        const LevelSums second = fitOf(group, scale, kShift, levels);
        return select(second.error < first.error, second, first);
    }
    static Lanes error(const Group& group, Lanes scale) { return fit(group, scale).error; }

    static void codes(const Group& group, Lanes scale, GroupCodes& codes, LaneInts& books) {
        Lanes first[kCount];
        Lanes second[kCount];
        const Lanes firstError = fitOf(group, scale, 0, first).error;
        const LaneInts better = fitOf(group, scale, kShift, second).error < firstError;
        books = better & 1;
        collectCodes<kCount>(codes, [&](std::size_t i) { return Ik4Book::code(select(better, second[i], first[i])); });
    }
};

// --- IQ2_KL: pairs of adjacent weights

struct PairBook {
    static constexpr std::size_t kCount = 32;
    static constexpr std::array kLevels = gufo::kIkPairLevels;
    static constexpr std::array kPairs = gufo::kIkPairs;

    // Calls choose(entry, cost) for all pairs of levels. The cost is the weighted squared error.
    template<typename Choose>
    static void forEachPair(const Group& group, Lanes scale, std::size_t pair, Choose choose) {
        Lanes first[8];
        Lanes second[8];
        for (std::size_t level = 0; level < 8; ++level) {
            const Lanes value = scale * static_cast<float>(kLevels[level]);
            const Lanes a = group.x[2 * pair] - value;
            const Lanes b = group.x[2 * pair + 1] - value;
            first[level] = group.w[2 * pair] * a * a;
            second[level] = group.w[2 * pair + 1] * b * b;
        }
        for (std::size_t entry = 0; entry < kPairs.size(); ++entry) {
            choose(entry, first[kPairs[entry] & 7U] + second[kPairs[entry] >> 3U]);
        }
    }

    static Lanes error(const Group& group, Lanes scale) {
        Lanes sum{};
        for (std::size_t pair = 0; pair < 16; ++pair) {
            Lanes least = allLanes(std::numeric_limits<float>::infinity());
            forEachPair(group, scale, pair, [&](std::size_t, Lanes cost) { least = smaller(cost, least); });
            sum += least;
        }
        return sum;
    }

    static LaneInts entryOf(const Group& group, Lanes scale, std::size_t pair) {
        Lanes least = allLanes(std::numeric_limits<float>::infinity());
        LaneInts best{};
        forEachPair(group, scale, pair, [&](std::size_t entry, Lanes cost) {
            best = select(cost < least, allInts(static_cast<std::int32_t>(entry)), best);
            least = smaller(cost, least);
        });
        return best;
    }

    static LevelSums fit(const Group& group, Lanes scale) {
        LevelSums sums;
        for (std::size_t pair = 0; pair < 16; ++pair) {
            Lanes least = allLanes(std::numeric_limits<float>::infinity());
            Lanes a{};
            Lanes b{};
            forEachPair(group, scale, pair, [&](std::size_t entry, Lanes cost) {
                const LaneInts better = cost < least;
                a = select(better, allLanes(kLevels[kPairs[entry] & 7U]), a);
                b = select(better, allLanes(kLevels[kPairs[entry] >> 3U]), b);
                least = smaller(cost, least);
            });
            sums.add(group.x[2 * pair], group.w[2 * pair], scale, a);
            sums.add(group.x[2 * pair + 1], group.w[2 * pair + 1], scale, b);
        }
        return sums;
    }

    // One code for each pair, followed by as many unused ones.
    static void codes(const Group& group, Lanes scale, GroupCodes& codes, LaneInts& books) {
        books = LaneInts{};
        collectCodes<kCount>(codes, [&](std::size_t i) { return i < 16 ? entryOf(group, scale, i) : LaneInts{}; });
    }
};

} // namespace
