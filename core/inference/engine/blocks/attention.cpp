#include "inference/engine/blocks/attention.h"

#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace gufo::inference {

float alibiSlope(std::uint32_t head, std::uint32_t heads, double largest) {
    const std::uint32_t power = std::bit_floor(heads);
    const double exponent =
        head < power ? -largest / power * (head + 1) : -largest / 2 / power * (2 * (head - power) + 1);
    return static_cast<float>(std::exp2(exponent));
}

Attention::Attention(Memory& memory, Team& team, const ModelShape& shape, HeadShape heads, std::uint32_t context)
    : m_team(team)
    , m_kernels(activeKernels())
    , m_shape(shape)
    , m_heads(heads)
    , m_chunks(team.size()) {
    constexpr std::size_t kTileQueries = AttentionDivision::kTileQueries;
    for (unsigned member = 0; member < team.size(); ++member) {
        m_scratch.push_back({.queries = memory.take<float>(kTileQueries, heads.keyLength),
                             .scores = memory.take<float>(AttentionDivision::kScores),
                             .sums = memory.take<float>(kTileQueries, heads.valueLength),
                             .running = {}});
    }
    std::uint64_t most = 0; // ranges × heads
    std::uint32_t mostHeads = 0;
    for (const BlockShape& block : shape.blocks) {
        const std::uint32_t ranges = AttentionDivision::mostRanges(block.heads, block.kvHeads, context);
        most = std::max(most, std::uint64_t{ranges} * block.heads);
        mostHeads = std::max(mostHeads, block.heads);
    }
    m_parts = {.sums = memory.take<float>(most, heads.valueLength),
               .largest = memory.take<float>(most),
               .totals = memory.take<double>(most)};
    m_left = std::vector<std::atomic<std::uint32_t>>(mostHeads);
    m_finished = std::vector<std::atomic<std::uint32_t>>(mostHeads);
}

std::uint32_t Attention::Call::begin(std::uint32_t own) const {
    return std::max(cache.first(), block.window != 0 && own + 1 > block.window ? own + 1 - block.window : 0);
}

void Attention::attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                       std::size_t tokens, const Matrix* after, const Finish& finish) {
    const Call call{block, cache, position, queries, out, tokens};
    const AttentionDivision division({.heads = block.heads,
                                      .kvHeads = cache.keys.heads(),
                                      .tokens = tokens,
                                      .begin = call.begin(position),
                                      .end = static_cast<std::uint32_t>(position + tokens)},
                                     m_team.size());
    const std::uint32_t ranges = division.ranges();
    const auto firstOf = [&](unsigned member) { return division.items() * member / m_team.size(); };
    for (unsigned member = 0; member < m_team.size(); ++member) {
        m_chunks.give(member, firstOf(member), firstOf(member + 1));
    }
    for (std::uint64_t tile = 0; ranges > 1 && tile < division.tiles(); ++tile) {
        m_left[tile].store(ranges, std::memory_order_relaxed);
    }
    for (std::uint32_t head = 0; finish && head < cache.keys.heads(); ++head) {
        m_finished[head].store(Raw, std::memory_order_relaxed);
    }
    m_team.run([&](unsigned member) {
        // Of the matrix, what the multiplier will give to this member (inference/multiply.cpp).
        Later later;
        if (after != nullptr && tokens == 1) {
            later = {.at = after->row(after->rows * member / m_team.size()),
                     .end = after->row(after->rows * (member + 1) / m_team.size())};
        }
        Scratch& scratch = m_scratch[member];
        std::optional<std::uint64_t> scaled; // the tile whose queries are
        while (const auto taken = m_chunks.take(member)) {
            const auto [tileIndex, tile, range] = division.item(taken->begin);
            if (finish) {
                finishOnce(tile.kvHead, finish);
            }
            if (tileIndex != scaled) {
                scaleQueries(call, tile, scratch);
                scaled = tileIndex;
            }
            const std::byte* next = nullptr;
            if (taken->begin + 1 < firstOf(taken->owner + 1)) {
                const auto following = division.item(taken->begin + 1);
                next = cache.keys.at(following.tile.kvHead, cache.slotOf(division.range(following.range).begin));
            }
            if (ranges == 1) {
                attendTile(call, division, tile, division.range(0), next, scratch, scratch.sums, later);
                writeOut(call, tile, scratch);
                continue;
            }
            float* sums = m_parts.sums + (std::size_t{range} * block.heads + tile.firstHead) * m_heads.valueLength;
            attendTile(call, division, tile, division.range(range), next, scratch, sums, later);
            for (std::size_t q = 0; q < tile.heads; ++q) {
                const std::size_t at = (tile.firstHead + q) * ranges + range;
                m_parts.largest[at] = scratch.running[q].largest;
                m_parts.totals[at] = scratch.running[q].sum;
            }
            if (m_left[tileIndex].fetch_sub(1, std::memory_order_acq_rel) == 1) {
                merge(call, tile, ranges);
            }
        }
    });
}

// Others that attend to the same head wait: it takes a microsecond.
void Attention::finishOnce(std::uint32_t kvHead, const Finish& finish) {
    std::atomic<std::uint32_t>& step = m_finished[kvHead];
    std::uint32_t seen = step.load(std::memory_order_acquire);
    if (seen == Raw && step.compare_exchange_strong(seen, Begun, std::memory_order_acquire)) {
        finish(kvHead);
        step.store(Done, std::memory_order_release);
        step.notify_all();
        return;
    }
    step.wait(Begun, std::memory_order_acquire);
}

void Attention::scaleQueries(const Call& call, const Tile& tile, const Scratch& scratch) const {
    const std::size_t length = m_heads.keyLength;
    const auto factor = static_cast<float>(m_shape.queryFactor);
    for (std::size_t q = 0; q < tile.queries(); ++q) {
        const float* query =
            call.queries[tile.firstToken + q / tile.heads] + (tile.firstHead + q % tile.heads) * length;
        std::transform(query, query + length, scratch.queries + q * length, [&](float x) { return factor * x; });
    }
}

void Attention::attendTile(const Call& call, const AttentionDivision& division, const Tile& tile,
                           AttentionDivision::Range range, const std::byte* next, Scratch& scratch, float* sums,
                           Later& later) const {
    const BlockCache& cache = call.cache;
    const std::size_t valueLength = m_heads.valueLength;
    const std::size_t count = tile.queries();
    std::fill_n(sums, count * valueLength, 0.0F);
    std::fill_n(scratch.running, count, Running{-std::numeric_limits<float>::infinity(), 0});

    const auto firstPosition = static_cast<std::uint32_t>(call.position + tile.firstToken);
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(range.end, firstPosition + tile.tokens));
    // Latent attention has no rows of values: they are the begins of keys.
    const KvRows& values = cache.values.heads() != 0 ? cache.values : cache.keys;
    const auto& valueKernels = m_kernels.attention.types[values.typeId()];
    // Pieces begin at multiples of their length, so that sums do not depend on where a window begins.
    const std::uint32_t piece = division.piece(count);
    for (std::uint32_t from = std::max(range.begin, call.begin(firstPosition)); from < end;) {
        const std::uint32_t to = std::min(end, from / piece * piece + piece);
        cache.forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            const std::byte* nextValues = &values != &cache.keys ? values.at(tile.kvHead, slot) : nullptr;
            score(cache.keys, tile.kvHead, slot, rows, nextValues, later, count, scratch.scores + (at - from), piece,
                  scratch);
        });
        for (std::size_t q = 0; q < count; ++q) {
            const auto own = static_cast<std::uint32_t>(firstPosition + q / tile.heads);
            // Of the block's own heads: blocks may have different numbers of them.
            const auto head = static_cast<std::uint32_t>(tile.firstHead + q % tile.heads);
            const float slope = m_shape.alibi > 0 ? alibiSlope(head, call.block.heads, m_shape.alibi) : 0;
            weigh({scratch.scores + q * piece, to - from}, from, call.begin(own), own, slope, scratch.running[q],
                  {sums + q * valueLength, valueLength});
        }
        const std::byte* nextKeys = to < end ? cache.keys.at(tile.kvHead, cache.slotOf(to)) : next;
        cache.forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            valueKernels.gather({.data = values.at(tile.kvHead, slot),
                                 .rowBytes = values.rowBytes(),
                                 .length = valueLength,
                                 .next = nextKeys,
                                 .later = &later},
                                rows, scratch.scores + (at - from), piece, count, sums);
        });
        from = to;
    }
}

void Attention::writeOut(const Call& call, const Tile& tile, const Scratch& scratch) const {
    const std::size_t length = m_heads.valueLength;
    for (std::size_t q = 0; q < tile.queries(); ++q) {
        const auto factor = static_cast<float>(1 / scratch.running[q].sum);
        const float* sums = scratch.sums + q * length;
        float* row = call.out[tile.firstToken + q / tile.heads] + (tile.firstHead + q % tile.heads) * length;
        std::transform(sums, sums + length, row, [&](float x) { return factor * x; });
    }
}

// Each range's row counts e^(its maximum − the largest of all), and so does its sum.
void Attention::merge(const Call& call, const Tile& tile, std::uint32_t ranges) const {
    const std::size_t length = m_heads.valueLength;
    const auto gather = m_kernels.attention.types[static_cast<std::size_t>(TensorType::F32)].gather;
    for (std::size_t head = tile.firstHead; head < tile.firstHead + tile.heads; ++head) {
        float* weights = m_parts.largest + head * ranges;
        const double* totals = m_parts.totals + head * ranges;
        (void)m_kernels.attention.exponentials(weights, ranges, m_kernels.attention.largest(weights, ranges));
        double total = 0;
        for (std::uint32_t range = 0; range < ranges; ++range) {
            total += static_cast<double>(weights[range]) * totals[range];
        }
        const auto factor = static_cast<float>(1 / total);
        std::transform(weights, weights + ranges, weights, [&](float weight) { return factor * weight; });
        float* row = call.out[0] + head * length;
        std::fill_n(row, length, 0.0F);
        gather({.data = reinterpret_cast<const std::byte*>(m_parts.sums + head * length),
                .rowBytes = call.block.heads * length * sizeof(float),
                .length = length},
               ranges, weights, ranges, 1, row);
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

void Attention::weigh(std::span<float> scores, std::uint32_t from, std::uint32_t begin, std::uint32_t own, float slope,
                      Running& running, std::span<float> sums) const {
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
    if (slope != 0) {
        const std::uint32_t distance = own - (from + static_cast<std::uint32_t>(first));
        for (std::size_t i = 0; i < seen.size(); ++i) {
            seen[i] -= slope * static_cast<float>(distance - i);
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
