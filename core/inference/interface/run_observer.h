// Sees what happens inside an evaluation: the residual stream after each block, what each half of a block adds to it,
// the experts that tokens are routed to, and the positions that they attend to. The engine computes nothing for members
// that are not overridden, except where a function says that it has to be asked for.
//
// All functions are called on the thread that evaluates, and what they receive is valid only during the call. A text
// that is evaluated in several batches makes a call for each batch; `position` is the position of the batch's first
// token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gufo::inference {

class RunObserver {
public:
    virtual ~RunObserver() = default;

    struct Batch {
        std::size_t block = 0;
        std::uint32_t position = 0;
        std::size_t tokens = 0;
    };
    // A row for each token of the batch; row t begins at rows + t × stride.
    struct Values {
        const float* rows = nullptr;
        std::size_t stride = 0;
        std::size_t columns = 0;
        [[nodiscard]] std::span<const float> operator[](std::size_t token) const {
            return {rows + token * stride, columns};
        }
    };
    // The residual stream after a block. A model with several streams shows the one on which its blocks work.
    virtual void stream(const Batch& /*batch*/, const Values& /*values*/) {}
    // Whether readout() is to be called: a model with several streams has to merge them for it.
    [[nodiscard]] virtual bool wantsReadout() { return false; }
    // What the last norm would read if the block were the last one.
    virtual void readout(const Batch& /*batch*/, const Values& /*values*/) {}

    enum class Half : std::uint8_t { Mixer, FeedForward }; // attention or a recurrence; the feed-forward
    // What a half of the block adds to the stream, before the factor that some architectures multiply it by.
    virtual void branch(const Batch& /*batch*/, Half /*half*/, const Values& /*values*/, float /*factor*/) {}

    // Which experts each token is routed to: `chosen` and `weights` have `used` elements for each token, and the sum of
    // the experts' results is weighted by them.
    virtual void experts(const Batch& /*batch*/, std::size_t /*used*/, std::span<const std::uint32_t> /*chosen*/,
                         std::span<const float> /*weights*/) {}

    // Whether attention() is to be called for a head of a block. The weights are then computed a second time, from what
    // the cache holds, because the evaluation itself never has them all.
    [[nodiscard]] virtual bool wantsAttention(std::size_t /*block*/, std::size_t /*head*/) { return false; }
    // How much of its attention the head gives to the positions [first, first + weights.size()) when it is at
    // `position`. The weights add up to 1, or to less where the head has a sink.
    virtual void attention(std::size_t /*block*/, std::size_t /*head*/, std::uint32_t /*position*/,
                           std::uint32_t /*first*/, std::span<const float> /*weights*/) {}

    // Whether state() is to be called for a block with a state of constant size.
    [[nodiscard]] virtual bool wantsState(std::size_t /*block*/) { return false; }
    // The lengths of the states of each head after the batch, and the mean of the factors by which each token [token]
    // [head] has multiplied what the state held before it: NaN where nothing decays. A state that is not divided into
    // heads is one.
    virtual void state(const Batch& /*batch*/, std::span<const float> /*lengths*/, std::span<const float> /*decays*/) {}
};

} // namespace gufo::inference
