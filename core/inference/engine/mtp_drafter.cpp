#include "inference/engine/mtp_drafter.h"

#include "inference/engine/compute/operations.h"
#include "inference/interface/drafter.h"
#include "inference/interface/memory_needs.h"
#include "tensor/decode.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace gufo::inference {

MtpDrafter::MtpDrafter(EngineSession& session, std::unique_ptr<MtpBlock> block)
    : m_session(session)
    , m_block(std::move(block)) {
    m_session.passStates([this](std::size_t tokens, Rows states, const std::stop_token& stop) {
        take(m_session.tokens(), tokens, states, stop);
    });
}

void MtpDrafter::startAt(std::size_t position) {
    m_begin = position;
    m_oldestState = position;
    m_text.clear();
    m_nexts.clear();
    m_block->truncate(0);
}

void MtpDrafter::follow(std::span<const TokenId> text, std::size_t known) {
    const std::span<const TokenId> later = text.subspan(std::min(m_begin, text.size()));
    const auto same = std::ranges::mismatch(m_text, later).in1 - m_text.begin();
    m_text.resize(std::min(static_cast<std::size_t>(same), known - std::min(known, m_begin)));
    const std::span<const TokenId> nexts = later.subspan(std::min<std::size_t>(1, later.size()));
    const auto right = std::ranges::mismatch(m_nexts, nexts).in1 - m_nexts.begin();
    m_nexts.resize(std::min(static_cast<std::size_t>(right), m_text.size()));
    m_block->truncate(m_nexts.size());
    const bool waits = m_nexts.size() < m_text.size();
    if (m_block->pairs() != m_nexts.size() || (waits && m_begin + m_nexts.size() < m_oldestState)) {
        startAt(text.size());
    }
    m_oldestState = std::min(m_oldestState, end());
}

Result<> MtpDrafter::catchUp(std::span<const TokenId> text, const std::stop_token& stop) {
    while (m_nexts.size() < m_text.size() && m_begin + m_nexts.size() + 1 < text.size()) {
        const std::size_t position = m_begin + m_nexts.size();
        const std::size_t row = rowOf(position);
        const std::size_t count =
            std::min({m_text.size() - m_nexts.size(), text.size() - position - 1, m_block->batch() - row});
        const std::span<const TokenId> tokens = text.subspan(position + 1, count);
        const Activations& states = m_block->waiting();
        GUFO_TRY(m_block->evaluate(tokens, {states[row].data(), states.width()}, stop));
        m_nexts.insert(m_nexts.end(), tokens.begin(), tokens.end());
    }
    return {};
}

void MtpDrafter::take(std::span<const TokenId> text, std::size_t tokens, Rows states, const std::stop_token& stop) {
    const std::size_t first = text.size() - tokens;
    follow(text, first);
    if (end() != first) {
        startAt(first);
    }
    const std::size_t waiting = m_text.size() - m_nexts.size();
    if (waiting + tokens > m_block->batch() && !catchUp(text, stop)) {
        startAt(first);
    }
    const std::size_t width = m_block->width();
    for (std::size_t t = 0; t < tokens; ++t) {
        std::copy_n(states[t], width, m_block->waiting()[rowOf(first + t)].begin());
    }
    const std::span<const TokenId> added = text.last(tokens);
    m_text.insert(m_text.end(), added.begin(), added.end());
    m_oldestState = std::max(m_oldestState, end() - std::min(end(), m_block->batch()));
}

Result<std::vector<TokenId>> MtpDrafter::propose(std::span<const TokenId> text, std::size_t limit,
                                                 const JobContext& job) {
    std::vector<TokenId> proposal;
    if (text.empty()) {
        return proposal;
    }
    follow(text, text.size() - 1);
    const bool knowsAll = !m_text.empty() && end() + 1 == text.size() && end() > m_oldestState;
    if (!knowsAll || text.size() + limit > m_session.context()) {
        return proposal;
    }
    // After a proposal that was not evaluated, the logits of the last pair are gone.
    m_nexts.resize(std::min(m_nexts.size(), m_text.size() - 1));
    m_block->truncate(m_nexts.size());
    Result<> evaluated = catchUp(text, job.stop);
    while (evaluated && proposal.size() < limit) {
        m_block->predict();
        const auto token = certainToken(m_block->logits());
        if (!token) {
            break;
        }
        proposal.push_back(*token);
        if (proposal.size() < limit) {
            evaluated = m_block->evaluate({&proposal.back(), 1}, m_block->state(), job.stop);
        }
    }
    m_block->truncate(m_nexts.size());
    GUFO_TRY(std::move(evaluated));
    return proposal;
}

Result<std::shared_ptr<Drafter>> EngineSession::startMtpDrafts() {
    auto predictor = GUFO_TRY(makePredictor(m_engine->model, SmallTensors::Decoded));
    const auto shape = GUFO_TRY(shapeOf(*predictor, m_options));
    m_team.workAlone(false); // buffers are needed for all threads
    MemoryNeeds needs;
    const auto failure = [&] {
        return fail(ErrorCode::NotEnoughMemory, {}, {needs.scratch, machineMemory().available});
    };
    try {
        const MtpBlock counted(predictor, shape, m_options, m_team, {});
        needs.scratch = counted.memory().taken();
        if (judge(needs, machineMemory()) == MemoryVerdict::DoesNotFit) {
            return failure();
        }
        auto memory = GUFO_TRY(Memory::reserve(counted.memory()));
        return std::make_shared<MtpDrafter>(
            *this, std::make_unique<MtpBlock>(predictor, shape, m_options, m_team, std::move(memory)));
    } catch (const std::bad_alloc&) {
        return failure();
    }
}

Result<DraftNeeds> draftNeeds(const EngineSession& counted, const BoundModel& engine) {
    const auto predictor = GUFO_TRY(makePredictor(engine.model, SmallTensors::NotViewed));
    const SessionOptions& options = counted.options();
    const auto shape = GUFO_TRY(shapeOf(*predictor, options));
    Team team(options.threads); // without threads, until it has work
    const MtpBlock block(predictor, shape, options, team, {});
    const Memory& memory = block.memory();
    return DraftNeeds{.kvCache = memory.taken(Memory::Part::Cache),
                      .kvPerToken = block.growth(),
                      .scratch = memory.taken(Memory::Part::Scratch),
                      .logits = memory.taken(Memory::Part::Logits),
                      .smallTensors = predictor->weights.smallBytes};
}

MtpBlock::MtpBlock(std::shared_ptr<const BoundModel> predictor, ModelShape shape, const SessionOptions& options,
                   Team& team, Memory memory)
    : m_predictor(std::move(predictor))
    , m_shape(std::move(shape))
    , m_batch(options.batch)
    , m_memory(std::move(memory))
    , m_multiplier(team, m_memory, options.batch, m_predictor->weights.widestRow, m_predictor->weights.hasFloat16,
                   m_predictor->weights.widestFiner)
    , m_forward{.shape = m_shape, .weights = m_predictor->weights, .multiplier = m_multiplier, .memory = m_memory}
    , m_joined(m_memory, options.batch, 2 * std::size_t{m_shape.embedding})
    , m_stream(m_memory, options.batch, m_shape.embedding)
    , m_normed(m_memory, 1, m_shape.embedding)
    , m_waiting(m_memory, options.batch, m_shape.embedding)
    , m_blocks(kTransformer.make(m_forward, {.context = options.context,
                                             .ropeContext = options.ropeContext,
                                             .batch = options.batch,
                                             .keys = options.keys,
                                             .values = options.values}))
    , m_logits(m_memory.take<float>(1, m_shape.vocabulary, Memory::Part::Logits)) {}

std::uint64_t MtpBlock::growth() const {
    return m_shape.blocks.front().window != 0 ? 0 : m_blocks->caches().front().positionBytes();
}

Result<> MtpBlock::evaluate(std::span<const TokenId> tokens, Rows states, const std::stop_token& stop) {
    const auto position = static_cast<std::uint32_t>(m_pairs);
    m_multiplier.team().workAlone(m_predictor->weights.productsPerToken * tokens.size() < kWorthSharing);
    join(tokens, states);
    m_forward.ids = tokens;
    try {
        if (!m_blocks->run(m_stream.rows(), position, tokens.size(), {}, {.stop = stop})) {
            return fail(ErrorCode::Cancelled);
        }
    } catch (const std::bad_alloc&) { // from lists of experts, which are not reserved
        return fail(ErrorCode::NotEnoughMemory, {}, {m_memory.taken(), machineMemory().available});
    }
    m_pairs += tokens.size();
    m_last = tokens.size() - 1;
    return {};
}

void MtpBlock::join(std::span<const TokenId> tokens, Rows states) {
    const std::size_t width = m_shape.embedding;
    const Weights& weights = m_predictor->weights;
    const Matrix& table = weights.embedding;
    const auto factor = static_cast<float>(m_shape.embeddingFactor);
    m_multiplier.team().forShares(tokens.size(), 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> row = m_stream[t];
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(table.typeId, {table.row(tokens[t].value), table.rowBytes}, row, table.order);
            std::ranges::transform(row, row.begin(), [&](float x) { return x * factor; });
        }
    });
    const Rows first = m_joined.rows();
    const Rows second{first.data + width, first.stride};
    m_forward.norm(weights.prediction.embeddingNorm, m_stream.rows(), first, tokens.size(), width);
    m_forward.norm(weights.prediction.stateNorm, states, second, tokens.size(), width);
    m_multiplier.multiply(weights.prediction.projection, m_joined.rows(), m_stream.rows(), tokens.size());
}

void MtpBlock::predict() {
    const Rows last{m_stream[m_last].data(), m_stream.width()};
    m_forward.norm(m_predictor->weights.outputNorm, last, m_normed.rows(), 1, m_shape.embedding);
    m_multiplier.multiply(m_predictor->weights.output, m_normed.rows(), {m_logits, m_shape.vocabulary}, 1);
    finishLogits(m_shape, {m_logits, m_shape.vocabulary});
}

void MtpBlock::truncate(std::size_t count) {
    if (count >= m_pairs) {
        return;
    }
    if (count == 0 || !m_blocks->holdsWindowOf(static_cast<std::uint32_t>(count))) {
        m_blocks->reset();
        m_pairs = 0;
        return;
    }
    m_pairs = count;
}

Result<ModelShape> shapeOf(const BoundModel& predictor, const SessionOptions& options) {
    return withRope(predictor.shape, options.rope);
}

} // namespace gufo::inference
