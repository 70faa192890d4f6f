// Softmax attention over the KV cache with grouped queries, sliding windows, ALiBi, biases by distance, soft caps and
// sinks.
//
// Positions are processed in pieces with an online softmax (Milakov and Gimelshein 2018): each query has a maximum, a
// sum and an accumulator row, which are scaled down whenever the maximum grows, so that no row of scores is as long as
// the context. For a single token each range of positions has its own maximum, sum and accumulator; they are merged at
// the end (Flash-Decoding, Dao et al. 2023) in the order of the ranges, so that the result does not depend on the
// threads.
#pragma once

#include "inference/engine/binding/shape.h"
#include "inference/engine/blocks/chosen_positions.h"
#include "inference/engine/blocks/kv_cache.h"
#include "inference/engine/compute/chunks.h"
#include "inference/engine/compute/multiply.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace gufo::inference {

// The ALiBi slope of one of `heads` heads, by which its bias falls with distance (Press et al. 2022). If `heads` is not
// a power of two, the remaining heads take every other slope of the next power of two.
[[nodiscard]] float alibiSlope(std::uint32_t head, std::uint32_t heads, double largest);

// The sizes of a head, or the largest of all blocks.
struct HeadShape {
    std::uint32_t keyLength = 0;
    std::uint32_t valueLength = 0;
};

// What attention has to compute.
struct AttentionTask {
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::size_t tokens;
    std::uint32_t begin; // first position that the first token attends to
    std::uint32_t end;   // one past the position of the last token
};

// Divides attention among threads. Several tokens are divided into tiles of queries. A single token, which has too few
// heads for an even division, is divided into ranges of positions as well.
class AttentionDivision {
public:
    // Queries of a tile, at most. With more, each conversion of keys and values serves more of them, but their sums and
    // scores leave the L1 and L2 caches: 128 were not faster.
    static constexpr std::size_t kTileQueries = 64;

    // The ranges, and hence the order of summation, depend only on the task. `members` affects only which queries are
    // processed together.
    AttentionDivision(const AttentionTask& task, unsigned members);

    // Upper bound of ranges() for a token at a position below `context`; 0 if there is always a single range.
    [[nodiscard]] static std::uint32_t maxRanges(std::uint32_t heads, std::uint32_t kvHeads, std::uint32_t context);

    // Queries of one KV head and of consecutive tokens that are processed together, so that keys and values are read
    // once.
    struct Tile {
        std::uint32_t kvHead;
        std::uint32_t firstHead;
        std::uint32_t heads;
        std::size_t firstToken;
        std::size_t tokens;

        [[nodiscard]] std::size_t queries() const { return heads * tokens; }
    };
    // Tiles of the same range are consecutive, so that keys and values are still cached when they are read again.
    struct Item {
        std::uint64_t tileIndex; // the same for all ranges
        Tile tile;
        std::uint32_t range;
    };
    [[nodiscard]] std::uint64_t tiles() const { return std::uint64_t{m_task.kvHeads} * m_parts * m_tokenTiles; }
    [[nodiscard]] std::uint64_t items() const { return tiles() * m_ranges; }
    [[nodiscard]] Item item(std::uint64_t index) const;

    // Ranges divide the positions of a single token; several tokens have one range.
    struct Range {
        std::uint32_t begin;
        std::uint32_t end;
    };
    [[nodiscard]] std::uint32_t ranges() const { return m_ranges; }
    [[nodiscard]] Range range(std::uint32_t index) const;

    // Number of positions that are scored at once with this many queries of a tile.
    [[nodiscard]] std::uint32_t piece(std::size_t queries) const;
    static constexpr std::size_t kScores = kTileQueries * 256; // upper bound of positions × queries in a piece

private:
    AttentionTask m_task;
    std::uint32_t m_group;     // queries of one KV head
    std::uint32_t m_tileHeads; // at most, of a group
    std::uint32_t m_parts;     // tiles that a group is divided into
    std::size_t m_tileTokens;
    std::size_t m_tokenTiles;
    std::uint32_t m_rangeLength = 0; // ranges begin at multiples of it
    std::uint32_t m_ranges = 1;
};

class Attention {
public:
    // Supports positions below `context`. `heads` are the largest of all blocks.
    Attention(Memory& memory, Team& team, const ModelShape& shape, HeadShape heads, std::uint32_t context);

    // Finishes the queries, key and value of one KV head so that attend() can read them.
    using Finish = std::function<void(std::uint32_t kvHead)>;
    struct Options {
        // The next matrix that multiplies a single token. Attention prefetches its beginning. May be null.
        const Matrix* after = nullptr;
        // Used for a single token only: called once for each KV head, on the thread that first attends to it.
        Finish finish{};
        // By head: a score without a value, which only adds to the sum of the softmax. May be empty.
        std::span<const float> sinks{};
        // As AttentionWeights::distanceBiases. May be empty.
        std::span<const float> distanceBiases{};
        // The positions to which each token attends; all others get no weight.
        ChosenPositions chosen{};
    };
    // out[t] = softmax(q[t] K') V for `tokens` rows, from `position` on; their keys and values must be in the cache. A
    // block that is not causal attends to these and earlier tokens, so a text must be in one batch. Rows of queries
    // have heads × key length elements, rows of `out` heads × value length. The cache determines the lengths; where
    // values are prefixes of keys, the constructor has stated their length.
    void attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                std::size_t tokens, const Options& options);

    // The weights that a head of one of the tokens gives to the positions from `first` on, after attend() with the same
    // arguments. For observers: attend() never has all of them at once.
    struct HeadWeights {
        std::uint32_t first = 0;
        std::vector<float> weights{};
    };
    [[nodiscard]] HeadWeights weightsOf(const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                                        Rows queries, std::size_t tokens, const Options& options, std::size_t token,
                                        std::uint32_t head) const;

private:
    // The arguments of attend().
    struct Call {
        const BlockShape& block;
        const BlockCache& cache;
        std::uint32_t position;
        Rows queries;
        Rows out;
        std::size_t tokens;
        HeadShape heads;
        const Options& options;

        // Returns the first position that `queryPosition` attends to, and one past the last.
        [[nodiscard]] std::uint32_t begin(std::uint32_t queryPosition) const;
        [[nodiscard]] std::uint32_t end(std::uint32_t queryPosition) const;
    };
    using Tile = AttentionDivision::Tile;
    struct Running { // of one query
        float largest;
        double sum;
    };
    struct Scratch {    // of one member
        float* queries; // [query][keyLength], multiplied by the score factor
        float* scores;  // [query][positions of a piece]
        float* sums;    // [query][valueLength]
        Running running[AttentionDivision::kTileQueries];
    };
    // Partial results of the ranges, to be merged.
    struct Parts {
        float* sums;    // [range][head][valueLength]
        float* largest; // [head][range]
        double* totals; // [head][range]
    };

    // A query of a tile.
    struct Query {
        std::size_t token;
        std::uint32_t position;
        std::uint32_t begin; // the first position that it attends to
        std::uint32_t end;   // one past the last
        float slope;         // of its head; 0 without ALiBi
        const float* biases; // by distance, of its head; null: none
    };
    void finishOnce(std::uint32_t kvHead, const Finish& finish);
    // The terms of the query of a head besides the products with keys.
    [[nodiscard]] Query queryOf(const Call& call, std::size_t token, std::uint32_t head) const;
    void scaleQueries(const Call& call, const Tile& tile, const Scratch& scratch) const;
    // Attends to positions [from, end) of a tile; the result goes to scratch.running and `sums`. `next` is what this
    // member reads afterwards.
    void attendTile(const Call& call, const AttentionDivision& division, const Tile& tile,
                    AttentionDivision::Range range, const std::byte* next, Scratch& scratch, float* sums,
                    PrefetchRange& upcoming) const;
    void writeOut(const Call& call, const Tile& tile, const Scratch& scratch) const;
    void merge(const Call& call, const Tile& tile, std::uint32_t ranges) const;
    // The sum of a head's softmax with its sink; `sum` belongs to scores relative to `largest`.
    [[nodiscard]] static double withSink(const Call& call, std::size_t head, double sum, float largest);
    // Computes the scores of `rows` positions from `slot` on. Rows of `scores` are `piece` floats apart.
    void score(const Call& call, std::uint32_t head, std::uint32_t slot, std::uint32_t rows, const std::byte* next,
               PrefetchRange& upcoming, std::size_t queryCount, float* scores, std::size_t piece,
               const Scratch& scratch) const;
    // Replaces the scores of a query at the positions of a piece, which begins at `from`, with weights; positions that
    // it does not attend to get 0.
    void weigh(std::span<float> scores, std::uint32_t from, const Query& query, const ChosenPositions& chosen,
               Running& running, std::span<float> sums) const;

    Team& m_team;
    const Kernels& m_kernels;
    const ModelShape& m_shape;
    HeadShape m_heads;
    std::vector<Scratch> m_scratch;
    Parts m_parts{};
    Chunks m_chunks;                                // ranges of tiles; the ranges of one tile are contiguous
    std::vector<std::atomic<std::uint32_t>> m_left; // by tile: ranges that are not finished
    enum Step : std::uint32_t { Raw, Begun, Done };
    std::vector<std::atomic<std::uint32_t>> m_finished; // by KV head: a Step
};

} // namespace gufo::inference
