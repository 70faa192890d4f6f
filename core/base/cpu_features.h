// The instruction sets that the processor and the operating system support, detected once (CPUID and XGETBV on x86),
// and the one that all kernels of the process use.
//
// Threads: all functions are thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

// The kernel families, in ascending order of preference. Each is a folder under core/tensor/kernels, except that NEON
// and AVX2 also contain separate products for newer processors.
enum class Isa : std::uint8_t { Scalar, Neon, NeonDotprod, NeonI8mm, Avx2, Avx2Vnni, Avx512 };

// The names are "scalar", "neon", "neon-dotprod", "neon-i8mm", "avx2", "avx2-vnni" and "avx512". The environment
// variable GUFO_ISA accepts them.
[[nodiscard]] std::string_view isaName(Isa isa);
[[nodiscard]] std::optional<Isa> isaFromName(std::string_view name);

struct CpuFeatures {
    bool avx2 = false;    // with FMA, F16C and BMI2
    bool avxVnni = false; // with AVX2
    bool avx512 = false;  // F, BW, VL, DQ, CD, VBMI, VBMI2, GFNI, VNNI, BITALG, VPOPCNTDQ: Ice Lake, Zen 4 and later
    bool avx512Bf16 = false;
    bool neon = false;
    bool dotprod = false; // NEON
    bool i8mm = false;    // NEON, with dotprod
    bool zen3Or4 = false; // AMD's family 19h
};
[[nodiscard]] const CpuFeatures& cpuFeatures();

// The instruction sets that this machine can run, in ascending order of preference; scalar is always the first.
[[nodiscard]] std::span<const Isa> availableIsas();

// The best available instruction set, or the one named by the environment variable GUFO_ISA if it is available. It does
// not change while the process runs.
[[nodiscard]] Isa activeIsa();

// The name shown to users: "AVX-512 VNNI", "AVX2", "NEON i8mm", "scalar".
[[nodiscard]] std::string_view cpuDescription();

} // namespace gufo
