// What the processor and the operating system allow, asked once (CPUID and XGETBV on x86), and the instruction set
// that all kernels of the process use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

// The kernel families; folders under core/tensor/kernels, of which NEON and AVX2 have products of their own for newer
// processors. Higher is preferred.
enum class Isa : std::uint8_t { Scalar, Neon, NeonDotprod, NeonI8mm, Avx2, Avx2Vnni, Avx512 };

// "scalar", "neon", "neon-dotprod", "neon-i8mm", "avx2", "avx2-vnni", "avx512": the names that GUFO_ISA takes.
[[nodiscard]] std::string_view isaName(Isa isa);
[[nodiscard]] std::optional<Isa> isaFromName(std::string_view name);

struct CpuFeatures {
    bool avx2 = false;    // with FMA, F16C and BMI2
    bool avxVnni = false; // with AVX2
    bool avx512 = false;  // F, BW, VL, DQ, CD, VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ: Ice Lake, Zen 4 and later
    bool avx512Bf16 = false;
    bool neon = false;
    bool dotprod = false; // NEON
    bool i8mm = false;    // NEON, with dotprod
};
[[nodiscard]] const CpuFeatures& cpuFeatures();

// The instruction sets that can run here, scalar first.
[[nodiscard]] std::span<const Isa> availableIsas();

// The best available one, or the one that the environment variable GUFO_ISA names if it is available; fixed for the
// life of the process.
[[nodiscard]] Isa activeIsa();

// For people: "AVX-512 VNNI", "AVX2", "NEON i8mm", "scalar".
[[nodiscard]] std::string_view cpuDescription();

} // namespace gufo
