#include "inference/attention.h"

#include "inference/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::inference {
namespace {

constexpr std::size_t kTileQueries = 32;
// Positions of a piece: few enough for their scores to stay in the first cache, many enough for what is done once for
// each piece not to count.
constexpr std::uint32_t kLargestPiece = 512;
constexpr std::uint32_t kScores = kTileQueries * 128;

std::uint32_t pieceOf(std::size_t queries) {
    return std::min(kLargestPiece, kScores / static_cast<std::uint32_t>(queries) / kTileRows * kTileRows);
}

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

Attention::Attention(Memory& memory, Team& team, const ModelShape& shape, HeadShape heads)
    : m_team(team)
    , m_kernels(activeKernels())
    , m_shape(shape)
    , m_heads(heads) {
    if (shape.alibi > 0) {
        m_slopes = alibiSlopes(shape.blocks.front().heads, shape.alibi);
    }
    for (unsigned member = 0; member < team.size(); ++member) {
        m_scratch.push_back({.queries = memory.take<float>(kTileQueries, heads.keyLength),
                             .scores = memory.take<float>(kScores),
                             .sums = memory.take<float>(kTileQueries, heads.valueLength)});
    }
}

void Attention::attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                       std::size_t tokens, const Matrix* after,
                       const std::function<void(std::uint32_t kvHead)>& finish) {
    const std::uint32_t kvHeads = cache.keys.heads();
    const std::uint32_t group = block.heads / kvHeads;
    const auto tileHeads = static_cast<std::uint32_t>(std::min<std::size_t>(group, kTileQueries));
    std::size_t tileTokens = std::clamp<std::size_t>(kTileQueries / tileHeads, 1, tokens);
    const std::size_t tokenTiles = (tokens + tileTokens - 1) / tileTokens;
    // One KV head alone would leave the other members idle: its group of queries is shared among them.
    std::uint32_t parts = (group + tileHeads - 1) / tileHeads;
    if (kvHeads * parts * tokenTiles < m_team.size()) {
        parts = std::min(group, std::max(parts, m_team.size()));
    }
    const std::uint64_t tiles = std::uint64_t{kvHeads} * parts * tokenTiles;
    const bool finishesOwn = finish && parts == 1; // else several attend to one head
    for (std::uint32_t head = 0; finish && !finishesOwn && head < kvHeads; ++head) {
        finish(head);
    }
    m_team.run([&](unsigned member) {
        // Of the matrix, what the multiplier will give to this member (inference/multiply.cpp).
        Later later;
        if (after != nullptr && tokens == 1) {
            later = {.at = after->row(after->rows * member / m_team.size()),
                     .end = after->row(after->rows * (member + 1) / m_team.size())};
        }
        // In turn, since later tokens look back further.
        for (std::uint64_t i = member; i < tiles; i += m_team.size()) {
            const auto tokenTile = static_cast<std::size_t>(i % tokenTiles);
            const auto part = static_cast<std::uint32_t>(i / tokenTiles % parts);
            const auto kvHead = static_cast<std::uint32_t>(i / tokenTiles / parts);
            const std::uint64_t next = i + m_team.size();
            const std::uint32_t firstOfPart = group * part / parts;
            const std::uint32_t endOfPart = group * (part + 1) / parts;
            const std::size_t firstToken = tokenTile * tileTokens;
            if (finishesOwn) {
                finish(kvHead);
            }
            attendTile({.kvHead = kvHead,
                        .firstHead = kvHead * group + firstOfPart,
                        .heads = endOfPart - firstOfPart,
                        .firstToken = firstToken,
                        .tokens = std::min(tileTokens, tokens - firstToken),
                        .nextHead = next < tiles ? static_cast<std::uint32_t>(next / tokenTiles / parts) : kNone},
                       block, cache, position, queries, out, m_scratch[member], later);
        }
    });
}

void Attention::attendTile(const Tile& tile, const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                           Rows queries, Rows out, const Scratch& scratch, Later& later) const {
    const std::size_t keyLength = m_heads.keyLength;
    const std::size_t valueLength = m_heads.valueLength;
    const std::size_t count = tile.heads * tile.tokens;
    const auto scale = static_cast<float>(m_shape.queryFactor);
    for (std::size_t q = 0; q < count; ++q) {
        const float* query = queries[tile.firstToken + q / tile.heads] + (tile.firstHead + q % tile.heads) * keyLength;
        std::transform(query, query + keyLength, scratch.queries + q * keyLength, [&](float x) { return scale * x; });
    }
    std::fill_n(scratch.sums, count * valueLength, 0.0F);
    Running running[kTileQueries];
    std::fill_n(running, count, Running{-std::numeric_limits<float>::infinity(), 0});

    const auto firstPosition = static_cast<std::uint32_t>(position + tile.firstToken);
    const auto end = static_cast<std::uint32_t>(firstPosition + tile.tokens);
    const auto beginOf = [&](std::uint32_t at) {
        return std::max(cache.first(), block.window != 0 && at + 1 > block.window ? at + 1 - block.window : 0);
    };
    // Latent attention has no rows of values: they are the begins of keys.
    const KvRows& values = cache.values.heads() != 0 ? cache.values : cache.keys;
    const auto& valueKernels = m_kernels.attention.types[values.typeId()];
    // Pieces begin at multiples of their length, so that sums do not depend on where a window begins.
    const std::uint32_t piece = pieceOf(count);
    for (std::uint32_t from = beginOf(firstPosition); from < end;) {
        const std::uint32_t to = std::min(end, from / piece * piece + piece);
        cache.forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            const std::byte* next = &values != &cache.keys ? values.at(tile.kvHead, slot) : nullptr;
            score(cache.keys, tile.kvHead, slot, rows, next, later, count, scratch.scores + (at - from), piece,
                  scratch);
        });
        for (std::size_t q = 0; q < count; ++q) {
            const auto own = static_cast<std::uint32_t>(firstPosition + q / tile.heads);
            weigh({scratch.scores + q * piece, to - from}, from, beginOf(own), own,
                  static_cast<std::uint32_t>(tile.firstHead + q % tile.heads), running[q],
                  {scratch.sums + q * valueLength, valueLength});
        }
        // After a piece its neighbour's keys are read, after the last one those of another head.
        const std::uint32_t nextHead = to < end ? tile.kvHead : tile.nextHead;
        const std::uint32_t nextSlot = cache.slotOf(to < end ? to : beginOf(firstPosition));
        const std::byte* nextKeys = nextHead != kNone ? cache.keys.at(nextHead, nextSlot) : nullptr;
        cache.forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            valueKernels.gather({.data = values.at(tile.kvHead, slot),
                                 .rowBytes = values.rowBytes(),
                                 .length = valueLength,
                                 .next = nextKeys,
                                 .later = &later},
                                rows, scratch.scores + (at - from), piece, count, scratch.sums);
        });
        from = to;
    }
    for (std::size_t q = 0; q < count; ++q) {
        const auto factor = static_cast<float>(1 / running[q].sum);
        const float* sums = scratch.sums + q * valueLength;
        float* row = out[tile.firstToken + q / tile.heads] + (tile.firstHead + q % tile.heads) * valueLength;
        std::transform(sums, sums + valueLength, row, [&](float x) { return factor * x; });
    }
}

void Attention::score(const KvRows& keys, std::uint32_t head, std::uint32_t slot, std::uint32_t rows,
                      const std::byte* next, Later& later, std::size_t queryCount, float* scores, std::size_t piece,
                      const Scratch& scratch) const {
    const auto& kernels = m_kernels.attention.types[keys.typeId()];
    if (keys.layout() == KvLayout::Tiles) {
        kernels.scoreTiles({.data = keys.at(head, slot),
                            .bytes = keys.rowBytes() * kTileRows,
                            .length = m_heads.keyLength,
                            .next = next,
                            .later = &later},
                           slot % kTileRows, rows, scratch.queries, queryCount, scores, piece);
    } else {
        kernels.score({.data = keys.at(head, slot),
                       .rowBytes = keys.rowBytes(),
                       .length = m_heads.keyLength,
                       .next = next,
                       .later = &later},
                      rows, scratch.queries, queryCount, scores, piece);
    }
}

void Attention::weigh(std::span<float> scores, std::uint32_t from, std::uint32_t begin, std::uint32_t own,
                      std::uint32_t head, Running& running, std::span<float> sums) const {
    const std::size_t first = std::min<std::size_t>(scores.size(), begin > from ? begin - from : 0);
    const std::size_t last = std::min<std::size_t>(scores.size(), own + 1 > from ? own + 1 - from : 0);
    if (first >= last) {
        std::ranges::fill(scores, 0.0F);
        return;
    }
    std::ranges::fill(scores.first(first), 0.0F);
    std::ranges::fill(scores.subspan(last), 0.0F);
    const std::span<float> seen = scores.subspan(first, last - first);
    if (m_shape.attentionCap > 0) {
        softCap(seen, m_shape.attentionCap);
    }
    if (!m_slopes.empty()) {
        const std::uint32_t distance = own - (from + static_cast<std::uint32_t>(first));
        for (std::size_t i = 0; i < seen.size(); ++i) {
            seen[i] -= m_slopes[head] * static_cast<float>(distance - i);
        }
    }
    const float most = std::max(running.largest, m_kernels.attention.largest(seen.data(), seen.size()));
    if (most > running.largest && running.sum > 0) {
        const float factor = std::exp(running.largest - most);
        running.sum *= static_cast<double>(factor);
        std::ranges::transform(sums, sums.begin(), [&](float x) { return factor * x; });
    }
    running.largest = most;
    running.sum += static_cast<double>(m_kernels.attention.exponentials(seen.data(), seen.size(), most));
}

} // namespace gufo::inference
