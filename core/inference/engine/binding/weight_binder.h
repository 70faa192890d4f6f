// Binds the tensors of each family of architectures, block by block. weights.cpp binds what all models have, attention
// and RWKV; weights_distance.cpp biases by distance, weights_pooling.cpp ranking heads, weights_feed_forward.cpp
// feed-forwards and experts, weights_latent.cpp latent attention, weights_recurrence.cpp recurrent blocks, and
// weights_prediction.cpp the block that predicts further tokens.
#pragma once

#include "inference/engine/binding/binder.h"
#include "inference/engine/binding/shape.h"
#include "inference/engine/binding/weights.h"

#include <cstdint>
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

private:
    using Need = Binder::Need;
    static constexpr Binder::Stack kAlone{.count = 1, .used = 1};

    // Of `experts.count` experts a token uses `experts.used`; a single one serves every token. `in`: elements that
    // they read and write.
    FeedForwardWeights feedForward(std::string_view suffix, std::uint64_t in, std::uint64_t width,
                                   Binder::Stack experts, Need need);
    void bindModel();
    void bindPooling();
    void bindRopeFactors();
    void bindTransformer(std::size_t index);
    void bindLayerInputs();
    void bindAltUp(AltUpWeights& altUp);
    // All of a block that attends, and its projections of queries, keys and values.
    void bindAttending(std::size_t index, AttentionWeights& attention);
    void bindAttention(std::size_t index, AttentionWeights& attention);
    void bindDistanceBiases(std::size_t index, AttentionWeights& attention);
    void bindHeadNorms(const BlockShape& block, bool keys, AttentionWeights& attention);
    void bindLatentAttention(const BlockShape& block, AttentionWeights& attention);
    [[nodiscard]] IndexerWeights indexer();
    void bindFeedForward(const BlockShape& block, BlockWeights& weights);
    [[nodiscard]] std::uint64_t expertWidth(); // as in the file
    void bindRecurrence(const BlockShape& block, BlockWeights& weights);
    void bindMamba(MambaWeights& mamba);
    void bindMamba2(Mamba2Weights& mamba);
    void bindShortConvolution(ShortConvolutionWeights& convolution);
    void bindDelta(DeltaWeights& delta);
    void bindKimiDelta(DeltaWeights& delta);
    [[nodiscard]] std::vector<float> convolutionTaps(std::string_view name, std::uint64_t taps, std::uint64_t channels);
    void bindRwkv(const BlockShape& block, BlockWeights& weights);
    void bindRwkv7(std::size_t index);

    Binder m_file;
    ModelShape& m_shape;
    Weights& m_weights;
};

} // namespace gufo::inference
