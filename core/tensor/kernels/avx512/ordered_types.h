// The types that AVX-512 unpacks like AVX2 (portable/int8_types.h), because entries of code books are looked up one by
// one and wider vectors do not make this faster.
#pragma once

#include "tensor/kernels/avx2/int8_codes.h"
#include "tensor/kernels/portable/int8_code_books.h"

namespace gufo::avx512 {
namespace {

// Provides the interface of transposed_types.h for a portable type. The weights are in their normal order.
template<typename Portable>
struct Ordered {
    static constexpr TensorType kType = Portable::kType;
    static constexpr std::size_t kRunBytes = Portable::kRunBytes;
    static constexpr int kOffsetShift = Portable::kCodes == Codes::Signed ? 7 : std::countr_zero(Portable::kOffset);
    static constexpr bool kPer16 = Portable::kPer16;
    static constexpr bool kMinima = false;
    static constexpr bool kInOrder = true;
    static constexpr bool kCodeBook = true;
    static_assert(!Portable::kMinima && (Portable::kCodes == Codes::Signed || Portable::kOffset != 0));

    Portable run;
    explicit Ordered(const std::byte* at)
        : run(at) {}

    [[nodiscard]] __m512 scales() const {
        const auto halfScales = [this](std::size_t half_) { return reinterpret_cast<__m256>(run.scales(half_)); };
        if constexpr (kPer16) {
            return _mm512_insertf32x8(_mm512_castps256_ps512(halfScales(0)), halfScales(1), 1);
        } else {
            const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            return _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(halfScales(0)));
        }
    }
    [[nodiscard]] __m512i codes(int part) const {
        const auto first = static_cast<std::size_t>(2 * part);
        const auto both = [](Bytes low, Bytes high) {
            return _mm512_inserti64x4(_mm512_castsi256_si512(native(low)), native(high), 1);
        };
        if constexpr (requires { Portable::kMark; }) {
            const __m512i entries = both(run.entries(first), run.entries(first + 1));
            const __mmask64 marks = run.marks(first) | std::uint64_t{run.marks(first + 1)} << 32U;
            const __m512i mark = _mm512_set1_epi8(static_cast<char>(Portable::kMark));
            const __m512i table = _mm512_broadcast_i32x4(reinterpret_cast<__m128i>(Portable::table()));
            return _mm512_shuffle_epi8(table, _mm512_mask_add_epi8(entries, marks, entries, mark));
        } else if constexpr (Portable::kCodes == Codes::Signed) {
            return _mm512_xor_si512(both(run.codes(first), run.codes(first + 1)),
                                    _mm512_set1_epi8(static_cast<char>(0x80)));
        } else {
            return both(run.codes(first), run.codes(first + 1));
        }
    }
};

} // namespace
} // namespace gufo::avx512
