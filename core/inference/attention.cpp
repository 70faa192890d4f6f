#include "inference/attention.h"

#include "inference/operations.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

constexpr std::size_t kTileQueries = 32;

} // namespace

std::vector<float> alibiSlopes(std::uint32_t heads, double largest) {
    std::uint32_t power = 1;
    while (power * 2 <= heads) {
        power *= 2;
    }
    std::vector<float> slopes;
    for (std::uint32_t h = 0; h < heads; ++h) {
        const double exponent = h < power ? -largest / power * (h + 1) : -largest / 2 / power * (2 * (h - power) + 1);
        slopes.push_back(static_cast<float>(std::exp2(exponent)));
    }
    return slopes;
}

Attention::Attention(Team& team, const ModelShape& shape, std::uint32_t context)
    : m_team(team)
    , m_shape(shape)
    , m_scratch(team.size()) {
    if (shape.alibi > 0) {
        m_slopes = alibiSlopes(shape.blocks.front().heads, shape.alibi);
    }
    for (Scratch& scratch : m_scratch) {
        scratch.key.resize(std::max(shape.keyLength, shape.valueLength));
        scratch.scores.reserve(std::min<std::size_t>(context, 1024) * kTileQueries);
    }
}

void Attention::attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                       std::size_t tokens) {
    const std::uint32_t group = block.heads / block.kvHeads;
    const std::size_t tileTokens = std::clamp<std::size_t>(kTileQueries / group, 1, tokens);
    const std::size_t tokenTiles = (tokens + tileTokens - 1) / tileTokens;
    // One KV head alone would leave the other members idle: its group of queries is shared among them.
    const std::uint32_t parts = block.kvHeads * tokenTiles >= m_team.size() ? 1 : std::min(group, m_team.size());
    const std::uint64_t tiles = std::uint64_t{block.kvHeads} * parts * tokenTiles;
    m_team.run([&](unsigned member) {
        // In turn, since later tokens look back further.
        for (std::uint64_t i = member; i < tiles; i += m_team.size()) {
            const auto tokenTile = static_cast<std::size_t>(i % tokenTiles);
            const auto part = static_cast<std::uint32_t>(i / tokenTiles % parts);
            const auto kvHead = static_cast<std::uint32_t>(i / tokenTiles / parts);
            const std::uint32_t firstOfPart = group * part / parts;
            const std::uint32_t endOfPart = group * (part + 1) / parts;
            const std::size_t firstToken = tokenTile * tileTokens;
            attendTile({.kvHead = kvHead,
                        .firstHead = kvHead * group + firstOfPart,
                        .heads = endOfPart - firstOfPart,
                        .firstToken = firstToken,
                        .tokens = std::min(tileTokens, tokens - firstToken)},
                       block, cache, position, queries, out, m_scratch[member]);
        }
    });
}

void Attention::attendTile(const Tile& tile, const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                           Rows queries, Rows out, Scratch& scratch) const {
    const auto firstPosition = static_cast<std::uint32_t>(position + tile.firstToken);
    const auto lastPosition = static_cast<std::uint32_t>(firstPosition + tile.tokens - 1);
    const auto begins = [&](std::uint32_t at) {
        return block.window != 0 && at + 1 > block.window ? at + 1 - block.window : 0;
    };
    const std::uint32_t begin = begins(firstPosition);
    const std::size_t span = lastPosition - begin + 1;
    const std::size_t count = tile.heads * tile.tokens;
    scratch.scores.resize(std::max(scratch.scores.size(), count * span));
    const auto scoresOf = [&](std::size_t t, std::uint32_t h) {
        return scratch.scores.data() + (t * tile.heads + h) * span;
    };
    const auto scale = static_cast<float>(m_shape.queryFactor);
    for (std::uint32_t at = begin; at <= lastPosition; ++at) {
        const float* key = cache.keys.read(tile.kvHead, at, scratch.key.data());
        for (std::size_t t = at > firstPosition ? at - firstPosition : 0; t < tile.tokens; ++t) {
            const float* query = queries[tile.firstToken + t] + std::size_t{tile.firstHead} * m_shape.keyLength;
            for (std::uint32_t h = 0; h < tile.heads; ++h) {
                scoresOf(t, h)[at - begin] =
                    scale * dot(query + std::size_t{h} * m_shape.keyLength, key, m_shape.keyLength);
            }
        }
    }
    for (std::size_t t = 0; t < tile.tokens; ++t) {
        const auto own = static_cast<std::uint32_t>(firstPosition + t);
        const std::size_t from = begins(own) - begin;
        const std::size_t length = own - begin + 1 - from;
        for (std::uint32_t h = 0; h < tile.heads; ++h) {
            const std::span<float> scores(scoresOf(t, h) + from, length);
            if (m_shape.attentionCap > 0) {
                softCap(scores, m_shape.attentionCap);
            }
            if (!m_slopes.empty()) {
                for (std::size_t i = 0; i < length; ++i) {
                    scores[i] -= m_slopes[tile.firstHead + h] * static_cast<float>(length - 1 - i);
                }
            }
            softmax(scores);
            std::fill_n(out[tile.firstToken + t] + std::size_t{tile.firstHead + h} * m_shape.valueLength,
                        m_shape.valueLength, 0.0F);
        }
    }
    for (std::uint32_t at = begin; at <= lastPosition; ++at) {
        const float* value = cache.values.read(tile.kvHead, at, scratch.key.data());
        for (std::size_t t = at > firstPosition ? at - firstPosition : 0; t < tile.tokens; ++t) {
            if (at < begins(static_cast<std::uint32_t>(firstPosition + t))) {
                continue;
            }
            float* row = out[tile.firstToken + t] + std::size_t{tile.firstHead} * m_shape.valueLength;
            for (std::uint32_t h = 0; h < tile.heads; ++h) {
                addScaled(row + std::size_t{h} * m_shape.valueLength, value, scoresOf(t, h)[at - begin],
                          m_shape.valueLength);
            }
        }
    }
}

} // namespace gufo::inference
