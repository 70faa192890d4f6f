// The state that each block of a model keeps between tokens: keys and values, or a recurrent state.
#pragma once

#include "base/checked.h"
#include "model/architectures.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/model.h"

#include <vector>

namespace gufo {

// The K and V that blocks of one kind keep. Equal blocks are counted instead of repeated.
struct BlockKind {
    std::uint64_t keyRow = 0;   // elements of K per token and KV head (the key length)
    std::uint64_t valueRow = 0; // the same for V
    std::uint64_t indexRow = 0; // elements of the key that an indexer reads, per token
    std::uint64_t heads = 0;    // KV heads that share the rows
    std::uint64_t window = 0;   // 0: the whole context
    std::uint64_t blocks = 0;

    auto operator<=>(const BlockKind&) const = default;
    [[nodiscard]] bool sameAs(const BlockKind& other) const {
        return keyRow == other.keyRow && valueRow == other.valueRow && indexRow == other.indexRow &&
               heads == other.heads && window == other.window;
    }
};

// Groups equal blocks. It sorts them, because in a hostile file every block may be different.
[[nodiscard]] std::vector<BlockKind> groupBlocks(std::vector<BlockKind> blocks);

// The recurrent state of one block in elements (f32).
//   RWKV: token shifts × n_embd + head size × n_embd
//   short convolution (LFM2): (taps − 1) × n_embd
//   Kimi's linear attention: 3 × (conv − 1) × d + head² × heads, d = heads × head
//   Mamba family: (conv − 1) × (d_inner + 2 × groups × d_state) + d_state × d_inner; Mamba 1 has no groups
[[nodiscard]] CheckedSize recurrentElements(const HyperParameters& parameters, std::uint64_t embedding,
                                            std::uint64_t heads);

// The blocks of a model, as described by its hyper-parameters and, where they are present, its tensors. Refers to the
// model, which must outlive it.
class Blocks {
public:
    Blocks(const Model& model, const HyperParameters& parameters, std::uint64_t count); // count <= kMaxBlocks

    [[nodiscard]] std::uint64_t keyLength() const { return m_keyLength; }
    [[nodiscard]] std::uint64_t valueLength() const { return m_valueLength; }
    [[nodiscard]] bool recurrent(std::uint64_t i) const;
    // The K and V that block `i` keeps. Rows are 0 if it keeps none.
    [[nodiscard]] BlockKind kind(std::uint64_t i) const;
    // The window of block `i`, whether or not it keeps K and V itself; 0: none.
    [[nodiscard]] std::uint64_t window(std::uint64_t i) const;
    // Whether block `i` has a window according to the model's pattern, even if the file states no window's size.
    [[nodiscard]] bool inPattern(std::uint64_t i) const;

private:
    // The parts that a block has according to its tensors; all false if its shard is missing.
    struct Parts {
        bool any = false;
        bool attention = false; // a key or value projection
        bool joined = false;    // a fused query, key and value projection, which linear attention has too
        bool recurrent = false;
        bool indexer = false;
    };

    void findParts(const Model& model);
    [[nodiscard]] std::uint64_t heads(std::uint64_t i) const;

    const ArchitectureFact* m_architecture;
    std::vector<Parts> m_parts;
    BlockValues m_heads;
    BlockValues m_sharedHeads;
    BlockValues m_windows; // sliding windows or, of some models, chunks
    BlockValues m_pattern; // of the blocks that have one
    std::uint64_t m_keyLength = 0;
    std::uint64_t m_valueLength = 0;
    std::uint64_t m_windowKeyLength = 0; // in blocks with a window
    std::uint64_t m_windowValueLength = 0;
    std::optional<std::uint64_t> m_usualWindow{}; // replaces m_windows
    std::uint64_t m_windowPeriod = 0;
    std::uint64_t m_latentRow = 0; // elements of the single row of latent attention; 0 for other models
    std::uint64_t m_indexRow = 0;  // of the key of an indexer, in blocks that have one
    std::uint64_t m_attentionInterval = 0;
    bool m_stateful = false;
    std::uint64_t m_withCache = 0; // number of leading blocks that may keep K and V
};

} // namespace gufo
