// Gufo's own engine behind the session interface.
#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/compute/operations.h"
#include "inference/session/needs.h"
#include "inference/session/session.h"
#include "tensor/decode.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>

namespace gufo::inference {
namespace {

// Products of a batch below which sharing them out takes longer than doing them: some 40 steps, at 2 µs each on an idle
// machine, and at a turn of the scheduler each on a busy one.
constexpr std::uint64_t kWorthSharing = 4'000'000;

constexpr std::uint32_t kDefaultContext = 4096;

struct Engine {
    std::shared_ptr<const Model> model;
    ModelShape shape;
    Weights weights;
};

class EngineSession final : public Session {
public:
    // Everything that a session keeps is in `memory`; with one that only counts, the session is good for nothing else.
    EngineSession(std::shared_ptr<const Engine> engine, ModelShape shape, const SessionOptions& options, Memory memory)
        : m_engine(std::move(engine))
        , m_shape(std::move(shape))
        , m_options(options)
        , m_memory(std::move(memory))
        , m_team(options.threads)
        , m_multiplier(m_team, m_memory, options.batch, m_engine->weights.widestRow, m_engine->weights.halves)
        , m_forward{.shape = m_shape, .weights = m_engine->weights, .multiplier = m_multiplier, .memory = m_memory}
        , m_stream(m_memory, options.batch, m_shape.embedding)
        , m_normed(m_memory, options.batch, m_shape.embedding)
        , m_added(m_memory, m_team.size(), m_engine->weights.positions ? m_shape.embedding : 0)
        , m_blocks(makeBlocks())
        , m_before(m_memory.take<float>(m_blocks->state().size()))
        , m_reserved(m_memory.take<float>(options.logitRows, m_shape.vocabulary, Memory::Part::Logits)) {
        m_figures.weightBytesPerToken = m_engine->weights.bytesPerToken;
        m_figures.productsPerToken = m_engine->weights.productsPerToken;
        if (const auto* caches = m_blocks->caches()) {
            for (std::size_t i = 0; i < caches->size(); ++i) {
                const BlockCache& cache = (*caches)[i];
                const std::uint64_t bytes =
                    cache.keys.heads() * cache.keys.rowBytes() + cache.values.heads() * cache.values.rowBytes();
                m_figures.cacheBytesPerPosition += bytes;
                m_growth += m_shape.blocks[i].window == 0 ? bytes : 0;
            }
        }
    }

    [[nodiscard]] const Memory& memory() const { return m_memory; }
    [[nodiscard]] std::uint64_t growth() const { return m_growth; } // bytes of cache for one more token of context
    // Throws where the system gives no threads or memory.
    void begin() {
        m_team.start();
        m_tokens.reserve(m_options.context);
    }

    [[nodiscard]] std::uint32_t context() const override { return m_options.context; }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_shape.vocabulary; }
    [[nodiscard]] unsigned threads() const override { return m_options.threads; }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_tokens; }

    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) override;
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override {
        return m_logits.subspan(row * m_shape.vocabulary, m_shape.vocabulary);
    }

    bool truncate(std::size_t count) override;
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard) override;
    [[nodiscard]] std::vector<std::byte> saveState() const override;
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override;
    [[nodiscard]] const SessionFigures& figures() const override { return m_figures; }

private:
    [[nodiscard]] std::unique_ptr<BlockStack> makeBlocks();
    [[nodiscard]] Result<> provideLogits(std::size_t rows);
    [[nodiscard]] Result<> evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last,
                                         const JobContext& job);
    void embed(std::span<const TokenId> tokens, std::uint32_t position);
    void writeLogits(std::size_t first, std::size_t tokens);
    // Calls take(rows, head, slot) for the rows of a cache at the positions [first, end).
    template<typename Cache, typename Take>
    static void forEachRow(Cache& cache, std::uint32_t first, std::uint32_t end, const Take& take);

    std::shared_ptr<const Engine> m_engine;
    ModelShape m_shape;
    SessionOptions m_options;
    Memory m_memory;
    Team m_team;
    Multiplier m_multiplier;
    ForwardContext m_forward;
    Activations m_stream;
    Activations m_normed;
    Activations m_added; // of each member: what the position adds to a token
    std::unique_ptr<BlockStack> m_blocks;
    float* m_before;                 // the recurrent state before a batch
    float* m_reserved;               // options.logitRows rows
    std::unique_ptr<float[]> m_more; // where more are asked for
    std::size_t m_moreRows = 0;
    std::span<float> m_logits;
    std::vector<TokenId> m_tokens;
    SessionFigures m_figures;
    std::uint64_t m_growth = 0;
};

std::unique_ptr<BlockStack> EngineSession::makeBlocks() {
    const StackOptions options{
        .context = m_options.context, .batch = m_options.batch, .keys = m_options.keys, .values = m_options.values};
    switch (m_shape.architecture->family) {
    case Family::Transformer:
    case Family::LatentAttention:
        break;
    case Family::Mamba:
        return makeMamba(m_forward, options);
    case Family::Rwkv6:
        return makeRwkv(m_forward, options);
    }
    return makeTransformer(m_forward, options);
}

Result<> EngineSession::provideLogits(std::size_t rows) {
    const std::size_t size = rows * m_shape.vocabulary;
    if (rows <= m_options.logitRows) {
        m_logits = {m_reserved, size};
        return {};
    }
    if (rows > m_moreRows) {
        m_more.reset();
        m_moreRows = 0;
        m_more.reset(new (std::nothrow) float[size]);
        if (m_more == nullptr) {
            m_logits = {};
            return fail(ErrorCode::NotEnoughMemory, {},
                        {std::to_string(size * sizeof(float)), std::to_string(machineMemory().available)});
        }
        m_moreRows = rows;
    }
    m_logits = {m_more.get(), size};
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
    if (auto provided = provideLogits(rows); !provided) {
        return provided;
    }
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
    std::ranges::copy(m_blocks->state(), m_before);
    const std::uint64_t work = m_figures.productsPerToken + m_figures.cacheBytesPerPosition * position;
    m_team.workAlone(work * tokens.size() < kWorthSharing);
    embed(tokens, position);
    const auto goBack = [&] { std::copy_n(m_before, m_blocks->state().size(), m_blocks->state().begin()); };
    try {
        if (job.stopRequested() || !m_blocks->run(m_stream.rows(), position, tokens.size(), job)) {
            goBack();
            return fail(ErrorCode::Cancelled);
        }
    } catch (const std::bad_alloc&) { // of the little that is not the session's own: lists of experts
        goBack();
        return fail(ErrorCode::NotEnoughMemory, {},
                    {std::to_string(m_memory.taken()), std::to_string(machineMemory().available)});
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
    m_team.forShares(tokens.size(), 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        const std::span<float> added = m_added[member];
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
    const bool possible = count == 0 || m_blocks->knowsBefore(static_cast<std::uint32_t>(count));
    if (!possible || count == 0) {
        m_blocks->reset();
    }
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
    m_blocks->forget(static_cast<std::uint32_t>(keep), static_cast<std::uint32_t>(discard),
                     static_cast<std::uint32_t>(m_tokens.size()));
    m_tokens.erase(m_tokens.begin() + static_cast<std::ptrdiff_t>(keep),
                   m_tokens.begin() + static_cast<std::ptrdiff_t>(keep + discard));
    return {};
}

template<typename Cache, typename Take>
void EngineSession::forEachRow(Cache& cache, std::uint32_t first, std::uint32_t end, const Take& take) {
    for (auto* rows : {&cache.keys, &cache.values}) {
        for (std::uint32_t h = 0; h < rows->heads(); ++h) {
            for (std::uint32_t position = first; position < end; ++position) {
                take(*rows, h, cache.slotOf(position));
            }
        }
    }
}

// The number of tokens, the tokens, and then of each block the oldest position that it knows and its rows from there
// on, or the recurrent state.
std::vector<std::byte> EngineSession::saveState() const {
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    const auto count = static_cast<std::uint32_t>(m_tokens.size());
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(std::span(m_tokens)));
    if (const auto* caches = m_blocks->caches()) {
        for (const BlockCache& cache : *caches) {
            const std::uint32_t first = std::min(cache.first(), count);
            append(std::as_bytes(std::span(&first, 1)));
            forEachRow(cache, first, count, [&](const KvRows& rows, std::uint32_t head, std::uint32_t slot) {
                bytes.resize(bytes.size() + rows.rowBytes());
                rows.save(head, slot, bytes.data() + bytes.size() - rows.rowBytes());
            });
        }
    } else {
        append(std::as_bytes(m_blocks->state()));
    }
    return bytes;
}

Result<> EngineSession::restoreState(std::span<const std::byte> state) {
    const auto refuse = [] { return fail(ErrorCode::InvalidArgument, {}, {"state"}); };
    const auto number = [&]() -> std::optional<std::uint32_t> {
        std::uint32_t value = 0;
        if (state.size() < sizeof value) {
            return std::nullopt;
        }
        std::memcpy(&value, state.data(), sizeof value);
        state = state.subspan(sizeof value);
        return value;
    };
    const auto count = number();
    if (!count || *count > m_options.context || state.size() < *count * sizeof(TokenId)) {
        return refuse();
    }
    std::vector<TokenId> tokens(*count);
    std::memcpy(tokens.data(), state.data(), *count * sizeof(TokenId));
    state = state.subspan(*count * sizeof(TokenId));
    if (!std::ranges::all_of(tokens, [&](TokenId token) { return token.value < m_shape.vocabulary; })) {
        return refuse();
    }
    auto* caches = m_blocks->caches();
    if (caches == nullptr) {
        const std::span<float> own = m_blocks->state();
        if (state.size() != own.size_bytes()) {
            return refuse();
        }
        std::memcpy(own.data(), state.data(), state.size());
        m_tokens = std::move(tokens);
        return {};
    }
    // All is looked at before anything changes.
    const std::span<const std::byte> begin = state;
    for (const BlockCache& cache : *caches) {
        const auto first = number();
        if (!first || !cache.canHold(*first, *count)) {
            return refuse();
        }
        const std::uint64_t bytes = std::uint64_t{*count - *first} * (cache.keys.heads() * cache.keys.rowBytes() +
                                                                      cache.values.heads() * cache.values.rowBytes());
        if (state.size() < bytes) {
            return refuse();
        }
        state = state.subspan(bytes);
    }
    if (!state.empty()) {
        return refuse();
    }
    state = begin;
    for (BlockCache& cache : *caches) {
        const std::uint32_t first = *number();
        cache.restore(first);
        forEachRow(cache, first, *count, [&](KvRows& rows, std::uint32_t head, std::uint32_t slot) {
            rows.restore(head, slot, state.data());
            state = state.subspan(rows.rowBytes());
        });
    }
    m_tokens = std::move(tokens);
    return {};
}

// What is asked for, with what was left open.
Result<SessionOptions> resolved(const Engine& engine, const SessionOptions& asked) {
    SessionOptions options = asked;
    const std::uint32_t trained = engine.shape.trainedContext;
    if (options.context == 0) {
        options.context = trained != 0 ? std::min(trained, kDefaultContext) : kDefaultContext;
    }
    // Learned positions end somewhere; those that are computed do not.
    if (const Matrix& positions = engine.weights.positions; positions && options.context > positions.rows) {
        if (asked.context != 0) {
            return fail(ErrorCode::LimitExceeded, {},
                        {"context", std::to_string(options.context), std::to_string(positions.rows)});
        }
        options.context = static_cast<std::uint32_t>(positions.rows);
    }
    options.batch = std::clamp(options.batch, 1U, options.context);
    options.threads = options.threads != 0 ? options.threads : physicalCores();
    options.logitRows = std::clamp(options.logitRows, 1U, options.context);
    return options;
}

MemoryNeeds needsOf(const EngineSession& counted, const Engine& engine) {
    std::uint64_t weights = 0;
    for (const TensorInfo& tensor : engine.model->tensors) {
        weights += tensor.bytesPresent;
    }
    const Memory& memory = counted.memory();
    return {.context = counted.context(),
            .trainedContext = engine.shape.trainedContext,
            .weights = weights,
            .smallTensors = engine.weights.smallBytes,
            .kvCache = memory.taken(Memory::Part::Cache),
            .kvPerToken = counted.growth(),
            .recurrentState = memory.taken(Memory::Part::State),
            .scratch = memory.taken(Memory::Part::Scratch),
            .logits = memory.taken(Memory::Part::Logits)};
}

class EngineModel final : public LoadedModel {
public:
    explicit EngineModel(std::shared_ptr<const Engine> engine)
        : m_engine(std::move(engine)) {}

    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_engine->model; }
    [[nodiscard]] std::uint32_t trainedContext() const override { return m_engine->shape.trainedContext; }
    [[nodiscard]] std::span<const std::string> leftOut() const override { return m_engine->weights.leftOut; }
    [[nodiscard]] Result<std::unique_ptr<Session>> startSession(const SessionOptions& asked) const override {
        std::uint64_t needed = 0;
        try {
            const auto options = resolved(*m_engine, asked);
            if (!options) {
                return std::unexpected(options.error());
            }
            const auto shape = withRope(m_engine->shape, options->rope);
            if (!shape) {
                return std::unexpected(shape.error());
            }
            const EngineSession counted(m_engine, *shape, *options, {});
            const MemoryNeeds needs = needsOf(counted, *m_engine);
            needed = needs.anonymous();
            if (const MachineMemory machine = machineMemory(); judge(needs, machine) == MemoryVerdict::DoesNotFit) {
                return fail(ErrorCode::NotEnoughMemory, {},
                            {std::to_string(needed), std::to_string(machine.available)});
            }
            auto memory = Memory::reserve(counted.memory());
            if (!memory) {
                return std::unexpected(std::move(memory.error()));
            }
            auto session = std::make_unique<EngineSession>(m_engine, *shape, *options, std::move(*memory));
            session->begin();
            return session;
        } catch (const std::exception&) { // std::bad_alloc, or std::system_error for threads
            return fail(ErrorCode::NotEnoughMemory, {},
                        {std::to_string(needed), std::to_string(machineMemory().available)});
        }
    }

private:
    std::shared_ptr<const Engine> m_engine;
};

Result<std::shared_ptr<const Engine>> makeEngine(std::shared_ptr<const Model> model, SmallTensors small) {
    auto shape = readShape(*model);
    if (!shape) {
        return std::unexpected(std::move(shape.error()));
    }
    auto weights = bindWeights(*model, *shape, small);
    if (!weights) {
        return std::unexpected(std::move(weights.error()));
    }
    return std::make_shared<const Engine>(
        Engine{.model = std::move(model), .shape = std::move(*shape), .weights = std::move(*weights)});
}

} // namespace

Result<std::shared_ptr<const LoadedModel>> loadForInference(std::shared_ptr<const Model> model) {
    auto engine = makeEngine(std::move(model), SmallTensors::Decoded);
    if (!engine) {
        return std::unexpected(std::move(engine.error()));
    }
    return std::make_shared<EngineModel>(std::move(*engine));
}

namespace {

Result<MemoryNeeds> needsOf(const std::shared_ptr<const Engine>& engine, const SessionOptions& asked) {
    const auto options = resolved(*engine, asked);
    if (!options) {
        return std::unexpected(options.error());
    }
    const auto shape = withRope(engine->shape, options->rope);
    if (!shape) {
        return std::unexpected(shape.error());
    }
    return needsOf(EngineSession(engine, *shape, *options, {}), *engine);
}

Result<MemoryNeeds> estimated(const Model& model, const SessionOptions& options) {
    const auto estimate = estimateMemory(
        model, {.context = options.context, .batch = options.batch, .keys = options.keys, .values = options.values});
    if (!estimate) {
        return std::unexpected(estimate.error());
    }
    return MemoryNeeds{.context = static_cast<std::uint32_t>(estimate->context),
                       .trainedContext =
                           static_cast<std::uint32_t>(std::min<std::uint64_t>(estimate->trainedContext, kMaxContext)),
                       .weights = estimate->weights,
                       .kvCache = estimate->kvCache,
                       .kvPerToken = estimate->kvPerToken,
                       .recurrentState = estimate->recurrentState,
                       .scratch = estimate->buffers,
                       .logits = estimate->logits};
}

} // namespace

Result<MemoryNeeds> memoryNeeds(const std::shared_ptr<const Model>& model, const SessionOptions& asked) {
    const auto engine = makeEngine(model, SmallTensors::NotRead);
    return engine ? needsOf(*engine, asked) : std::unexpected(engine.error());
}

Result<MemoryForecast> forecastMemory(const std::shared_ptr<const Model>& model, const SessionOptions& asked,
                                      const MachineMemory& machine) {
    const auto engine = makeEngine(model, SmallTensors::NotRead);
    bool runs = engine.has_value();
    const auto needsWith = [&](std::uint64_t context) {
        SessionOptions options = asked;
        options.context = static_cast<std::uint32_t>(context);
        return runs ? needsOf(*engine, options) : estimated(*model, options);
    };
    MemoryForecast forecast;
    auto needs = needsWith(asked.context);
    if (!needs || !runs) {
        forecast.refusal = runs ? needs.error() : engine.error();
        runs = false;
        needs = needsWith(asked.context);
        if (!needs) {
            return std::unexpected(std::move(needs.error()));
        }
    }
    forecast.needs = *needs;
    if (runs) {
        forecast.leftOut = (*engine)->weights.leftOut;
    }
    forecast.verdict = judge(*needs, machine);
    if (machine.total == 0) {
        return forecast;
    }
    const auto verdictOf = [&](std::uint64_t context) {
        const auto with = needsWith(context);
        return with ? judge(*with, machine) : MemoryVerdict::DoesNotFit;
    };
    const MemoryVerdict best = verdictOf(1);
    if (best == MemoryVerdict::DoesNotFit) {
        return forecast;
    }
    std::uint64_t enough = 1;
    std::uint64_t tooMuch =
        std::max<std::uint64_t>(asked.context, needs->trainedContext != 0 ? needs->trainedContext : kMaxContext) + 1;
    while (tooMuch - enough > 1) {
        const std::uint64_t middle = enough + (tooMuch - enough) / 2;
        (verdictOf(middle) == best ? enough : tooMuch) = middle;
    }
    forecast.longestContext = enough;
    return forecast;
}

} // namespace gufo::inference
