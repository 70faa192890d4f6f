// The architectures that the engine runs: one row each. What the file's own tensors show (biases, experts, fused
// projections, norms of queries and keys, a tied output) is not here: the graph follows what is there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo::inference {

enum class Family : std::uint8_t { Transformer, LatentAttention, Mamba, Rwkv6 };

enum class NormKind : std::uint8_t { Rms, Layer };

// How a head's vector is paired for rotation (inference.md): neighbours, or the two halves.
enum class RopeKind : std::uint8_t { None, Interleaved, HalfSplit };

enum class Activation : std::uint8_t { Silu, Gelu }; // Gelu: the tanh form

// What the feed-forward of a block adds to.
enum class Residual : std::uint8_t {
    Sequential,      // to the stream after attention
    Parallel,        // to the stream before it, as attention does
    ParallelByKey,   // as use_parallel_residual says, by default parallel
    ParallelByNorms, // parallel where the block has no norm of its own for the feed-forward
};

// What attention's scores are divided by the root of.
enum class QueryScale : std::uint8_t {
    HeadSize,
    HeadSizeOrShare, // of gemma's largest: embedding / heads
};

// How the weights of the chosen experts sum up, where the file does not say.
enum class ExpertWeights : std::uint8_t { Normalised, AsTheyAre };

struct Architecture {
    std::string_view name;
    Family family = Family::Transformer;
    NormKind norm = NormKind::Rms;
    RopeKind rope = RopeKind::None;
    Activation activation = Activation::Silu;
    Residual residual = Residual::Sequential;
    QueryScale queryScale = QueryScale::HeadSize;
    std::uint32_t largestBlocks = 0; // the block count that HeadSizeOrShare means by "largest"
    ExpertWeights expertWeights = ExpertWeights::Normalised;
    bool scaledEmbedding = false;    // × √n_embd
    double alibi = 0;                // largest bias, where the file has none; 0: no ALiBi
    double windowRopeBase = 0;       // of blocks with a sliding window; 0: that of all
    bool unstretchedWindows = false; // blocks with a sliding window rotate as if the context were not stretched
};

[[nodiscard]] std::span<const Architecture> architectures();
[[nodiscard]] const Architecture* findEngineArchitecture(std::string_view name);

} // namespace gufo::inference
