// 8-bit products with one vector or a few for AVX2, with or without VNNI.
//
// In a transposed run (kernels/products.h) all products of a block are summed in two 32-bit lanes of its own. The codes
// of a run are transposed likewise, in two halves of four blocks, so that a half needs one conversion to float:
//
//   lane            0  1    2  3    4  5    6  7
//   half 0, group g  b0 b0   b1 b1   b2 b2   b3 b3      four products each of group g, which is eight codes of a block
//
// Without VNNI, products are first summed in 16 bits, as many as the largest code allows.
#pragma once

#include "tensor/kernels/avx2/int8_primitives.h"
#include "tensor/kernels/portable/few_vectors.h"
#include "tensor/kernels/portable/int8_types.h"

namespace {

// Transposes the codes of four blocks, as a 4 × 4 matrix of groups of eight codes.
inline void transposeCodes(const Bytes (&blocks)[4], Bytes* groups) {
    const __m256i even[2]{_mm256_unpacklo_epi64(native(blocks[0]), native(blocks[1])),
                          _mm256_unpacklo_epi64(native(blocks[2]), native(blocks[3]))};
    const __m256i odd[2]{_mm256_unpackhi_epi64(native(blocks[0]), native(blocks[1])),
                         _mm256_unpackhi_epi64(native(blocks[2]), native(blocks[3]))};
    groups[0] = asBytes(_mm256_permute2x128_si256(even[0], even[1], 0x20));
    groups[1] = asBytes(_mm256_permute2x128_si256(odd[0], odd[1], 0x20));
    groups[2] = asBytes(_mm256_permute2x128_si256(even[0], even[1], 0x31));
    groups[3] = asBytes(_mm256_permute2x128_si256(odd[0], odd[1], 0x31));
}

// A type of weights for dotStreamed().
template<typename Type>
struct OfType {
    static constexpr std::size_t kRunBytes = Type::kRunBytes;
    static constexpr bool kRowPairs = false;
    static constexpr bool kSigned = Type::kCodes == Codes::Signed && !kVnni;
    // The codes are the levels plus this; 0: they are the levels themselves.
    static constexpr unsigned kOffset = Type::kCodes != Codes::Signed ? Type::kOffset : kVnni ? 128 : 0;
    using Total = F32x8;

    struct Whole {
        static F32x8 kept(F32x8 ofParts, std::size_t /*first*/) { return ofParts; }
    };
    struct First {
        std::size_t parts;
        explicit First(std::size_t weights)
            : parts(weights / (Type::kPer16 ? 16 : 32)) {}
        // `first` is the index of the first of the eight parts.
        [[nodiscard]] F32x8 kept(F32x8 ofParts, std::size_t first) const {
            const auto left = static_cast<std::int32_t>(parts > first ? parts - first : 0);
            const I32x8 inRow = I32x8{0, 1, 2, 3, 4, 5, 6, 7} < left;
            return reinterpret_cast<F32x8>(reinterpret_cast<I32x8>(ofParts) & inRow);
        }
    };

    struct Run {
        Bytes codes[2][4]; // by half and group
        Bytes magnitudes[kSigned ? 2 : 1][4];
        F32x8 scales[2]; // per 16 weights
        F32x8 negatedMinima[2];

        template<typename Extent>
        GUFO_INLINE_UNCHECKED Run(const std::byte* at, const Extent& extent) {
            const Type run(at);
            unrolled(Times<2>(), [&](std::size_t half_) GUFO_INLINE {
                const auto block = [&](std::size_t i) GUFO_INLINE {
                    const Bytes ofBlock = run.codes(4 * half_ + i);
                    return Type::kCodes == Codes::Signed && kVnni ? ofBlock ^ 0x80 : ofBlock;
                };
                transposeCodes({block(0), block(1), block(2), block(3)}, codes[half_]);
                if constexpr (kSigned) {
                    unrolled(Times<4>(), [&](std::size_t group) GUFO_INLINE {
                        magnitudes[half_][group] = asBytes(_mm256_abs_epi8(native(codes[half_][group])));
                    });
                }
            });
            per16(scales, [&](std::size_t half_) GUFO_INLINE { return extent.kept(run.scales(half_), 8 * half_); });
            if constexpr (Type::kMinima) {
                per16(negatedMinima,
                      [&](std::size_t half_) GUFO_INLINE { return -extent.kept(run.minima(half_), 8 * half_); });
            }
        }

    private:
        // Repeats numbers that apply to 32 weights.
        template<typename Eight>
        GUFO_INLINE static void per16(F32x8 (&out)[2], const Eight& eight) {
            out[0] = eight(0);
            if constexpr (Type::kPer16) {
                out[1] = eight(1);
            } else {
                const F32x8 once = out[0];
                out[0] = __builtin_shufflevector(once, once, 0, 0, 1, 1, 2, 2, 3, 3);
                out[1] = __builtin_shufflevector(once, once, 4, 4, 5, 5, 6, 6, 7, 7);
            }
        }
    };

    GUFO_INLINE_UNCHECKED static F32x8 multiplied(const Run& run, const gufo::Int8TransposedRun& x) {
        F32x8 total{};
        unrolled(Times<2>(), [&](std::size_t half_) GUFO_INLINE {
            const F32x8 scales = run.scales[half_] * get<F32x8>(x.scales + 8 * half_);
            if constexpr (Type::kPer16) {
                const F32x8 first = __builtin_shufflevector(scales, scales, 0, 0, 2, 2, 4, 4, 6, 6);
                const F32x8 second = __builtin_shufflevector(scales, scales, 1, 1, 3, 3, 5, 5, 7, 7);
                total = multiplyAdd(sums<0, 2>(run, half_, x, 0), first, total);
                total = multiplyAdd(sums<2, 2>(run, half_, x, 1), second, total);
            } else {
                total = multiplyAdd(sums<0, 4>(run, half_, x, 2), scales, total);
            }
            if constexpr (Type::kMinima) {
                total = multiplyAdd(run.negatedMinima[half_], get<F32x8>(x.sums + 8 * half_), total);
            }
        });
        return total;
    }

    static float sum(F32x8 v) {
        v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
        v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
        return v[0] + v[1];
    }

private:
    // The sums of `count` groups, from group `first` on. `which` of the negated lanes subtracts the offset of the
    // codes.
    template<std::size_t first, std::size_t count>
    GUFO_INLINE_UNCHECKED static F32x8 sums(const Run& run, std::size_t half_, const gufo::Int8TransposedRun& x,
                                            std::size_t which) {
        const auto values = [&](std::size_t group) GUFO_INLINE { return load32(x.values + 64 * group + 32 * half_); };
        __m256i total = _mm256_setzero_si256();
        if constexpr (kOffset != 0) {
            total = _mm256_slli_epi32(load32(x.negatedLanes[which] + 8 * half_), std::countr_zero(kOffset));
        }
        if constexpr (kVnni) {
            unrolled(Times<count>(), [&](std::size_t i) GUFO_INLINE {
                total = addFours(total, native(run.codes[half_][first + i]), values(first + i));
            });
        } else if constexpr (kSigned) {
            unrolled(Times<count>(), [&](std::size_t i) GUFO_INLINE {
                total = addFours(total, native(run.magnitudes[half_][first + i]),
                                 _mm256_sign_epi8(values(first + i), native(run.codes[half_][first + i])));
            });
        } else {
            constexpr std::size_t kPairs = kPairSums<Type> < count ? kPairSums<Type> : count;
            unrolled(Times<count / kPairs>(), [&](std::size_t part) GUFO_INLINE {
                const auto pairs = [&](std::size_t i) GUFO_INLINE {
                    const std::size_t group = first + part * kPairs + i;
                    return _mm256_maddubs_epi16(native(run.codes[half_][group]), values(group));
                };
                __m256i all = pairs(0);
                unrolled(Times<kPairs - 1>(),
                         [&](std::size_t i) GUFO_INLINE { all = _mm256_add_epi16(all, pairs(i + 1)); });
                total = _mm256_add_epi32(total, _mm256_madd_epi16(all, _mm256_set1_epi16(1)));
            });
        }
        return reinterpret_cast<F32x8>(_mm256_cvtepi32_ps(total));
    }
};

template<typename Type>
using ForVectors = OfType<Type>;
constexpr std::size_t kFew = 8;

} // namespace
