// The tensors of a model as the forward pass uses them. Matrices stay in the mapped file; norms and biases, which are
// small, are decoded once.
#pragma once

#include "inference/engine/binding/graph_part.h"
#include "inference/engine/binding/shape.h"
#include "tensor/decode.h"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

// The matrix of one expert that comes from another file (model/swapped_model.h).
struct ForeignMatrix {
    std::uint32_t typeId = 0;
    const std::byte* data = nullptr; // null: the expert is not foreign
    std::uint64_t rowBytes = 0;
};

// An encoded matrix, or one for each expert. y = M x has `rows` elements and x has `columns`.
struct Matrix {
    std::uint32_t typeId = 0;
    const std::byte* data = nullptr; // null: no matrix, or one that was bound without its bytes
    std::uint64_t columns = 0;
    std::uint64_t rows = 0;
    std::uint64_t experts = 1;
    std::uint64_t expertRows = 0; // from the first row of one expert to the first row of the next
    std::uint64_t rowBytes = 0;
    ByteOrder order = ByteOrder::Little;
    std::span<const float> bias{};    // one for each row of all experts; empty: no bias
    std::span<const float> factors{}; // multiply products before the bias: one, or one for each expert; empty: none
    bool finerActivations = false;    // it is multiplied by activations of about sixteen bits (see Binder)
    std::span<const ForeignMatrix> foreign{}; // one for each expert; empty: all are in the same file
    std::uint64_t firstRow = 0;               // of a part, in the matrix of each expert; foreign ones need it

    explicit operator bool() const { return rows != 0; }
    [[nodiscard]] const std::byte* row(std::uint64_t index) const { return data + index * rowBytes; }
    // The matrix of one expert.
    [[nodiscard]] Matrix expert(std::uint64_t index) const;
    // A view of `count` rows from `first` on, of each expert.
    [[nodiscard]] Matrix part(std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] std::uint64_t bytes() const { return rows * rowBytes * experts; }
    [[nodiscard]] float factor() const { return factors.empty() ? 1 : factors.front(); }
    // The rows of a matrix without other experts, to be decoded.
    [[nodiscard]] StoredRows stored() const;
};

struct Norm {
    std::vector<float> weight; // empty: no norm
    std::vector<float> bias;   // empty: no bias
    // Number of elements normed together. A longer vector is normed piece by piece, with different weights for each
    // piece if there are enough of them.
    std::uint64_t length = 0;
    explicit operator bool() const { return !weight.empty(); }
};

struct FeedForwardWeights {
    Matrix gate; // empty where the activation has no gate
    Matrix up;
    Matrix down;
    Norm downNorm; // of the input of `down`
    explicit operator bool() const { return static_cast<bool>(up); }
};

struct AttentionWeights {
    Matrix query;
    Matrix key;
    Matrix value;
    Matrix output;
    Norm queryNorm;
    Norm keyNorm;
    // Where norms follow RoPE: the weights of both norms, multiplied. Cached keys are normed without weights, so that
    // they can still be rotated.
    std::vector<float> scoreWeights;
    std::vector<float> sinks; // by head: a score that only adds to the sum of the softmax; empty: none
    // T5: by head, the biases of the scores of keys at the distances [−kFarthest, kFarthest] from the query; the
    // outermost biases also apply to keys that are farther away. Empty: no biases.
    static constexpr std::int32_t kFarthest = 128;
    static constexpr std::size_t kDistances = 2 * std::size_t{kFarthest} + 1;
    std::vector<float> distanceBiases;
    Norm outputNorm;                             // of the input of `output`
    std::shared_ptr<const KindWeights> latent{}; // of latent attention
};

struct ConvolutionWeights {
    std::vector<float> taps; // [tap][channel]; the last tap meets the current token
    std::vector<float> bias; // empty: none
};

// A block's own embedding of the token is added to the stream through a gate.
struct LayerInputWeights {
    Matrix gate;
    Matrix projection;
    Norm norm; // of the result
};

struct BlockWeights {
    Norm attentionNorm;
    // falcon: the norm of attention; rwkv: of the channel mix; others: see GraphTraits::norm.addsInput
    Norm attentionNorm2;
    Norm attentionPostNorm;
    AttentionWeights attention;
    Norm feedForwardNorm;
    Norm feedForwardPostNorm;
    FeedForwardWeights feedForward;
    Matrix router;
    std::vector<float> routerBias; // affects only which experts are chosen
    // Where a dense feed-forward and experts work side by side, each has its own norms.
    Norm routerNorm;
    Norm expertsNorm;
    Norm expertsPostNorm;
    Norm densePostNorm;
    FeedForwardWeights experts;
    FeedForwardWeights sharedExpert;
    Matrix sharedExpertGate;
    Matrix latentDown;                               // makes the experts' input from the block's input
    Matrix latentUp;                                 // the reverse, of their sum
    float outputScale = 1;                           // multiplies the stream after the block
    std::shared_ptr<const KindWeights> recurrence{}; // of a recurrent block
    std::shared_ptr<const KindWeights> indexer{};    // null: tokens attend to all positions
    std::shared_ptr<const KindWeights> altUp{};      // null: there is a single stream
};

// What makes the input of a block that predicts further tokens (engine/mtp_drafter.h).
struct PredictionWeights {
    Norm embeddingNorm;
    Norm stateNorm;
    Matrix projection; // of both, one after the other
};

// Makes the scores of a text from the state of a token, or from the mean of all.
struct RankingHead {
    Matrix dense; // may be empty
    Norm norm;    // may be empty
    Matrix output;
    explicit operator bool() const { return static_cast<bool>(output); }
};

struct Weights {
    Matrix embedding;
    Matrix tokenTypes; // only the first row is used
    Norm embeddingNorm;
    Matrix positions;
    Norm outputNorm;
    Matrix output; // the embedding, where the two are tied
    RankingHead rankingHead;
    std::array<Matrix, 2> projections;   // of pooled vectors, one after the other; may be empty
    std::vector<float> ropeFactors;      // one for each pair; empty: none
    std::vector<float> ropeFactorsLong;  // for contexts beyond the original one
    std::vector<float> ropeFactorsShort; // otherwise
    Matrix layerInputTable;              // embeddings of all blocks
    Matrix layerInputProjection;
    Norm layerInputNorm;
    std::shared_ptr<const KindWeights> altUp{}; // makes its streams; null: there is a single stream
    std::vector<BlockWeights> blocks;
    std::vector<LayerInputWeights> layerInputs;     // by block; empty if blocks have no embeddings of their own
    PredictionWeights prediction;                   // only of a block that predicts further tokens
    std::deque<std::vector<float>> biases;          // storage of the biases and factors that matrices view
    std::deque<std::vector<ForeignMatrix>> foreign; // storage of the foreign matrices that stacks view
    // Counted while tensors are bound (binder.h):
    std::uint64_t widestRow = 0;         // columns of any matrix that activations are multiplied by
    bool hasFloat16 = false;             // whether any such matrix has 16-bit floats
    std::uint64_t widestFiner = 0;       // columns of any matrix with finer activations that are rounded
    std::uint64_t widestFeedForward = 0; // rows of the first matrices of any feed-forward
    std::uint64_t mostExperts = 0;       // that any block chooses from; 0: no block has experts
    std::uint64_t smallBytes = 0;        // of everything decoded, and of `blocks`
    std::uint64_t bytesPerToken = 0;     // of the matrices that each token reads, counting only the experts used
    std::uint64_t productsPerToken = 0;  // multiplications in these matrices, without the output
    std::vector<std::string> leftOut;    // tensors of the file that do not affect the answers and are not used
};

// A tensor that the forward pass asked for and did not find.
struct AbsentTensor {
    std::string name;
    std::vector<std::uint64_t> dims; // Binder::kAsInFile: any number; empty: not specified
    bool required;
};

// A tensor that the forward pass uses in another shape.
struct MisshapenTensor {
    TensorIndex tensor;
    std::vector<std::uint64_t> dims; // as AbsentTensor::dims
};

// How the tensors of a file differ from the tensors that the forward pass asks for, each list in the order of the
// requests.
struct BindingReport {
    std::vector<AbsentTensor> absent; // required or not; the same tensor may be listed again
    std::vector<MisshapenTensor> misshapen;
    std::vector<TensorIndex> unused;               // without a place in the forward pass (binding/binder.cpp)
    std::vector<std::optional<GraphPart>> parts{}; // by tensor: the part that asked for it; nothing: none did
    bool complete = true; // false: the tensors would take so much memory that not all were looked at
};

// Whether small tensors are read. They are scattered over the file, and the system reads ahead around each. To find out
// what a run would need, or why it is impossible, zeros take their place. NotViewed means that no bytes of any tensor
// are asked for, so that nothing of a file on a server is fetched and files without weights can be checked, too:
// matrices then have shapes only, and no biases.
enum class SmallTensors : std::uint8_t { Decoded, NotRead, NotViewed };

// Completes `shape` (vocabulary). `report`, if not null, receives everything that does not fit, not only the first
// reason for an error. Errors: NoSuchTensor (args: all that are missing), WrongShape, NotRunnable (args: the tensor
// types), TensorsNotUsed (args: the tensors that have no place in the forward pass), FileNotFound (a missing shard),
// Truncated, RangeOutsideFile.
[[nodiscard]] Result<Weights> bindWeights(const Model& model, ModelShape& shape,
                                          SmallTensors small = SmallTensors::Decoded, BindingReport* report = nullptr);

// Says how the tensors of a model differ from the tensors that the forward pass asks for, by its header alone. Errors:
// the errors of readShape().
[[nodiscard]] Result<BindingReport> examineTensors(const Model& model);

// Binds the block that predicts further tokens: `shape` comes from readPredictorShape() and is completed here. The
// block shares with the model the embedding, the last norm and the output that it does not have itself. Errors: as
// bindWeights(), which concern only the tensors that this block uses.
[[nodiscard]] Result<Weights> bindPredictor(const Model& model, ModelShape& shape, SmallTensors small);

} // namespace gufo::inference
