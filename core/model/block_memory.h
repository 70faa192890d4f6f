// What each block of a model keeps from token to token: keys and values, or a recurrent state.
#pragma once

#include "base/checked_size.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/model.h"

#include <vector>

namespace gufo {

// K and V that blocks of one kind keep; equal blocks are counted, not repeated.
struct BlockKind {
    std::uint64_t keyRow = 0;   // elements of K a token: KV heads × key length
    std::uint64_t valueRow = 0; // likewise V
    std::uint64_t heads = 0;    // KV heads that share the rows
    std::uint64_t window = 0;   // 0: the whole context
    std::uint64_t blocks = 0;

    auto operator<=>(const BlockKind&) const = default;
    [[nodiscard]] bool sameAs(const BlockKind& other) const {
        return keyRow == other.keyRow && valueRow == other.valueRow && heads == other.heads && window == other.window;
    }
};

// Equal blocks together. By order: a hostile file may make every one of them different.
[[nodiscard]] std::vector<BlockKind> groupBlocks(std::vector<BlockKind> blocks);

// Recurrent state of one block, in elements (f32).
//   RWKV: token shifts × n_embd + head size × n_embd
//   short convolution (LFM2): (taps − 1) × n_embd
//   linear attention of Kimi: 3 × (conv − 1) × d + head² × heads, d = heads × head
//   Mamba and its kin: (conv − 1) × (d_inner + 2 × groups × d_state) + d_state × d_inner; Mamba 1 has no groups
[[nodiscard]] CheckedSize recurrentElements(const HyperParameters& parameters, std::uint64_t embedding,
                                            std::uint64_t heads);

// The blocks of a model by its hyper-parameters and, where they are there, its tensors. Views the model.
class Blocks {
public:
    Blocks(const Model& model, const HyperParameters& parameters, std::uint64_t count); // count <= kMaxBlocks

    [[nodiscard]] std::uint64_t keyLength() const { return m_keyLength; }
    [[nodiscard]] std::uint64_t valueLength() const { return m_valueLength; }
    [[nodiscard]] bool recurrent(std::uint64_t i) const;
    // The K and V that block `i` keeps; zero rows where it keeps none.
    [[nodiscard]] BlockKind kind(std::uint64_t i) const;

private:
    // Which parts the tensors of a block show; all false where a shard is missing.
    struct Parts {
        bool any = false;
        bool attention = false; // a key or value projection
        bool joined = false;    // query, key and value in one: linear attention has it too
        bool recurrent = false;
    };

    void findParts(const Model& model);
    [[nodiscard]] std::uint64_t heads(std::uint64_t i) const;
    [[nodiscard]] bool windowed(std::uint64_t i) const;

    const ArchitectureFact* m_architecture;
    std::vector<Parts> m_parts;
    BlockValues m_heads;
    BlockValues m_sharedHeads;
    BlockValues m_pattern; // of windows
    std::uint64_t m_keyLength = 0;
    std::uint64_t m_valueLength = 0;
    std::uint64_t m_windowKeyLength = 0; // in blocks with a window
    std::uint64_t m_windowValueLength = 0;
    std::uint64_t m_window = 0;
    std::uint64_t m_windowPeriod = 0;
    std::uint64_t m_latentRow = 0; // elements of latent attention's one row, 0 without it
    std::uint64_t m_attentionInterval = 0;
    bool m_stateful = false;
    std::uint64_t m_withCache = 0; // blocks from the first that may keep K and V
};

} // namespace gufo
