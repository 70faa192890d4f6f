// The block that predicts further tokens: its hyper-parameters and its tensors.
#include "base/error.h"
#include "inference/engine/binding/refusal.h"
#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/binding/weights.h"
#include "model/metadata.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gufo::inference {
namespace {

constexpr std::string_view kPredicting = "nextn_predict_layers";

} // namespace

Result<ModelShape> ShapeReader::readPredictor() {
    m_withPredicting = true;
    const std::uint64_t predicting = m_parameters.uint(kPredicting).value_or(0);
    if (predicting == 0) {
        const std::string key = m_model.metadata.architectureKey(kPredicting);
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    auto shape = GUFO_TRY(read());
    if (!shape.architecture->hasMtp) {
        cannot(m_model.metadata.architectureKey(kPredicting), std::to_string(predicting));
        return std::unexpected(m_refusal.take());
    }
    shape.firstBlock = static_cast<std::uint32_t>(shape.declaredBlocks - predicting);
    BlockShape block = shape.blocks[shape.firstBlock];
    block.source = 0;
    shape.blocks = {block};
    return shape;
}

Result<ModelShape> readPredictorShape(const Model& model) { return ShapeReader(model).readPredictor(); }

Result<> WeightBinder::bindPredictor() {
    const std::uint64_t width = m_shape.embedding;
    const std::string block =
        std::string(m_shape.architecture->stack) + "blk." + std::to_string(m_shape.firstBlock) + ".";
    const Matrix table = m_file.table("token_embd", width, kMaxRows);
    m_shape.vocabulary = static_cast<std::uint32_t>(table.rows);
    const std::string ownTable = block + "nextn.embed_tokens";
    m_weights.embedding = m_file.has(ownTable) ? m_file.fullTable(ownTable, width, table.rows) : table;
    const std::string ownOutput = block + "nextn.shared_head_head";
    m_weights.output = m_file.output(m_file.has(ownOutput) ? ownOutput : "output", width, table.rows, table);
    // Files of bailingmoe2 have the last norm under the second name.
    std::string norm = "output_norm";
    for (const char* own : {"layer_output_norm", "nextn.shared_head_norm"}) {
        norm = m_file.has(block + own) ? block + own : norm;
    }
    m_weights.outputNorm = m_file.norm(norm, width);
    bindRopeFactors();

    m_file.setBlock(m_shape.architecture->stack, m_shape.firstBlock);
    m_weights.prediction = {.embeddingNorm = m_file.norm("nextn.enorm", width),
                            .stateNorm = m_file.norm("nextn.hnorm", width),
                            .projection = m_file.matrix("nextn.eh_proj", 2 * width, width)};
    if (!m_file.has("indexer.attn_q_b")) { // the block attends to all positions
        m_shape.indexer = {};
    }
    m_weights.blocks.resize(1);
    m_weights.smallBytes += sizeof(BlockWeights);
    bindTransformer(0);
    return m_file.finishBlock(m_shape.firstBlock);
}

Result<Weights> bindPredictor(const Model& model, ModelShape& shape, SmallTensors small) {
    Weights weights;
    GUFO_TRY(WeightBinder(model, shape, weights, small, nullptr).bindPredictor());
    return weights;
}

} // namespace gufo::inference
