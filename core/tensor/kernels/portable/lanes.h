// The vectors of the encoders: sixteen sub-blocks side by side, one per lane. Sums are computed in the order of the
// source on every instruction set, so that all of them write the same bytes (-ffp-contract=off).
//
// One translation unit of each instruction set includes this file, to get its own copy with internal linkage
// (vectors.h). Before, it has defined in its unnamed namespace kVectorBytes, the width of its vectors, and
// largerPart(a, b) and smallerPart(a, b), which are a > b ? a : b and a < b ? a : b for each lane, also of zeros and
// NaN. GCC 12 makes two instructions of these, which encoders repeat for each weight and guess, where x86 has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kLanes = 16;

template<typename T>
struct VectorOf;
template<>
struct VectorOf<float> {
    using Type = float __attribute__((vector_size(kVectorBytes)));
};
template<>
struct VectorOf<std::int32_t> {
    using Type = std::int32_t __attribute__((vector_size(kVectorBytes)));
};

// kLanes numbers of type T in as many vectors as needed.
template<typename T>
struct LanesOf {
    using Part = typename VectorOf<T>::Type;
    static constexpr std::size_t kParts = kLanes * sizeof(T) / kVectorBytes;
    Part parts[kParts];

    [[nodiscard]] T operator[](std::size_t lane) const {
        return parts[lane * kParts / kLanes][lane % (kLanes / kParts)];
    }
    void set(std::size_t lane, T value) { parts[lane * kParts / kLanes][lane % (kLanes / kParts)] = value; }

    template<typename Operation>
    static LanesOf each(Operation operation) {
        LanesOf result;
        for (std::size_t p = 0; p < kParts; ++p) {
            result.parts[p] = operation(p);
        }
        return result;
    }
    static LanesOf all(T value) {
        return each([&](std::size_t) { return Part{} + value; });
    }
    friend LanesOf operator+(LanesOf a, LanesOf b) {
        return each([&](std::size_t p) { return a.parts[p] + b.parts[p]; });
    }
    friend LanesOf operator-(LanesOf a, LanesOf b) {
        return each([&](std::size_t p) { return a.parts[p] - b.parts[p]; });
    }
    friend LanesOf operator*(LanesOf a, LanesOf b) {
        return each([&](std::size_t p) { return a.parts[p] * b.parts[p]; });
    }
    friend LanesOf operator/(LanesOf a, LanesOf b) {
        return each([&](std::size_t p) { return a.parts[p] / b.parts[p]; });
    }
    friend LanesOf operator+(LanesOf a, T b) { return a + all(b); }
    friend LanesOf operator-(LanesOf a, T b) { return a - all(b); }
    friend LanesOf operator*(LanesOf a, T b) { return a * all(b); }
    friend LanesOf operator/(LanesOf a, T b) { return a / all(b); }
    LanesOf& operator+=(LanesOf b) { return *this = *this + b; }
    LanesOf& operator-=(LanesOf b) { return *this = *this - b; }
    LanesOf& operator*=(T b) { return *this = *this * b; }
};
using Lanes = LanesOf<float>;
using LaneInts = LanesOf<std::int32_t>; // codes, and masks that are −1 where true

inline Lanes allLanes(float value) { return Lanes::all(value); }
inline LaneInts allInts(std::int32_t value) { return LaneInts::all(value); }

template<typename T>
inline LaneInts operator<(LanesOf<T> a, LanesOf<T> b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] < b.parts[p]; });
}
template<typename T>
inline LaneInts operator>(LanesOf<T> a, LanesOf<T> b) {
    return b < a;
}
template<typename T>
inline LaneInts operator>=(LanesOf<T> a, LanesOf<T> b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] >= b.parts[p]; });
}
template<typename T>
inline LaneInts operator!=(LanesOf<T> a, LanesOf<T> b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] != b.parts[p]; });
}
inline LaneInts operator&(LaneInts a, LaneInts b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] & b.parts[p]; });
}
inline LaneInts operator&(LaneInts a, std::int32_t b) { return a & allInts(b); }
inline LaneInts operator|(LaneInts a, LaneInts b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] | b.parts[p]; });
}
inline LaneInts operator^(LaneInts a, LaneInts b) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] ^ b.parts[p]; });
}
inline LaneInts operator>>(LaneInts a, int places) {
    return LaneInts::each([&](std::size_t p) { return a.parts[p] >> places; });
}
template<typename T>
inline LanesOf<T> select(LaneInts mask, LanesOf<T> yes, LanesOf<T> no) {
    return LanesOf<T>::each([&](std::size_t p) { return mask.parts[p] ? yes.parts[p] : no.parts[p]; });
}
inline LaneInts bitsOf(Lanes v) {
    return LaneInts::each([&](std::size_t p) { return reinterpret_cast<LaneInts::Part>(v.parts[p]); });
}
inline Lanes fromBits(LaneInts v) {
    return Lanes::each([&](std::size_t p) { return reinterpret_cast<Lanes::Part>(v.parts[p]); });
}

inline Lanes larger(Lanes a, Lanes b) {
    return Lanes::each([&](std::size_t p) { return largerPart(a.parts[p], b.parts[p]); });
}
inline Lanes smaller(Lanes a, Lanes b) {
    return Lanes::each([&](std::size_t p) { return smallerPart(a.parts[p], b.parts[p]); });
}
inline Lanes clamped(Lanes v, float low, float high) { return smaller(larger(v, allLanes(low)), allLanes(high)); }
inline Lanes magnitude(Lanes v) { return fromBits(bitsOf(v) & 0x7FFF'FFFF); }
inline LaneInts toInts(Lanes v) {
    return LaneInts::each([&](std::size_t p) { return __builtin_convertvector(v.parts[p], LaneInts::Part); });
}
// Rounds to the nearest integer, ties to even; |v| < 2^22.
inline Lanes nearest(Lanes v) {
    constexpr float kShift = 0x1.8p23F;
    return (v + kShift) - kShift;
}
// 1 / v, or 0 if v is 0.
inline Lanes inverse(Lanes v) { return select(v != Lanes{}, allLanes(1) / v, Lanes{}); }

// Rounds to the nearest half-precision number, ties to even, at most 65504 in magnitude. 1 + 2^-11 (0x3F80'1000) is
// halfway between two of them and becomes 1; 1 + 3 × 2^-11 (0x3F80'3000) becomes 1 + 2^-9, whose last bit is 0, too.
inline Lanes nearestHalf(Lanes v) {
    const Lanes size = smaller(magnitude(v), allLanes(65504.0F));
    const LaneInts bits = (bitsOf(size) + 0xFFF + ((bitsOf(size) >> 13) & 1)) & ~0x1FFF;
    const Lanes subnormal = (size + 0.5F) - 0.5F; // steps of 2^-24
    const Lanes rounded = select(size < allLanes(0x1p-14F), subnormal, fromBits(bits));
    return select(v < Lanes{}, Lanes{} - rounded, rounded);
}
// The bits of a float that is exactly a half-precision number: 1, 0x3F80'0000 as a float, becomes 0x3C00.
inline std::uint16_t halfBits(float half) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &half, sizeof bits);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t size = bits & 0x7FFF'FFFFU;
    if (size < 0x3880'0000U) { // below 2^-14
        const float magnitude = half < 0 ? -half : half;
        return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(magnitude * 0x1p24F));
    }
    return static_cast<std::uint16_t>(sign | (size - 0x3800'0000U) >> 13U);
}

// Sums the lanes of each super-block, which has Segment sub-blocks, and broadcasts the sum to them.
template<std::size_t Segment>
inline Lanes segmentSums(Lanes v) {
    for (std::size_t first = 0; first < kLanes; first += Segment) {
        float sum = 0;
        for (std::size_t s = 0; s < Segment; ++s) {
            sum += v[first + s];
        }
        for (std::size_t s = 0; s < Segment; ++s) {
            v.set(first + s, sum);
        }
    }
    return v;
}
// The same for the number of largest magnitude, with its sign.
template<std::size_t Segment>
inline Lanes segmentPeaks(Lanes v) {
    for (std::size_t first = 0; first < kLanes; first += Segment) {
        float peak = 0;
        for (std::size_t s = 0; s < Segment; ++s) {
            const float value = v[first + s];
            peak = value * value > peak * peak ? value : peak;
        }
        for (std::size_t s = 0; s < Segment; ++s) {
            v.set(first + s, peak);
        }
    }
    return v;
}

// The importance of each weight of a row, which repeats for every row. Null: all weights are equal.
struct Importance {
    const float* row;
    std::size_t columns;
};

// Transposed weights: weight i of sub-block s is x[i][s], its importance w[i][s]. Unused lanes are zero.
struct Group {
    Lanes x[32];
    Lanes w[32];
};

// Loads `subBlocks` sub-blocks of Count weights each; the first one starts in column `at` of its row.
template<std::size_t Count>
inline void loadGroup(Group& group, const float* from, std::size_t subBlocks, Importance importance, std::size_t at) {
    for (std::size_t i = 0; i < Count; ++i) {
        group.x[i] = Lanes{};
        group.w[i] = allLanes(1);
    }
    for (std::size_t s = 0; s < subBlocks; ++s) {
        const float* row = importance.row == nullptr ? nullptr : importance.row + (at + s * Count) % importance.columns;
        for (std::size_t i = 0; i < Count; ++i) {
            group.x[i].set(s, from[s * Count + i]);
            if (row != nullptr) {
                group.w[i].set(s, row[i]);
            }
        }
    }
}

} // namespace
