// Gufo's own engine behind the session interface.
#include "inference/forward.h"
#include "inference/needs.h"
#include "inference/operations.h"
#include "inference/session.h"
#include "tensor/decode.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace gufo::inference {
namespace {

constexpr std::uint32_t kDefaultContext = 4096;

struct Engine {
    std::shared_ptr<const Model> model;
    ModelShape shape;
    Weights weights;
};

// Elements of the widest row that any product decodes.
std::size_t widestRow(const Engine& engine) {
    std::size_t widest = engine.shape.embedding;
    const auto see = [&](const Matrix& matrix) { widest = std::max<std::size_t>(widest, matrix.columns); };
    for (const BlockWeights& block : engine.weights.blocks) {
        for (const Matrix* matrix :
             {&block.attention.output, &block.attention.keyValueUp, &block.attention.query, &block.feedForward.down,
              &block.experts.down, &block.sharedExpert.down, &block.mamba.x, &block.mamba.timeStep, &block.mamba.out,
              &block.rwkv.channelValue}) {
            see(*matrix);
        }
    }
    return widest;
}

ModelShape overridden(ModelShape shape, const RopeOverride& rope) {
    if (rope.base) {
        shape.rope.base = *rope.base;
    }
    if (rope.scale) {
        shape.rope.scaling = *rope.scale == 1 ? RopeScaling::None : RopeScaling::Linear;
        shape.rope.scale = 1 / *rope.scale;
    }
    return shape;
}

class EngineSession final : public Session {
public:
    EngineSession(std::shared_ptr<const Engine> engine, const SessionOptions& options, unsigned threads)
        : m_engine(std::move(engine))
        , m_shape(overridden(m_engine->shape, options.rope))
        , m_options(options)
        , m_team(threads)
        , m_multiplier(m_team, options.batch, widestRow(*m_engine))
        , m_forward{.shape = m_shape, .weights = m_engine->weights, .multiplier = m_multiplier}
        , m_stream(options.batch, m_shape.embedding)
        , m_normed(options.batch, m_shape.embedding) {
        m_figures.weightBytesPerToken = m_engine->weights.bytesPerToken;
        m_figures.productsPerToken = m_engine->weights.productsPerToken;
    }

    [[nodiscard]] Result<> makeBlocks();

    [[nodiscard]] std::uint32_t context() const override { return m_options.context; }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_shape.vocabulary; }
    [[nodiscard]] unsigned threads() const override { return m_team.size(); }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_tokens; }

    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) override;
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override {
        return std::span(m_logits).subspan(row * m_shape.vocabulary, m_shape.vocabulary);
    }

    bool truncate(std::size_t count) override;
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard) override;
    [[nodiscard]] std::vector<std::byte> saveState() const override;
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override;
    [[nodiscard]] const SessionFigures& figures() const override { return m_figures; }

private:
    [[nodiscard]] Result<> evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last,
                                         const JobContext& job);
    void embed(std::span<const TokenId> tokens, std::uint32_t position);
    void writeLogits(std::size_t first, std::size_t tokens);
    // All bytes of the state but the tokens: the caches up to the tokens seen, or the recurrent state.
    template<typename Take>
    void forEachPart(std::uint32_t tokens, const Take& take) const;

    std::shared_ptr<const Engine> m_engine;
    ModelShape m_shape;
    SessionOptions m_options;
    Team m_team;
    Multiplier m_multiplier;
    ForwardContext m_forward;
    std::unique_ptr<BlockStack> m_blocks;
    Activations m_stream;
    Activations m_normed;
    std::vector<float> m_logits;
    std::vector<TokenId> m_tokens;
    SessionFigures m_figures;
};

Result<> EngineSession::makeBlocks() {
    const StackOptions options{
        .context = m_options.context, .batch = m_options.batch, .keys = m_options.keys, .values = m_options.values};
    Result<std::unique_ptr<BlockStack>> blocks;
    switch (m_shape.architecture->family) {
    case Family::Transformer:
    case Family::LatentAttention:
        blocks = makeTransformer(m_forward, options);
        break;
    case Family::Mamba:
        blocks = makeMamba(m_forward, options);
        break;
    case Family::Rwkv6:
        blocks = makeRwkv(m_forward, options);
        break;
    }
    if (!blocks) {
        return std::unexpected(std::move(blocks.error()));
    }
    m_blocks = std::move(*blocks);
    if (const auto* caches = m_blocks->caches()) {
        for (const BlockCache& cache : *caches) {
            m_figures.cacheBytesPerPosition +=
                cache.keys.heads() * cache.keys.rowBytes() + cache.values.heads() * cache.values.rowBytes();
        }
    }
    return {};
}

Result<> EngineSession::evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) {
    for (const TokenId token : tokens) {
        if (token.value >= m_shape.vocabulary) {
            return fail(ErrorCode::NoSuchToken, Place::token(token.value), {std::to_string(m_shape.vocabulary)});
        }
    }
    const std::size_t fits = m_options.context - m_tokens.size();
    if (tokens.size() > fits) {
        return fail(ErrorCode::LimitExceeded, {},
                    {"context", std::to_string(m_tokens.size() + tokens.size()), std::to_string(m_options.context)});
    }
    const std::size_t rows = which == Logits::None ? 0 : which == Logits::Last ? 1 : tokens.size();
    m_logits.resize(rows * m_shape.vocabulary);
    job.start(tokens.size());
    const auto begun = std::chrono::steady_clock::now();
    for (std::size_t done = 0; done < tokens.size();) {
        const std::size_t count = std::min<std::size_t>(m_options.batch, tokens.size() - done);
        if (auto ok = evaluateBatch(tokens.subspan(done, count), which, done + count == tokens.size(), job); !ok) {
            return ok;
        }
        if (which == Logits::All) {
            writeLogits(done, count);
        }
        done += count;
        job.advance(count);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    (tokens.size() == 1 ? m_figures.generatedTokens : m_figures.promptTokens) += tokens.size();
    (tokens.size() == 1 ? m_figures.generationSeconds : m_figures.promptSeconds) += seconds;
    for (const ModelFile& file : m_engine->model->files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

Result<> EngineSession::evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last, const JobContext& job) {
    const auto position = static_cast<std::uint32_t>(m_tokens.size());
    // A recurrent state that was left half-way would be of no use: it goes back to where the batch began.
    const std::vector<float> before(m_blocks->state().begin(), m_blocks->state().end());
    embed(tokens, position);
    if (job.stopRequested() || !m_blocks->run(m_stream.rows(), position, tokens.size(), job)) {
        std::ranges::copy(before, m_blocks->state().begin());
        return fail(ErrorCode::Cancelled);
    }
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    if (which == Logits::Last && last) {
        std::ranges::copy(m_stream[tokens.size() - 1], m_stream[0].begin());
        writeLogits(0, 1);
    }
    return {};
}

void EngineSession::embed(std::span<const TokenId> tokens, std::uint32_t position) {
    const Weights& weights = m_engine->weights;
    const std::size_t width = m_shape.embedding;
    m_team.forShares(tokens.size(), 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        std::vector<float> added(weights.positions ? width : 0);
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> row = m_stream[t];
            const Matrix& embedding = weights.embedding;
            // Types and sizes were checked when the weights were bound.
            (void)decode(embedding.typeId, {embedding.row(tokens[t].value), embedding.rowBytes}, row, embedding.order);
            if (m_shape.architecture->scaledEmbedding) {
                const float factor = std::sqrt(static_cast<float>(width));
                std::ranges::transform(row, row.begin(), [&](float x) { return x * factor; });
            }
            if (weights.positions) {
                const Matrix& positions = weights.positions;
                const std::uint64_t at = std::min<std::uint64_t>(position + t, positions.rows - 1);
                (void)decode(positions.typeId, {positions.row(at), positions.rowBytes}, added, positions.order);
                add(row, added);
            }
            if (weights.embeddingNorm) {
                applyNorm(weights.embeddingNorm, m_shape.architecture->norm, m_shape.epsilon, row, row);
            }
        }
    });
}

// Of `tokens` rows of the stream, to the rows of logits from `first` on.
void EngineSession::writeLogits(std::size_t first, std::size_t tokens) {
    const std::size_t vocabulary = m_shape.vocabulary;
    m_forward.norm(m_engine->weights.outputNorm, m_stream.rows(), m_normed.rows(), tokens, m_shape.embedding);
    const Rows out{m_logits.data() + first * vocabulary, vocabulary};
    m_multiplier.multiply(m_engine->weights.output, m_normed.rows(), out, tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        const std::span<float> row(out[t], vocabulary);
        if (m_shape.logitFactor != 1) {
            const auto factor = static_cast<float>(m_shape.logitFactor);
            std::ranges::transform(row, row.begin(), [&](float x) { return x * factor; });
        }
        if (m_shape.logitCap > 0) {
            softCap(row, m_shape.logitCap);
        }
    }
}

bool EngineSession::truncate(std::size_t count) {
    if (count >= m_tokens.size()) {
        return true;
    }
    const bool possible = m_blocks->caches() != nullptr || count == 0;
    m_blocks->reset();
    m_tokens.resize(possible ? count : 0);
    return possible;
}

Result<> EngineSession::shift(std::size_t keep, std::size_t discard) {
    if (m_blocks->caches() == nullptr) {
        return fail(ErrorCode::NotRunnable, {}, {std::string(m_shape.architecture->name)});
    }
    if (keep > m_tokens.size() || discard > m_tokens.size() - keep) {
        return fail(ErrorCode::InvalidArgument, {}, {std::to_string(keep + discard)});
    }
    const auto from = static_cast<std::uint32_t>(keep + discard);
    m_blocks->moveTokens(from, static_cast<std::uint32_t>(keep), static_cast<std::uint32_t>(m_tokens.size() - from));
    m_tokens.erase(m_tokens.begin() + static_cast<std::ptrdiff_t>(keep),
                   m_tokens.begin() + static_cast<std::ptrdiff_t>(from));
    return {};
}

template<typename Take>
void EngineSession::forEachPart(std::uint32_t tokens, const Take& take) const {
    if (auto* caches = m_blocks->caches()) {
        for (BlockCache& cache : *caches) {
            for (KvRows* rows : {&cache.keys, &cache.values}) {
                for (std::uint32_t h = 0; h < rows->heads(); ++h) {
                    take(rows->rowsOf(h, tokens));
                }
            }
        }
    } else {
        take(std::as_writable_bytes(m_blocks->state()));
    }
}

std::vector<std::byte> EngineSession::saveState() const {
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    const auto count = static_cast<std::uint32_t>(m_tokens.size());
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(std::span(m_tokens)));
    forEachPart(count, append);
    return bytes;
}

Result<> EngineSession::restoreState(std::span<const std::byte> state) {
    const auto refuse = [] { return fail(ErrorCode::InvalidArgument, {}, {"state"}); };
    std::uint32_t count = 0;
    if (state.size() < sizeof count) {
        return refuse();
    }
    std::memcpy(&count, state.data(), sizeof count);
    state = state.subspan(sizeof count);
    if (count > m_options.context || state.size() < count * sizeof(TokenId)) {
        return refuse();
    }
    std::vector<TokenId> tokens(count);
    std::memcpy(tokens.data(), state.data(), count * sizeof(TokenId));
    state = state.subspan(count * sizeof(TokenId));
    std::size_t size = 0;
    forEachPart(count, [&](std::span<std::byte> part) { size += part.size(); });
    const bool known = std::ranges::all_of(tokens, [&](TokenId token) { return token.value < m_shape.vocabulary; });
    if (size != state.size() || !known) {
        return refuse();
    }
    forEachPart(count, [&](std::span<std::byte> part) {
        std::ranges::copy(state.first(part.size()), part.begin());
        state = state.subspan(part.size());
    });
    m_tokens = std::move(tokens);
    return {};
}

class EngineModel final : public LoadedModel {
public:
    explicit EngineModel(std::shared_ptr<const Engine> engine)
        : m_engine(std::move(engine)) {}

    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_engine->model; }
    [[nodiscard]] std::uint32_t trainedContext() const override { return m_engine->shape.trainedContext; }
    [[nodiscard]] Result<std::unique_ptr<Session>> startSession(const SessionOptions& asked) const override {
        SessionOptions options = asked;
        const std::uint32_t trained = trainedContext();
        if (options.context == 0) {
            options.context = trained != 0 ? std::min(trained, kDefaultContext) : kDefaultContext;
        }
        options.batch = std::clamp(options.batch, 1U, options.context);
        const auto needs = memoryNeeds(m_engine->model, options);
        if (!needs) {
            return std::unexpected(needs.error());
        }
        if (const MachineMemory machine = machineMemory(); judge(*needs, machine) == MemoryVerdict::DoesNotFit) {
            return fail(ErrorCode::NotEnoughMemory, {},
                        {std::to_string(needs->anonymous()), std::to_string(machine.available)});
        }
        const unsigned threads = options.threads != 0 ? options.threads : physicalCores();
        auto session = std::make_unique<EngineSession>(m_engine, options, threads);
        if (auto made = session->makeBlocks(); !made) {
            return std::unexpected(std::move(made.error()));
        }
        return session;
    }

private:
    std::shared_ptr<const Engine> m_engine;
};

} // namespace

Result<std::shared_ptr<const LoadedModel>> loadForInference(std::shared_ptr<const Model> model) {
    auto shape = readShape(*model);
    if (!shape) {
        return std::unexpected(std::move(shape.error()));
    }
    auto weights = bindWeights(*model, *shape);
    if (!weights) {
        return std::unexpected(std::move(weights.error()));
    }
    return std::make_shared<EngineModel>(std::make_shared<Engine>(
        Engine{.model = std::move(model), .shape = std::move(*shape), .weights = std::move(*weights)}));
}

} // namespace gufo::inference
