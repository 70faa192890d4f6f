// Softmax attention over the KV cache, grouped queries, with windows, ALiBi and soft caps.
#pragma once

#include "inference/kv_cache.h"
#include "inference/multiply.h"
#include "inference/shape.h"

namespace gufo::inference {

// Largest biases that fall off with the distance, one slope for each head (Press et al. 2022); head counts that are no
// power of two take every other slope of the next one.
[[nodiscard]] std::vector<float> alibiSlopes(std::uint32_t heads, double largest);

class Attention {
public:
    Attention(Team& team, const ModelShape& shape, std::uint32_t context);

    // out[t] = softmax(q[t] K') V for `tokens` rows whose first stands at `position`; their keys and values are in the
    // cache. Rows of queries have heads × keyLength elements, of `out` heads × valueLength.
    void attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                std::size_t tokens);

private:
    struct Scratch {
        std::vector<float> key;
        std::vector<float> scores; // [query][span]
    };
    // Queries of one KV head, of consecutive tokens: what is done at once, so that keys and values are read once.
    struct Tile {
        std::uint32_t kvHead;
        std::uint32_t firstHead;
        std::uint32_t heads;
        std::size_t firstToken;
        std::size_t tokens;
    };
    void attendTile(const Tile& tile, const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                    Rows queries, Rows out, Scratch& scratch) const;

    Team& m_team;
    const ModelShape& m_shape;
    std::vector<float> m_slopes; // empty: no ALiBi
    std::vector<Scratch> m_scratch;
};

} // namespace gufo::inference
