#include "inference/interface/embedder.h"

#include "base/detail.h"
#include "base/try.h"
#include "inference/engine/binding/binder.h"
#include "inference/engine/compute/operations.h"
#include "inference/engine/engine_session.h"
#include "inference/engine/gufo_engine.h"
#include "model/hyper_parameters.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

class EngineEmbedder final : public Embedder {
public:
    EngineEmbedder(std::shared_ptr<const BoundModel> engine, std::unique_ptr<EngineSession> session)
        : m_engine(std::move(engine))
        , m_session(std::move(session))
        , m_shape(m_engine->shape)
        , m_facts{.model = m_engine->model,
                  .context = m_session->context(),
                  .trainedContext = m_shape.trainedContext,
                  .width = m_shape.embedding,
                  .pooling = m_shape.pooling.asked,
                  .ranks = static_cast<bool>(m_engine->weights.rankingHead),
                  .labels = m_shape.pooling.labels,
                  .leftOut = m_engine->weights.leftOut} {}

    [[nodiscard]] const EmbedderFacts& facts() const override { return m_facts; }
    [[nodiscard]] Result<std::vector<std::vector<float>>> embedAll(Texts texts, Pooling pooling,
                                                                   const JobContext& job) override;

private:
    // Accumulates the states of a text's tokens, as they arrive, into the vector of the text.
    struct Pool {
        Pooling row = Pooling::None; // how the states become one row
        std::size_t tokens = 0;      // of the text
        std::vector<float> rows{};   // all with Pooling::None; otherwise one
        std::vector<double> sums{};
    };
    [[nodiscard]] Pool startPool(Pooling row, std::size_t tokens) const;
    void add(Pool& pool, std::size_t first, Rows states, std::size_t count) const;
    [[nodiscard]] std::vector<float> finish(Pool& pool, Pooling pooling);
    // These replace the first row of m_session->pooled() and return its new length.
    std::size_t project();
    std::size_t rank();
    void multiply(const Matrix& matrix, std::size_t from, std::size_t to);

    std::shared_ptr<const BoundModel> m_engine;
    std::unique_ptr<EngineSession> m_session;
    const ModelShape& m_shape;
    EmbedderFacts m_facts;
};

Result<std::vector<std::vector<float>>> EngineEmbedder::embedAll(Texts texts, Pooling pooling, const JobContext& job) {
    if (std::ranges::any_of(texts, [](const auto& text) { return text.empty(); })) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    if (pooling == Pooling::Rank && !m_facts.ranks) {
        return fail(ErrorCode::NoSuchTensor, {}, {std::string("cls.output.weight")});
    }
    const Pooling row = pooling == Pooling::Rank ? m_shape.pooling.rankedRow : pooling;
    std::vector<std::vector<float>> vectors(texts.size());
    Pool pool;
    const auto done = m_session->evaluateTexts(
        texts,
        [&](std::size_t text, std::size_t first, Rows states, std::size_t count) {
            if (first == 0) {
                pool = startPool(row, texts[text].size());
            }
            add(pool, first, states, count);
            if (first + count == pool.tokens) {
                vectors[text] = finish(pool, pooling);
            }
        },
        job);
    return done ? Result<std::vector<std::vector<float>>>(std::move(vectors)) : std::unexpected(done.error());
}

EngineEmbedder::Pool EngineEmbedder::startPool(Pooling row, std::size_t tokens) const {
    const std::size_t width = m_shape.embedding;
    Pool pool{.row = row, .tokens = tokens};
    pool.rows.resize(row == Pooling::None ? tokens * width : width);
    pool.sums.resize(row == Pooling::Mean ? width : 0);
    return pool;
}

void EngineEmbedder::add(Pool& pool, std::size_t first, Rows states, std::size_t count) const {
    const std::size_t width = m_shape.embedding;
    for (std::size_t t = 0; t < count; ++t) {
        const std::span<const float> state(states[t], width);
        if (pool.row == Pooling::None) {
            std::ranges::copy(state, pool.rows.data() + (first + t) * width);
        } else if (pool.row == Pooling::Mean) {
            std::ranges::transform(state, pool.sums, pool.sums.begin(),
                                   [](float x, double sum) { return sum + static_cast<double>(x); });
        } else if (first + t == (pool.row == Pooling::First ? 0 : pool.tokens - 1)) {
            std::ranges::copy(state, pool.rows.begin());
        }
    }
}

std::vector<float> EngineEmbedder::finish(Pool& pool, Pooling pooling) {
    if (pool.row == Pooling::None) {
        return std::move(pool.rows);
    }
    const auto count = static_cast<double>(pool.tokens);
    std::ranges::transform(pool.sums, pool.rows.begin(), [&](double sum) { return static_cast<float>(sum / count); });
    const std::span<float> pooled = m_session->pooled()[0];
    std::ranges::copy(pool.rows, pooled.begin());
    const std::size_t length = pooling == Pooling::Rank ? rank() : project();
    return {pooled.begin(), pooled.begin() + static_cast<std::ptrdiff_t>(length)};
}

void EngineEmbedder::multiply(const Matrix& matrix, std::size_t from, std::size_t to) {
    const Rows rows = m_session->pooled().rows();
    m_session->forward().multiplier.multiply(matrix, {rows[from], rows.stride}, {rows[to], rows.stride}, 1);
}

std::size_t EngineEmbedder::project() {
    const auto& [first, second] = m_engine->weights.projections;
    if (first) {
        multiply(first, 0, 1);
        multiply(second, 1, 0);
    }
    return m_shape.embedding;
}

std::size_t EngineEmbedder::rank() {
    const RankingHead& head = m_engine->weights.rankingHead;
    Activations& rows = m_session->pooled();
    const std::size_t width = m_shape.embedding;
    if (head.dense) {
        multiply(head.dense, 0, 1);
        const std::span<float> dense = rows[1].first(width);
        switch (m_shape.pooling.activation) {
        case HeadActivation::Tanh:
            std::ranges::transform(dense, dense.begin(), [](float x) { return std::tanh(x); });
            break;
        case HeadActivation::ExactGelu:
            activate(Activation::ExactGelu, dense);
            break;
        case HeadActivation::Silu:
            activate(Activation::Silu, dense);
            break;
        }
        std::ranges::copy(dense, rows[0].begin());
    }
    if (head.norm) {
        applyNorm(head.norm, m_shape.architecture->norm.kind, m_shape.epsilon, rows[0].first(width),
                  rows[0].first(width));
    }
    multiply(head.output, 0, 1);
    const std::span<float> scores = rows[1].first(head.output.rows);
    if (m_shape.architecture->output.softmaxScores) {
        softmax(scores);
    }
    std::ranges::copy(scores, rows[0].begin());
    return scores.size();
}

} // namespace

bool onlyEmbeds(const Model& model) {
    const GraphTraits* row = findGraphTraits(model.metadata.architecture());
    return row != nullptr &&
           (row->encoder || !HyperParameters(model.metadata).boolean("attention.causal").value_or(true));
}

bool leavesOutDecoder(const Model& model) {
    const GraphTraits* row = findGraphTraits(model.metadata.architecture());
    return row != nullptr && row->encoder && std::ranges::any_of(model.tensors, [](const TensorInfo& tensor) {
               return tensor.name.starts_with(kDecoder);
           });
}

Result<std::unique_ptr<Embedder>> openBuiltInEmbedder(const std::shared_ptr<const Model>& model,
                                                      const SessionOptions& options, const JobContext& job) {
    auto engine = GUFO_TRY(makeEngine(model, SmallTensors::Decoded));
    GUFO_TRY(job.check());
    auto session = GUFO_TRY(startEngineSession(engine, options, EngineSession::Yield::States));
    return std::make_unique<EngineEmbedder>(std::move(engine), std::move(session));
}

} // namespace gufo::inference
