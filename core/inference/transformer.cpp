#include "inference/forward.h"
#include "inference/operations.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

class Transformer final : public BlockStack {
public:
    Transformer(const ForwardContext& context, const StackOptions& options)
        : m_context(context)
        , m_shape(context.shape)
        , m_attention(context.multiplier.team(), context.shape, options.context)
        , m_feedForward(context, options.batch) {
        std::size_t queries = 0;
        std::size_t keys = 0;
        std::size_t values = 0;
        std::size_t attended = 0;
        for (const BlockShape& block : m_shape.blocks) {
            queries = std::max<std::size_t>(queries, std::size_t{block.heads} * m_shape.keyLength);
            keys = std::max<std::size_t>(keys, std::size_t{block.kvHeads} * m_shape.keyLength);
            values = std::max<std::size_t>(values, std::size_t{block.kvHeads} * m_shape.valueLength);
            attended = std::max<std::size_t>(attended, std::size_t{block.heads} * m_shape.valueLength);
        }
        m_normed = Activations(options.batch, m_shape.embedding);
        m_branch = Activations(options.batch, m_shape.embedding);
        m_second = Activations(options.batch, m_shape.embedding);
        m_queries = Activations(options.batch, queries);
        m_keys = Activations(options.batch, keys);
        m_values = Activations(options.batch, values);
        m_attended = Activations(options.batch, attended);
        if (latent()) {
            m_down = Activations(options.batch, std::max(m_shape.queryRank, m_shape.keyValueRank + m_shape.rotated));
            m_latent = Activations(options.batch, std::max(m_shape.queryRank, m_shape.keyValueRank));
            m_expanded = Activations(options.batch,
                                     queries - std::size_t{m_shape.blocks.front().heads} * m_shape.rotated + attended);
        }
        const Weights& weights = context.weights;
        const std::vector<float>& longOrShort =
            options.context > m_shape.rope.originalContext ? weights.ropeFactorsLong : weights.ropeFactorsShort;
        const std::vector<float>& factors = longOrShort.empty() ? weights.ropeFactors : longOrShort;
        m_rope = Rope(m_shape.architecture->rope, m_shape.rope, m_shape.rotated, factors);
        m_windowRope = Rope(m_shape.architecture->rope, m_shape.windowRope, m_shape.rotated, factors);
    }

    [[nodiscard]] Result<> makeCaches(const StackOptions& options) {
        for (const BlockShape& block : m_shape.blocks) {
            auto keys = KvRows::make(options.keys, block.kvHeads, m_shape.keyLength, options.context);
            auto values = KvRows::make(options.values, block.kvHeads, m_shape.valueLength, options.context);
            if (!keys || !values) {
                return std::unexpected(std::move((keys ? values : keys).error()));
            }
            m_caches.push_back({std::move(*keys), std::move(*values)});
        }
        return {};
    }

    bool run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) override;
    std::vector<BlockCache>* caches() override { return &m_caches; }
    void moveTokens(std::uint32_t from, std::uint32_t to, std::uint32_t count) override;

private:
    [[nodiscard]] bool latent() const { return m_shape.architecture->family == Family::LatentAttention; }
    void attend(std::size_t index, std::uint32_t position, std::size_t tokens);
    void project(std::size_t index, std::size_t tokens);
    void projectLatent(std::size_t index, std::size_t tokens);
    // Clamps, norms and rotates queries and keys, and writes keys and values to the cache.
    void finishHeads(std::size_t index, std::uint32_t position, std::size_t tokens);

    [[nodiscard]] const Rope& ropeOf(std::size_t index) const {
        return m_shape.blocks[index].window != 0 ? m_windowRope : m_rope;
    }
    // Where in a head the rotated elements begin.
    [[nodiscard]] std::size_t rotatedFrom() const { return latent() ? m_shape.keyLength - m_shape.rotated : 0; }

    const ForwardContext& m_context;
    const ModelShape& m_shape;
    Attention m_attention;
    FeedForward m_feedForward;
    Rope m_rope;
    Rope m_windowRope;
    std::vector<BlockCache> m_caches;
    Activations m_normed;
    Activations m_branch;
    Activations m_second;
    Activations m_queries;
    Activations m_keys;
    Activations m_values;
    Activations m_attended;
    Activations m_down;
    Activations m_latent;
    Activations m_expanded;
};

bool Transformer::run(Rows stream, std::uint32_t position, std::size_t tokens, const JobContext& job) {
    const std::size_t width = m_shape.embedding;
    Team& team = m_context.multiplier.team();
    const auto addRows = [&](const Activations& branch) {
        team.forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t t = begin; t < end; ++t) {
                add({stream[t], width}, branch[t]);
            }
        });
    };
    m_rope.prepare(position, tokens);
    m_windowRope.prepare(position, tokens);
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        if (job.stopRequested()) {
            return false;
        }
        const BlockWeights& block = m_context.weights.blocks[i];
        const bool parallel =
            m_shape.parallel || (m_shape.architecture->residual == Residual::ParallelByNorms && !block.feedForwardNorm);
        m_context.norm(block.attentionNorm2 ? block.attentionNorm2 : block.attentionNorm, stream, m_normed.rows(),
                       tokens, width);
        attend(i, position, tokens); // of m_normed, to m_branch
        if (block.attentionPostNorm) {
            m_context.norm(block.attentionPostNorm, m_branch.rows(), m_branch.rows(), tokens, width);
        }
        if (parallel) {
            const Norm& norm = block.feedForwardNorm ? block.feedForwardNorm : block.attentionNorm;
            m_context.norm(norm, stream, m_normed.rows(), tokens, width);
            addRows(m_branch);
        } else {
            addRows(m_branch);
            m_context.norm(block.feedForwardNorm, stream, m_normed.rows(), tokens, width);
        }
        m_feedForward.run(block, m_normed.rows(), m_second.rows(), tokens);
        if (block.feedForwardPostNorm) {
            m_context.norm(block.feedForwardPostNorm, m_second.rows(), m_second.rows(), tokens, width);
        }
        addRows(m_second);
    }
    return true;
}

void Transformer::attend(std::size_t index, std::uint32_t position, std::size_t tokens) {
    if (latent()) {
        projectLatent(index, tokens);
    } else {
        project(index, tokens);
    }
    finishHeads(index, position, tokens);
    m_attention.attend(m_shape.blocks[index], m_caches[index], position, m_queries.rows(), m_attended.rows(), tokens);
    m_context.multiplier.multiply(m_context.weights.blocks[index].attention.output, m_attended.rows(), m_branch.rows(),
                                  tokens);
}

void Transformer::project(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const std::array<Multiplier::Product, 3> products{
        {{&weights.query, m_queries.rows()}, {&weights.key, m_keys.rows()}, {&weights.value, m_values.rows()}}};
    m_context.multiplier.multiply(products, m_normed.rows(), tokens);
}

// DeepSeek-V2 (2405.04434, section 2.1): queries and key-value pairs come from rows of low rank; all heads share the
// rotated part of the key.
void Transformer::projectLatent(std::size_t index, std::size_t tokens) {
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const std::size_t rank = m_shape.keyValueRank;
    const std::size_t plain = m_shape.keyLength - m_shape.rotated;
    const std::uint32_t heads = m_shape.blocks[index].heads;
    Multiplier& multiplier = m_context.multiplier;
    if (weights.queryDown) {
        multiplier.multiply(weights.queryDown, m_normed.rows(), m_down.rows(), tokens);
        m_context.norm(weights.queryDownNorm, m_down.rows(), m_latent.rows(), tokens, m_shape.queryRank);
        multiplier.multiply(weights.query, m_latent.rows(), m_queries.rows(), tokens);
    } else {
        multiplier.multiply(weights.query, m_normed.rows(), m_queries.rows(), tokens);
    }
    multiplier.multiply(weights.keyValueDown, m_normed.rows(), m_down.rows(), tokens);
    m_context.norm(weights.keyValueNorm, m_down.rows(), m_latent.rows(), tokens, rank);
    multiplier.multiply(weights.keyValueUp, m_latent.rows(), m_expanded.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        const float* rotated = m_down[t].data() + rank;
        const float* expanded = m_expanded[t].data();
        for (std::uint32_t h = 0; h < heads; ++h) {
            float* key = m_keys[t].data() + std::size_t{h} * m_shape.keyLength;
            std::copy_n(expanded, plain, key);
            std::copy_n(rotated, m_shape.rotated, key + plain);
            std::copy_n(expanded + plain, m_shape.valueLength,
                        m_values[t].data() + std::size_t{h} * m_shape.valueLength);
            expanded += plain + m_shape.valueLength;
        }
    }
}

void Transformer::finishHeads(std::size_t index, std::uint32_t position, std::size_t tokens) {
    const BlockShape& block = m_shape.blocks[index];
    const AttentionWeights& weights = m_context.weights.blocks[index].attention;
    const NormKind kind = m_shape.architecture->norm;
    const std::size_t length = m_shape.keyLength;
    const Rope& rope = ropeOf(index);
    BlockCache& cache = m_caches[index];
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> queries = m_queries[t].first(block.heads * length);
            const std::span<float> keys = m_keys[t].first(block.kvHeads * length);
            const std::span<float> values = m_values[t].first(std::size_t{block.kvHeads} * m_shape.valueLength);
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
            for (std::uint32_t h = 0; h < block.heads; ++h) {
                rope.rotate(queries.data() + h * length + rotatedFrom(), t);
            }
            const auto at = static_cast<std::uint32_t>(position + t);
            for (std::uint32_t h = 0; h < block.kvHeads; ++h) {
                rope.rotate(keys.data() + h * length + rotatedFrom(), t);
                cache.keys.write(h, at, keys.data() + h * length);
                cache.values.write(h, at, values.data() + std::size_t{h} * m_shape.valueLength);
            }
        }
    });
}

void Transformer::moveTokens(std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    std::vector<float> scratch(m_shape.keyLength);
    const std::int64_t positions = std::int64_t{to} - from;
    for (std::size_t i = 0; i < m_caches.size(); ++i) {
        BlockCache& cache = m_caches[i];
        cache.keys.move(from, to, count);
        cache.values.move(from, to, count);
        for (std::uint32_t h = 0; h < cache.keys.heads() && m_shape.architecture->rope != RopeKind::None; ++h) {
            for (std::uint32_t at = to; at < to + count; ++at) {
                const float* key = cache.keys.read(h, at, scratch.data());
                if (key != scratch.data()) {
                    std::copy_n(key, scratch.size(), scratch.data());
                }
                ropeOf(i).turn(scratch.data() + rotatedFrom(), positions);
                cache.keys.write(h, at, scratch.data());
            }
        }
    }
}

} // namespace

Result<std::unique_ptr<BlockStack>> makeTransformer(const ForwardContext& context, const StackOptions& options) {
    auto transformer = std::make_unique<Transformer>(context, options);
    if (auto made = transformer->makeCaches(options); !made) {
        return std::unexpected(std::move(made.error()));
    }
    return transformer;
}

} // namespace gufo::inference
