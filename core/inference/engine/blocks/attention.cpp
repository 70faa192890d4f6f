#include "inference/engine/blocks/attention.h"

#include "inference/engine/compute/operations.h"
#include "tensor/kernels/attention.h"

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
    std::uint64_t entries = 0; // ranges × heads
    std::uint32_t maxHeads = 0;
    for (const BlockShape& block : shape.blocks) {
        if (!block.attends()) {
            continue;
        }
        const std::uint32_t ranges = AttentionDivision::maxRanges(block.heads, block.kvHeads, context);
        entries = std::max(entries, std::uint64_t{ranges} * block.heads);
        maxHeads = std::max(maxHeads, block.heads);
    }
    m_parts = {.sums = memory.take<float>(entries, heads.valueLength),
               .largest = memory.take<float>(entries),
               .totals = memory.take<double>(entries)};
    m_left = std::vector<std::atomic<std::uint32_t>>(maxHeads);
    m_finished = std::vector<std::atomic<std::uint32_t>>(maxHeads);
}

std::uint32_t Attention::Call::begin(std::uint32_t queryPosition) const {
    return std::max(cache.first(), block.firstSeen(queryPosition));
}

std::uint32_t Attention::Call::end(std::uint32_t queryPosition) const {
    return block.endSeen(queryPosition, static_cast<std::uint32_t>(position + tokens));
}

void Attention::attend(const BlockShape& block, const BlockCache& cache, std::uint32_t position, Rows queries, Rows out,
                       std::size_t tokens, const Options& options) {
    // Latent attention has no separate values: they are prefixes of the keys.
    const HeadShape lengths{.keyLength = cache.keys.length(),
                            .valueLength = cache.values.heads() != 0 ? cache.values.length() : m_heads.valueLength};
    const Call call{block, cache, position, queries, out, tokens, lengths, options};
    const Matrix* const after = options.after;
    const Finish& finish = options.finish;
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
        // `upcoming` is the part of the matrix that the multiplier will assign to this member (compute/multiply.cpp).
        PrefetchRange upcoming;
        if (after != nullptr && tokens == 1) {
            upcoming = {.at = after->row(after->rows * member / m_team.size()),
                        .end = after->row(after->rows * (member + 1) / m_team.size())};
        }
        Scratch& scratch = m_scratch[member];
        std::optional<std::uint64_t> scaled; // the tile whose queries are in scratch
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
                attendTile(call, division, tile, division.range(0), next, scratch, scratch.sums, upcoming);
                writeOut(call, tile, scratch);
                continue;
            }
            float* sums = m_parts.sums + (std::size_t{range} * block.heads + tile.firstHead) * lengths.valueLength;
            attendTile(call, division, tile, division.range(range), next, scratch, sums, upcoming);
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

// Members that need the same head wait, which takes about a microsecond.
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
    const std::size_t length = call.heads.keyLength;
    const auto factor = static_cast<float>(m_shape.queryFactor);
    for (std::size_t q = 0; q < tile.queries(); ++q) {
        const float* query =
            call.queries[tile.firstToken + q / tile.heads] + (tile.firstHead + q % tile.heads) * length;
        std::transform(query, query + length, scratch.queries + q * length, [&](float x) { return factor * x; });
    }
}

Attention::Query Attention::queryOf(const Call& call, std::size_t token, std::uint32_t head) const {
    const auto position = static_cast<std::uint32_t>(call.position + token);
    const std::span<const float> biases = call.options.distanceBiases;
    // The number of heads may differ between blocks.
    return {.token = token,
            .position = position,
            .begin = call.begin(position),
            .end = call.end(position),
            .slope = m_shape.alibi > 0 ? alibiSlope(head, call.block.heads, m_shape.alibi) : 0,
            .biases = biases.empty() ? nullptr : biases.data() + head * AttentionWeights::kDistances};
}

Attention::HeadWeights Attention::weightsOf(const BlockShape& block, const BlockCache& cache, std::uint32_t position,
                                            Rows queries, std::size_t tokens, const Options& options, std::size_t token,
                                            std::uint32_t head) const {
    const HeadShape lengths{.keyLength = cache.keys.length(), .valueLength = 0};
    const Call call{block, cache, position, queries, {}, tokens, lengths, options};
    const Query query = queryOf(call, token, head);
    HeadWeights result{.first = query.begin};
    if (query.begin >= query.end) {
        return result;
    }
    const Scratch& scratch = m_scratch.front();
    const float* const row = queries[token] + std::size_t{head} * lengths.keyLength;
    const auto factor = static_cast<float>(m_shape.queryFactor);
    std::transform(row, row + lengths.keyLength, scratch.queries, [&](float x) { return factor * x; });
    const std::uint32_t count = query.end - query.begin;
    const std::uint32_t kvHead = head / (block.heads / cache.keys.heads());
    result.weights.resize(count);
    PrefetchRange nothing;
    cache.forEachRun(query.begin, query.end, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
        score(call, kvHead, slot, rows, nullptr, nothing, 1, result.weights.data() + (at - query.begin), count,
              scratch);
    });
    Running running{-std::numeric_limits<float>::infinity(), 0};
    weigh(result.weights, query.begin, query, options.chosen, running, {});
    const auto scale = static_cast<float>(1 / withSink(call, head, running.sum, running.largest));
    std::ranges::transform(result.weights, result.weights.begin(), [&](float weight) { return scale * weight; });
    return result;
}

void Attention::attendTile(const Call& call, const AttentionDivision& division, const Tile& tile,
                           AttentionDivision::Range range, const std::byte* next, Scratch& scratch, float* sums,
                           PrefetchRange& upcoming) const {
    const BlockCache& cache = call.cache;
    const std::size_t valueLength = call.heads.valueLength;
    const std::size_t count = tile.queries();
    std::fill_n(sums, count * valueLength, 0.0F);
    std::fill_n(scratch.running, count, Running{-std::numeric_limits<float>::infinity(), 0});

    const auto firstPosition = static_cast<std::uint32_t>(call.position + tile.firstToken);
    const auto lastPosition = static_cast<std::uint32_t>(firstPosition + tile.tokens - 1);
    const std::uint32_t end = std::min(range.end, call.end(lastPosition));
    const KvRows& values = cache.values.heads() != 0 ? cache.values : cache.keys;
    const auto& valueKernels = m_kernels.attention.types[values.typeId()];
    const ChosenPositions& chosen = call.options.chosen;
    // For a single token, reads only the chosen positions. The queries of several tokens have chosen different
    // positions, so all are read.
    const auto forEachRun = [&](std::uint32_t from, std::uint32_t to, const auto& take) {
        if (!chosen || tile.tokens != 1) {
            return cache.forEachRun(from, to, take);
        }
        chosen.forEachRun(tile.firstToken, from, to,
                          [&](std::uint32_t begin, std::uint32_t after) { cache.forEachRun(begin, after, take); });
    };
    // Pieces begin at multiples of their length, so that sums do not depend on where a window begins.
    const std::uint32_t piece = division.piece(count);
    for (std::uint32_t from = std::max(range.begin, call.begin(firstPosition)); from < end;) {
        const std::uint32_t to = std::min(end, from / piece * piece + piece);
        forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            const std::byte* nextValues = &values != &cache.keys ? values.at(tile.kvHead, slot) : nullptr;
            score(call, tile.kvHead, slot, rows, nextValues, upcoming, count, scratch.scores + (at - from), piece,
                  scratch);
        });
        for (std::size_t q = 0; q < count; ++q) {
            const std::size_t token = tile.firstToken + q / tile.heads;
            const auto head = static_cast<std::uint32_t>(tile.firstHead + q % tile.heads);
            weigh({scratch.scores + q * piece, to - from}, from, queryOf(call, token, head), chosen, scratch.running[q],
                  {sums + q * valueLength, valueLength});
        }
        const std::byte* nextKeys = to < end ? cache.keys.at(tile.kvHead, cache.slotOf(to)) : next;
        forEachRun(from, to, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t rows) {
            valueKernels.gather({.data = values.at(tile.kvHead, slot),
                                 .rowBytes = values.rowBytes(),
                                 .length = valueLength,
                                 .next = nextKeys,
                                 .upcoming = &upcoming},
                                rows, scratch.scores + (at - from), piece, count, sums);
        });
        from = to;
    }
}

void Attention::writeOut(const Call& call, const Tile& tile, const Scratch& scratch) const {
    const std::size_t length = call.heads.valueLength;
    for (std::size_t q = 0; q < tile.queries(); ++q) {
        const Running& running = scratch.running[q];
        const std::size_t head = tile.firstHead + q % tile.heads;
        const auto factor = static_cast<float>(1 / withSink(call, head, running.sum, running.largest));
        const float* sums = scratch.sums + q * length;
        float* row = call.out[tile.firstToken + q / tile.heads] + head * length;
        std::transform(sums, sums + length, row, [&](float x) { return factor * x; });
    }
}

double Attention::withSink(const Call& call, std::size_t head, double sum, float largest) {
    const std::span<const float> sinks = call.options.sinks;
    return sinks.empty() ? sum : sum + std::exp(static_cast<double>(sinks[head]) - static_cast<double>(largest));
}

// The row and the sum of each range are scaled by e^(maximum of the range − maximum of all).
void Attention::merge(const Call& call, const Tile& tile, std::uint32_t ranges) const {
    const std::size_t length = call.heads.valueLength;
    const auto gather = m_kernels.attention.types[TensorType::F32].gather;
    for (std::size_t head = tile.firstHead; head < tile.firstHead + tile.heads; ++head) {
        float* weights = m_parts.largest + head * ranges;
        const double* totals = m_parts.totals + head * ranges;
        const float largest = m_kernels.attention.largest(weights, ranges);
        (void)m_kernels.attention.exponentials(weights, ranges, largest);
        double total = 0;
        for (std::uint32_t range = 0; range < ranges; ++range) {
            total += static_cast<double>(weights[range]) * totals[range];
        }
        const auto factor = static_cast<float>(1 / withSink(call, head, total, largest));
        std::transform(weights, weights + ranges, weights, [&](float weight) { return factor * weight; });
        float* row = call.out[0] + head * length;
        std::fill_n(row, length, 0.0F);
        gather({.data = reinterpret_cast<const std::byte*>(m_parts.sums + head * length),
                .rowBytes = call.block.heads * length * sizeof(float),
                .length = length},
               ranges, weights, ranges, 1, row);
    }
}

void Attention::score(const Call& call, std::uint32_t head, std::uint32_t slot, std::uint32_t rows,
                      const std::byte* next, PrefetchRange& upcoming, std::size_t queryCount, float* scores,
                      std::size_t piece, const Scratch& scratch) const {
    const KvRows& keys = call.cache.keys;
    const auto& kernels = m_kernels.attention.types[keys.typeId()];
    if (keys.layout() == KvLayout::Tiles) {
        kernels.scoreTiles({.data = keys.at(head, slot),
                            .bytes = keys.rowBytes() * kTileRows,
                            .length = keys.length(),
                            .next = next,
                            .upcoming = &upcoming},
                           slot % kTileRows, rows, scratch.queries, queryCount, scores, piece);
    } else {
        kernels.score({.data = keys.at(head, slot),
                       .rowBytes = keys.rowBytes(),
                       .length = keys.length(),
                       .next = next,
                       .upcoming = &upcoming},
                      rows, scratch.queries, queryCount, scores, piece);
    }
}

void Attention::weigh(std::span<float> scores, std::uint32_t from, const Query& query, const ChosenPositions& chosen,
                      Running& running, std::span<float> sums) const {
    const std::size_t first = std::min<std::size_t>(scores.size(), query.begin > from ? query.begin - from : 0);
    const std::size_t last = std::min<std::size_t>(scores.size(), query.end > from ? query.end - from : 0);
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
    if (query.slope != 0) {
        const auto begin = static_cast<std::uint32_t>(from + first);
        for (std::uint32_t i = 0; i < seen.size(); ++i) {
            const std::uint32_t at = begin + i;
            seen[i] -=
                query.slope * static_cast<float>(at < query.position ? query.position - at : at - query.position);
        }
    }
    if (query.biases != nullptr) {
        constexpr std::int64_t kFarthest = AttentionWeights::kFarthest;
        const std::int64_t nearest = static_cast<std::int64_t>(from + first) - query.position; // to the first key
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const std::int64_t distance = std::clamp(nearest + static_cast<std::int64_t>(i), -kFarthest, kFarthest);
            seen[i] += query.biases[distance + kFarthest];
        }
    }
    constexpr float kNever = -std::numeric_limits<float>::infinity();
    if (chosen) {
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (!chosen.contains(query.token, static_cast<std::uint32_t>(from + first + i))) {
                seen[i] = kNever;
            }
        }
    }
    const float largest = std::max(running.largest, m_kernels.attention.largest(seen.data(), seen.size()));
    if (chosen && largest == kNever) { // nothing is chosen so far
        std::ranges::fill(seen, 0.0F);
        return;
    }
    if (largest > running.largest && running.sum > 0) {
        const float factor = std::exp(running.largest - largest);
        running.sum *= static_cast<double>(factor);
        std::ranges::transform(sums, sums.begin(), [&](float x) { return factor * x; });
    }
    running.largest = largest;
    running.sum += static_cast<double>(m_kernels.attention.exponentials(seen.data(), seen.size(), largest));
}

namespace {

// Upper bound of the positions of a piece: small enough for the scores of a token to stay in the L1 cache, large enough
// to amortise the work done once for each piece.
constexpr std::uint32_t kLargestPiece = 512;

// Up to this many positions are not divided, because merging would take as long as is gained.
constexpr std::uint32_t kUndivided = 1024;
// Limits of ranges: their shortest length, and their number over all tiles together, which is enough to balance the
// load.
constexpr std::uint32_t kShortestRange = kLargestPiece;
constexpr std::uint32_t kMaxItems = 64;

// Queries of a single token that are processed together. With more, the queries, sums and scores do not fit the L1
// cache.
constexpr std::uint32_t kSingleQueries = 16;

std::uint32_t roundedUp(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

std::uint32_t pieceOf(std::size_t queries) {
    return std::min(kLargestPiece,
                    static_cast<std::uint32_t>(AttentionDivision::kScores / queries / kTileRows * kTileRows));
}

} // namespace

AttentionDivision::AttentionDivision(const AttentionTask& task, unsigned members)
    : m_task(task)
    , m_group(task.heads / task.kvHeads)
    , m_tileHeads(std::min(m_group, task.tokens == 1 ? kSingleQueries : std::uint32_t{kTileQueries}))
    , m_parts(roundedUp(m_group, m_tileHeads))
    , m_tileTokens(std::clamp<std::size_t>(kTileQueries / m_tileHeads, 1, task.tokens))
    , m_tokenTiles((task.tokens + m_tileTokens - 1) / m_tileTokens) {
    if (const std::uint32_t depth = task.end - task.begin; task.tokens == 1 && depth > kUndivided) {
        m_rangeLength = kShortestRange;
        while (std::uint64_t{depth} * tiles() > std::uint64_t{m_rangeLength} * kMaxItems) {
            m_rangeLength *= 2;
        }
        m_ranges = (task.end - 1) / m_rangeLength - task.begin / m_rangeLength + 1;
    }
    // Few positions and KV heads would leave members idle, so the queries of one KV head are divided too.
    if (items() < members) {
        m_parts = std::min(m_group, std::max(m_parts, members));
    }
}

std::uint32_t AttentionDivision::maxRanges(std::uint32_t heads, std::uint32_t kvHeads, std::uint32_t context) {
    if (context <= kUndivided) {
        return 0;
    }
    const std::uint32_t tiles = kvHeads * roundedUp(heads / kvHeads, kSingleQueries);
    const std::uint32_t whole = std::min(roundedUp(kMaxItems, tiles), roundedUp(context, kShortestRange));
    return whole + 1; // a window may begin and end within a range
}

AttentionDivision::Item AttentionDivision::item(std::uint64_t index) const {
    const std::uint64_t part = index % m_parts;
    const auto tokenTile = static_cast<std::size_t>(index / m_parts % m_tokenTiles);
    const auto range = static_cast<std::uint32_t>(index / m_parts / m_tokenTiles % m_ranges);
    const auto kvHead = static_cast<std::uint32_t>(index / m_parts / m_tokenTiles / m_ranges);
    // Multiplied in 64 bits, because a malicious file may have very many heads.
    const auto headOf = [&](std::uint64_t each) { return static_cast<std::uint32_t>(each * m_group / m_parts); };
    const std::uint32_t first = headOf(part);
    const std::size_t firstToken = tokenTile * m_tileTokens;
    return {.tileIndex = (std::uint64_t{kvHead} * m_tokenTiles + tokenTile) * m_parts + part,
            .tile = {.kvHead = kvHead,
                     .firstHead = kvHead * m_group + first,
                     .heads = headOf(part + 1) - first,
                     .firstToken = firstToken,
                     .tokens = std::min(m_tileTokens, m_task.tokens - firstToken)},
            .range = range};
}

AttentionDivision::Range AttentionDivision::range(std::uint32_t index) const {
    if (m_ranges == 1) {
        return {m_task.begin, m_task.end};
    }
    const std::uint64_t begin = (std::uint64_t{m_task.begin} / m_rangeLength + index) * m_rangeLength;
    return {static_cast<std::uint32_t>(std::max<std::uint64_t>(m_task.begin, begin)),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(m_task.end, begin + m_rangeLength))};
}

std::uint32_t AttentionDivision::piece(std::size_t queries) const {
    // For a single token the piece is the same for each part of a group.
    return pieceOf(m_task.tokens == 1 ? m_tileHeads : queries);
}

} // namespace gufo::inference
