// What running a model needs of memory, from its metadata and tensor table alone. Each formula stands beside its code
// in memory_estimate.cpp; what differs between blocks (head counts, windows, state spaces) is summed block by block.
#pragma once

#include "base/error.h"
#include "model/model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

enum class KvCacheType : std::uint8_t { F32, F16, BF16, Q8_0 };
[[nodiscard]] std::string_view kvCacheTypeName(KvCacheType type); // "f16"
[[nodiscard]] std::optional<KvCacheType> kvCacheTypeFromName(std::string_view name);
[[nodiscard]] std::span<const KvCacheType> kvCacheTypes();

struct MemoryRequest {
    std::uint64_t context = 0; // tokens; 0: what the model was trained with, at most 4096
    std::uint64_t batch = 512;
    KvCacheType keys = KvCacheType::F16;
    KvCacheType values = KvCacheType::F16;
};

struct MemoryEstimate {
    std::uint64_t context = 0;        // used for the figures below
    std::uint64_t trainedContext = 0; // 0 if the file does not say
    std::uint64_t weights = 0;        // file-backed
    std::uint64_t kvCache = 0;
    std::uint64_t kvPerToken = 0; // growth for one more token of context (past any sliding window)
    std::uint64_t recurrentState = 0;
    std::uint64_t buffers = 0; // activations of a batch
    std::uint64_t logits = 0;  // of one output row

    [[nodiscard]] std::uint64_t total() const { return weights + kvCache + recurrentState + buffers + logits; }
    [[nodiscard]] std::uint64_t anonymous() const { return total() - weights; }
};

// Errors: NotSupported where the model cannot be run as it is: args are the key that is missing or has no sensible
// value (place: that key), or the kind of file, "vocabulary", "adapter", "imatrix", "projector" (place: the file);
// InvalidArgument where the sum does not fit 64 bits.
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const Model& model, const MemoryRequest& request);

// The largest context whose total fits `budget` bytes (at most the trained one; where the file does not say, at most
// kMaxContext); nothing if none does. Errors: as estimateMemory().
inline constexpr std::uint64_t kMaxContext = 0x7FFF'FFFF; // runtimes count positions in 32 bits
[[nodiscard]] Result<std::optional<std::uint64_t>> largestContext(const Model& model, const MemoryRequest& request,
                                                                  std::uint64_t budget);

} // namespace gufo
