#include "base/cpu_features.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch_ahead.h"

#include <algorithm>
#include <atomic>

namespace gufo {
namespace {

// One table per instruction set. Each extends the table of a set that its processors support, too.
template<Isa isa>
const Kernels& table() {
    static const Kernels kernels = [] {
        if constexpr (isa == Isa::Avx2) {
            Kernels k = scalar::kernels();
#if defined(__x86_64__)
            avx2::install(k);
            avx2::installInt8(k.products);
            avx2::installWideProducts(k.products);
            avx2::installEncoders(k);
            avx2::installAttention(k.attention);
            avx2::installRecurrence(k.recurrence);
#endif
            return k;
        } else if constexpr (isa == Isa::Avx2Vnni) {
            Kernels k = table<Isa::Avx2>();
#if defined(__x86_64__)
            avx2::installInt8Vnni(k.products);
#endif
            return k;
        } else if constexpr (isa == Isa::Avx512) {
            Kernels k = table<Isa::Avx2>();
#if defined(__x86_64__)
            avx512::install(k);
            avx512::installEncoders(k);
            avx512::installAttention(k.attention);
            avx512::installRecurrence(k.recurrence);
#endif
            return k;
        } else if constexpr (isa == Isa::NeonDotprod) {
            Kernels k = table<Isa::Neon>();
#if defined(__aarch64__)
            neon::installInt8Dotprod(k.products);
#endif
            return k;
        } else if constexpr (isa == Isa::NeonI8mm) {
            Kernels k = table<Isa::NeonDotprod>();
#if defined(__aarch64__)
            neon::installInt8Matrices(k.products);
#endif
            return k;
        } else {
            static_assert(isa == Isa::Neon);
            Kernels k = scalar::kernels();
#if defined(__aarch64__)
            neon::install(k);
            neon::installInt8(k.products);
            neon::installEncoders(k);
            neon::installAttention(k.attention);
            neon::installRecurrence(k.recurrence);
#endif
            return k;
        }
    }();
    return kernels;
}

std::atomic<const Kernels*> g_forced = nullptr;

} // namespace

const std::size_t kStreamPrefetchDistance = cpuFeatures().zen3Or4 ? 256 : 2048;
const std::size_t kSeveralPrefetchDistance = cpuFeatures().zen3Or4 ? 768 : 2048;

const Kernels& kernelsFor(Isa isa) {
    if (std::ranges::find(availableIsas(), isa) == availableIsas().end()) {
        return scalar::kernels();
    }
    switch (isa) {
    case Isa::Scalar:
        break;
    case Isa::Neon:
        return table<Isa::Neon>();
    case Isa::NeonDotprod:
        return table<Isa::NeonDotprod>();
    case Isa::NeonI8mm:
        return table<Isa::NeonI8mm>();
    case Isa::Avx2:
        return table<Isa::Avx2>();
    case Isa::Avx2Vnni:
        return table<Isa::Avx2Vnni>();
    case Isa::Avx512:
        return table<Isa::Avx512>();
    }
    return scalar::kernels();
}

const Kernels& activeKernels() {
    static const Kernels& active = kernelsFor(activeIsa());
    const Kernels* forced = g_forced.load(std::memory_order_relaxed);
    return forced != nullptr ? *forced : active;
}

ForcedKernels::ForcedKernels(const Kernels& kernels)
    : m_before(g_forced.exchange(&kernels)) {}

ForcedKernels::~ForcedKernels() { g_forced = m_before; }

} // namespace gufo
