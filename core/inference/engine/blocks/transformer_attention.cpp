// Attention of a block: projects queries, keys and values, norms and rotates them, writes keys and values to the cache,
// and attends.
#include "inference/engine/blocks/transformer.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gufo::inference {

void Transformer::attend(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    if (latent()) {
        BlockCache& cache = m_caches[block.source];
        cache.extend(static_cast<std::uint32_t>(position + tokens));
        projectLatent(index, tokens);
        finishLatent(index, position, tokens);
        m_latentHeads->absorb(static_cast<const LatentWeights&>(*weights.latent), block.heads, m_queries.rows(),
                              m_absorbed.rows(), tokens);
        const Attention::Options options{.chosen = m_indexer ? m_indexer->choose(cache, position, tokens)
                                                             : ChosenPositions()};
        m_attention.attend(block, cache, position, m_absorbed.rows(), m_gathered.rows(), tokens, options);
        observeAttention(index, position, m_absorbed.rows(), tokens, options);
        m_latentHeads->expand(static_cast<const LatentWeights&>(*weights.latent), block.heads, m_gathered.rows(),
                              m_attended.rows(), tokens);
    } else {
        project(index, tokens);
        forEachSequence(position, tokens, [&](const Sequence& sequence) { attendWithin(index, sequence); });
        if (m_gatedQueries.width() != 0) {
            gate(index, tokens);
        }
    }
    if (weights.outputNorm) {
        m_context.norm(weights.outputNorm, m_attended.rows(), m_attended.rows(), tokens, weights.output.columns);
    }
    m_context.multiplier.multiply(weights.output, m_attended.rows(), m_branch.rows(), tokens);
}

void Transformer::attendWithin(std::size_t index, const Sequence& sequence) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const auto finish = [&](std::uint32_t kvHead) { finishHead(index, sequence.first, sequence.position, kvHead); };
    const bool one = sequence.tokens == 1;
    BlockCache& cache = m_caches[block.source];
    cache.extend(static_cast<std::uint32_t>(sequence.position + sequence.tokens));
    if (one) {
        finishRow(index, sequence.first);
    } else {
        finishHeads(index, sequence);
    }
    const auto rows = [&](const Activations& all) { return Rows{all[sequence.first].data(), all.width()}; };
    const Attention::Options options{.after = &weights.output,
                                     .finish = one ? std::function<void(std::uint32_t)>(std::ref(finish)) : nullptr,
                                     .sinks = weights.sinks,
                                     .distanceBiases = weights.distanceBiases};
    m_attention.attend(block, cache, sequence.position, rows(m_queries), rows(m_attended), sequence.tokens, options);
    observeAttention(index, sequence.position, rows(m_queries), sequence.tokens, options);
}

void Transformer::observeAttention(std::size_t index, std::uint32_t position, Rows queries, std::size_t tokens,
                                   const Attention::Options& options) const {
    RunObserver* const observer = m_context.observer;
    const BlockShape& block = m_shape.blocks[index];
    for (std::uint32_t head = 0; observer != nullptr && head < block.heads; ++head) {
        for (std::size_t t = 0; observer->wantsAttention(index, head) && t < tokens; ++t) {
            const Attention::HeadWeights seen =
                m_attention.weightsOf(block, m_caches[block.source], position, queries, tokens, options, t, head);
            observer->attention(index, head, static_cast<std::uint32_t>(position + t), seen.first, seen.weights);
        }
    }
}

void Transformer::project(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const Rows queries = m_gatedQueries.width() != 0 ? m_gatedQueries.rows() : m_queries.rows();
    const std::array<Multiplier::Product, 3> products{
        {{&weights.query, queries}, {&weights.key, m_keys.rows()}, {&weights.value, m_values.rows()}}};
    const std::size_t count = weights.value ? 3 : weights.key ? 2 : 1;
    m_context.multiplier.multiply(std::span(products).first(count), m_normed.rows(), tokens);
}

void Transformer::gate(std::size_t index, std::size_t tokens) {
    const std::size_t length = m_shape.blocks[index].keyLength;
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            for (std::size_t head = 0; head < m_shape.blocks[index].heads; ++head) {
                float* attended = m_attended[t].data() + head * length;
                activeKernels().rows.sigmoid(m_gatedQueries[t].data() + (2 * head + 1) * length, attended, attended,
                                             length);
            }
        }
    });
}

// Queries are projected directly or through low-rank rows. Of keys and values only the latent is made, and the rotated
// part of the key, which all heads share.
void Transformer::projectLatent(std::size_t index, std::size_t tokens) {
    const BlockWeights& block = m_context.weights.blocks[index];
    const auto& weights = static_cast<const LatentWeights&>(*block.attention.latent);
    Multiplier& multiplier = m_context.multiplier;
    if (weights.queryDown) {
        multiplier.multiply(weights.queryDown, m_normed.rows(), m_down.rows(), tokens);
        m_context.norm(weights.queryDownNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.queryRank);
        multiplier.multiply(block.attention.query, m_latent.rows(), m_queries.rows(), tokens);
        if (m_indexer) {
            m_indexer->project(static_cast<const IndexerWeights&>(*block.indexer), m_latent.rows(), m_normed.rows(),
                               tokens);
        }
    } else {
        multiplier.multiply(block.attention.query, m_normed.rows(), m_queries.rows(), tokens);
    }
    multiplier.multiply(weights.keyValueDown, m_normed.rows(), m_down.rows(), tokens);
    m_context.norm(weights.keyValueNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.keyValueRank);
    if (weights.keyValueUp) { // keys and values are never expanded, but this is what the matrix is meant for
        multiplier.announce(weights.keyValueUp, m_latent.rows(), tokens);
    }
}

void Transformer::finishLatent(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const std::size_t rank = m_shape.keyValueRank;
    const std::size_t plain = m_shape.keyLength - m_shape.rotated;
    const Rope& rope = ropeOf(index);
    BlockCache& cache = m_caches[index];
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const float growth = queryGrowth(m_shape.blocks[index], static_cast<std::uint32_t>(position + t));
            for (std::uint32_t h = 0; h < m_shape.blocks[index].heads; ++h) {
                float* query = m_queries[t].data() + h * m_shape.keyLength;
                rope.rotate(query + plain, t);
                if (growth != 1) {
                    std::transform(query, query + m_shape.keyLength, query, [&](float x) { return growth * x; });
                }
            }
            float* row = m_latent[t].data();
            std::copy_n(m_down[t].data() + rank, m_shape.rotated, row + rank);
            rope.rotate(row + rank, t);
            cache.keys.write(0, cache.slotOf(static_cast<std::uint32_t>(position + t)), row);
        }
    });
}

void Transformer::finishHeads(std::size_t index, const Sequence& sequence) {
    m_context.multiplier.team().forShares(sequence.tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const auto position = static_cast<std::uint32_t>(sequence.position + t);
            finishRow(index, sequence.first + t);
            for (std::uint32_t h = 0; h < m_shape.blocks[index].kvHeads; ++h) {
                finishHead(index, sequence.first + t, position, h);
            }
        }
    });
}

void Transformer::finishRow(std::size_t index, std::size_t t) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const NormKind kind = m_shape.architecture->norm.kind;
    const std::span<float> queries = m_queries[t].first(std::size_t{block.heads} * block.keyLength);
    for (std::size_t head = 0; m_gatedQueries.width() != 0 && head < block.heads; ++head) {
        const auto query = m_gatedQueries[t].subspan(2 * head * block.keyLength, block.keyLength);
        std::ranges::copy(query, queries.data() + head * block.keyLength);
    }
    if (block.source != index) {
        if (weights.queryNorm) {
            applyNorm(weights.queryNorm, kind, m_shape.epsilon, queries, queries);
        }
        return;
    }
    const std::span<float> keys = m_keys[t].first(std::size_t{block.kvHeads} * block.keyLength);
    const std::span<float> values = m_values[t].first(std::size_t{block.kvHeads} * block.valueLength);
    if (!weights.value) {
        std::ranges::copy(keys, values.begin());
    }
    if (m_shape.clamp > 0) {
        const auto limit = static_cast<float>(m_shape.clamp);
        for (const std::span<float> row : {queries, keys, values}) {
            std::ranges::transform(row, row.begin(), [&](float x) { return std::clamp(x, -limit, limit); });
        }
    }
    if (weights.queryNorm) {
        applyNorm(weights.queryNorm, kind, m_shape.epsilon, queries, queries);
    }
    if (weights.keyNorm) {
        applyNorm(weights.keyNorm, kind, m_shape.epsilon, keys, keys);
    }
    for (std::uint32_t h = 0; m_shape.architecture->norm.plainValues && h < block.kvHeads; ++h) {
        normalise(kind, m_shape.epsilon, values.subspan(std::size_t{h} * block.valueLength, block.valueLength));
    }
}

void Transformer::finishHead(std::size_t index, std::size_t t, std::uint32_t position, std::uint32_t kvHead) {
    const BlockShape& block = m_shape.blocks[index];
    const std::size_t length = block.keyLength;
    const Rope& rope = ropeOf(index);
    const std::uint32_t group = block.heads / block.kvHeads;
    const std::vector<float>& scoreWeights = m_context.weights.blocks[index].attention.scoreWeights;
    const bool normed = !scoreWeights.empty() || (m_shape.plainHeadNorms && block.rotates);
    const auto finish = [&](float* head) {
        if (block.rotates) {
            rope.rotate(head, t);
        }
        if (normed) {
            normalise(m_shape.architecture->norm.kind, m_shape.epsilon, {head, length});
        }
    };
    const float growth = queryGrowth(block, position);
    for (std::uint32_t h = kvHead * group; h < (kvHead + 1) * group; ++h) {
        float* query = m_queries[t].data() + h * length;
        finish(query);
        std::transform(scoreWeights.begin(), scoreWeights.end(), query, query, std::multiplies());
        if (growth != 1) {
            std::transform(query, query + length, query, [&](float x) { return growth * x; });
        }
    }
    if (block.source != index) {
        return;
    }
    BlockCache& cache = m_caches[index];
    const std::uint32_t slot = cache.slotOf(position);
    float* key = m_keys[t].data() + kvHead * length;
    finish(key);
    cache.keys.write(kvHead, slot, key);
    cache.values.write(kvHead, slot, m_values[t].data() + std::size_t{kvHead} * block.valueLength);
}

float Transformer::queryGrowth(const BlockShape& block, std::uint32_t position) const {
    const TemperatureShape& shape = m_shape.temperature;
    if (shape.growth == 0 || (shape.unrotatedOnly && block.rotates)) {
        return 1;
    }
    const std::uint64_t lengths = (std::uint64_t{position} + shape.offset) / shape.length;
    return static_cast<float>(1 + shape.growth * std::log1p(static_cast<double>(lengths)));
}

} // namespace gufo::inference
