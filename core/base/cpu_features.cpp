#include "base/cpu_features.h"

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace gufo {
namespace {

struct IsaRow {
    Isa isa;
    std::string_view name;
    std::string_view description;
};
constexpr auto kIsas = std::to_array<IsaRow>({{Isa::Scalar, "scalar", "scalar"},
                                              {Isa::Neon, "neon", "NEON"},
                                              {Isa::NeonDotprod, "neon-dotprod", "NEON dotprod"},
                                              {Isa::NeonI8mm, "neon-i8mm", "NEON i8mm"},
                                              {Isa::Avx2, "avx2", "AVX2"},
                                              {Isa::Avx2Vnni, "avx2-vnni", "AVX2 VNNI"},
                                              {Isa::Avx512, "avx512", "AVX-512 VNNI"}});

#if defined(__x86_64__)
constexpr unsigned bit(int n) { return 1U << n; }

// Leaf 0 has the vendor in ebx, edx and ecx; leaf 1 has the family in eax (AMD64 manual, volume 3, appendix E.3).
bool isZen3Or4(unsigned signature) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    const bool isAmd = __get_cpuid(0, &a, &b, &c, &d) != 0 && b == signature_AMD_ebx && c == signature_AMD_ecx &&
                       d == signature_AMD_edx;
    const unsigned family = (signature >> 8U & 15U) + (signature >> 20U & 255U);
    return isAmd && family == 0x19;
}

CpuFeatures detect() {
    CpuFeatures features;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) {
        return features;
    }
    features.zen3Or4 = isZen3Or4(a);
    const bool osSavesState = (c & bit(27)) != 0;
    const bool fma = (c & bit(12)) != 0;
    const bool f16c = (c & bit(29)) != 0;
    if (!osSavesState) {
        return features;
    }
    // XCR0 (Intel SDM vol. 1, 13.3): bits 1-2 are the SSE and AVX state, 5-7 the AVX-512 state.
    unsigned low = 0;
    unsigned high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    const bool avxState = (low & 0x06U) == 0x06U;
    const bool avx512State = (low & 0xE6U) == 0xE6U;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) {
        return features;
    }
    features.avx2 = avxState && fma && f16c && (b & bit(5)) != 0 && (b & bit(8)) != 0;
    const bool foundation = (b & bit(16)) != 0;
    const bool dq = (b & bit(17)) != 0;
    const bool cd = (b & bit(28)) != 0;
    const bool bw = (b & bit(30)) != 0;
    const bool vl = (b & bit(31)) != 0;
    // VBMI, VBMI2, GFNI, VNNI, BITALG and VPOPCNTDQ, which the same processors introduced.
    constexpr unsigned kNewer = bit(1) | bit(6) | bit(8) | bit(11) | bit(12) | bit(14);
    const bool newer = (c & kNewer) == kNewer;
    features.avx512 = features.avx2 && avx512State && foundation && dq && cd && bw && vl && newer;
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) {
        features.avxVnni = features.avx2 && (a & bit(4)) != 0;
        features.avx512Bf16 = features.avx512 && (a & bit(5)) != 0;
    }
    return features;
}
#elif defined(__aarch64__)
CpuFeatures detect() {
    CpuFeatures features;
    features.neon = true; // part of the base architecture
#if defined(__linux__)
    features.dotprod = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
    features.i8mm = features.dotprod && (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
#endif
    return features;
}
#else
CpuFeatures detect() { return {}; }
#endif

} // namespace

std::string_view isaName(Isa isa) { return kIsas[static_cast<std::size_t>(isa)].name; }

std::optional<Isa> isaFromName(std::string_view name) {
    for (const IsaRow& row : kIsas) {
        if (row.name == name) {
            return row.isa;
        }
    }
    return std::nullopt;
}

const CpuFeatures& cpuFeatures() {
    static const CpuFeatures features = detect();
    return features;
}

std::span<const Isa> availableIsas() {
    static const std::vector<Isa> isas = [] {
        const CpuFeatures& has = cpuFeatures();
        std::vector<Isa> found{Isa::Scalar};
        for (const auto& [isa, there] : std::to_array<std::pair<Isa, bool>>({{Isa::Neon, has.neon},
                                                                             {Isa::NeonDotprod, has.dotprod},
                                                                             {Isa::NeonI8mm, has.i8mm},
                                                                             {Isa::Avx2, has.avx2},
                                                                             {Isa::Avx2Vnni, has.avxVnni},
                                                                             {Isa::Avx512, has.avx512}})) {
            if (there) {
                found.push_back(isa);
            }
        }
        return found;
    }();
    return isas;
}

Isa activeIsa() {
    static const Isa active = [] {
        const char* forced = std::getenv("GUFO_ISA");
        if (forced != nullptr) {
            const std::optional<Isa> wanted = isaFromName(forced);
            for (const Isa isa : availableIsas()) {
                if (wanted == isa) {
                    return isa;
                }
            }
        }
        return availableIsas().back();
    }();
    return active;
}

std::string_view cpuDescription() { return kIsas[static_cast<std::size_t>(activeIsa())].description; }

} // namespace gufo
