#include <cstddef>
#include <immintrin.h>

namespace {

constexpr std::size_t kVectorBytes = 64;

template<typename Part>
inline Part largerPart(Part a, Part b) {
    return reinterpret_cast<Part>(_mm512_max_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
}
template<typename Part>
inline Part smallerPart(Part a, Part b) {
    return reinterpret_cast<Part>(_mm512_min_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
}

} // namespace

#include "tensor/kernels/portable/lanes.h"

namespace {

// Looks up entry `index` of sixteen in each lane.
inline Lanes lookUp16(const float (&table)[kLanes], LaneInts index) {
    const __m512 entries = _mm512_loadu_ps(table);
    return Lanes::each([&](std::size_t p) {
        return reinterpret_cast<Lanes::Part>(_mm512_permutexvar_ps(reinterpret_cast<__m512i>(index.parts[p]), entries));
    });
}

// Looks up entry `index` of any table in each lane.
inline Lanes gather(const float* table, LaneInts index) {
    return Lanes::each([&](std::size_t p) {
        return reinterpret_cast<Lanes::Part>(
            _mm512_i32gather_ps(reinterpret_cast<__m512i>(index.parts[p]), table, sizeof(float)));
    });
}

} // namespace

// The encoders use the primitives above.
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::avx512 {
namespace {

template<typename Format>
void encodeShorts(const float* weights, std::size_t count, const float*, std::size_t, std::byte* out) {
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 2 * i), Format::of(_mm512_loadu_ps(weights + i)));
    }
    const auto rest = static_cast<__mmask16>((1U << (count - i)) - 1);
    _mm256_mask_storeu_epi16(out + 2 * i, rest, Format::of(_mm512_maskz_loadu_ps(rest, weights + i)));
}

struct Halves {
    static __m256i of(__m512 v) { return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
};

// The processors' own conversion to bfloat16 would make subnormal numbers zero. Ties go to even numbers: 0x3F80'8000
// becomes 0x3F80, and 0x3F81'8000 becomes 0x3F82.
struct Brains {
    static __m256i of(__m512 v) {
        const __m512i bits = _mm512_castps_si512(v);
        const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
        const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)); // ties go to even numbers
        const __m512i quiet = _mm512_or_si512(bits, _mm512_set1_epi32(0x40'0000));
        const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
        return _mm512_cvtepi32_epi16(
            _mm512_srli_epi32(_mm512_mask_mov_epi32(_mm512_add_epi32(bits, half), nan, quiet), 16));
    }
};

} // namespace

void installEncoders(Kernels& kernels) {
    installPortableEncoders(kernels);
    kernels.encode[TensorType::F16] = encodeShorts<Halves>;
    kernels.encode[TensorType::BF16] = encodeShorts<Brains>;
}

} // namespace gufo::avx512
