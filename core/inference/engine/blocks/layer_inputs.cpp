#include "inference/engine/blocks/layer_inputs.h"

#include "inference/engine/compute/operations.h"
#include "tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gufo::inference {

LayerInputs::LayerInputs(const ForwardContext& context, std::size_t batch)
    : m_context(context)
    , m_length(context.shape.layerInput)
    , m_inputs(context.memory, batch, m_length * context.shape.blocks.size())
    , m_looked(context.memory, context.multiplier.team().size(), m_length * context.shape.blocks.size())
    , m_gate(context.memory, batch, m_length)
    , m_gated(context.memory, batch, m_length) {}

void LayerInputs::prepare(Rows embeddings, std::size_t tokens) {
    const Weights& weights = m_context.weights;
    const ModelShape& shape = m_context.shape;
    const Matrix& table = weights.layerInputTable;
    m_context.multiplier.multiply(weights.layerInputProjection, embeddings, m_inputs.rows(), tokens);
    const float projected = 1 / std::sqrt(static_cast<float>(shape.embedding));
    const float looked = std::sqrt(static_cast<float>(m_length));
    constexpr float kMean = 1 / std::numbers::sqrt2_v<float>;
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned member) {
        const std::span<float> row = m_looked[member];
        for (std::uint64_t t = begin; t < end; ++t) {
            // Cannot fail: types and sizes were checked when the weights were bound.
            (void)decode(table.typeId, {table.row(m_context.ids[t].value), table.rowBytes}, row, table.order);
            const std::span<float> inputs = m_inputs[t];
            std::ranges::transform(inputs, inputs.begin(), [&](float x) { return projected * x; });
            applyNorm(weights.layerInputNorm, shape.architecture->norm.kind, shape.epsilon, inputs, inputs);
            std::ranges::transform(inputs, row, inputs.begin(),
                                   [&](float a, float b) { return kMean * (a + looked * b); });
        }
    });
}

void LayerInputs::project(std::size_t block, Rows in, Rows out, std::size_t tokens) {
    const LayerInputWeights& weights = m_context.weights.layerInputs[block];
    m_context.multiplier.multiply(weights.gate, in, m_gate.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        std::ranges::copy(m_inputs[t].subspan(block * m_length, m_length), m_gated[t].begin());
        activateGated(Activation::Gelu, m_gate[t], m_gated[t]);
    }
    m_context.multiplier.multiply(weights.projection, m_gated.rows(), out, tokens);
    m_context.norm(weights.norm, out, out, tokens, m_context.shape.embedding);
}

} // namespace gufo::inference
