// The causal convolution of recurrent blocks, and the gated short convolution of LFM2, which is a mixer by itself:
// y = W_out (C ⊙ conv(B ⊙ u)), where B, C and u are projections of the input.
#include "inference/engine/blocks/mixer.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <string>

namespace gufo::inference {

std::vector<float> transposed(const std::vector<float>& rows, std::uint64_t columns) {
    std::vector<float> result(rows.size());
    const std::size_t count = columns != 0 ? rows.size() / columns : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        result[i % columns * count + i / columns] = rows[i];
    }
    return result;
}

std::vector<float> convolutionTaps(Binder& file, std::string_view name, std::uint64_t taps, std::uint64_t channels) {
    return transposed(file.grid(std::string(name) + ".weight", taps, channels), taps);
}

ConvolutionRows::ConvolutionRows(Memory& memory, std::size_t batch, std::size_t taps, std::size_t width,
                                 std::size_t first, std::size_t channels)
    : m_before(taps - 1)
    , m_first(first)
    , m_channels(channels)
    , m_rows(memory, m_before + batch, width) {}

void ConvolutionRows::begin(const MixerState& state) const {
    for (std::size_t row = 0; row < m_before; ++row) {
        std::copy_n(state.now + row * m_channels, m_channels, before(row));
    }
}

void ConvolutionRows::end(const MixerState& state, std::size_t tokens) const {
    const auto save = [&](std::size_t after, float* to) {
        for (std::size_t row = 0; row < m_before; ++row) {
            std::copy_n(before(after + row), m_channels, to + row * m_channels);
        }
    };
    save(tokens, state.now);
    if (state.copy != nullptr) {
        save(state.after, state.copy);
    }
}

void ConvolutionRows::convolveRows(const ConvolutionWeights& weights, std::size_t first, std::size_t tokens,
                                   Rows out) const {
    activeKernels().recurrence.convolve({.tokens = tokens,
                                         .taps = m_before + 1,
                                         .channels = m_channels,
                                         .x = before(first),
                                         .stride = m_rows.width(),
                                         .weights = weights.taps.data(),
                                         .bias = weights.bias.empty() ? nullptr : weights.bias.data(),
                                         .outStride = out.stride},
                                        out[first]);
}

namespace {

struct ConvolutionShape : KindShape {
    std::uint32_t taps = 0;
};

struct ShortConvolutionWeights : KindWeights {
    Matrix in; // makes B, C and u
    ConvolutionWeights convolution;
    Matrix out;
};

class ShortConvolution final : public Mixer {
public:
    ShortConvolution(const ForwardContext& context, std::size_t batch)
        : m_context(context)
        , m_width(context.shape.embedding)
        , m_parts(context.memory, batch, 3 * m_width)
        , m_products(context.memory, batch, static_cast<const ConvolutionShape&>(*context.shape.recurrence).taps,
                     m_width, 0, m_width)
        , m_convolved(context.memory, batch, m_width) {}

    [[nodiscard]] std::size_t stateSize() const override { return m_products.stateSize(); }
    void run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) override;
    [[nodiscard]] RecurrenceInputs inputs() const override { return {{m_products.rows(), m_width}}; }
    void replay(const BlockWeights& /*block*/, const MixerState& state, std::size_t tokens) override {
        m_products.begin(state);
        m_products.end(state, tokens);
    }

private:
    const ForwardContext& m_context;
    std::size_t m_width;
    Activations m_parts; // B, C and u
    ConvolutionRows m_products;
    Activations m_convolved;
};

void ShortConvolution::run(const BlockWeights& block, const MixerState& state, Rows in, Rows out, std::size_t tokens) {
    const auto& weights = static_cast<const ShortConvolutionWeights&>(*block.recurrence);
    Multiplier& multiplier = m_context.multiplier;
    multiplier.multiply(weights.in, in, m_parts.rows(), tokens);
    m_products.begin(state);
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const float* b = m_parts[t].data();
            const float* u = b + 2 * m_width;
            activeKernels().recurrence.scale(b, 1, u, m_products[t], m_width);
        }
    });
    multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        m_products.convolve(weights.convolution, begin, end, m_convolved.rows(), [&](std::size_t t) {
            float* row = m_convolved[t].data();
            activeKernels().recurrence.scale(row, 1, m_parts[t].data() + m_width, row, m_width);
        });
    });
    m_products.end(state, tokens);
    multiplier.multiply(weights.out, m_convolved.rows(), out, tokens);
}

std::shared_ptr<const KindShape> readShortConvolution(ShapeReader& reader) {
    auto shape = std::make_shared<ConvolutionShape>();
    shape->taps = reader.length("shortconv.l_cache");
    return shape;
}

std::shared_ptr<const KindWeights> bindShortConvolution(WeightBinder& binder) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    auto weights = std::make_shared<ShortConvolutionWeights>();
    const std::uint64_t width = shape.embedding;
    weights->in = file.matrix("shortconv.in_proj", width, 3 * width);
    weights->convolution.taps =
        convolutionTaps(file, "shortconv.conv", static_cast<const ConvolutionShape&>(*shape.recurrence).taps, width);
    weights->out = file.matrix("shortconv.out_proj", width, width);
    return weights;
}

} // namespace

constexpr RecurrentKind kShortConvolution{
    .name = "short convolution",
    .readShape = readShortConvolution,
    .bind = bindShortConvolution,
    .weightBytes = sizeof(ShortConvolutionWeights),
    .make = [](const ForwardContext& context, std::size_t batch) -> std::unique_ptr<Mixer> {
        return std::make_unique<ShortConvolution>(context, batch);
    },
};

} // namespace gufo::inference
