// Finds out which tensors make a model answer differently from another file of the same model: how far the predictions
// diverge when a part of the tensors is swapped, in both directions.
//
// The text is the first window of the given tokens, and its second half is scored, as by perplexity(). A run shares all
// blocks before the first one that a part changes: the walk keeps the rows that enter the current block, so a map by
// block costs about as many evaluations as the model has blocks, in each direction half of them. Parts whose bytes are
// the same in both files are not run.
//
// Thread contract: any thread, one at a time.
#pragma once

#include "base/job_context.h"
#include "inference/interface/session_options.h"
#include "model/model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

enum class BlameBy : std::uint8_t { Block, Role, Tensor, Expert };

// Tensors that are swapped together. All of them differ between the files, and the engine uses them.
struct BlamePart {
    std::string name;                      // "blk.3", "attn_v", "blk.3.attn_v.weight", "blk.3[5]" (an expert)
    std::vector<TensorIndex> tensors;      // of the first model
    std::optional<std::uint64_t> expert{}; // only this matrix of each tensor
    std::size_t firstBlock = 0;            // that the part changes; the number of blocks: what follows the last one
};

struct BlameParts {
    std::vector<BlamePart> parts; // in the order of the forward pass
    std::size_t equal = 0;        // tensors that are the same in both files
    std::size_t unused = 0;       // tensors that differ, but do not take part in the forward pass
    std::size_t blocks = 0;

    // The number of blocks that a map evaluates, as a multiple of the blocks that a plain run evaluates.
    [[nodiscard]] double runs() const;
};

// Reads the tensors of equal types to find out which differ. `wanted`, if not empty, chooses tensors by name. Errors:
// the errors of checkSwappable() and readShape(); InvalidArgument (Detail::NoExperts); Cancelled.
[[nodiscard]] Result<BlameParts> blameParts(const Model& a, const Model& b, BlameBy by,
                                            const std::function<bool(std::string_view tensor)>& wanted,
                                            const JobContext& job);

struct BlameText {
    std::vector<TokenId> tokens; // all that are evaluated; the last one is scored
    std::size_t firstScored = 0; // index of the first token after which a prediction is scored
    [[nodiscard]] std::size_t scored() const { return tokens.size() - firstScored; }
};
// The window of a text: at most `window` tokens. `bos` replaces the first one. `position`, counted from 0 over the
// scored positions, leaves a single one. Errors: InvalidArgument (Detail::WindowTooLong: fewer than four tokens;
// Detail::NoScoredPosition).
[[nodiscard]] Result<BlameText> blameText(std::span<const TokenId> tokens, std::size_t window,
                                          std::optional<TokenId> bos, std::optional<std::size_t> position);

struct BlameShare {
    double fromOther = 0; // KL(A ‖ A with the part from B), mean over the scored positions, in nats
    double restored = 0;  // KL(A ‖ B) − KL(A ‖ B with the part from A)
};
struct Blame {
    double total = 0;               // KL(A ‖ B)
    std::vector<BlameShare> shares; // one for each part

    // What the sums of the shares leave unexplained of the total, or exceed it by (negative).
    [[nodiscard]] double interactionFromOther() const;
    [[nodiscard]] double interactionRestored() const;
};

// `options` are the options of a session, except that the text determines the context. `seen` is called after each part
// that was run, with its index and the shares so far. Progress counts evaluated blocks. Errors: the errors of
// startSession(), swapTensors() and Session::evaluate().
using BlameSeen = std::function<void(std::size_t part, const Blame& soFar)>;
[[nodiscard]] Result<Blame> blame(const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b,
                                  const BlameText& text, const BlameParts& parts, const SessionOptions& options,
                                  const BlameSeen& seen, const JobContext& job);

// The distance between the residual streams of A and B after a block, for each token.
struct LayerDistance {
    std::vector<double> relative; // |b − a| / |a|
    std::vector<double> cosine;
    // The share of the experts of A that B has chosen, too; empty: the block has no experts.
    std::vector<double> sameExperts{};
    // The experts of each token in A and in B, the strongest not necessarily first.
    std::vector<std::vector<std::uint32_t>> expertsOfA{};
    std::vector<std::vector<std::uint32_t>> expertsOfB{};
};
// One row for each block. Progress counts evaluated blocks of both models. Errors: the errors of blame().
[[nodiscard]] Result<std::vector<LayerDistance>> layerDistances(const std::shared_ptr<const Model>& a,
                                                                const std::shared_ptr<const Model>& b,
                                                                const BlameText& text, const SessionOptions& options,
                                                                const JobContext& job);

} // namespace gufo::inference
