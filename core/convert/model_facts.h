// The facts about a source that the rules of an architecture need: its configuration, and the sizes that operations on
// tensors depend on.
//
// Threads: immutable.
#pragma once

#include "convert/source_folder.h"
#include "convert/source_tensors.h"
#include "convert/vocabulary/key_list.h"

#include <array>
#include <string>

namespace gufo::convert {

// The names of a setting. The first of them that the configuration has applies.
using SettingNames = std::array<std::string_view, 8>;

class ModelFacts {
public:
    explicit ModelFacts(const SourceFolder& source);

    [[nodiscard]] const SourceFolder& source() const { return m_source; }
    // The first name of `architectures` in config.json, or else the class that `model_type` means; empty if there is
    // none. A model of several modalities may state one for its text model and one for the whole.
    [[nodiscard]] const std::string& modelClass() const { return m_class; }
    [[nodiscard]] const std::string& outerClass() const { return m_outerClass; }
    [[nodiscard]] const std::string& classFrom() const { return m_classFrom; } // "config.json:architectures"

    [[nodiscard]] std::optional<Setting> find(const SettingNames& names) const;
    // The value of a setting, or 0.
    [[nodiscard]] std::uint64_t number(const SettingNames& names) const;

    [[nodiscard]] std::uint64_t blocks() const { return m_blocks; }
    [[nodiscard]] std::uint64_t heads() const { return m_heads; }
    [[nodiscard]] std::uint64_t kvHeads() const { return m_kvHeads; }
    [[nodiscard]] std::uint64_t hidden() const { return m_hidden; }
    [[nodiscard]] std::uint64_t headWidth() const { return m_headWidth; }
    [[nodiscard]] std::uint64_t experts() const { return m_experts; }
    // Layers that predict further tokens.
    [[nodiscard]] std::uint64_t draftBlocks() const { return m_draftBlocks; }

    // "linear", "yarn", "llama3" …; empty if positions are not scaled.
    [[nodiscard]] std::string ropeScaling() const;

private:
    void takeClassOfType();

    const SourceFolder& m_source;
    std::string m_class;
    std::string m_outerClass;
    std::string m_classFrom;
    std::uint64_t m_blocks;
    std::uint64_t m_heads;
    std::uint64_t m_kvHeads;
    std::uint64_t m_hidden;
    std::uint64_t m_headWidth;
    std::uint64_t m_experts;
    std::uint64_t m_draftBlocks;
};

inline constexpr SettingNames kBlockNames = {"n_layers", "num_hidden_layers", "n_layer", "num_layers"};
inline constexpr SettingNames kHeadNames = {"num_attention_heads", "n_head", "n_heads", "num_heads"};
inline constexpr SettingNames kKvHeadNames = {"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv"};
inline constexpr SettingNames kHiddenNames = {"hidden_size", "n_embd", "dim", "d_model"};
inline constexpr SettingNames kHeadWidthNames = {"head_dim"};
inline constexpr SettingNames kExpertNames = {"num_local_experts", "num_experts", "n_routed_experts",
                                              "moe.num_experts"};
inline constexpr SettingNames kDraftBlockNames = {"mtp_num_hidden_layers"};
inline constexpr SettingNames kRopeBaseNames = {"rope_theta", "global_rope_theta", "rope_parameters.rope_theta",
                                                "rope_parameters.full_attention.rope_theta"};
inline constexpr SettingNames kContextNames = {
    "max_position_embeddings", "n_ctx",     "n_positions", "max_length", "max_seq_len", "max_sequence_length",
    "model_max_length",        "seq_length"};
// As find(), for members of the scaling of positions, which is an object under one of two names.
[[nodiscard]] std::optional<Setting> findScaling(const ModelFacts& facts, std::string_view member);

} // namespace gufo::convert
