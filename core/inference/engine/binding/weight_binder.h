// Binds the tensors of a model, block by block. weights.cpp binds what all models have, weights_distance.cpp biases by
// distance, weights_pooling.cpp ranking heads, weights_feed_forward.cpp feed-forwards and experts, and
// prediction.cpp the block that predicts further tokens. The kinds of blocks bind their own tensors
// (graph_traits.h).
#pragma once

#include "inference/engine/binding/binder.h"
#include "inference/engine/binding/shape.h"
#include "inference/engine/binding/weights.h"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace gufo::inference {

class WeightBinder {
public:
    WeightBinder(const Model& model, ModelShape& shape, Weights& weights, SmallTensors small, BindingReport* report)
        : m_file(model, small, weights, report, shape.architecture->needed)
        , m_shape(shape)
        , m_weights(weights) {}

    [[nodiscard]] Result<> bind();
    [[nodiscard]] Result<> bindPredictor();
    void bindTransformer(std::size_t index);

    // What the kinds of blocks bind with (graph_traits.h).
    using Need = Binder::Need;
    [[nodiscard]] Binder& file() { return m_file; }
    [[nodiscard]] const ModelShape& shape() const { return m_shape; }
    [[nodiscard]] Weights& weights() { return m_weights; }

private:
    // Vocabulary and learned positions are counted in 32 bits.
    static constexpr std::uint64_t kMaxRows = std::numeric_limits<std::int32_t>::max();
    static constexpr Binder::Stack kAlone{.count = 1, .used = 1};

    // Of `experts.count` experts a token uses `experts.used`; a single one serves every token. `in`: elements that
    // they read and write.
    FeedForwardWeights feedForward(std::string_view suffix, std::uint64_t in, std::uint64_t width,
                                   Binder::Stack experts, Need need);
    void bindModel();
    void bindPooling();
    void bindRopeFactors();
    void bindLayerInputs();
    void bindAttending(std::size_t index, AttentionWeights& attention);
    void bindDistanceBiases(std::size_t index, AttentionWeights& attention);
    void bindFeedForward(const BlockShape& block, BlockWeights& weights);
    [[nodiscard]] std::uint64_t expertWidth(); // as in the file

    Binder m_file;
    ModelShape& m_shape;
    Weights& m_weights;
};

} // namespace gufo::inference
