// Gufo's own engine, behind the Session interface.
#include "base/detail.h"
#include "inference/engine/blocks/forward.h"
#include "inference/engine/compute/memory.h"
#include "inference/engine/compute/operations.h"
#include "inference/engine/snapshots.h"
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

// Batches of fewer multiplications than this run on one thread. Waking the others for some 40 steps takes 2 µs each on
// an idle machine and a scheduler time slice each on a busy one, which is longer than the work itself.
constexpr std::uint64_t kWorthSharing = 4'000'000;

constexpr std::uint32_t kDefaultContext = 4096;

// While single tokens are evaluated, a copy of the recurrent state is taken after so many of them.
constexpr std::uint32_t kTokensBetweenSnapshots = 32;

struct Engine {
    std::shared_ptr<const Model> model;
    ModelShape shape;
    Weights weights;
};

class EngineSession final : public Session {
public:
    // Everything that a session keeps is in `memory`. With a Memory that only counts, the session must not be used.
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
        , m_snapshots(m_memory, m_blocks->state().size())
        , m_reserved(m_memory.take<float>(options.logitRows, m_shape.vocabulary, Memory::Part::Logits)) {
        m_figures.weightBytesPerToken = m_engine->weights.bytesPerToken;
        m_figures.productsPerToken = m_engine->weights.productsPerToken;
        const std::span<const BlockCache> caches = m_blocks->caches();
        for (std::size_t i = 0; i < caches.size(); ++i) {
            const std::uint32_t source = m_shape.blocks[i].source;
            const std::uint64_t bytes = caches[source].positionBytes();
            m_figures.cacheBytesPerPosition += bytes;
            m_growth += m_shape.blocks[i].window == 0 && source == i ? bytes : 0;
            m_windows |= m_shape.blocks[i].window != 0;
        }
    }

    [[nodiscard]] const Memory& memory() const { return m_memory; }
    [[nodiscard]] std::uint64_t growth() const { return m_growth; } // bytes of KV cache for one more token of context
    [[nodiscard]] bool hasWindows() const { return m_windows; }
    // Throws where the system has no threads or memory left.
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

    std::size_t truncate(std::size_t count) override;
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard, const JobContext& job) override;
    [[nodiscard]] std::vector<std::byte> saveState() const override;
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override;
    [[nodiscard]] const SessionFigures& figures() const override { return m_figures; }

private:
    [[nodiscard]] std::unique_ptr<BlockStack> makeBlocks();
    [[nodiscard]] Result<> provideLogits(std::size_t rows);
    [[nodiscard]] Result<> evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last,
                                         const JobContext& job);
    // Takes copies of the recurrent state before the next batch, and says where the batch shall take one.
    [[nodiscard]] StateCopy takeSnapshots(std::uint32_t position, std::size_t tokens, bool last);
    // Brings caches and recurrent state to the last position at `count` or before that is possible.
    void goBack(std::size_t count);
    void embed(std::span<const TokenId> tokens, std::uint32_t position);
    void writeLogits(std::size_t first, std::size_t tokens);
    // Calls take(rows, head, slot) for each row of the cache at the positions [first, end).
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
    Activations m_added; // by member: the position embedding of a token
    std::unique_ptr<BlockStack> m_blocks;
    Snapshots m_snapshots;
    float* m_reserved;               // options.logitRows rows
    std::unique_ptr<float[]> m_more; // allocated where more rows are requested
    std::size_t m_moreRows = 0;
    std::span<float> m_logits;
    std::vector<TokenId> m_tokens;
    SessionFigures m_figures;
    std::uint64_t m_growth = 0;
    bool m_windows = false;
};

std::unique_ptr<BlockStack> EngineSession::makeBlocks() {
    const StackOptions options{.context = m_options.context,
                               .ropeContext = m_options.ropeContext,
                               .batch = m_options.batch,
                               .keys = m_options.keys,
                               .values = m_options.values};
    switch (m_shape.architecture->family) {
    case Family::Transformer:
    case Family::LatentAttention:
        break;
    case Family::Rwkv6:
        return makeRwkv(m_forward, options);
    case Family::Rwkv7:
        return makeRwkv7(m_forward, options);
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
                    {Detail::ContextTokens, std::to_string(m_tokens.size() + tokens.size()),
                     std::to_string(m_options.context)});
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
    const StateCopy copy = takeSnapshots(position, tokens.size(), last);
    const std::uint64_t work = m_figures.productsPerToken + m_figures.cacheBytesPerPosition * position;
    m_team.workAlone(work * tokens.size() < kWorthSharing);
    embed(tokens, position);
    m_forward.ids = tokens;
    if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    // A half-updated recurrent state is useless. A single token, before which none was copied, is not interrupted.
    const bool whole = tokens.size() == 1 && !m_blocks->state().empty();
    try {
        if (!m_blocks->run(m_stream.rows(), position, tokens.size(), copy, whole ? JobContext{} : job)) {
            goBack(position);
            return fail(ErrorCode::Cancelled);
        }
    } catch (const std::bad_alloc&) { // from allocations that are not reserved, such as lists of experts
        goBack(position);
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
    m_team.forShares(tokens.size(), 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        const std::span<float> added = m_added[member];
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> row = m_stream[t];
            const Matrix& embedding = weights.embedding;
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(embedding.typeId, {embedding.row(tokens[t].value), embedding.rowBytes}, row, embedding.order);
            if (m_shape.embeddingFactor != 1) {
                const auto factor = static_cast<float>(m_shape.embeddingFactor);
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

// Writes the logits of the first `tokens` rows of the stream, from row `first` on.
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

StateCopy EngineSession::takeSnapshots(std::uint32_t position, std::size_t tokens, bool last) {
    const std::span<float> state = m_blocks->state();
    if (state.empty()) {
        return {};
    }
    const bool wanted = tokens > 1 || position - m_snapshots.latest() >= kTokensBetweenSnapshots;
    if (wanted && position != 0 && !m_snapshots.has(position)) {
        std::ranges::copy(state, m_snapshots.place(position, Snapshots::Kind::Passing).begin());
    }
    if (tokens == 1 || !last) {
        return {};
    }
    // Another answer begins by evaluating the last token of the prompt again, because its logits are needed.
    const auto end = static_cast<std::uint32_t>(tokens - 1);
    return {.after = end, .to = m_snapshots.place(position + end, Snapshots::Kind::EndOfPrompt)};
}

void EngineSession::goBack(std::size_t count) {
    const std::span<float> state = m_blocks->state();
    m_snapshots.forgetAfter(static_cast<std::uint32_t>(count));
    if (state.empty()) {
        const bool possible = count != 0 && m_blocks->knowsBefore(static_cast<std::uint32_t>(count));
        if (!possible) {
            m_blocks->reset();
        }
        m_tokens.resize(possible ? count : 0);
        return;
    }
    const auto snapshot = m_snapshots.before(static_cast<std::uint32_t>(count));
    // Positions before the snapshot are known to fewer caches, so there is no use in looking further back.
    if (snapshot && m_blocks->knowsBefore(snapshot->position)) {
        std::ranges::copy(snapshot->state, state.begin());
        m_tokens.resize(snapshot->position);
    } else {
        m_blocks->reset();
        m_snapshots.clear();
        m_tokens.clear();
    }
}

std::size_t EngineSession::truncate(std::size_t count) {
    if (count < m_tokens.size()) {
        goBack(count);
    }
    return m_tokens.size();
}

Result<> EngineSession::shift(std::size_t keep, std::size_t discard, const JobContext& job) {
    if (keep > m_tokens.size() || discard > m_tokens.size() - keep) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::ShiftOutsideContext, {keep + discard})});
    }
    if (discard == 0) {
        return {};
    }
    std::vector<TokenId> left = m_tokens;
    const auto begin = left.begin() + static_cast<std::ptrdiff_t>(keep);
    left.erase(begin, begin + static_cast<std::ptrdiff_t>(discard));
    if (m_blocks->state().empty()) {
        m_blocks->forget(static_cast<std::uint32_t>(keep), static_cast<std::uint32_t>(discard),
                         static_cast<std::uint32_t>(m_tokens.size()));
        m_tokens = std::move(left);
        return {};
    }
    // A recurrent state cannot forget tokens in the middle: what follows them is evaluated again.
    const std::size_t known = truncate(keep);
    return evaluate(std::span(left).subspan(known), Logits::None, job);
}

template<typename Cache, typename Take>
void EngineSession::forEachRow(Cache& cache, std::uint32_t first, std::uint32_t end, const Take& take) {
    for (auto* rows : cache.parts()) {
        for (std::uint32_t h = 0; h < rows->heads(); ++h) {
            for (std::uint32_t position = first; position < end; ++position) {
                take(*rows, h, cache.slotOf(position));
            }
        }
    }
}

// Layout: the number of tokens and the tokens; then for each block the oldest cached position and the rows from there
// on; then the recurrent state.
std::vector<std::byte> EngineSession::saveState() const {
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    const auto count = static_cast<std::uint32_t>(m_tokens.size());
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(std::span(m_tokens)));
    for (const BlockCache& cache : m_blocks->caches()) {
        const std::uint32_t first = std::min(cache.first(), count);
        append(std::as_bytes(std::span(&first, 1)));
        forEachRow(cache, first, count, [&](const KvRows& rows, std::uint32_t head, std::uint32_t slot) {
            bytes.resize(bytes.size() + rows.rowBytes());
            rows.save(head, slot, bytes.data() + bytes.size() - rows.rowBytes());
        });
    }
    append(std::as_bytes(m_blocks->state()));
    return bytes;
}

Result<> EngineSession::restoreState(std::span<const std::byte> state) {
    const auto refuse = [] { return fail(ErrorCode::InvalidArgument, {}, {Detail::StateUnusable}); };
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
    // Everything is checked before anything changes.
    const std::span<const std::byte> begin = state;
    for (const BlockCache& cache : m_blocks->caches()) {
        const auto first = number();
        if (!first || !cache.canHold(*first, *count)) {
            return refuse();
        }
        const std::uint64_t bytes = std::uint64_t{*count - *first} * cache.positionBytes();
        if (state.size() < bytes) {
            return refuse();
        }
        state = state.subspan(bytes);
    }
    const std::span<float> recurrent = m_blocks->state();
    if (state.size() != recurrent.size_bytes()) {
        return refuse();
    }
    state = begin;
    for (BlockCache& cache : m_blocks->caches()) {
        const std::uint32_t first = *number();
        cache.restore(first);
        forEachRow(cache, first, *count, [&](KvRows& rows, std::uint32_t head, std::uint32_t slot) {
            rows.restore(head, slot, state.data());
            state = state.subspan(rows.rowBytes());
        });
    }
    std::ranges::copy(state, std::as_writable_bytes(recurrent).begin());
    m_snapshots.clear();
    m_tokens = std::move(tokens);
    return {};
}

// Returns `asked` with defaults filled in.
Result<SessionOptions> resolved(const Engine& engine, const SessionOptions& asked) {
    SessionOptions options = asked;
    const std::uint32_t trained = engine.shape.trainedContext;
    if (options.context == 0) {
        options.context = trained != 0 ? std::min(trained, kDefaultContext) : kDefaultContext;
    }
    // Learned position embeddings limit the context; computed ones do not.
    if (const Matrix& positions = engine.weights.positions; positions && options.context > positions.rows) {
        if (asked.context != 0) {
            return fail(ErrorCode::LimitExceeded, {},
                        {Detail::ContextTokens, std::to_string(options.context), std::to_string(positions.rows)});
        }
        options.context = static_cast<std::uint32_t>(positions.rows);
    }
    if (options.ropeContext == SessionOptions::kTrainedContext) {
        options.ropeContext = trained;
    }
    options.ropeContext = options.ropeContext != 0 ? options.ropeContext : options.context;
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
            .slidingWindows = counted.hasWindows(),
            .recurrentState = memory.taken(Memory::Part::State),
            .snapshots = memory.taken(Memory::Part::Snapshots),
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
                       .slidingWindows = estimate->slidingWindows,
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
    forecast.partial =
        std::ranges::any_of(model->files, [](const ModelFile& file) { return file.source == nullptr; }) ||
        std::ranges::any_of(model->tensors, [](const TensorInfo& tensor) { return !tensor.bytes; });
    forecast.verdict = judge(*needs, machine);
    if (machine.total == 0 || forecast.partial) {
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
