// What running a model needs of memory, from its metadata and tensor table alone. Formulas: ../shared/facts of the
// project, "Memory before loading", restated beside each in memory_estimate.cpp.
#pragma once

#include "base/error.h"
#include "model/model.h"

#include <cstdint>
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
    std::uint64_t logits = 0;

    [[nodiscard]] std::uint64_t total() const { return weights + kvCache + recurrentState + buffers + logits; }
    [[nodiscard]] std::uint64_t anonymous() const { return total() - weights; }
};

// Errors: NotSupported, naming the key that is missing or the kind of file (vocabulary, adapter, projector) that
// cannot be run.
[[nodiscard]] Result<MemoryEstimate> estimateMemory(const Model& model, const MemoryRequest& request);

// The largest context whose total fits `budget` bytes (at most the trained one); nothing if none does.
[[nodiscard]] Result<std::optional<std::uint64_t>> largestContext(const Model& model, const MemoryRequest& request,
                                                                  std::uint64_t budget);

} // namespace gufo
