// A table with one row for each supported architecture, which defines how its forward pass is built. Everything else
// about an architecture is in model/architectures.h, which has the same names. Properties that the tensors themselves
// show (biases, experts, fused projections, norms of queries and keys, a tied output) are not listed here: the graph
// follows the file.
#pragma once

#include "inference/interface/pooling.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace gufo::inference {

class BlockAttention;  // blocks/block_attention.h
class BlockStack;      // blocks/forward.h
class Mixer;           // blocks/mixer.h
class ShapeReader;     // binding/shape_reader.h
class WeightBinder;    // binding/weight_binder.h
struct ForwardContext; // blocks/forward.h
struct StackOptions;   // blocks/forward.h

// The kinds of blocks: one row each, declared below. A row is defined in the file of blocks/ that has the
// hyper-parameters, the tensors, the forward pass and the size of the state of its kind. The row of an architecture
// names its kinds. What their functions read and bind is constant afterwards.

// The hyper-parameters of a kind, and the tensors of a block of it. Only the file of the kind knows their members.
struct KindShape {
    virtual ~KindShape() = default;
};
struct KindWeights {
    virtual ~KindWeights() = default;
};

// Blocks that mix their tokens by a state of constant size, instead of attention or beside it (blocks/mixer.h).
struct RecurrentKind {
    std::string_view name; // as its authors call it
    std::shared_ptr<const KindShape> (*readShape)(ShapeReader& reader);
    std::shared_ptr<const KindWeights> (*bind)(WeightBinder& binder);
    std::size_t weightBytes; // of the object that `bind` returns
    std::unique_ptr<Mixer> (*make)(const ForwardContext& context, std::size_t batch);
};
extern const RecurrentKind kMamba;            // blocks/mamba.cpp
extern const RecurrentKind kMamba2;           // blocks/mamba2.cpp
extern const RecurrentKind kShortConvolution; // blocks/convolution.cpp
extern const RecurrentKind kGatedDelta;       // blocks/delta_net.cpp
extern const RecurrentKind kKimiDelta;

// How heads get queries, keys and values, and which of their rows are cached (blocks/block_attention.h).
struct AttentionKind {
    // One cached row serves all heads; its first keyValueRank elements are also the value.
    bool latent;
    void (*readShape)(ShapeReader& reader); // null if the kind has no keys of its own
    void (*bind)(WeightBinder& binder, std::size_t block);
    std::unique_ptr<BlockAttention> (*make)(const ForwardContext& context, const StackOptions& options);
};
extern const AttentionKind kMultiHeadAttention; // blocks/multi_head_attention.cpp
extern const AttentionKind kLatentAttention;    // blocks/latent_attention.cpp

// A stream of several rows for each token, which blocks mix.
struct StreamKind {
    void (*readShape)(ShapeReader& reader);
    void (*bindModel)(WeightBinder& binder); // the tensors that all blocks share
    void (*bind)(WeightBinder& binder, std::size_t block);
};
extern const StreamKind kAltUp; // blocks/alt_up.cpp

// All blocks of a model, with everything around the mixing of tokens.
struct StackKind {
    std::string_view name; // of the mixing of tokens, as its authors call it; empty: each block has its own
    bool attends;
    void (*readShape)(ShapeReader& reader);
    void (*bind)(WeightBinder& binder, std::size_t block);
    std::unique_ptr<BlockStack> (*make)(const ForwardContext& context, const StackOptions& options);
};
extern const StackKind kTransformer; // blocks/transformer.cpp
extern const StackKind kRwkv6;       // blocks/rwkv.cpp
extern const StackKind kRwkv7;       // blocks/rwkv7.cpp

// Which blocks are recurrent, in architectures with a kind of recurrent blocks.
enum class RecurrentBlocks : std::uint8_t {
    All,            // and none attends
    Beside,         // all, and all attend too
    WithoutKvHeads, // blocks whose attention.head_count_kv is 0
    ByInterval,     // all but every nth (full_attention_interval), or as attention.recurrent_layers says
};

// The parts of a block.
enum class BlockParts : std::uint8_t {
    MixAndFeed,
    Mix,       // no block has a feed-forward
    MixOrFeed, // a block with a feed_forward_length has nothing else
};

enum class NormKind : std::uint8_t { Rms, Layer };

// Which elements of a head form the pairs that RoPE rotates: neighbours, or one from each half.
enum class RopeKind : std::uint8_t { None, Interleaved, HalfSplit };

// Where the norms of a block are.
enum class Norms : std::uint8_t {
    Before,   // before attention and feed-forward
    After,    // after each
    Around,   // before and after each
    AfterSum, // after the result of each was added to the stream
};

// Which blocks rotate queries and keys.
enum class RotatedBlocks : std::uint8_t {
    All,
    ThreeOfFour,  // all but every fourth
    Windowed,     // blocks with a sliding window
    WindowsFirst, // blocks with a sliding window if there are any, or else all
};

// The meaning of rope.dimension_sections, which divide the pairs among the components of a position: time, height,
// width and a fourth one. In a text the first three are equal and the fourth is 0.
enum class RopeSections : std::uint8_t {
    Ignored,
    HalfSplit,   // change the pairs from neighbours to halves
    InOrder,     // consecutive pairs belong to the same component
    Interleaved, // time, height and width alternate
};

// Gelu is the tanh approximation, ExactGelu the definition with the error function. Xielu (arXiv 2411.13010) has
// parameters in the file. ClampedSwiglu, with the gate g and the other half u limited to 7 (u also to −7): g
// sigmoid(1.702 g) (u + 1).
enum class Activation : std::uint8_t { Silu, Gelu, ExactGelu, Relu, SquaredRelu, Xielu, ClampedSwiglu };

// The activation that a ranking head applies to its first product.
enum class HeadActivation : std::uint8_t { Tanh, ExactGelu, Silu };

// Where the feed-forward of a block reads from and adds to.
enum class Residual : std::uint8_t {
    Sequential,      // after attention
    Parallel,        // beside attention: both read the same stream
    ParallelByKey,   // as use_parallel_residual says; parallel by default
    ParallelByNorms, // parallel where the block has no separate norm for the feed-forward
};

// Attention scores are divided by the square root of this.
enum class QueryScale : std::uint8_t {
    HeadSize,
    HeadSizeOrShare, // in the largest model of the family: embedding / heads
    One,             // scores are not divided
};

// How queries grow with their position: by 1 + scale × ln(1 + position / length rounded down).
enum class Temperature : std::uint8_t {
    None,
    Scaled,       // attention.temperature_scale; the length is the context before scaling
    ScaledLength, // the same, with attention.temperature_length
    Unrotated,    // of blocks without RoPE: 0.1 and 8192, from the next position on
};

// The factors of embeddings, of the results of branches and of logits.
enum class Scales : std::uint8_t {
    LogitScale, // logits by logit_scale
    Granite,    // embeddings by embedding_scale, branches by residual_scale; logits are divided by logit_scale
    MiniCpm,    // the same; without these keys 12, 1.4 / √blocks and 256 / embedding length
    MiniCpm3,   // 12, 1.4 / √blocks; logits by 256 / embedding length
};

// How the router's logits become the weights of experts.
enum class Gating : std::uint8_t {
    Softmax,
    Sigmoid,
    SoftmaxOfChosen, // softmax over the chosen experts only
    SparseMixer,     // each choice has a softmax over the experts that come close to it (arXiv 2409.12136)
    InputSigmoid,    // sigmoid, which multiplies the input of an expert instead of its result
};

// Whether the weights of the chosen experts are normalised to sum to 1, where the file does not say.
enum class ExpertWeights : std::uint8_t { Normalised, AsTheyAre };

// Which blocks have experts, and how wide the experts and the shared experts are. Where keys state this, all blocks
// from leading_dense_block_count on have experts.
enum class ExpertSizes : std::uint8_t {
    AsTensors,   // the tensors of a block show it
    SharedCount, // expert_feed_forward_length; expert_shared_count shared ones, each as wide as an expert or, where it
                 // is stated, expert_shared_feed_forward_length
    SharedWidth, // expert_feed_forward_length; a shared one of expert_shared_feed_forward_length, if that is not 0
    FeedForward, // feed_forward_length; a shared one of expert_shared_feed_forward_length or, if that is 0, the same
    NoShared,    // feed_forward_length; no shared one
    EveryNth,    // feed_forward_length; blocks i with i mod moe_every_n_layers = 1 have experts, and no shared one
    LastOfSteps, // expert_feed_forward_length; blocks i with (i + 1) mod interleave_moe_layer_step = 0 have experts and
                 // a shared one of the same width
};

struct NormTraits {
    NormKind kind = NormKind::Rms;
    Norms place = Norms::Before;
    bool firstBlockUnnormed = false; // attention of the first block has no norm before it
    // AfterSum: attn_norm_2, if present, norms the sum of attention's normed result and the block's input.
    bool addsInput = false;
    bool beforeProjections =
        false;                   // the results of attention and of the activation are normed before they are projected
    bool headsAfterRope = false; // queries and keys are normed after they are rotated
    bool plainHeads = false;     // rotated queries and keys are normed without weights,
    std::uint32_t plainHeadsUnlessExperts = 0; // except in models with this many experts
    bool plainValues = false;                  // values are normed without weights
    // Names of tensors.
    std::string_view afterAttention = "post_attention_norm"; // of After, Around and AfterSum
    std::string_view feedForward = "ffn_norm";
    std::string_view afterFeedForward = "post_ffw_norm";
    std::string_view output = "output_norm"; // empty: there is none
};

struct RopeTraits {
    RopeKind kind = RopeKind::None;
    RotatedBlocks blocks = RotatedBlocks::All;
    std::uint32_t onlyWithBlocks = 0; // only models with this number of blocks have RoPE; 0: all
    bool onlyIfFinetuned = false;     // no RoPE where the file says that context scaling was not finetuned
    RopeSections sections = RopeSections::Ignored;
    double windowBase = 0;           // for blocks with a sliding window; 0: the base of all blocks
    bool unstretchedWindows = false; // context scaling does not apply to blocks with a sliding window
    bool stretchedBase = false;      // rope.scaling.alpha: the base is multiplied by alpha^(D / (D − 2))
    bool dividedYarn = false; // YaRN's magnitude is divided by 1 + 0.1 × rope.scaling.yarn_log_multiplier × ln(scale)
};

struct AttentionTraits {
    const AttentionKind* kind = &kMultiHeadAttention;
    QueryScale scale = QueryScale::HeadSize;
    std::uint32_t largestBlocks = 0; // block count of the model that HeadSizeOrShare means by "largest"
    Temperature temperature = Temperature::None;
    // Queries, keys and values are one matrix ("attn_qkv"), unless a file has them apart.
    bool joined = false;
    bool gated = false;          // queries carry a gate for each element of the head's result
    bool valuesFromKeys = false; // without a matrix of values, the projected keys are values too
    bool distanceBiases = false; // scores have a bias for each distance and head (T5)
    bool sinks = false;          // each head has a sink
    bool indexer = false;        // of kLatentAttention: tokens attend only to the positions that an indexer chooses
    bool sharedCaches = false;   // the last attention.shared_kv_layers blocks use keys and values of earlier blocks
    std::uint32_t blocksWithCaches = 0;      // all blocks after the first so many do; 0: none
    double alibi = 0;                        // largest bias, where the file states none; 0: no ALiBi
    std::uint32_t alibiOnlyWithBlocks = 0;   // only models with this number of blocks have ALiBi; 0: all
    std::string_view output = "attn_output"; // name of the tensor
};

struct FeedForwardTraits {
    Activation activation = Activation::Silu;
    bool activationByKey = false; // hidden_activation
    // Feed-forwards may have no gate. Those of other architectures have one, of its own or joined with "ffn_up".
    bool mayLackGate = false;
    bool reluWithoutGate = false; // the activation of a feed-forward without a gate is ReLU
    Residual residual = Residual::Sequential;
    std::uint32_t lengthFactor = 1; // feed_forward_length is this many times the width
    std::uint32_t sparseBlocks = 0; // the first so many blocks zero most of the gate
};

struct ExpertTraits {
    Gating gating = Gating::Softmax; // where the file does not say
    ExpertWeights weights = ExpertWeights::Normalised;
    ExpertSizes sizes = ExpertSizes::AsTensors;
    bool needRouterBias = false; // experts are never chosen without a bias
    bool besideDense = false;    // a block with experts has a dense feed-forward too
};

// The operation that mixes tokens by a state of constant size, and the parts of a block.
struct RecurrenceTraits {
    const RecurrentKind* kind = nullptr; // null: none
    RecurrentBlocks blocks = RecurrentBlocks::All;
    BlockParts parts = BlockParts::MixAndFeed;
    bool interleavedKeyHeads = false; // of kGatedDelta: value head h uses key head h % key heads
};

// The residual stream, from the embedding on.
struct StreamTraits {
    Scales scales = Scales::LogitScale;
    bool scaledEmbedding = false;     // × √n_embd
    bool tokenTypes = false;          // the embedding of the first type of tokens is added, if the file has one
    bool layerInputs = false;         // each block may have its own embedding of the token
    const StreamKind* kind = nullptr; // null: a single row for each token
};

struct OutputTraits {
    double logitCap = 0;                                  // where the file states none
    Pooling rankedRow = Pooling::Last;                    // of the tokens: what the ranking head reads
    HeadActivation headActivation = HeadActivation::Tanh; // of the ranking head, where the file does not say
    bool softmaxScores = false;                           // scores are the softmax of the head's results
};

struct GraphTraits {
    std::string_view name; // as in ArchitectureFact
    const StackKind* kind = &kTransformer;
    bool encoder = false; // tokens attend to later ones too, and there are no logits
    NormTraits norm{};
    RopeTraits rope{};
    AttentionTraits attention{};
    FeedForwardTraits feedForward{};
    ExpertTraits experts{};
    RecurrenceTraits recurrence{};
    StreamTraits stream{};
    OutputTraits output{};
    bool hasMtp = false; // the last blocks of a file may be MTP blocks (engine/mtp_drafter.h)
    // The prefix of the names of blocks, in files that may have a second stack, which is not run.
    std::string_view stack{};
    std::string_view ignoredKeys{}; // comma-separated; files have them, but the definition does not use them
    std::string_view required{};    // comma-separated keys without which answers would be wrong
    // Comma-separated tensors of the model or a block that all files have, although the forward pass could do without:
    // without them, answers would be wrong.
    std::string_view needed{};
};

[[nodiscard]] std::span<const GraphTraits> graphTraits();
[[nodiscard]] const GraphTraits* findGraphTraits(std::string_view name);

} // namespace gufo::inference
