// Estimates the memory that running a model needs, from its metadata and tensor table alone. The formulas are
// documented in memory_estimate.cpp. What differs between blocks (head counts, windows, state spaces) is summed block
// by block.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/checked.h"
#include "base/error.h"
#include "model/model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

enum class KvCacheType : std::uint8_t { F32, F16, BF16, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0 };
[[nodiscard]] std::string_view kvCacheTypeName(KvCacheType type); // "f16"
[[nodiscard]] std::optional<KvCacheType> kvCacheTypeFromName(std::string_view name);
[[nodiscard]] std::span<const KvCacheType> kvCacheTypes(); // from the most exact to the smallest
[[nodiscard]] TensorType kvTensorType(KvCacheType type);   // how rows of the cache are encoded
// The bytes of a row of `length` elements; 0 if there are none. Types that store groups pad the last group, and F16
// stores pairs, at least two (tensor/kernels/attention.h).
[[nodiscard]] CheckedSize kvRowBytes(KvCacheType type, std::uint64_t length);

struct MemoryRequest {
    std::uint64_t context = 0; // tokens; 0: the trained context, but at most 4096
    std::uint64_t batch = 512;
    KvCacheType keys = KvCacheType::F16;
    KvCacheType values = KvCacheType::F16;
};

struct MemoryEstimate {
    std::uint64_t context = 0;        // the context for which the figures below hold
    std::uint64_t trainedContext = 0; // 0 if the file does not say
    std::uint64_t weights = 0;        // file-backed
    std::uint64_t kvCache = 0;
    std::uint64_t kvPerToken = 0; // growth per additional token of context (beyond any sliding window)
    bool slidingWindows = false;  // blocks keep a window only
    std::uint64_t recurrentState = 0;
    std::uint64_t buffers = 0; // activations of one batch
    std::uint64_t logits = 0;  // one row of logits

    [[nodiscard]] std::uint64_t total() const { return weights + kvCache + recurrentState + buffers + logits; }
    [[nodiscard]] std::uint64_t anonymous() const { return total() - weights; }
};

// Errors: NotSupported if the file is not a whole model; the argument is its kind: "vocabulary", "adapter", "imatrix"
// or "projector". Those of unusableHyperParameter() for a key that is missing or has no sensible value. InvalidArgument
// if the sum does not fit in 64 bits.
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const Model& model, const MemoryRequest& request);

// The largest context whose total fits in `budget` bytes, or nothing if none does. It does not exceed the trained
// context or, if the file does not give one, kMaxContext. Errors: as for estimateMemory().
inline constexpr std::uint64_t kMaxContext = 0x7FFF'FFFF; // runtimes count positions in 32 bits
[[nodiscard]] Result<std::optional<std::uint64_t>> largestContext(const Model& model, const MemoryRequest& request,
                                                                  std::uint64_t budget);

} // namespace gufo
