// What the processor and the operating system allow, asked once (CPUID and XGETBV on x86), and the instruction set
// that all kernels of the process use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

// The kernel families, each a folder under core/tensor/kernels. Higher is preferred.
enum class Isa : std::uint8_t { Scalar, Neon, Avx2, Avx512 };

// "scalar", "neon", "avx2", "avx512": the names that GUFO_ISA takes.
[[nodiscard]] std::string_view isaName(Isa isa);
[[nodiscard]] std::optional<Isa> isaFromName(std::string_view name);

struct CpuFeatures {
    bool avx2 = false;   // with FMA, F16C and BMI2
    bool avx512 = false; // F, BW, VL, DQ, CD, VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ: Ice Lake, Zen 4 and later
    bool avx512Vnni = false;
    bool avx512Bf16 = false;
    bool neon = false;
    bool dotprod = false; // NEON
    bool i8mm = false;    // NEON
};
[[nodiscard]] const CpuFeatures& cpuFeatures();

// The instruction sets that can run here, scalar first.
[[nodiscard]] std::span<const Isa> availableIsas();

// The best available one, or the one that the environment variable GUFO_ISA names if it is available; fixed for the
// life of the process.
[[nodiscard]] Isa activeIsa();

// For people: "AVX-512 VNNI", "AVX2", "NEON", "scalar".
[[nodiscard]] std::string_view cpuDescription();

} // namespace gufo
