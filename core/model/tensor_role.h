// The tensor name convention, which says what "blk.17.ffn_gate_exps.weight" is. The roles are a table in
// tensor_roles.inc, with their meaning in words. Of names in other containers, the number of the
// block is found ("model.layers.17.…"), and the role if the name means the same in all models.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gufo {

enum class TensorGroup : std::uint8_t { Embedding, Attention, FeedForward, Recurrent, Norm, Output, Other };

struct RoleFact {
    std::string_view name; // "ffn_gate_exps", "token_embd"
    TensorGroup group;
    bool perBlock;
    bool experts;       // the last dimension counts experts
    std::uint8_t order; // position within a block in the order of the forward pass; maps sort by it
};
[[nodiscard]] std::span<const RoleFact> roleFacts();

struct TensorName {
    const RoleFact* fact = nullptr;        // null for names outside the convention
    std::string_view role;                 // "ffn_gate_exps"; if unknown, the name without block and suffix
    std::optional<std::uint32_t> block{};  // 17
    std::optional<std::uint32_t> expert{}; // in old files that store each expert separately: "blk.3.ffn_gate.7.weight"
    std::string_view suffix;               // "weight", "bias", "lora_a" …; empty if none
    // "v.", "a.", "mm." … of multimodal projectors; in other containers, the part of the model: "vision_tower.encoder."
    // in "model.vision_tower.encoder.layers.3.…", where "model." encloses every name.
    std::string_view prefix;
};
[[nodiscard]] TensorName parseTensorName(std::string_view name);

// The dimension along which a tensor has an entry for each token of the vocabulary, as embeddings, heads and their
// biases have; nothing for all others.
[[nodiscard]] std::optional<std::size_t> dimensionOfTokens(const TensorName& name);

// The role with this name or alias, in a block or outside of blocks; null if there is none.
[[nodiscard]] const RoleFact* findRole(std::string_view name, bool perBlock);

} // namespace gufo
