// Softmax attention over the KV cache, grouped queries, with windows, ALiBi and soft caps.
//
// Positions are worked off in pieces; the softmax goes along (Milakov and Gimelshein 2018): a maximum, a sum and a
// weighted row for each query, scaled down whenever the maximum grows. No row of scores is as long as the context. Of a
// single token each range of positions has a maximum, sum and row of its own, which are merged at the end
// (Flash-Decoding, Dao et al. 2023) in the order of the ranges: whoever did which, the result is the same.
#pragma once

#include "inference/engine/binding/shape.h"
#include "inference/engine/blocks/attention_division.h"
#include "inference/engine/compute/chunks.h"
#include "inference/engine/compute/multiply.h"
#include "inference/engine/kv_cache.h"

#include <functional>

namespace gufo::inference {

// By how much the bias of a head, one of `heads`, falls off with the distance (Press et al. 2022); head counts that are
// no power of two take every other slope of the next one.
[[nodiscard]] float alibiSlope(std::uint32_t head, std::uint32_t heads, double largest);

// What the heads of a model have in common.
struct HeadShape {
    std::uint32_t keyLength = 0;
    std::uint32_t valueLength = 0;
};

class Attention {
public:
    // For positions below `context`.
    Attention(Memory& memory, Team& team, const ModelShape& shape, HeadShape heads, std::uint32_t context);

    // Makes the queries, key and value of a KV head what attend() expects them to be.
    using Finish = std::function<void(std::uint32_t kvHead)>;
    // out[t] = softmax(q[t] K') V for `tokens` rows whose first stands at `position`; their keys and values are in the
    // cache. Rows of queries have heads × keyLength elements, of `out` heads × valueLength. `after`, if not null, is
    // the matrix that a single token will be multiplied by next: some of it is fetched meanwhile. `finish`, if there is
    // one and for a single token, is called once for each KV head, by whoever comes to attend to it first.
    void attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                std::size_t tokens, const Matrix* after, const Finish& finish = {});

private:
    // What attend() was told.
    struct Call {
        const BlockShape& block;
        const BlockCache& cache;
        std::uint32_t position;
        Rows queries;
        Rows out;
        std::size_t tokens;

        [[nodiscard]] std::uint32_t begin(std::uint32_t own) const; // the first position that one sees
    };
    using Tile = AttentionDivision::Tile;
    struct Running { // of a query
        float largest;
        double sum;
    };
    struct Scratch {    // of a member
        float* queries; // [query][keyLength], times the factor of scores
        float* scores;  // [query][positions of a piece]
        float* sums;    // [query][valueLength]
        Running running[AttentionDivision::kTileQueries];
    };
    // What ranges leave to be merged.
    struct Parts {
        float* sums;    // [range][head][valueLength]
        float* largest; // [head][range]
        double* totals; // [head][range]
    };

    void finishOnce(std::uint32_t kvHead, const Finish& finish);
    void scaleQueries(const Call& call, const Tile& tile, const Scratch& scratch) const;
    // Positions [from, end) of a tile, to scratch.running and `sums`; `next` is what this member reads after them.
    void attendTile(const Call& call, const AttentionDivision& division, const Tile& tile,
                    AttentionDivision::Range range, const std::byte* next, Scratch& scratch, float* sums,
                    Later& later) const;
    void writeOut(const Call& call, const Tile& tile, const Scratch& scratch) const;
    void merge(const Call& call, const Tile& tile, std::uint32_t ranges) const;
    // Scores of `rows` positions from a slot on, to rows of `scores` that are `piece` apart.
    void score(const KvRows& keys, std::uint32_t head, std::uint32_t slot, std::uint32_t rows, const std::byte* next,
               Later& later, std::size_t queryCount, float* scores, std::size_t piece, const Scratch& scratch) const;
    // Turns the scores of one query, at the positions [from, to) of a piece, to weights; those that it does not see are
    // zeros. `own`: its position; `slope`: of its head, 0 without ALiBi.
    void weigh(std::span<float> scores, std::uint32_t from, std::uint32_t begin, std::uint32_t own, float slope,
               Running& running, std::span<float> sums) const;

    Team& m_team;
    const Kernels& m_kernels;
    const ModelShape& m_shape;
    HeadShape m_heads;
    std::vector<Scratch> m_scratch;
    Parts m_parts{};
    Chunks m_chunks;                                // ranges of tiles, one tile's after another's
    std::vector<std::atomic<std::uint32_t>> m_left; // of each tile: ranges that are yet to be done
    enum Step : std::uint32_t { Raw, Begun, Done };
    std::vector<std::atomic<std::uint32_t>> m_finished; // of each KV head: a Step
};

} // namespace gufo::inference
