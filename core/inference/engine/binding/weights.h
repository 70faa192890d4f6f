// The tensors of a model as the forward pass uses them: matrices stay where they are in the mapping; norms and biases,
// which are small, are decoded once.
#pragma once

#include "inference/engine/binding/shape.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

// A matrix, or one for each expert, in its encoded form. Rows are outputs: y = M x has `rows` elements, x `columns`.
struct Matrix {
    std::uint32_t typeId = 0;
    const std::byte* data = nullptr; // null: there is none
    std::uint64_t columns = 0;
    std::uint64_t rows = 0;
    std::uint64_t experts = 1;
    std::uint64_t rowBytes = 0;
    ByteOrder order = ByteOrder::Little;
    std::span<const float> bias{}; // of all experts, one after another; empty: none

    explicit operator bool() const { return data != nullptr; }
    [[nodiscard]] const std::byte* row(std::uint64_t index) const { return data + index * rowBytes; }
    // That of one expert.
    [[nodiscard]] Matrix expert(std::uint64_t index) const;
    // Some of its rows, as a matrix of its own.
    [[nodiscard]] Matrix part(std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] std::uint64_t bytes() const { return rows * rowBytes * experts; }
};

struct Norm {
    std::vector<float> weight; // empty: there is none
    std::vector<float> bias;   // empty: none
    // What is normed together. A longer vector is normed piece by piece: each with its own weights where there are as
    // many, else all with the same.
    std::uint64_t length = 0;
    explicit operator bool() const { return !weight.empty(); }
};

struct FeedForwardWeights {
    Matrix gate; // absent where the activation has no gate
    Matrix up;
    Matrix down;
    explicit operator bool() const { return static_cast<bool>(up); }
};

struct AttentionWeights {
    Matrix query;
    Matrix key;
    Matrix value;
    Matrix output;
    Norm queryNorm;
    Norm keyNorm;
    // Latent attention.
    Matrix queryDown;
    Norm queryDownNorm;
    Matrix keyValueDown; // the latent row, then the rotated part of the key
    Norm keyValueNorm;
    // From the latent, head by head: in one matrix the key's unrotated part, then the value; or in two, of which that
    // of keys is turned round (from the key's part to the latent).
    Matrix keyValueUp;
    Matrix keyAbsorbed;
    Matrix valueUp;
};

struct MambaWeights {
    Matrix in;
    std::vector<float> convolution; // [inner][taps]
    std::vector<float> convolutionBias;
    Matrix x;
    Matrix timeStep;
    std::vector<float> a; // [inner][state]
    std::vector<float> d;
    Matrix out;
};

struct RwkvWeights {
    Matrix mixDown; // to five groups of extra dimensions
    std::vector<Matrix> mixUp;
    std::vector<float> mixBase;
    std::vector<std::vector<float>> mix; // w, k, v, r, g
    std::vector<float> first;
    std::vector<float> decay;
    Matrix decayDown;
    Matrix decayUp;
    Matrix key;
    Matrix value;
    Matrix receptance;
    Matrix gate;
    Norm norm;
    Matrix output;
    std::vector<float> channelMixKey;
    std::vector<float> channelMixReceptance;
    Matrix channelKey;
    Matrix channelValue;
    Matrix channelReceptance;
};

struct BlockWeights {
    Norm attentionNorm;
    Norm attentionNorm2; // falcon: attention's own; rwkv: the channel mix's
    Norm attentionPostNorm;
    AttentionWeights attention;
    Norm feedForwardNorm;
    Norm feedForwardPostNorm;
    FeedForwardWeights feedForward;
    Matrix router;
    std::vector<float> routerBias; // for the choice only
    FeedForwardWeights experts;
    FeedForwardWeights sharedExpert;
    Matrix sharedExpertGate;
    MambaWeights mamba;
    RwkvWeights rwkv;
};

struct Weights {
    Matrix embedding;
    Norm embeddingNorm;
    Matrix positions;
    Norm outputNorm;
    Matrix output;                       // the embedding, where they are tied
    std::vector<float> ropeFactors;      // of each pair; empty: none
    std::vector<float> ropeFactorsLong;  // where the context is longer than the original one
    std::vector<float> ropeFactorsShort; // otherwise
    std::vector<BlockWeights> blocks;
    std::deque<std::vector<float>> biases; // what the matrices view
    // What was counted while it was bound (inference/binder.h).
    std::uint64_t widestRow = 0;         // columns of any matrix that activations are multiplied by
    bool halves = false;                 // whether some of these are of 16-bit floats
    std::uint64_t widestFeedForward = 0; // rows of any feed-forward's first matrices
    std::uint64_t mostExperts = 0;       // that any block chooses from; 0: no block has experts
    std::uint64_t smallBytes = 0;        // of all that was decoded
    std::uint64_t bytesPerToken = 0;     // of matrices that every token reads; of experts, those used
    std::uint64_t productsPerToken = 0;  // of the same, the output aside
    std::vector<std::string> leftOut;    // tensors of the file that change nothing and are not used
};

// What the forward pass asked for and did not find: what a model could still have, in the order that it was asked for.
struct AbsentTensor {
    std::string name;
    std::vector<std::uint64_t> dims; // Binder::kAsInFile: any; empty: it was not said
    bool required;
};

// Small tensors lie all over the file, and the system reads around each: to learn what a run would need, or why it
// cannot be, they are not read; they are then zeros.
enum class SmallTensors : std::uint8_t { Decoded, NotRead };

// Completes `shape` (vocabulary). Errors: NoSuchTensor (args: all that are missing), WrongShape, NotRunnable (args: the
// tensor types), TensorsNotUsed (args: those that have no place in the forward pass), FileNotFound (a missing shard),
// Truncated, RangeOutsideFile. `absent`, if not null, takes what the model does not have, whether it has to or not.
[[nodiscard]] Result<Weights> bindWeights(const Model& model, ModelShape& shape,
                                          SmallTensors small = SmallTensors::Decoded,
                                          std::vector<AbsentTensor>* absent = nullptr);

} // namespace gufo::inference
