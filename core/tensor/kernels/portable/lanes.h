// Sixteen sub-blocks side by side, one in each lane: what the encoders compute with. Sums are made in the order of the
// source whatever the instruction set, so that all of them write the same bytes (-ffp-contract=off).
//
// One translation unit of each instruction set includes it, for a copy with internal linkage (vectors.h), and has
// defined before, in its unnamed namespace, kVectorBytes: how wide its vectors are.
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

// Numbers T in as many vectors as it takes.
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
using LaneInts = LanesOf<std::int32_t>; // codes; masks: −1 where true

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

inline Lanes larger(Lanes a, Lanes b) { return select(a > b, a, b); }
inline Lanes smaller(Lanes a, Lanes b) { return select(a < b, a, b); }
inline Lanes clamped(Lanes v, float low, float high) { return smaller(larger(v, allLanes(low)), allLanes(high)); }
inline Lanes magnitude(Lanes v) { return fromBits(bitsOf(v) & 0x7FFF'FFFF); }
inline LaneInts toInts(Lanes v) {
    return LaneInts::each([&](std::size_t p) { return __builtin_convertvector(v.parts[p], LaneInts::Part); });
}
// To the nearest integer, halves to even; |v| < 2^22.
inline Lanes nearest(Lanes v) {
    constexpr float kShift = 0x1.8p23F;
    return (v + kShift) - kShift;
}
// 1 / v; 0 where v is.
inline Lanes inverse(Lanes v) { return select(v != Lanes{}, allLanes(1) / v, Lanes{}); }

// To the nearest half, halves to even, at most 65504.
inline Lanes nearestHalf(Lanes v) {
    const Lanes size = smaller(magnitude(v), allLanes(65504.0F));
    const LaneInts bits = (bitsOf(size) + 0xFFF + ((bitsOf(size) >> 13) & 1)) & ~0x1FFF;
    const Lanes subnormal = (size + 0.5F) - 0.5F; // steps of 2^-24
    const Lanes rounded = select(size < allLanes(0x1p-14F), subnormal, fromBits(bits));
    return select(v < Lanes{}, Lanes{} - rounded, rounded);
}
// The bits of a number that is a half.
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

// Of the lanes of each super-block, which has Segment sub-blocks: their sum, in each of them.
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
// The one of largest magnitude, with its sign.
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

// How much each weight of a row matters; the row repeats. Null: all the same.
struct Importance {
    const float* row;
    std::size_t columns;
};

// Weight i of sub-block s is x[i][s], its importance w[i][s]. Lanes without a sub-block hold zeros.
struct Group {
    Lanes x[32];
    Lanes w[32];
};

// `from` holds `subBlocks` of Count weights each; the first stands in column `at` of its row.
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
