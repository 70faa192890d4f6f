#include "inference/engine/blocks/indexer.h"

#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace gufo::inference {
namespace {

constexpr double kKeyEpsilon = 1e-6; // of the norm of keys; files do not state it
// Positions that are scored at once, and the heads that score them.
constexpr std::uint32_t kPiece = 128;
constexpr std::uint32_t kHeadsAtOnce = 16;

} // namespace

Indexer::Indexer(const ForwardContext& context, const StackOptions& options, std::span<const float> factors)
    : m_context(context)
    , m_shape(context.shape.indexer)
    , m_rope(context.memory, options.batch, RopeKind::HalfSplit, context.shape.rope, factors)
    , m_queries(context.memory, options.batch, std::size_t{m_shape.heads} * m_shape.keyLength)
    , m_keys(context.memory, options.batch, m_shape.keyLength)
    , m_headWeights(context.memory, options.batch, m_shape.heads)
    , m_shiftedKey(m_shape.keyLength) {
    for (unsigned member = 0; member < context.multiplier.team().size(); ++member) {
        m_scratch.push_back({.scores = context.memory.take<float>(options.context),
                             .order = context.memory.take<float>(options.context),
                             .ofHeads = context.memory.take<float>(kHeadsAtOnce, kPiece)});
    }
    const std::size_t words = ChosenPositions::wordsFor(options.context);
    m_chosen = {context.memory.take<ChosenPositions::Word>(options.batch, words), words};
}

void Indexer::prepare(std::uint32_t position, std::size_t tokens) { m_rope.prepare(position, tokens); }

void Indexer::project(const IndexerWeights& weights, Rows queryRows, Rows in, std::size_t tokens) {
    Multiplier& multiplier = m_context.multiplier;
    multiplier.multiply(weights.query, queryRows, m_queries.rows(), tokens);
    const std::array<Multiplier::Product, 2> products{
        {{&weights.key, m_keys.rows()}, {&weights.headWeights, m_headWeights.rows()}}};
    multiplier.multiply(products, in, tokens);
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(m_shape.heads) * m_shape.keyLength));
        for (std::uint64_t t = begin; t < end; ++t) {
            applyNorm(weights.keyNorm, NormKind::Layer, kKeyEpsilon, m_keys[t], m_keys[t]);
            m_rope.rotate(m_keys[t].data(), t);
            for (std::uint32_t h = 0; h < m_shape.heads; ++h) {
                m_rope.rotate(m_queries[t].data() + std::size_t{h} * m_shape.keyLength, t);
                m_headWeights[t][h] *= factor;
            }
        }
    });
}

ChosenPositions Indexer::choose(BlockCache& cache, std::uint32_t position, std::size_t tokens) {
    for (std::size_t t = 0; t < tokens; ++t) {
        cache.index.write(0, cache.slotOf(static_cast<std::uint32_t>(position + t)), m_keys[t].data());
    }
    const std::uint32_t first = cache.first();
    if (position + tokens - first <= m_shape.best) {
        return {};
    }
    Team& team = m_context.multiplier.team();
    if (tokens == 1) {
        const Scratch& scratch = m_scratch.front();
        team.forShares(position + 1 - first, kPiece, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
            score(cache, 0, static_cast<std::uint32_t>(first + begin), static_cast<std::uint32_t>(first + end),
                  scratch.scores, m_scratch[member].ofHeads);
        });
        chooseBest(0, first, position + 1, scratch.scores, scratch.order);
    } else {
        team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
            const Scratch& scratch = m_scratch[member];
            for (std::uint64_t t = begin; t < end; ++t) {
                const auto last = static_cast<std::uint32_t>(position + t);
                score(cache, t, first, last + 1, scratch.scores, scratch.ofHeads);
                chooseBest(t, first, last + 1, scratch.scores, scratch.order);
            }
        });
    }
    return m_chosen;
}

void Indexer::score(const BlockCache& cache, std::size_t token, std::uint32_t from, std::uint32_t to, float* scores,
                    float* ofHeads) const {
    const KvRows& keys = cache.index;
    const auto scoreTiles = activeKernels().attention.types[keys.typeId()].scoreTiles;
    std::fill(scores + from, scores + to, 0.0F);
    for (std::uint32_t begin = from; begin < to; begin += std::min(kPiece, to - begin)) {
        const std::uint32_t end = begin + std::min(kPiece, to - begin);
        cache.forEachRun(begin, end, [&](std::uint32_t at, std::uint32_t slot, std::uint32_t count) {
            const CachedTiles tiles{
                .data = keys.at(0, slot), .bytes = keys.rowBytes() * kTileRows, .length = keys.length()};
            for (std::uint32_t head = 0; head < m_shape.heads; head += kHeadsAtOnce) {
                const std::uint32_t heads = std::min(kHeadsAtOnce, m_shape.heads - head);
                scoreTiles(tiles, slot % kTileRows, count,
                           m_queries[token].data() + std::size_t{head} * m_shape.keyLength, heads, ofHeads, kPiece);
                for (std::uint32_t h = 0; h < heads; ++h) {
                    const float weight = m_headWeights[token][head + h];
                    const float* products = ofHeads + std::size_t{h} * kPiece;
                    for (std::uint32_t i = 0; i < count; ++i) {
                        scores[at + i] += weight * std::max(0.0F, products[i]);
                    }
                }
            }
        });
    }
}

// Of equal scores the earlier positions win.
void Indexer::chooseBest(std::size_t token, std::uint32_t from, std::uint32_t to, float* scores, float* scratch) const {
    m_chosen.clear(token);
    const std::uint32_t count = to - from;
    float minimum = -std::numeric_limits<float>::infinity(); // of the chosen scores
    std::uint32_t equal = m_shape.best;                      // how many of the positions with this score are chosen
    if (count > m_shape.best) {
        // NaN weights make NaN scores, which cannot be sorted.
        std::replace_if(scores + from, scores + to, [](float score) { return std::isnan(score); }, minimum);
        std::copy(scores + from, scores + to, scratch);
        std::nth_element(scratch, scratch + (m_shape.best - 1), scratch + count, std::greater());
        minimum = scratch[m_shape.best - 1];
        equal -= static_cast<std::uint32_t>(
            std::count_if(scores + from, scores + to, [&](float score) { return score > minimum; }));
    }
    for (std::uint32_t at = from; at < to; ++at) {
        if (count <= m_shape.best || scores[at] > minimum) {
            m_chosen.add(token, at);
        } else if (scores[at] == minimum && equal != 0) {
            m_chosen.add(token, at);
            --equal;
        }
    }
}

void Indexer::shift(BlockCache& cache, std::uint32_t begin, std::uint32_t end, std::uint32_t count) {
    m_rope.prepareShift(-std::int64_t{count});
    for (std::uint32_t at = begin; at < end; ++at) {
        cache.index.read(0, cache.slotOf(at), m_shiftedKey);
        m_rope.shift(m_shiftedKey.data());
        cache.index.write(0, cache.slotOf(at), m_shiftedKey.data());
    }
}

void readIndexer(ShapeReader& reader) {
    ModelShape& shape = reader.shape();
    shape.indexer = {.heads = reader.length("attention.indexer.head_count"),
                     .keyLength = reader.length("attention.indexer.key_length"),
                     .best = reader.length("attention.indexer.top_k")};
    if (shape.indexer.keyLength < shape.rotated) {
        reader.refuse("attention.indexer.key_length");
    }
    if (shape.queryRank == 0) { // the indexer's queries are made from the rows of low rank
        reader.refuse("attention.q_lora_rank");
    }
}

void bindIndexer(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const ModelShape& model = binder.shape();
    const IndexerShape& shape = model.indexer;
    auto weights = std::make_shared<IndexerWeights>();
    weights->query = file.matrix("indexer.attn_q_b", model.queryRank, std::uint64_t{shape.heads} * shape.keyLength);
    weights->key = file.matrix("indexer.attn_k", model.embedding, shape.keyLength);
    weights->keyNorm = file.norm("indexer.k_norm", shape.keyLength);
    weights->headWeights = file.matrix("indexer.proj", model.embedding, shape.heads);
    binder.weights().smallBytes += sizeof(IndexerWeights);
    binder.weights().blocks[index].indexer = std::move(weights);
}

} // namespace gufo::inference
