// Softmax attention over the KV cache, grouped queries, with windows, ALiBi and soft caps.
//
// Positions are worked off in pieces; the softmax goes along (Milakov and Gimelshein 2018): a maximum, a sum and a
// weighted row for each query, scaled down whenever the maximum grows. No row of scores is as long as the context.
#pragma once

#include "inference/kv_cache.h"
#include "inference/multiply.h"
#include "inference/shape.h"

#include <functional>

namespace gufo::inference {

// Largest biases that fall off with the distance, one slope for each head (Press et al. 2022); head counts that are no
// power of two take every other slope of the next one.
[[nodiscard]] std::vector<float> alibiSlopes(std::uint32_t heads, double largest);

// What the heads of a model have in common.
struct HeadShape {
    std::uint32_t keyLength = 0;
    std::uint32_t valueLength = 0;
};

class Attention {
public:
    Attention(Memory& memory, Team& team, const ModelShape& shape, HeadShape heads);

    // out[t] = softmax(q[t] K') V for `tokens` rows whose first stands at `position`; their keys and values are in the
    // cache. Rows of queries have heads × keyLength elements, of `out` heads × valueLength. `after`, if not null, is
    // the matrix that a single token will be multiplied by next: some of it is fetched meanwhile. `finish`, if there is
    // one and for a single token, makes the queries, key and value of a KV head what they are here said to be; whoever
    // attends to that head calls it before.
    void attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                std::size_t tokens, const Matrix* after, const std::function<void(std::uint32_t kvHead)>& finish = {});

private:
    struct Scratch {
        float* queries; // [query][keyLength], times the factor of scores
        float* scores;  // [query][positions of a piece]
        float* sums;    // [query][valueLength]
    };
    static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
    // Queries of one KV head, of consecutive tokens: what is done at once, so that keys and values are read once.
    struct Tile {
        std::uint32_t kvHead;
        std::uint32_t firstHead;
        std::uint32_t heads;
        std::size_t firstToken;
        std::size_t tokens;
        std::uint32_t nextHead; // KV head that this member looks at next; kNone: none
    };
    void attendTile(const Tile& tile, const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                    Rows queries, Rows out, const Scratch& scratch, Later& later) const;
    // Scores of `rows` positions from a slot on, to rows of `scores` that are `piece` apart.
    void score(const KvRows& keys, std::uint32_t head, std::uint32_t slot, std::uint32_t rows, const std::byte* next,
               Later& later, std::size_t queryCount, float* scores, std::size_t piece, const Scratch& scratch) const;
    // Turns the scores of one query, at the positions [from, to) of a piece, to weights; those that it does not see are
    // zeros. `own`: its position; the slope is of its head.
    struct Running {
        float largest;
        double sum;
    };
    void weigh(std::span<float> scores, std::uint32_t from, std::uint32_t begin, std::uint32_t own, std::uint32_t head,
               Running& running, std::span<float> sums) const;

    Team& m_team;
    const Kernels& m_kernels;
    const ModelShape& m_shape;
    HeadShape m_heads;
    std::vector<float> m_slopes; // empty: no ALiBi
    std::vector<Scratch> m_scratch;
};

} // namespace gufo::inference
