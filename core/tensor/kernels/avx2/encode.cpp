#include <cstddef>
#include <immintrin.h>

namespace {

constexpr std::size_t kVectorBytes = 32;

template<typename Part>
inline Part largerPart(Part a, Part b) {
    return reinterpret_cast<Part>(_mm256_max_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
}
template<typename Part>
inline Part smallerPart(Part a, Part b) {
    return reinterpret_cast<Part>(_mm256_min_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
}

} // namespace

#include "tensor/kernels/portable/lanes.h"

namespace {

// Looks up entry `index` of sixteen in each lane.
inline Lanes lookUp16(const float (&table)[kLanes], LaneInts index) {
    const __m256 low = _mm256_loadu_ps(table);
    const __m256 high = _mm256_loadu_ps(table + 8);
    return Lanes::each([&](std::size_t p) {
        const auto at = reinterpret_cast<__m256i>(index.parts[p]);
        // The fourth bit of the index, shifted to the sign, selects the half of the table.
        const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28));
        return reinterpret_cast<Lanes::Part>(
            _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, at), _mm256_permutevar8x32_ps(high, at), upper));
    });
}

// Looks up entry `index` of any table in each lane.
inline Lanes gather(const float* table, LaneInts index) {
    return Lanes::each([&](std::size_t p) {
        return reinterpret_cast<Lanes::Part>(
            _mm256_i32gather_ps(table, reinterpret_cast<__m256i>(index.parts[p]), sizeof(float)));
    });
}

} // namespace

// The encoders use the primitives above.
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::avx2 {
namespace {

// Encodes eight weights at a time, and the last ones with others that are dropped.
template<typename Format>
void encodeShorts(const float* weights, std::size_t count, const float*, std::size_t, std::byte* out) {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2 * i), Format::of(_mm256_loadu_ps(weights + i)));
    }
    if (i < count) {
        float last[8]{};
        std::memcpy(last, weights + i, (count - i) * sizeof(float));
        const __m128i encoded = Format::of(_mm256_loadu_ps(last));
        std::memcpy(out + 2 * i, &encoded, 2 * (count - i));
    }
}

struct Halves {
    static __m128i of(__m256 v) { return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
};

struct Brains {
    static __m128i of(__m256 v) {
        const __m256i bits = _mm256_castps_si256(v);
        const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
        const __m256i half = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)); // ties go to even numbers
        const __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x40'0000));
        const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
        const __m256i rounded = _mm256_srli_epi32(_mm256_blendv_epi8(_mm256_add_epi32(bits, half), quiet, nan), 16);
        return _mm_packus_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
    }
};

} // namespace

void installEncoders(Kernels& kernels) {
    installPortableEncoders(kernels);
    kernels.encode[TensorType::F16] = encodeShorts<Halves>;
    kernels.encode[TensorType::BF16] = encodeShorts<Brains>;
}

} // namespace gufo::avx2
