#include "inference/engine/mtp_block.h"

#include "inference/engine/compute/operations.h"
#include "inference/interface/memory_needs.h"
#include "tensor/decode.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace gufo::inference {

MtpBlock::MtpBlock(std::shared_ptr<const BoundModel> predictor, ModelShape shape, const SessionOptions& options,
                   Team& team, Memory memory)
    : m_predictor(std::move(predictor))
    , m_shape(std::move(shape))
    , m_batch(options.batch)
    , m_memory(std::move(memory))
    , m_multiplier(team, m_memory, options.batch, m_predictor->weights.widestRow, m_predictor->weights.halves,
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
