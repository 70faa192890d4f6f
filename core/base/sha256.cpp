#include "base/sha256.h"

#include "base/byte_order.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gufo {
namespace {

constexpr std::size_t kBlock = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
alignas(16) constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void compress(State& state, const std::byte* block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = load<std::uint32_t>(block + 4 * i, ByteOrder::Big);
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t t1 =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t t2 =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const State sum{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) {
        state[i] += sum[i];
    }
}

void compressAll(State& state, const std::byte* data, std::size_t blocks) {
    for (; blocks > 0; --blocks, data += kBlock) {
        compress(state, data);
    }
}

#if defined(__x86_64__)
// Intel's SHA extensions keep the state as {a b e f} and {c d g h} and compute two rounds per instruction.
__attribute__((target("sha,sse4.1,ssse3"))) void compressAllSha(State& state, const std::byte* data,
                                                                std::size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    const __m128i abcd = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
    const __m128i efgh = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
    const __m128i badc = _mm_shuffle_epi32(abcd, 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
    for (; blocks > 0; --blocks, data += kBlock) {
        const __m128i abefBefore = abef;
        const __m128i cdghBefore = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; ++i) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data) + i), swap);
        }
        for (std::size_t group = 0; group < 16; ++group) {
            __m128i& now = w[group % 4];
            if (group >= 4) {
                const __m128i& previous = w[(group + 3) % 4];
                const __m128i shifted = _mm_alignr_epi8(previous, w[(group + 2) % 4], 4);
                now = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(group + 1) % 4]), shifted);
                now = _mm_sha256msg2_epu32(now, previous);
            }
            const __m128i sum =
                _mm_add_epi32(now, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data()) + group));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// CPUID leaf 7, EBX bit 29; GCC 12's __builtin_cpu_supports() does not know "sha".
bool hasShaInstructions() {
    unsigned a = 7;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (b >> 29U & 1U) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}
#endif

using CompressAll = void (*)(State&, const std::byte*, std::size_t);

CompressAll fastest() {
#if defined(__x86_64__)
    if (hasShaInstructions()) {
        return compressAllSha;
    }
#endif
    return compressAll;
}
const CompressAll g_compressAll = fastest();

} // namespace

void Sha256::add(Bytes bytes) {
    const std::size_t held = m_bytes % kBlock;
    m_bytes += bytes.size();
    if (held != 0) {
        const std::size_t taken = std::min(kBlock - held, bytes.size());
        std::copy_n(bytes.begin(), taken, m_block.begin() + held);
        bytes = bytes.subspan(taken);
        if (held + taken < kBlock) {
            return;
        }
        g_compressAll(m_state, m_block.data(), 1);
    }
    const std::size_t whole = bytes.size() / kBlock;
    g_compressAll(m_state, bytes.data(), whole);
    std::ranges::copy(bytes.subspan(whole * kBlock), m_block.begin());
}

Sha256Digest Sha256::finish() {
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::byte, 2 * kBlock> padding{std::byte{0x80}};
    const std::size_t zeros = (kBlock + 56 - 1 - m_bytes % kBlock) % kBlock;
    store(padding.data() + 1 + zeros, bits, ByteOrder::Big);
    add(Bytes(padding).first(1 + zeros + 8));
    Sha256Digest digest;
    for (std::size_t i = 0; i < 8; ++i) {
        store(digest.data() + 4 * i, m_state[i], ByteOrder::Big);
    }
    return digest;
}

Sha256Digest sha256(Bytes bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

std::string hexText(Bytes bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        text += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

} // namespace gufo
