// A mixer combines the tokens of a recurrent block: it is a function of the block's inputs and of a state of constant
// size, which takes the place of keys and values. One mixer serves all blocks of a model and has no state itself. Its
// kind is a row (binding/graph_traits.h) in the same file.
//
// Thread contract: as for Session.
#pragma once

#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/blocks/forward.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace gufo::inference {

// The state of one block, in floats. It begins as zeros.
struct MixerState {
    float* now = nullptr;  // updated
    float* copy = nullptr; // receives the state after `after` tokens of the batch; null: no copy
    std::size_t after = 0;
    Rows inputs{}; // of a deferred update: where what the recurrence reads is kept; null: the update is immediate

    // The state that begins `at` floats into the state of all blocks.
    [[nodiscard]] static MixerState of(std::span<float> all, const StateUpdate& update, std::size_t at) {
        return MixerState{
            .now = all.data(), .copy = update.to.empty() ? nullptr : update.to.data(), .after = update.after}
            .from(at);
    }
    [[nodiscard]] MixerState from(std::size_t at) const {
        return {.now = now + at, .copy = copy != nullptr ? copy + at : nullptr, .after = after, .inputs = inputs};
    }
    // Copies the first `size` floats if the copy is to be taken before `token`.
    void copyAt(std::size_t token, std::size_t size) const {
        if (copy != nullptr && token == after) {
            std::copy_n(now, size, copy);
        }
    }
};

// Some columns of the activations of a batch: a part of what a recurrence reads.
struct RecurrenceInput {
    Rows rows;
    std::size_t width;
};
using RecurrenceInputs = std::vector<RecurrenceInput>;

[[nodiscard]] inline double meanOf(std::span<const float> values) {
    double sum = 0;
    for (const float value : values) {
        sum += static_cast<double>(value);
    }
    return sum / static_cast<double>(values.size());
}

[[nodiscard]] std::size_t widthOf(const RecurrenceInputs& parts);
// Copies the parts, one beside the other, from the activations to `kept` and back.
void keepInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens, Team& team);
void loadInputs(const RecurrenceInputs& parts, Rows kept, std::size_t tokens, Team& team);

class Mixer {
public:
    virtual ~Mixer() = default;
    [[nodiscard]] virtual std::size_t stateSize() const = 0;
    // Computes out[t] for each token from in[t], the normed stream, and the tokens before it.
    virtual void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) = 0;
    // The heads of a block's state; and by what a token of the last batch has multiplied the state of a head, as a mean
    // over its elements: NaN where nothing decays.
    [[nodiscard]] virtual StateHeads heads() const { return {.size = stateSize()}; }
    [[nodiscard]] virtual double decayOf(const BlockWeights& /*block*/, std::size_t /*token*/,
                                         std::size_t /*head*/) const {
        return std::numeric_limits<double>::quiet_NaN();
    }
    // What run() leaves of the last batch, from which replay() computes the states after its tokens again.
    [[nodiscard]] virtual RecurrenceInputs inputs() const = 0;
    // Advances the state by a batch whose inputs() have been restored, with the same operations as run() does.
    virtual void replay(const BlockWeights& block, const MixerState& state, std::size_t tokens) = 0;
};

// The weights of a causal convolution along the tokens. The file has the taps of a channel together.
[[nodiscard]] std::vector<float> convolutionTaps(Binder& file, std::string_view name, std::uint64_t taps,
                                                 std::uint64_t channels);
// Columns as rows.
[[nodiscard]] std::vector<float> transposed(const std::vector<float>& rows, std::uint64_t columns);

// The hyper-parameters of both versions of Mamba.
struct SsmShape : KindShape {
    std::uint32_t convolution = 0;
    std::uint32_t inner = 0;
    std::uint32_t state = 0;
    std::uint32_t timeStepRank = 0; // of Mamba 2: the number of heads
    std::uint32_t groups = 1;       // of heads that share B and C (Mamba 2)
    bool normed = false;            // dt, B and C pass through an RMS norm
};
[[nodiscard]] SsmShape readSsm(ShapeReader& reader);

// The rows of a batch. A part of each row is convolved along the tokens. Before them are the rows of earlier tokens
// that the convolution still needs; these are the state, [tap − 1][channel].
class ConvolutionRows {
public:
    // Rows have `width` elements; the `channels` elements from `first` on are convolved.
    ConvolutionRows(Memory& memory, std::size_t batch, std::size_t taps, std::size_t width, std::size_t first,
                    std::size_t channels);

    [[nodiscard]] std::size_t stateSize() const { return m_before * m_channels; }
    [[nodiscard]] Rows rows() const { return {m_rows.rows().data + m_before * m_rows.width(), m_rows.width()}; }
    [[nodiscard]] float* operator[](std::size_t token) const { return rows()[token]; }
    [[nodiscard]] std::size_t channels() const { return m_channels; }

    // Must be called before a batch is convolved, and after it.
    void begin(const MixerState& state) const;
    void end(const MixerState& state, std::size_t tokens) const;
    // Writes the convolved channels of the tokens [begin, end) to their rows of `out`, and calls then(token) for each
    // while its row is in the cache.
    template<typename Then>
    void convolve(const ConvolutionWeights& weights, std::size_t begin, std::size_t end, Rows out,
                  const Then& then) const {
        constexpr std::size_t kTogether = 16; // few enough that the pages of their rows fit into the TLB
        for (std::size_t first = begin; first < end; first += kTogether) {
            const std::size_t last = std::min(first + kTogether, end);
            convolveRows(weights, first, last - first, out);
            for (std::size_t token = first; token < last; ++token) {
                then(token);
            }
        }
    }

private:
    void convolveRows(const ConvolutionWeights& weights, std::size_t first, std::size_t tokens, Rows out) const;
    // The rows that the convolution needs before `token`.
    [[nodiscard]] float* before(std::size_t token) const { return m_rows[token].data() + m_first; }

    std::size_t m_before; // rows
    std::size_t m_first;
    std::size_t m_channels;
    Activations m_rows; // m_before rows, then the rows of the batch
};

} // namespace gufo::inference
