// NEON primitives of the portable 8-bit products. The including file has defined, in its unnamed namespace:
//
//     addFours(sums, codes, x)                adds four products to each 32-bit sum
//     addFours(sums, codes, x, groupOfX)      the same, with one group of four values of x for all lanes
#pragma once

#include "tensor/kernels/neon/primitives.h"
#include "tensor/kernels/portable/int8_kinds.h"
#include "tensor/kernels/products.h"

namespace {

// --- codes

struct Bytes { // codes of a block of 32 weights
    U8x16 low;
    U8x16 high;
};

inline Bytes operator|(Bytes a, Bytes b) { return {a.low | b.low, a.high | b.high}; }
inline Bytes operator&(Bytes a, std::uint8_t b) { return {a.low & b, a.high & b}; }
inline Bytes operator+(Bytes a, Bytes b) { return {a.low + b.low, a.high + b.high}; }
inline Bytes operator+(Bytes a, std::uint8_t b) { return {a.low + b, a.high + b}; }
inline Bytes operator*(Bytes a, Bytes b) { return {a.low * b.low, a.high * b.high}; }

inline Bytes bytes32(const void* from) { return get<Bytes>(from); }
inline Bytes joined(U8x16 low, U8x16 high) { return {low, high}; }
// Gathers eight bytes from each of four addresses, or four from each of eight.
inline Bytes eights(const void* a, const void* b, const void* c, const void* d) {
    const auto two = [](const void* low, const void* high) {
        const std::uint64_t both[2]{get<std::uint64_t>(low), get<std::uint64_t>(high)};
        return get<U8x16>(both);
    };
    return {two(a, b), two(c, d)};
}
inline Bytes fours(const void* a, const void* b, const void* c, const void* d, const void* e, const void* f,
                   const void* g, const void* h) {
    const auto four = [](const void* p, const void* q, const void* r, const void* s) {
        const std::uint32_t all4[4]{get<std::uint32_t>(p), get<std::uint32_t>(q), get<std::uint32_t>(r),
                                    get<std::uint32_t>(s)};
        return get<U8x16>(all4);
    };
    return {four(a, b, c, d), four(e, f, g, h)};
}
// The low nibbles of sixteen bytes, followed by the high ones.
inline Bytes nibbles(const void* from) {
    const auto both = get<U8x16>(from);
    return {lowNibbles(both), highNibbles(both)};
}
// The same for each group of eight bytes: the low nibbles of bytes 0 … 7, their high nibbles, then both of bytes 8 …
// 15.
inline Bytes nibblesOfEights(const void* from) {
    const Bytes separate = nibbles(from);
    const auto low = reinterpret_cast<uint64x2_t>(separate.low);
    const auto high = reinterpret_cast<uint64x2_t>(separate.high);
    return {reinterpret_cast<U8x16>(vzip1q_u64(low, high)), reinterpret_cast<U8x16>(vzip2q_u64(low, high))};
}
// Extracts the bits from `shift` on that the mask selects.
inline Bytes field(Bytes from, int shift, std::uint8_t mask) {
    const auto by = static_cast<std::uint8_t>(shift);
    return Bytes{from.low >> by, from.high >> by} & mask;
}
// Shifts each byte left. No set bit may be shifted out of its byte.
inline Bytes raised(Bytes small, int by) {
    const auto count = static_cast<std::uint8_t>(by);
    return {small.low << count, small.high << count};
}
inline Bytes lookUp(I8x16 table, Bytes codes) {
    return {reinterpret_cast<U8x16>(lookUp(table, codes.low)), reinterpret_cast<U8x16>(lookUp(table, codes.high))};
}
// Expands 32 bits to bytes of 0 or 0xFF.
inline Bytes maskOf(std::uint32_t bits) {
    const U8x16 select = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto all4 = reinterpret_cast<uint8x16_t>(vdupq_n_u32(bits));
    const U8x16 places = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const auto set = [&](U8x16 from) {
        const uint8x16_t spread = vqtbl1q_u8(all4, reinterpret_cast<uint8x16_t>(from));
        return reinterpret_cast<U8x16>(vtstq_u8(spread, reinterpret_cast<uint8x16_t>(select)));
    };
    return {set(places), set(places + 2)};
}
// Expands a number to its 32 fields of two bits, lowest first.
inline Bytes twoBitFields(std::uint64_t fields) {
    const auto all8 = reinterpret_cast<uint8x16_t>(vdupq_n_u64(fields));
    const U8x16 places = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    const I8x16 shifts = {0, -2, -4, -6, 0, -2, -4, -6, 0, -2, -4, -6, 0, -2, -4, -6};
    const auto set = [&](U8x16 from) {
        const uint8x16_t spread = vqtbl1q_u8(all8, reinterpret_cast<uint8x16_t>(from));
        return reinterpret_cast<U8x16>(vshlq_u8(spread, reinterpret_cast<int8x16_t>(shifts))) & 3;
    };
    return {set(places), set(places + 4)};
}

// 0xFF if a byte is at least `least`, otherwise 0.
inline Bytes reached(Bytes v, std::uint8_t least) {
    return {reinterpret_cast<U8x16>(v.low >= least), reinterpret_cast<U8x16>(v.high >= least)};
}

// --- scales, as two halves

// Loads eight halves that are `stride` bytes apart.
template<std::size_t stride>
inline F32x8 eachHalf(const std::byte* from) {
    const auto four = [from](std::size_t first) {
        const auto at = [&](std::size_t i) { return get<std::uint16_t>(from + stride * (first + i)); };
        const std::uint16_t halves[4]{at(0), at(1), at(2), at(3)};
        return vcvt_f32_f16(vreinterpret_f16_u16(get<uint16x4_t>(halves)));
    };
    return pair(four(0), four(4));
}
// Converts eight signed bytes.
inline F32x8 floatsOf(std::uint64_t eight) {
    const int16x8_t wide = vmovl_s8(vreinterpret_s8_u64(vcreate_u64(eight)));
    return pair(vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide))), vcvtq_f32_s32(vmovl_high_s16(wide)));
}

// --- rounding

inline I32x8 rounded(F32x8 v) {
    const int32x4_t both[2]{vcvtnq_s32_f32(lower(v)), vcvtnq_s32_f32(upper(v))};
    return get<I32x8>(both);
}
inline Bytes narrowed(const I32x8 (&parts)[4]) {
    int16x8_t shorts[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const auto both = get<int32x4x2_t>(&parts[i]);
        shorts[i] = vmovn_high_s32(vmovn_s32(both.val[0]), both.val[1]);
    }
    const auto bytes = [&](std::size_t i) {
        return reinterpret_cast<U8x16>(vmovn_high_s16(vmovn_s16(shorts[i]), shorts[i + 1]));
    };
    return {bytes(0), bytes(2)};
}
// Sums each group of four adjacent signed bytes.
inline I32x8 sumFours(Bytes v) {
    const auto fours = [](U8x16 bytes) { return vpaddlq_s16(vpaddlq_s8(reinterpret_cast<int8x16_t>(bytes))); };
    const int32x4_t both[2]{fours(v.low), fours(v.high)};
    return get<I32x8>(both);
}

// --- products with one vector

// Converts codes to levels. Tiles contain levels, because NEON multiplies signed bytes.
template<typename Type>
inline Bytes tileCodes(Bytes codes) {
    return codes + static_cast<std::uint8_t>(0U - Type::kOffset);
}
inline int8x16_t asSigned16(U8x16 v) { return reinterpret_cast<int8x16_t>(v); }

// A block of 32 activations.
struct Block {
    int8x16_t low;
    int8x16_t high;
};
template<typename Type>
inline Block blockOf(const std::int8_t* x) {
    return {vld1q_s8(x), vld1q_s8(x + 16)};
}

// Adds the products of a block of 32, scaled by the factors of weights and activations.
template<typename Type>
inline void addBlock(float32x4_t& total, Bytes codes, const Block& x, const float* factors) {
    const Bytes levels = tileCodes<Type>(codes);
    const int32x4_t low = addFours(vdupq_n_s32(0), asSigned16(levels.low), x.low);
    if constexpr (Type::kPer16) {
        const int32x4_t high = addFours(vdupq_n_s32(0), asSigned16(levels.high), x.high);
        total = vfmaq_n_f32(total, vcvtq_f32_s32(low), factors[0]);
        total = vfmaq_n_f32(total, vcvtq_f32_s32(high), factors[1]);
    } else {
        const int32x4_t both = addFours(low, asSigned16(levels.high), x.high);
        total = vfmaq_n_f32(total, vcvtq_f32_s32(both), *factors);
    }
}
using Total = float32x4_t;
inline float sumOfLanes(float32x4_t v) { return vaddvq_f32(v); }

// --- strips

constexpr std::size_t kLanes = 4; // rows of a tile
constexpr std::size_t kTokens = 8;
using Ints = int32x4_t;
using Floats = float32x4_t;
using TileBytes = int8x16_t;            // the levels have the order of storeGroups()
constexpr std::size_t kMostVectors = 1; // of a tile for four codes

inline Ints allLanes(std::int32_t value) { return vdupq_n_s32(value); }
inline Floats allLanes(float value) { return vdupq_n_f32(value); }
inline Floats toFloats(Ints v) { return vcvtq_f32_s32(v); }
inline Floats multiplyAdd(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }

template<typename Type>
constexpr unsigned kTileOffset = 0;
template<typename Type>
constexpr int kPairSums = 1; // not used on NEON

// The activations of the tokens that are multiplied together.
template<int /*pairSums*/, std::size_t /*tokens*/>
struct Activations {
    const gufo::Int8Run* runs;
};

// --- measuring the peak (ProductKernels::peakInt8)

inline std::uint64_t multiplyFoursOften() {
    constexpr std::uint64_t kRounds = 1U << 20U;
    constexpr std::size_t kChains = 16; // more than the latency times the number of products started per cycle
    int32x4_t sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = vdupq_n_s32(static_cast<int>(k));
    }
    int8x16_t codes = vdupq_n_s8(3);
    const int8x16_t values = vdupq_n_s8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 16
        for (std::size_t k = 0; k < kChains; ++k) {
            asm volatile("" : "+w"(codes)); // prevents the compiler from computing the product only once
            sums[k] = addFours(sums[k], codes, values);
        }
    }
    for (const int32x4_t sum : sums) {
        asm volatile("" : : "w"(sum));
    }
    return kRounds * kChains * 16;
}

} // namespace
