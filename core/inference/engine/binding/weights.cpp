#include "inference/engine/binding/weights.h"

#include "inference/engine/binding/weight_binder.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <functional>

namespace gufo::inference {

Result<> WeightBinder::bind() {
    bindModel();
    m_weights.blocks.resize(m_shape.blocks.size());
    m_weights.smallBytes += m_weights.blocks.size() * sizeof(BlockWeights);
    for (std::size_t i = 0; i < m_shape.blocks.size(); ++i) {
        m_file.setBlock(m_shape.architecture->stack, i);
        m_shape.architecture->kind->bind(*this, i);
    }
    return m_file.finish(m_shape.blocks.size(), m_shape.declaredBlocks);
}

void WeightBinder::bindModel() {
    m_weights.embedding = m_file.table("token_embd", m_shape.embedding, kMaxRows);
    m_shape.vocabulary = static_cast<std::uint32_t>(m_weights.embedding.rows);
    const std::string_view outputNorm = m_shape.architecture->norm.output;
    constexpr std::string_view kEmbeddingNorm = "token_embd_norm";
    if (outputNorm != kEmbeddingNorm) { // lfm2 has its last norm under this name
        m_weights.embeddingNorm = m_file.norm(kEmbeddingNorm, m_shape.embedding, Need::May);
    }
    m_weights.positions = m_file.table("position_embd", m_shape.embedding, kMaxRows, Need::May);
    if (m_shape.architecture->stream.tokenTypes) {
        m_weights.tokenTypes = m_file.table("token_types", m_shape.embedding, kMaxRows, Need::May);
    }
    m_file.setPart(GraphPart::OutputNorm);
    if (!outputNorm.empty()) {
        m_weights.outputNorm = m_file.norm(outputNorm, m_shape.embedding);
    }
    m_file.setPart(GraphPart::Output);
    if (!m_shape.architecture->stack.empty()) {
        m_file.leaveOut("output"); // of the stack that does not run
    }
    if (!m_shape.architecture->encoder) {
        m_weights.output = m_file.output("output", m_shape.embedding, m_weights.embedding.rows, m_weights.embedding);
    }
    m_file.setPart(GraphPart::Head);
    bindPooling();
    m_file.setPart(GraphPart::RopeFactors);
    bindRopeFactors();
    m_file.setPart(GraphPart::LayerInputs);
    bindLayerInputs();
    if (const StreamKind* const streams = m_shape.architecture->stream.kind) {
        m_file.setPart(GraphPart::Streams);
        streams->bindModel(*this);
    }
}

void WeightBinder::bindLayerInputs() {
    if (m_shape.layerInput == 0) {
        return;
    }
    const std::uint64_t width = m_shape.layerInput * std::uint64_t{m_shape.blocks.size()};
    m_weights.layerInputTable = m_file.fullTable("per_layer_token_embd", width, m_weights.embedding.rows);
    m_weights.layerInputProjection = m_file.matrix("per_layer_model_proj", m_shape.embedding, width);
    m_weights.layerInputNorm = m_file.norm("per_layer_proj_norm", m_shape.layerInput);
}

void WeightBinder::bindRopeFactors() {
    const std::uint64_t pairs = m_shape.rotated / 2;
    if (m_shape.ropeKind == RopeKind::None || pairs == 0) {
        return;
    }
    m_weights.ropeFactors = m_file.floats("rope_freqs.weight", pairs, Need::May);
    m_weights.ropeFactorsLong = m_file.floats("rope_factors_long.weight", pairs, Need::May);
    m_weights.ropeFactorsShort = m_file.floats("rope_factors_short.weight", pairs, Need::May);
    if (m_shape.rope.scaling == RopeScaling::LongRope &&
        (m_weights.ropeFactorsLong.empty() || m_weights.ropeFactorsShort.empty())) {
        for (const std::string name : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
            (void)m_file.floats(name, pairs, Need::Must);
        }
    }
}

void WeightBinder::bindTransformer(std::size_t index) {
    const BlockShape& block = m_shape.blocks[index];
    BlockWeights& weights = m_weights.blocks[index];
    const GraphTraits& row = *m_shape.architecture;
    const std::uint64_t width = m_shape.embedding;
    if (row.norm.place != Norms::Before) {
        m_file.setPart(GraphPart::MixPostNorm);
        weights.attentionPostNorm = m_file.norm(row.norm.afterAttention, width);
        m_file.setPart(GraphPart::FeedPostNorm);
        weights.feedForwardPostNorm = m_file.norm(row.norm.afterFeedForward, width);
    }
    if (!block.mixes()) {
        m_file.setPart(GraphPart::FeedNorm);
        weights.feedForwardNorm = m_file.norm("attn_norm", width);
        return bindFeedForward(block, weights);
    }
    if (row.norm.addsInput) {
        m_file.setPart(GraphPart::MixPostNorm);
        weights.attentionNorm2 = m_file.norm("attn_norm_2", width, Need::May);
    }
    if (row.norm.place == Norms::Before || row.norm.place == Norms::Around) {
        // Parallel branches may share one norm.
        const bool sequential = row.feedForward.residual == Residual::Sequential ||
                                (row.feedForward.residual == Residual::ParallelByKey && !m_shape.parallel);
        m_file.setPart(GraphPart::MixNorm);
        if (index != 0 || !row.norm.firstBlockUnnormed) {
            weights.attentionNorm = m_file.norm("attn_norm", width);
        }
        weights.attentionNorm2 = m_file.norm("attn_norm_2", width, Need::May);
        if (block.feeds) {
            m_file.setPart(GraphPart::FeedNorm);
            weights.feedForwardNorm = m_file.norm(row.norm.feedForward, width, sequential ? Need::Must : Need::May);
        }
    }
    if (block.attends()) {
        bindAttending(index, weights.attention);
    }
    if (block.recurrent) {
        m_file.setPart(GraphPart::Recurrence);
        const RecurrentKind& kind = *row.recurrence.kind;
        weights.recurrence = kind.bind(*this);
        m_weights.smallBytes += kind.weightBytes;
    }
    if (block.feeds) {
        bindFeedForward(block, weights);
    }
    if (row.stream.kind != nullptr) {
        m_file.setPart(GraphPart::BlockStreams);
        row.stream.kind->bind(*this, index);
    }
    if (m_shape.layerInput != 0) {
        m_file.setPart(GraphPart::BlockInput);
        m_weights.layerInputs.push_back({.gate = m_file.matrix("inp_gate", width, m_shape.layerInput),
                                         .projection = m_file.matrix("proj", m_shape.layerInput, width),
                                         .norm = m_file.norm("post_norm", width)});
    }
    if (row.stream.layerInputs) {
        m_file.setPart(GraphPart::BlockScale);
        const std::vector<float> scale = m_file.floats("layer_output_scale.weight", 1, Need::May);
        weights.outputScale = scale.empty() ? 1 : scale.front();
    }
}

void WeightBinder::bindAttending(std::size_t index, AttentionWeights& attention) {
    const BlockShape& block = m_shape.blocks[index];
    const GraphTraits& row = *m_shape.architecture;
    m_file.setPart(GraphPart::Attention);
    row.attention.kind->bind(*this, index);
    const std::uint64_t attended = std::uint64_t{block.heads} * block.valueLength;
    if (row.norm.beforeProjections) {
        attention.outputNorm = m_file.norm("attn_sub_norm", attended);
    }
    attention.output = m_file.matrix(row.attention.output, attended, m_shape.embedding);
    if (row.attention.distanceBiases) {
        bindDistanceBiases(index, attention);
    }
    if (row.attention.sinks) {
        attention.sinks = m_file.floats("attn_sinks.weight", block.heads);
    }
}

Matrix Matrix::expert(std::uint64_t index) const {
    Matrix one = *this;
    one.data = data != nullptr ? row(index * expertRows) : nullptr;
    one.experts = 1;
    one.bias = bias.empty() ? bias : bias.subspan(index * expertRows, rows);
    one.factors = factors.size() > 1 ? factors.subspan(index, 1) : factors;
    one.foreign = {};
    if (!foreign.empty() && foreign[index].data != nullptr) {
        const ForeignMatrix& other = foreign[index];
        one.typeId = other.typeId;
        one.rowBytes = other.rowBytes;
        one.data = other.data + firstRow * other.rowBytes;
    }
    return one;
}

Matrix Matrix::part(std::uint64_t first, std::uint64_t count) const {
    Matrix result = *this;
    result.data = data != nullptr ? row(first) : nullptr;
    result.rows = count;
    result.firstRow = firstRow + first;
    result.bias = bias.empty() ? bias : bias.subspan(first, bias.size() - first);
    return result;
}

StoredRows Matrix::stored() const {
    // The binder has found the type decodable and the rows whole blocks.
    return {
        .layout = *RowLayout::of(*findTensorType(typeId), columns), .bytes = {data, rows * rowBytes}, .order = order};
}

Result<Weights> bindWeights(const Model& model, ModelShape& shape, SmallTensors small, BindingReport* report) {
    Weights weights;
    GUFO_TRY(WeightBinder(model, shape, weights, small, report).bind());
    return weights;
}

Result<BindingReport> examineTensors(const Model& model) {
    auto shape = GUFO_TRY(readShape(model));
    BindingReport report;
    static_cast<void>(bindWeights(model, shape, SmallTensors::NotViewed, &report)); // the report has its errors
    return report;
}

} // namespace gufo::inference
