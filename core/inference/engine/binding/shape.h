// The hyper-parameters that the forward pass needs, read from the metadata and validated once.
#pragma once

#include "base/error.h"
#include "inference/engine/binding/graph_traits.h"
#include "inference/interface/pooling.h"
#include "inference/interface/session_options.h"
#include "model/model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

struct RopeShape {
    double base = 10'000;
    double scale = 1; // multiplies the frequencies: 1 / factor
    RopeScaling scaling = RopeScaling::None;
    double attentionFactor = 1;        // multiplies sines and cosines
    std::uint32_t originalContext = 0; // before scaling
    double yarnFast = 32;
    double yarnSlow = 1;
    double yarnLogMultiplier = 0; // deepseek2: attention scores grow with the logarithm of the scaling
    bool pairFactors = true;      // use the file's factors for each pair, if it has any
    std::uint32_t rotated = 0;    // elements of a head
    std::vector<bool> still{};    // the pairs that are not rotated in a text; empty: none
};

// Widths of feed-forwards.
struct ExpertWidths {
    std::uint32_t each = 0;   // of an expert; 0: the block has a dense feed-forward instead
    std::uint32_t shared = 0; // of all shared experts together; 0: none
};

struct BlockShape {
    std::uint32_t heads = 0; // 0: the block does not attend
    std::uint32_t kvHeads = 0;
    // Positions that a token attends to, its own included; 0: all. Where attention is not causal, half of them (rounded
    // down) on either side.
    std::uint32_t window = 0;
    std::uint32_t feedForward = 0;
    bool rotates = true;           // queries and keys
    bool causal = true;            // no token attends to later ones
    bool chunked = false;          // the window begins at a multiple of its length
    std::uint32_t keyLength = 0;   // of a head
    std::uint32_t valueLength = 0; // of a head
    std::uint32_t source = 0;      // the block whose keys and values this one uses; usually itself
    double sparsity = 0;    // gates below the mean and this many standard deviations become 0; 0: all gates count
    bool recurrent = false; // mixes by a state of constant size
    bool feeds = true;      // has a feed-forward
    std::optional<ExpertWidths> experts; // as the keys say; nothing: as the tensors show

    [[nodiscard]] bool attends() const { return heads != 0; }
    [[nodiscard]] bool mixes() const { return attends() || recurrent; }
    // The first position that a token attends to.
    [[nodiscard]] std::uint32_t firstSeen(std::uint32_t position) const {
        if (!causal) {
            return window == 0 || position < window / 2 ? 0 : position - window / 2;
        }
        if (window == 0 || position < window) {
            return 0;
        }
        return chunked ? position - position % window : position - window + 1;
    }
    // One past the last position that a token attends to, out of `end`.
    [[nodiscard]] std::uint32_t endSeen(std::uint32_t position, std::uint32_t end) const {
        if (causal) {
            return position + 1;
        }
        return window == 0 || end - position <= window / 2 ? end : position + window / 2 + 1;
    }
};

// Queries are multiplied by 1 + growth × ln(1 + (position + offset) / length rounded down).
struct TemperatureShape {
    double growth = 0; // 0: they are not
    std::uint32_t length = 1;
    std::uint32_t offset = 0;
    bool unrotatedOnly = false; // applies only to blocks without RoPE
};

// x > 0: positive x² + beta x; otherwise negative (e^min(x, epsilon) − 1 − x) + beta x.
struct XieluShape {
    float positive = 0;
    float negative = 0;
    float beta = 0;
    float epsilon = 0;
};

struct ExpertShape {
    std::uint32_t count = 0;
    std::uint32_t used = 0;
    bool normalised = true;
    double scale = 1;
    Gating gating = Gating::Softmax;
    std::uint32_t groups = 1; // of experts; only the best `usedGroups` are considered
    std::uint32_t usedGroups = 1;
    std::uint32_t latent = 0;   // elements that experts read and write; 0: the width of the stream
    bool mayLackShared = false; // the file says that it has no shared experts
};

// The lightweight heads that choose the positions to which latent attention attends (blocks/indexer.h).
struct IndexerShape {
    std::uint32_t heads = 0; // 0: there is no indexer
    std::uint32_t keyLength = 0;
    std::uint32_t best = 0; // positions that a token attends to, at most
};

// How the states of tokens become vectors and scores.
struct PoolingShape {
    std::optional<Pooling> asked;                     // by the file
    Pooling rankedRow = Pooling::Last;                // what the ranking head reads
    HeadActivation activation = HeadActivation::Tanh; // of the ranking head
    std::vector<std::string> labels{};                // of its scores; empty: there is one score
};

struct ModelShape {
    const GraphTraits* architecture = nullptr;
    bool causal = true; // no token attends to later ones
    Activation activation = Activation::Silu;
    PoolingShape pooling;
    std::uint32_t embedding = 0;
    std::uint32_t vocabulary = 0;
    std::uint32_t trainedContext = 0;
    std::uint32_t keyLength = 0;   // of a head
    std::uint32_t valueLength = 0; // of a head
    std::uint32_t rotated = 0;     // elements of a head that RoPE rotates, in blocks without a window
    std::uint32_t layerInput = 0;  // length of each block's own embedding of the token; 0: none
    std::uint32_t queryRank = 0;   // of latent attention; 0: queries are projected directly
    std::uint32_t keyValueRank = 0;
    IndexerShape indexer;
    double epsilon = 1e-5;
    double queryFactor = 1; // multiplies attention scores
    double alibi = 0;
    std::uint32_t distanceBuckets = 0; // that share a bias of attention scores; 0: there are no such biases
    TemperatureShape temperature;
    bool plainHeadNorms = false; // rotated queries and keys are normed without weights
    double clamp = 0;            // limit of queries, keys and values; 0: none
    double attentionCap = 0;     // soft cap of attention scores; 0: none
    double logitCap = 0;         // soft cap of logits; 0: none
    double logitFactor = 1;
    double embeddingFactor = 1;
    double branchFactor = 1; // multiplies what a block adds to the stream
    RopeKind ropeKind = RopeKind::None;
    bool parallel = false; // parallel residual; ByNorms is decided for each block
    RopeShape rope;
    RopeShape windowRope; // of blocks with a sliding window
    ExpertShape experts;
    std::shared_ptr<const KindShape> recurrence; // of recurrent blocks, whose kind knows it; null: there are none
    std::vector<BlockShape> blocks;              // only the evaluated blocks
    std::vector<XieluShape> xielu;               // by block; empty for other activations
    std::uint32_t declaredBlocks = 0;            // in the file; the last ones may only predict further tokens
    std::uint32_t firstBlock = 0;                // the number that the file gives to blocks.front()
};

// Errors: NotRunnable (args: the architecture, tensor types, rope scaling or kind of file that the engine does not
// support), NoSuchKey (args: the hyper-parameters that are missing), InvalidArgument (one that has no possible value).
[[nodiscard]] Result<ModelShape> readShape(const Model& model);

// Returns the shape of a model of one block, the first block that predicts further tokens (engine/mtp_drafter.h).
// Errors: as readShape(); NoSuchKey (args: nextn_predict_layers) where the file has no such block.
[[nodiscard]] Result<ModelShape> readPredictorShape(const Model& model);

// Returns the shape that a session runs with: `asked` replaces the file's rope scaling, and dependent figures are
// computed. Must be applied once to a shape from readShape(). Errors: see LoadedModel::startSession().
[[nodiscard]] Result<ModelShape> withRope(ModelShape shape, const RopeOverride& asked);

} // namespace gufo::inference
