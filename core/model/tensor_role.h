// The tensor name convention: what "blk.17.ffn_gate_exps.weight" is. One table of roles (tensor_role.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

enum class TensorGroup : std::uint8_t { Embedding, Attention, FeedForward, Recurrent, Norm, Output, Other };

struct RoleFact {
    std::string_view name; // "ffn_gate_exps", "token_embd"
    TensorGroup group;
    std::string_view meaning; // "Gate of all experts"
    bool perBlock;
    bool experts;       // the last dimension counts experts
    std::uint8_t order; // position within a block, as the forward pass uses it: sort key of maps
};
[[nodiscard]] std::span<const RoleFact> roleFacts();

struct TensorName {
    const RoleFact* fact = nullptr;        // null for names outside the convention
    std::string_view role;                 // "ffn_gate_exps"; the name without block and suffix when unknown
    std::optional<std::uint32_t> block{};  // 17
    std::optional<std::uint32_t> expert{}; // of old files that name each expert: "blk.3.ffn_gate.7.weight"
    std::string_view suffix;               // "weight", "bias", "lora_a" …; empty if none
    std::string_view prefix;               // "v.", "a.", "mm." … of multimodal projectors; "blk"-less families
};
[[nodiscard]] TensorName parseTensorName(std::string_view name);

} // namespace gufo
