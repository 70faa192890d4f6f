// AVX-512 with VNNI: products of encoded weights with activations of eight bits. What the bits of a type mean stands in
// kernels/scalar.
//
// A type is a struct of functions that take a run of 256 weights apart in registers: codes(run, c) gives the codes of
// weights 64 c … 64 c + 63 in order, scales(run) one float for each 32 or 16 of them, minima(run) likewise.
#include "tensor/code_books.h"
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/decoders.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

inline __m512i doubled(__m256i bytes) { return _mm512_broadcast_i64x4(bytes); }

// The nibbles of 32 bytes: low ones of all, then high ones of all.
inline __m512i nibblesByHalves(__m256i bytes) {
    const __m512i shifts = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi16(4), 1);
    return _mm512_and_si512(_mm512_srlv_epi16(doubled(bytes), shifts), _mm512_set1_epi8(15));
}

// The nibbles of two times 16 bytes: low and high ones of the first, then of the second.
inline __m512i nibblesByQuarters(__m256i bytes) {
    const __m512i quarters = _mm512_shuffle_i64x2(_mm512_castsi256_si512(bytes), _mm512_castsi256_si512(bytes), 0x50);
    const __m512i shifts = _mm512_setr_epi64(0, 0, 0x0004'0004'0004'0004, 0x0004'0004'0004'0004, 0, 0,
                                             0x0004'0004'0004'0004, 0x0004'0004'0004'0004);
    return _mm512_and_si512(_mm512_srlv_epi16(quarters, shifts), _mm512_set1_epi8(15));
}

// Codes of four bits through signed levels, moved up by 128.
inline __m512i lookUp(const std::array<std::int8_t, 16>& levels, __m512i codes) {
    const __m128i table = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels.data())),
                                        _mm_set1_epi8(static_cast<char>(0x80)));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), codes);
}

// The halves at `offset` of eight blocks, as floats.
template<std::size_t blockBytes>
inline __m256 halves(const std::byte* run, std::size_t offset) {
    const auto at = [&](std::size_t block) { return get<std::int16_t>(run + block * blockBytes + offset); };
    return _mm256_cvtph_ps(_mm_setr_epi16(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)));
}

// Sixteen or eight small integers times one half.
inline __m256 scaled(const std::byte* half, __m128i integers) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(integers)),
                         _mm256_cvtph_ps(_mm_set1_epi16(get<std::int16_t>(half))));
}
inline __m512 scaled16(const std::byte* half16, __m128i integers) {
    return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(integers)), half(half16));
}

// Eight blocks of 32.
template<TensorType type, std::size_t blockBytes, int offsetShift>
struct SimpleBlocks {
    static constexpr TensorType kType = type;
    static constexpr std::size_t kBlockBytes = blockBytes;
    static constexpr std::size_t kRunBytes = 8 * blockBytes;
    static constexpr int kOffsetShift = offsetShift; // the offset is 1 << this; −1: none
    static constexpr bool kPer16 = false;
    static constexpr bool kMinima = false;
    static __m256 scales(const std::byte* run) { return halves<blockBytes>(run, 0); }

protected:
    static __m256i pairOf16(const std::byte* run, int chunk, std::size_t offset) {
        const std::byte* block = run + static_cast<std::size_t>(2 * chunk) * blockBytes + offset;
        return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(block)), load16(block + blockBytes), 1);
    }
    static __m512i withFifthBits(const std::byte* run, int chunk, std::size_t offset, __m512i nibbles) {
        const std::byte* block = run + static_cast<std::size_t>(2 * chunk) * blockBytes + offset;
        const std::uint64_t bits = get<std::uint32_t>(block) | std::uint64_t{get<std::uint32_t>(block + blockBytes)}
                                                                   << 32U;
        return _mm512_mask_add_epi8(nibbles, bits, nibbles, _mm512_set1_epi8(16));
    }
};

struct Q4_0 : SimpleBlocks<TensorType::Q4_0, 18, 3> {
    static __m512i codes(const std::byte* run, int chunk) { return nibblesByQuarters(pairOf16(run, chunk, 2)); }
};

struct IQ4_NL : SimpleBlocks<TensorType::IQ4_NL, 18, 7> {
    static __m512i codes(const std::byte* run, int chunk) {
        return lookUp(kIq4Levels, nibblesByQuarters(pairOf16(run, chunk, 2)));
    }
};

struct Q5_0 : SimpleBlocks<TensorType::Q5_0, 22, 4> {
    static __m512i codes(const std::byte* run, int chunk) {
        return withFifthBits(run, chunk, 2, nibblesByQuarters(pairOf16(run, chunk, 6)));
    }
};

struct Q8_0 : SimpleBlocks<TensorType::Q8_0, 34, 7> {
    static __m512i codes(const std::byte* run, int chunk) {
        const std::byte* block = run + static_cast<std::size_t>(2 * chunk) * 34 + 2;
        const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(load32(block)), load32(block + 34), 1);
        return _mm512_xor_si512(both, _mm512_set1_epi8(static_cast<char>(0x80)));
    }
};

struct Q4_1 : SimpleBlocks<TensorType::Q4_1, 20, -1> {
    static constexpr bool kMinima = true;
    static __m256 minima(const std::byte* run) { return -halves<20>(run, 2); }
    static __m512i codes(const std::byte* run, int chunk) { return nibblesByQuarters(pairOf16(run, chunk, 4)); }
};

struct Q5_1 : SimpleBlocks<TensorType::Q5_1, 24, -1> {
    static constexpr bool kMinima = true;
    static __m256 minima(const std::byte* run) { return -halves<24>(run, 2); }
    static __m512i codes(const std::byte* run, int chunk) {
        return withFifthBits(run, chunk, 4, nibblesByQuarters(pairOf16(run, chunk, 8)));
    }
};

struct MXFP4 : SimpleBlocks<TensorType::MXFP4, 17, 7> {
    static __m256 scales(const std::byte* run) {
        alignas(32) std::uint32_t bits[8];
        for (std::size_t b = 0; b < 8; ++b) {
            const auto e = static_cast<std::uint32_t>(run[17 * b]);
            bits[b] = e < 2 ? 0x0020'0000U << e : (e - 1) << 23U;
        }
        return _mm256_castsi256_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(bits)));
    }
    static __m512i codes(const std::byte* run, int chunk) {
        return lookUp(kFp4Levels, nibblesByQuarters(pairOf16(run, chunk, 1)));
    }
};

// Super-blocks.
template<TensorType type, std::size_t blockBytes, int offsetShift, bool per16, bool minima_>
struct SuperBlock {
    static constexpr TensorType kType = type;
    static constexpr std::size_t kBlockBytes = blockBytes;
    static constexpr std::size_t kRunBytes = blockBytes;
    static constexpr int kOffsetShift = offsetShift;
    static constexpr bool kPer16 = per16;
    static constexpr bool kMinima = minima_;
};

// The scales (low half) and minima (high half) of Q4_K and Q5_K: eight of six bits each, as bytes.
inline __m128i scalesAndMinima(const std::byte* packed) {
    const auto low = get<std::uint32_t>(packed);
    const auto middle = get<std::uint32_t>(packed + 4);
    const auto high = get<std::uint32_t>(packed + 8);
    const std::uint32_t scalesFrom4 = (high & 0x0F0F'0F0FU) | (low >> 6U & 0x0303'0303U) << 4U;
    const std::uint32_t minimaFrom4 = (high >> 4U & 0x0F0F'0F0FU) | (middle >> 6U & 0x0303'0303U) << 4U;
    const std::uint64_t scales = (low & 0x3F3F'3F3FU) | std::uint64_t{scalesFrom4} << 32U;
    const std::uint64_t minima = (middle & 0x3F3F'3F3FU) | std::uint64_t{minimaFrom4} << 32U;
    return _mm_set_epi64x(static_cast<long long>(minima), static_cast<long long>(scales));
}

template<TensorType type, std::size_t blockBytes>
struct WithScalesAndMinima : SuperBlock<type, blockBytes, -1, false, true> {
    static __m256 scales(const std::byte* run) { return scaled(run, scalesAndMinima(run + 4)); }
    static __m256 minima(const std::byte* run) { return scaled(run + 2, _mm_srli_si128(scalesAndMinima(run + 4), 8)); }
};

struct Q4_K : WithScalesAndMinima<TensorType::Q4_K, 144> {
    static __m512i codes(const std::byte* run, int chunk) { return nibblesByHalves(load32(run + 16 + 32 * chunk)); }
};

struct Q5_K : WithScalesAndMinima<TensorType::Q5_K, 176> {
    static __m512i codes(const std::byte* run, int chunk) {
        const __m512i bits = _mm512_inserti64x4(_mm512_set1_epi8(static_cast<char>(1 << (2 * chunk))),
                                                _mm256_set1_epi8(static_cast<char>(2 << (2 * chunk))), 1);
        const __mmask64 fifth = _mm512_test_epi8_mask(doubled(load32(run + 16)), bits);
        const __m512i nibbles = nibblesByHalves(load32(run + 48 + 32 * chunk));
        return _mm512_mask_add_epi8(nibbles, fifth, nibbles, _mm512_set1_epi8(16));
    }
};

// Two bits of each of 32 bytes, from bit 2 × pair on, then from two bits higher on.
inline __m512i bitPairs(__m256i bytes, int pair) {
    const auto shift = static_cast<short>(2 * pair);
    const __m512i shifts =
        _mm512_inserti64x4(_mm512_set1_epi16(shift), _mm256_set1_epi16(static_cast<short>(shift + 2)), 1);
    return _mm512_and_si512(_mm512_srlv_epi16(doubled(bytes), shifts), _mm512_set1_epi8(3));
}

struct Q6_K : SuperBlock<TensorType::Q6_K, 210, 5, true, false> {
    static __m512 scales(const std::byte* run) { return scaled16(run + 208, load16(run + 192)); }
    static __m512i codes(const std::byte* run, int chunk) {
        const int half = chunk / 2;
        const __m512i low = load64(run + 64 * half);
        const __m512i nibbles =
            _mm512_and_si512(chunk % 2 == 0 ? low : _mm512_srli_epi16(low, 4), _mm512_set1_epi8(15));
        const __m512i upper = bitPairs(load32(run + 128 + 32 * half), 2 * (chunk % 2));
        return _mm512_or_si512(nibbles, _mm512_slli_epi16(upper, 4));
    }
};

struct Q2_K : SuperBlock<TensorType::Q2_K, 84, -1, true, true> {
    static __m512 scales(const std::byte* run) { return scaled16(run + 80, lowNibbles(load16(run))); }
    static __m512 minima(const std::byte* run) { return scaled16(run + 82, highNibbles(load16(run))); }
    static __m512i codes(const std::byte* run, int chunk) {
        return bitPairs(load32(run + 16 + 32 * (chunk / 2)), 2 * (chunk % 2));
    }
};

struct Q3_K : SuperBlock<TensorType::Q3_K, 110, 2, true, false> {
    static __m512 scales(const std::byte* run) {
        const auto first = get<std::uint64_t>(run + 96);
        const auto upper = std::uint64_t{get<std::uint32_t>(run + 104)};
        const std::uint64_t low =
            (first & 0x0F0F'0F0F'0F0F'0F0FU) | ((upper & 0x0303'0303U) | (upper >> 2U & 0x0303'0303U) << 32U) << 4U;
        const std::uint64_t high = (first >> 4U & 0x0F0F'0F0F'0F0F'0F0FU) |
                                   ((upper >> 4U & 0x0303'0303U) | (upper >> 6U & 0x0303'0303U) << 32U) << 4U;
        const __m128i both = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
        return scaled16(run + 108, _mm_sub_epi8(both, _mm_set1_epi8(32)));
    }
    static __m512i codes(const std::byte* run, int chunk) {
        const __m512i low = bitPairs(load32(run + 32 + 32 * (chunk / 2)), 2 * (chunk % 2));
        const __m512i bits = _mm512_inserti64x4(_mm512_set1_epi8(static_cast<char>(1 << (2 * chunk))),
                                                _mm256_set1_epi8(static_cast<char>(2 << (2 * chunk))), 1);
        const __mmask64 third = _mm512_test_epi8_mask(doubled(load32(run)), bits);
        return _mm512_mask_add_epi8(low, third, low, _mm512_set1_epi8(4));
    }
};

struct IQ4_XS : SuperBlock<TensorType::IQ4_XS, 136, 7, false, false> {
    static __m256 scales(const std::byte* run) {
        const auto low = std::uint64_t{get<std::uint32_t>(run + 4)};
        const auto high = std::uint64_t{get<std::uint16_t>(run + 2)};
        // Nibble s of `low` and bit pair s of `high`, each to byte s.
        const std::uint64_t nibbles = _pdep_u64(low, 0x0F0F'0F0F'0F0F'0F0FU);
        const std::uint64_t pairs = _pdep_u64(high, 0x3030'3030'3030'3030U);
        const __m128i both = _mm_cvtsi64_si128(static_cast<long long>(nibbles | pairs));
        return scaled(run, _mm_sub_epi8(both, _mm_set1_epi8(32)));
    }
    static __m512i codes(const std::byte* run, int chunk) {
        return lookUp(kIq4Levels, nibblesByQuarters(load32(run + 8 + 32 * chunk)));
    }
};

// One float for each 16 weights of a run.
inline __m512 spread(__m256 per32) {
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
                                 _mm512_castps256_ps512(per32));
}
inline __m512 spread(__m512 per16) { return per16; }

// The scales of the groups of four weights of a chunk, from those of a run.
template<typename Type>
inline __m512 scalesOfChunk(__m512 scales, int chunk) {
    if constexpr (Type::kPer16) {
        const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        return _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(4 * chunk)), scales);
    } else {
        const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
        return _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(2 * chunk)), scales);
    }
}

template<typename Type>
inline __m512 scalesOfRun(const std::byte* run, const float* activations) {
    const __m256 own = _mm256_loadu_ps(activations);
    if constexpr (Type::kPer16) {
        return _mm512_mul_ps(Type::scales(run), spread(own));
    } else {
        return _mm512_castps256_ps512(_mm256_mul_ps(Type::scales(run), own));
    }
}

// A run whose last blocks are missing, filled up with zeros: their scales are 0 or meet activations of 0.
template<typename Type>
struct FilledRun {
    alignas(64) std::byte bytes[Type::kRunBytes + 64]{};
    FilledRun(const std::byte* from, std::size_t count) { std::memcpy(bytes, from, count); }
};

template<typename Type>
inline void addRun(const std::byte* run, const Int8Row& x, std::size_t index, __m512& even, __m512& odd) {
    const __m512 scales = scalesOfRun<Type>(run, x.scales + 8 * index);
#pragma GCC unroll 4
    for (int chunk = 0; chunk < 4; ++chunk) {
        const std::size_t at = kRunWeights * index + 64 * static_cast<std::size_t>(chunk);
        __m512i sums = _mm512_setzero_si512();
        if constexpr (Type::kOffsetShift >= 0) {
            sums = _mm512_slli_epi32(_mm512_loadu_si512(x.negated4 + at / 4), Type::kOffsetShift);
        }
        sums = _mm512_dpbusd_epi32(sums, Type::codes(run, chunk), _mm512_loadu_si512(x.values + at));
        __m512& total = chunk % 2 == 0 ? even : odd;
        total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), scalesOfChunk<Type>(scales, chunk), total);
    }
    if constexpr (Type::kMinima) {
        even = _mm512_fnmadd_ps(spread(Type::minima(run)), _mm512_loadu_ps(x.sums + 16 * index), even);
    }
}

template<typename Type>
void dotRows(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y) {
    const std::size_t runs = rows.columns / kRunWeights;
    const std::size_t rest = rows.rowBytes - runs * Type::kRunBytes;
    for (std::size_t r = 0; r < count; ++r) {
        const std::byte* row = rows.data + r * rows.rowBytes;
        __m512 even = _mm512_setzero_ps();
        __m512 odd = _mm512_setzero_ps();
        for (std::size_t run = 0; run < runs; ++run) {
            addRun<Type>(row + run * Type::kRunBytes, x, run, even, odd);
        }
        if (rest != 0) {
            addRun<Type>(FilledRun<Type>(row + runs * Type::kRunBytes, rest).bytes, x, runs, even, odd);
        }
        y[r] = _mm512_reduce_add_ps(_mm512_add_ps(even, odd));
    }
}

// A square of 16 × 16 elements of 32 bits, rows to columns.
inline void transpose(const __m512i (&in)[16], __m512i* out) {
    __m512i pairs[16];
    for (int i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(in[i], in[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(in[i], in[i + 1]);
    }
    __m512i fours[16];
    for (int i = 0; i < 16; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
        const __m512i a = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0x88);
        const __m512i b = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0x88);
        const __m512i c = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0xDD);
        const __m512i d = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0xDD);
        _mm512_store_si512(out + i, _mm512_shuffle_i32x4(a, b, 0x88));
        _mm512_store_si512(out + i + 4, _mm512_shuffle_i32x4(c, d, 0x88));
        _mm512_store_si512(out + i + 8, _mm512_shuffle_i32x4(a, b, 0xDD));
        _mm512_store_si512(out + i + 12, _mm512_shuffle_i32x4(c, d, 0xDD));
    }
}

// A run of sixteen rows: four codes of each row side by side, as dpbusd wants them, and the rows' scales likewise.
struct Tile {
    __m512i codes[64];
    __m512 scales[16]; // of each 16 weights; with one scale for 32, the first eight
    __m512 minima[16];
};

template<typename Type>
void fillTile(const std::byte* const (&rows)[16], Tile& tile) {
    for (int chunk = 0; chunk < 4; ++chunk) {
        __m512i codes[16];
        for (std::size_t r = 0; r < 16; ++r) {
            codes[r] = Type::codes(rows[r], chunk);
        }
        transpose(codes, tile.codes + 16 * chunk);
    }
    __m512i lines[16];
    const auto spreadOut = [&](__m512* out) { transpose(lines, reinterpret_cast<__m512i*>(out)); };
    const auto widen = [](auto scales) {
        if constexpr (Type::kPer16) {
            return _mm512_castps_si512(scales);
        } else {
            return _mm512_castps_si512(_mm512_zextps256_ps512(scales));
        }
    };
    for (std::size_t r = 0; r < 16; ++r) {
        lines[r] = widen(Type::scales(rows[r]));
    }
    spreadOut(tile.scales);
    if constexpr (Type::kMinima) {
        for (std::size_t r = 0; r < 16; ++r) {
            lines[r] = widen(Type::minima(rows[r]));
        }
        spreadOut(tile.minima);
    }
}

// Sixteen rows by `Tokens` tokens over one run, added to y.
template<typename Type, std::size_t Tokens>
void multiplyTile(const Tile& tile, const Int8Row* x, std::size_t run, float* y, std::size_t stride, __mmask16 rows) {
    constexpr std::size_t kParts = Type::kPer16 ? 16 : 8;
    constexpr std::size_t kGroups = 64 / kParts;
    __m512 totals[Tokens];
    for (std::size_t t = 0; t < Tokens; ++t) {
        totals[t] = _mm512_maskz_loadu_ps(rows, y + t * stride);
    }
    for (std::size_t part = 0; part < kParts; ++part) {
        __m512i sums[Tokens];
        for (std::size_t t = 0; t < Tokens; ++t) {
            if constexpr (Type::kOffsetShift >= 0) {
                const std::int32_t* negated = Type::kPer16 ? x[t].negated16 : x[t].negated32;
                sums[t] = _mm512_slli_epi32(_mm512_set1_epi32(negated[kParts * run + part]), Type::kOffsetShift);
            } else {
                sums[t] = _mm512_setzero_si512();
            }
        }
#pragma GCC unroll 8
        for (std::size_t g = 0; g < kGroups; ++g) {
            const std::size_t group = part * kGroups + g;
            for (std::size_t t = 0; t < Tokens; ++t) {
                const auto four =
                    get<std::int32_t>(reinterpret_cast<const std::byte*>(x[t].values + kRunWeights * run + 4 * group));
                sums[t] = _mm512_dpbusd_epi32(sums[t], tile.codes[group], _mm512_set1_epi32(four));
            }
        }
        for (std::size_t t = 0; t < Tokens; ++t) {
            const float own = x[t].scales[8 * run + (Type::kPer16 ? part / 2 : part)];
            const __m512 scale = _mm512_mul_ps(tile.scales[part], _mm512_set1_ps(own));
            totals[t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[t]), scale, totals[t]);
            if constexpr (Type::kMinima) {
                const float* of16 = x[t].sums + 16 * run;
                const float sum = Type::kPer16 ? of16[part] : of16[2 * part] + of16[2 * part + 1];
                totals[t] = _mm512_fnmadd_ps(tile.minima[part], _mm512_set1_ps(sum), totals[t]);
            }
        }
    }
    for (std::size_t t = 0; t < Tokens; ++t) {
        _mm512_mask_storeu_ps(y + t * stride, rows, totals[t]);
    }
}

template<typename Type>
void multiplySixteen(const EncodedRows& rows, std::size_t count, const Int8Row* x, std::size_t tokens, float* y,
                     std::size_t stride, Tile& tile) {
    const auto mask = static_cast<__mmask16>((1U << count) - 1);
    for (std::size_t t = 0; t < tokens; ++t) {
        _mm512_mask_storeu_ps(y + t * stride, mask, _mm512_setzero_ps());
    }
    const std::size_t runs = rows.columns / kRunWeights;
    const std::size_t rest = rows.rowBytes - runs * Type::kRunBytes;
    for (std::size_t run = 0; run < runs + (rest != 0 ? 1 : 0); ++run) {
        const std::byte* starts[16];
        for (std::size_t r = 0; r < 16; ++r) { // rows that are not there repeat the last
            starts[r] = rows.data + std::min(r, count - 1) * rows.rowBytes + run * Type::kRunBytes;
        }
        if (run < runs) {
            fillTile<Type>(starts, tile);
        } else {
            alignas(64) std::byte filled[16][Type::kRunBytes + 64]{};
            for (std::size_t r = 0; r < 16; ++r) {
                std::memcpy(filled[r], starts[r], rest);
                starts[r] = filled[r];
            }
            fillTile<Type>(starts, tile);
        }
        std::size_t t = 0;
        for (; t + 8 <= tokens; t += 8) {
            multiplyTile<Type, 8>(tile, x + t, run, y + t * stride, stride, mask);
        }
        for (; t + 2 <= tokens; t += 2) {
            multiplyTile<Type, 2>(tile, x + t, run, y + t * stride, stride, mask);
        }
        if (t < tokens) {
            multiplyTile<Type, 1>(tile, x + t, run, y + t * stride, stride, mask);
        }
    }
}

template<typename Type>
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int8Row* x, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* scratch) {
    Tile& tile = *reinterpret_cast<Tile*>(scratch);
    for (std::size_t r = 0; r < count; r += 16) {
        const EncodedRows part{rows.data + r * rows.rowBytes, rows.rowBytes, rows.columns};
        multiplySixteen<Type>(part, std::min<std::size_t>(16, count - r), x, tokens, y + r, stride, tile);
    }
}
static_assert(sizeof(Tile) <= kStripScratch);

void toInt8(const float* from, std::size_t columns, const Int8Out& to) {
    const __m512i ones = _mm512_set1_epi8(1);
    for (std::size_t at = 0; at < (columns + kRunWeights - 1) / kRunWeights * kRunWeights; at += 32) {
        const std::size_t left = at < columns ? std::min<std::size_t>(32, columns - at) : 0;
        const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << left) - 1);
        const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from + at);
        const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16U), from + at + 16);
        const float largest = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
        const float scale = largest / 127;
        const __m512 inverse = _mm512_set1_ps(largest > 0 ? 127 / largest : 0);
        const __m128i lowBytes = _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(low, inverse)));
        const __m128i highBytes = _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(_mm512_mul_ps(high, inverse)));
        const __m256i bytes = _mm256_set_m128i(highBytes, lowBytes);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.values + at), bytes);
        const __m512i sums =
            _mm512_dpbusd_epi32(_mm512_setzero_si512(), ones, _mm512_zextsi256_si512(bytes)); // of each four
        const __m256i fours = _mm512_castsi512_si256(sums);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.negated4 + at / 4),
                            _mm256_sub_epi32(_mm256_setzero_si256(), fours));
        const auto total = [](__m128i four) {
            const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
            return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
        };
        const int first = total(lower(fours));
        const int second = total(upper(fours));
        to.scales[at / 32] = scale;
        to.sums[at / 16] = scale * static_cast<float>(first);
        to.sums[at / 16 + 1] = scale * static_cast<float>(second);
        to.negated16[at / 16] = -first;
        to.negated16[at / 16 + 1] = -second;
        to.negated32[at / 32] = -first - second;
    }
}

// Sixteen numbers from `at` on, as floats.
struct HalfNumbers {
    static __m512 load(const std::byte* row, std::size_t at, __mmask16 mask) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, row + 2 * at));
    }
};
struct BrainNumbers {
    static __m512 load(const std::byte* row, std::size_t at, __mmask16 mask) {
        const __m256i bits = _mm256_maskz_loadu_epi16(mask, row + 2 * at);
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
    }
};
struct FloatNumbers {
    static __m512 load(const std::byte* row, std::size_t at, __mmask16 mask) {
        return _mm512_maskz_loadu_ps(mask, row + 4 * at);
    }
};

template<typename Numbers>
void dotNumbers(const EncodedRows& rows, std::size_t count, const float* x, float* y) {
    for (std::size_t r = 0; r < count; ++r) {
        const std::byte* row = rows.data + r * rows.rowBytes;
        __m512 totals[4]{};
        std::size_t at = 0;
        for (; at + 64 <= rows.columns; at += 64) {
            for (std::size_t i = 0; i < 4; ++i) {
                totals[i] = _mm512_fmadd_ps(Numbers::load(row, at + 16 * i, 0xFFFF), _mm512_loadu_ps(x + at + 16 * i),
                                            totals[i]);
            }
        }
        for (; at < rows.columns; at += 16) {
            const auto mask = static_cast<__mmask16>((1U << std::min<std::size_t>(16, rows.columns - at)) - 1);
            totals[0] = _mm512_fmadd_ps(Numbers::load(row, at, mask), _mm512_maskz_loadu_ps(mask, x + at), totals[0]);
        }
        y[r] = _mm512_reduce_add_ps(
            _mm512_add_ps(_mm512_add_ps(totals[0], totals[1]), _mm512_add_ps(totals[2], totals[3])));
    }
}

constexpr std::size_t kFloatColumns = 128; // of a tile of 32 rows: 16 KiB, which stays in the nearest cache

template<std::size_t Tokens>
void multiplyFloats(const __m512* tile, std::size_t columns, const float* x, std::size_t xStride, float* y,
                    std::size_t stride, std::uint32_t rows) {
    const auto low = static_cast<__mmask16>(rows);
    const auto high = static_cast<__mmask16>(rows >> 16U);
    __m512 totals[Tokens][2];
    for (std::size_t t = 0; t < Tokens; ++t) {
        totals[t][0] = _mm512_maskz_loadu_ps(low, y + t * stride);
        totals[t][1] = _mm512_maskz_loadu_ps(high, y + t * stride + 16);
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const __m512 first = tile[2 * c];
        const __m512 second = tile[2 * c + 1];
        for (std::size_t t = 0; t < Tokens; ++t) {
            const __m512 own = _mm512_set1_ps(x[t * xStride + c]);
            totals[t][0] = _mm512_fmadd_ps(first, own, totals[t][0]);
            totals[t][1] = _mm512_fmadd_ps(second, own, totals[t][1]);
        }
    }
    for (std::size_t t = 0; t < Tokens; ++t) {
        _mm512_mask_storeu_ps(y + t * stride, low, totals[t][0]);
        _mm512_mask_storeu_ps(y + t * stride + 16, high, totals[t][1]);
    }
}

void floatStrip(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                std::size_t xStride, std::size_t tokens, float* y, std::size_t stride, std::byte* scratch) {
    auto* tile = reinterpret_cast<__m512*>(scratch);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    for (std::size_t begin = 0; begin < columns; begin += kFloatColumns) {
        const std::size_t width = std::min(kFloatColumns, columns - begin);
        for (std::size_t part = 0; part < 2; ++part) {
            for (std::size_t c = 0; c < width; c += 16) {
                const auto some = static_cast<__mmask16>((1U << std::min<std::size_t>(16, width - c)) - 1);
                __m512i lines[16];
                alignas(64) __m512i turned[16];
                for (std::size_t r = 0; r < 16; ++r) {
                    const std::size_t row = 16 * part + r;
                    lines[r] =
                        row < count
                            ? _mm512_castps_si512(_mm512_maskz_loadu_ps(some, rows + row * rowStride + begin + c))
                            : _mm512_setzero_si512();
                }
                transpose(lines, turned);
                for (std::size_t i = 0; i < std::min<std::size_t>(16, width - c); ++i) {
                    tile[2 * (c + i) + part] = _mm512_castsi512_ps(turned[i]);
                }
            }
        }
        std::size_t t = 0;
        for (; t + 8 <= tokens; t += 8) {
            multiplyFloats<8>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
        for (; t + 2 <= tokens; t += 2) {
            multiplyFloats<2>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
        if (t < tokens) {
            multiplyFloats<1>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
    }
}

std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    __m512i sums[4]{};
    std::size_t i = 0;
    for (; i + 256 <= count; i += 256) {
        for (std::size_t k = 0; k < 4; ++k) {
            sums[k] = _mm512_add_epi64(sums[k], load64(from + i + 64 * k));
        }
    }
    alignas(64) std::uint64_t lanes[8];
    _mm512_store_si512(lanes, _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3])));
    std::uint64_t total = 0;
    for (const std::uint64_t lane : lanes) { // unsigned, which may wrap
        total += lane;
    }
    for (; i < count; ++i) {
        total += static_cast<std::uint64_t>(from[i]);
    }
    return total;
}

std::uint64_t peakInt8() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 12; // more than the latency of one, times what starts in a cycle
    __m512i sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = _mm512_set1_epi32(static_cast<int>(k));
    }
    const __m512i codes = _mm512_set1_epi8(3);
    const __m512i values = _mm512_set1_epi8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        for (__m512i& sum : sums) {
            sum = _mm512_dpbusd_epi32(sum, codes, values);
            asm volatile("" : "+v"(sum)); // or the compiler would multiply once for all rounds
        }
    }
    return kRounds * kChains * 64;
}

} // namespace

void installProducts(ProductKernels& products) {
    products.toInt8 = toInt8;
    const auto set = [&]<typename... Type>() {
        ((products.int8[static_cast<std::size_t>(Type::kType)] = {dotRows<Type>, multiplyStrip<Type>}), ...);
    };
    set.template operator()<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL, MXFP4>();
    set.template operator()<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS>();
    products.floats[static_cast<std::size_t>(TensorType::F32)] = dotNumbers<FloatNumbers>;
    products.floats[static_cast<std::size_t>(TensorType::F16)] = dotNumbers<HalfNumbers>;
    products.floats[static_cast<std::size_t>(TensorType::BF16)] = dotNumbers<BrainNumbers>;
    products.floatStrip = floatStrip;
    products.readBytes = readBytes;
    products.peakInt8 = peakInt8;
}

} // namespace gufo::avx512
