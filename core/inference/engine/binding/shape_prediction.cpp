#include "inference/engine/binding/refusal.h"
#include "inference/engine/binding/shape_reader.h"
#include "model/metadata.h"

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

} // namespace gufo::inference
