// The tensors of a synthetic model: its dimensions (a row in model_plan.cpp) and a type for each tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::tools {

struct ModelShape {
    std::string_view name; // argument of --shape
    std::string_view description;
    std::uint32_t embedding = 0; // 0: a vocabulary without tensors
    std::uint32_t feedForward = 0;
    std::uint32_t blocks = 0;
    std::uint32_t heads = 0;
    std::uint32_t kvHeads = 0;
    std::uint32_t experts = 0; // 0: dense
    bool predicts = false;     // the last block only predicts further tokens; the architecture is glm4moe, and dense
    std::uint32_t vocabulary = 0;
    std::uint32_t extraKeys = 0; // keys that nobody knows
    bool merges = false;         // byte-level BPE with merges; otherwise scores
    std::string_view label;      // general.size_label
};
[[nodiscard]] std::span<const ModelShape> modelShapes();
[[nodiscard]] const ModelShape* findModelShape(std::string_view name);

// The types of the weights: a single type, or a mix as quantisers make them. Norms and routers stay F32.
struct TypeMix {
    std::string_view name;  // "Q4_K_M", "F16"
    std::uint32_t fileType; // general.file_type
    std::uint32_t typeId;   // of most tensors
    std::uint32_t betterId; // of the output, and in some blocks of attn_v and ffn_down
    bool quantised() const;
};
[[nodiscard]] std::span<const TypeMix> typeMixes();
[[nodiscard]] const TypeMix* findTypeMix(std::string_view name);

struct PlannedTensor {
    std::string name;
    std::uint32_t typeId;
    std::vector<std::uint64_t> dims; // fastest dimension first
    double mean;                     // of its values
    double deviation;
};
[[nodiscard]] std::vector<PlannedTensor> planTensors(const ModelShape& shape, const TypeMix& mix);

} // namespace gufo::tools
