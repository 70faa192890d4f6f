#include "inference/engine/engine_session.h"

#include "base/detail.h"
#include "base/try.h"
#include "inference/engine/compute/operations.h"
#include "inference/interface/memory_needs.h"
#include "tensor/decode.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>

namespace gufo::inference {

EngineSession::EngineSession(std::shared_ptr<const BoundModel> engine, ModelShape shape, const SessionOptions& options,
                             Yield yield, Memory memory)
    : m_engine(std::move(engine))
    , m_shape(std::move(shape))
    , m_options(options)
    , m_memory(std::move(memory))
    , m_team(options.threads)
    , m_multiplier(m_team, m_memory, options.batch, m_engine->weights.widestRow, m_engine->weights.hasFloat16,
                   m_engine->weights.widestFiner)
    , m_forward{.shape = m_shape, .weights = m_engine->weights, .multiplier = m_multiplier, .memory = m_memory}
    , m_stream(m_memory, options.batch, m_shape.embedding)
    , m_normed(m_memory, options.batch, m_shape.embedding)
    , m_added(m_memory, m_team.size(), addsRows() ? m_shape.embedding : 0)
    , m_blocks(makeBlocks())
    , m_snapshots(m_memory, m_blocks->state().size())
    , m_pooled(m_memory, yield == Yield::States ? kPooledRows : 0, widestPooled())
    , m_reserved(m_memory.take<float>(yield == Yield::Logits ? options.logitRows : 0, m_shape.vocabulary,
                                      Memory::Part::Logits)) {
    m_figures.weightBytesPerToken = m_engine->weights.bytesPerToken;
    m_figures.productsPerToken = m_engine->weights.productsPerToken;
    m_figures.stateBytesPerToken = m_blocks->state().size_bytes();
    const std::span<const BlockCache> caches = m_blocks->caches();
    for (std::size_t i = 0; m_shape.causal && i < caches.size(); ++i) {
        const std::uint32_t source = m_shape.blocks[i].source;
        const std::uint64_t bytes = caches[source].positionBytes();
        m_figures.cacheBytesPerPosition += bytes;
        m_growth += m_shape.blocks[i].window == 0 && source == i ? bytes : 0;
        m_windows |= m_shape.blocks[i].window != 0;
    }
}

void EngineSession::begin() {
    m_team.start();
    if (const WeightReader* const reader = m_engine->reader.get()) {
        m_multiplier.awaitWeights([this, reader](const Matrix& matrix) {
            reader->await({matrix.data, matrix.rows * matrix.rowBytes}, m_stop);
        });
    }
    m_tokens.reserve(m_options.context);
}

std::unique_ptr<BlockStack> EngineSession::makeBlocks() {
    const StackOptions options{.context = m_options.context,
                               .ropeContext = m_options.ropeContext,
                               .batch = m_options.batch,
                               .keys = m_options.keys,
                               .values = m_options.values};
    return m_shape.architecture->kind->make(m_forward, options);
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
            return fail(ErrorCode::NotEnoughMemory, {}, {size * sizeof(float), machineMemory().available});
        }
        m_moreRows = rows;
    }
    m_logits = {m_more.get(), size};
    return {};
}

std::size_t EngineSession::widestPooled() const {
    const Weights& weights = m_engine->weights;
    return std::max<std::size_t>({m_shape.embedding, weights.projections[0].rows, m_shape.pooling.labels.size()});
}

Result<> EngineSession::checkTokens(std::span<const TokenId> tokens) const {
    for (const TokenId token : tokens) {
        if (token.value >= m_shape.vocabulary) {
            return fail(ErrorCode::NoSuchToken, Place::token(token.value), {m_shape.vocabulary});
        }
    }
    const std::size_t fits = m_options.context - m_tokens.size();
    if (tokens.size() > fits) {
        return fail(ErrorCode::LimitExceeded, {},
                    {Detail::ContextTokens, m_tokens.size() + tokens.size(), m_options.context});
    }
    return {};
}

Result<> EngineSession::evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) {
    GUFO_TRY(checkTokens(tokens));
    const std::size_t rows = which == Logits::None ? 0 : which == Logits::Last ? 1 : tokens.size();
    GUFO_TRY(provideLogits(rows));
    return evaluateBatches(
        tokens, which,
        [&](std::size_t first, std::size_t count) {
            if (which == Logits::All) {
                writeLogits(first, count);
            }
        },
        job);
}

Result<> EngineSession::evaluateBlocks(std::span<const TokenId> tokens, const BlockRange& range,
                                       std::vector<float>* after, std::size_t scored, const JobContext& job) {
    truncate(0);
    GUFO_TRY(checkTokens(tokens));
    if (tokens.size() > m_options.batch) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::ContextTokens, tokens.size(), m_options.batch});
    }
    const std::size_t rows = range.end >= blocks() && scored < tokens.size() ? tokens.size() - scored : 0;
    GUFO_TRY(provideLogits(rows));
    const auto begun = std::chrono::steady_clock::now();
    m_forward.range = range;
    const auto evaluated = evaluateBatch(tokens, Logits::None, true, job);
    m_forward.range = {};
    GUFO_TRY(evaluated);
    if (after != nullptr) {
        std::vector<Rows> streams = m_blocks->otherStreams();
        streams.insert(streams.begin(), m_stream.rows());
        after->resize(streams.size() * tokens.size() * m_shape.embedding);
        float* to = after->data();
        for (const Rows& stream : streams) {
            for (std::size_t t = 0; t < tokens.size(); ++t, to += m_shape.embedding) {
                std::copy_n(stream[t], m_shape.embedding, to);
            }
        }
    }
    if (rows != 0) {
        writeLogits(0, rows, scored);
    }
    return finishEvaluation(tokens.size(), begun);
}

template<typename Take>
Result<> EngineSession::evaluateBatches(std::span<const TokenId> tokens, Logits which, const Take& take,
                                        const JobContext& job) {
    job.start(tokens.size());
    const auto begun = std::chrono::steady_clock::now();
    const auto evaluated = evaluateEachBatch(tokens, which, take, job);
    return evaluated ? finishEvaluation(tokens.size(), begun) : evaluated;
}

template<typename Take>
Result<> EngineSession::evaluateEachBatch(std::span<const TokenId> tokens, Logits which, const Take& take,
                                          const JobContext& job) {
    for (std::size_t done = 0; done < tokens.size();) {
        const std::size_t count = std::min<std::size_t>(m_options.batch, tokens.size() - done);
        GUFO_TRY(evaluateBatch(tokens.subspan(done, count), which, done + count == tokens.size(), job));
        take(done, count);
        done += count;
    }
    return {};
}

bool EngineSession::sharesBatches() const {
    const auto keepsOwnKeys = [&](const BlockShape& block) {
        return &m_shape.blocks[block.source] == &block; // other blocks would read the keys and values of the last text
    };
    return !m_shape.architecture->attention.kind->latent && m_blocks->state().empty() &&
           std::ranges::all_of(m_shape.blocks, keepsOwnKeys);
}

std::vector<std::size_t> EngineSession::lengthsOfBatch(std::span<const std::span<const TokenId>> texts) const {
    std::vector<std::size_t> lengths;
    std::size_t sum = 0;
    for (const std::span<const TokenId> text : texts) {
        sum += text.size();
        if (!lengths.empty() && (sum > m_options.batch || !sharesBatches())) {
            break;
        }
        lengths.push_back(text.size());
    }
    return lengths;
}

Result<> EngineSession::evaluateTexts(std::span<const std::span<const TokenId>> texts, const TextSink& sink,
                                      const JobContext& job) {
    std::size_t all = 0;
    truncate(0);
    for (const std::span<const TokenId> text : texts) {
        GUFO_TRY(checkTokens(text));
        all += text.size();
    }
    job.start(all);
    const auto begun = std::chrono::steady_clock::now();
    const auto normed = [&](std::size_t count) {
        m_forward.norm(m_engine->weights.outputNorm, m_stream.rows(), m_normed.rows(), count, m_shape.embedding);
    };
    for (std::size_t done = 0; done < texts.size();) {
        truncate(0);
        const std::vector<std::size_t> lengths = lengthsOfBatch(texts.subspan(done));
        if (lengths.size() == 1) {
            GUFO_TRY(evaluateEachBatch(
                texts[done], Logits::None,
                [&](std::size_t first, std::size_t count) {
                    normed(count);
                    sink(done, first, m_normed.rows(), count);
                },
                job));
            ++done;
            continue;
        }
        std::vector<TokenId> batch;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            batch.insert(batch.end(), texts[done + i].begin(), texts[done + i].end());
        }
        m_forward.texts = lengths;
        const auto evaluated = evaluateBatch(batch, Logits::None, true, job);
        m_forward.texts = {};
        GUFO_TRY(evaluated);
        normed(batch.size());
        std::size_t row = 0;
        for (const std::size_t length : lengths) {
            sink(done++, 0, {m_normed[row].data(), m_normed.width()}, length);
            row += length;
        }
    }
    return finishEvaluation(all, begun);
}

Result<> EngineSession::finishEvaluation(std::size_t tokens, std::chrono::steady_clock::time_point begun) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    (tokens == 1 ? m_figures.generatedTokens : m_figures.promptTokens) += tokens;
    (tokens == 1 ? m_figures.generationSeconds : m_figures.promptSeconds) += seconds;
    for (const ModelFile& file : m_engine->model->files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

Result<> EngineSession::evaluateBatch(std::span<const TokenId> tokens, Logits which, bool last, const JobContext& job) {
    const auto position = static_cast<std::uint32_t>(m_tokens.size());
    m_stop = job.stop;
    replayDeferred();
    const bool deferred = which == Logits::All && tokens.size() > 1 && tokens.size() <= m_deferrable && last;
    StateUpdate update = takeSnapshots(position, deferred ? 1 : tokens.size(), last);
    update.deferred = deferred;
    const std::uint64_t work = m_figures.productsPerToken + m_figures.cacheBytesPerPosition * position;
    m_team.workAlone(work * tokens.size() < kWorthSharing);
    std::size_t embedded = 0;
    for (const std::size_t length : m_forward.texts) {
        embed(tokens.subspan(embedded, length), 0, embedded);
        embedded += length;
    }
    embed(tokens.subspan(embedded), position, embedded);
    m_forward.ids = tokens;
    m_forward.position = position;
    GUFO_TRY(job.check());
    // A half-updated recurrent state is useless. A single token, before which none was copied, is not interrupted.
    const bool whole = tokens.size() == 1 && !m_blocks->state().empty();
    const JobContext uninterrupted{.stop = {}, .progress = job.progress, .threads = job.threads};
    const auto forgetBatch = [&] {
        if (!deferred) {
            goBack(position);
        }
    };
    try {
        if (!m_blocks->run(m_stream.rows(), position, tokens.size(), update, whole ? uninterrupted : job)) {
            forgetBatch();
            return fail(ErrorCode::Cancelled);
        }
    } catch (const std::bad_alloc&) { // from allocations that are not reserved, such as lists of experts
        forgetBatch();
        return fail(ErrorCode::NotEnoughMemory, {}, {m_memory.taken(), machineMemory().available});
    }
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    m_deferredTokens = deferred ? tokens.size() : 0;
    if (m_stateSink) {
        m_forward.norm(m_engine->weights.outputNorm, m_stream.rows(), m_normed.rows(), tokens.size(),
                       m_shape.embedding);
        m_stateSink(tokens.size(), m_normed.rows(), job.stop);
        m_team.workAlone(work * tokens.size() < kWorthSharing);
    }
    if (which == Logits::Last && last) {
        std::ranges::copy(m_stream[tokens.size() - 1], m_stream[0].begin());
        writeLogits(0, 1);
    }
    return {};
}

void EngineSession::embed(std::span<const TokenId> tokens, std::uint32_t position, std::size_t first) {
    const Weights& weights = m_engine->weights;
    if (m_engine->reader != nullptr && tokens.size() > 1) { // a single row is read as fast without a request
        requestRows(weights.embedding, tokens);
        if (weights.layerInputTable) {
            requestRows(weights.layerInputTable, tokens);
        }
    }
    m_team.forShares(tokens.size(), 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        const std::span<float> added = m_added[member];
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> row = m_stream[first + t];
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
            if (const Matrix& types = weights.tokenTypes) {
                (void)decode(types.typeId, {types.row(0), types.rowBytes}, added, types.order);
                add(row, added);
            }
            if (weights.embeddingNorm) {
                applyNorm(weights.embeddingNorm, m_shape.architecture->norm.kind, m_shape.epsilon, row, row);
            }
        }
    });
}

void EngineSession::writeLogits(std::size_t first, std::size_t tokens, std::size_t from) {
    const std::size_t vocabulary = m_shape.vocabulary;
    readOut({m_stream[from].data(), m_stream.width()}, tokens, {m_logits.data() + first * vocabulary, vocabulary});
}

void EngineSession::readOut(Rows states, std::size_t tokens, Rows logits) {
    m_forward.norm(m_engine->weights.outputNorm, states, m_normed.rows(), tokens, m_shape.embedding);
    m_multiplier.multiply(m_engine->weights.output, m_normed.rows(), logits, tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        finishLogits(m_shape, {logits[t], m_shape.vocabulary});
    }
}

bool EngineSession::listen(ProductListener* listener) {
    if (listener == nullptr) {
        m_multiplier.observe({});
        return true;
    }
    struct Stored {
        const std::byte* begin;
        const std::byte* end;
        std::uint64_t bytesOfMatrix;
        TensorIndex tensor;
    };
    std::vector<Stored> stored;
    const Model& model = *m_engine->model;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        const std::uint64_t rows = tensor.shape.rows().value_or(0);
        const auto bytes = model.bytesOf(tensor);
        if (bytes && !bytes->empty() && rows != 0 && tensor.shape[1] != 0) {
            stored.push_back({.begin = bytes->data(),
                              .end = bytes->data() + bytes->size(),
                              .bytesOfMatrix = bytes->size() / (rows / tensor.shape[1]),
                              .tensor = TensorIndex(i)});
        }
    }
    std::ranges::sort(stored, std::less(), &Stored::begin);
    m_multiplier.observe([listener, stored](std::span<const Multiplier::Product> products, Rows x, std::size_t tokens) {
        std::vector<ProductListener::Factor> factors;
        for (const Multiplier::Product& product : products) {
            const std::byte* const data = product.matrix->data;
            auto found = std::ranges::upper_bound(stored, data, std::less(), &Stored::begin);
            if (found == stored.begin() || data >= (--found)->end) {
                continue;
            }
            // A part of a fused matrix has the input of the whole, which its first part reports.
            const auto offset = static_cast<std::uint64_t>(data - found->begin);
            if (offset % found->bytesOfMatrix == 0) {
                factors.push_back({.tensor = found->tensor, .matrix = offset / found->bytesOfMatrix});
            }
        }
        if (!factors.empty()) {
            listener->inputs(
                factors,
                {.rows = x.data, .stride = x.stride, .columns = products.front().matrix->columns, .tokens = tokens});
        }
    });
    return true;
}

} // namespace gufo::inference
