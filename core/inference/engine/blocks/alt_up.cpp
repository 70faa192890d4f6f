#include "inference/engine/blocks/alt_up.h"

#include "inference/engine/binding/shape_reader.h"
#include "inference/engine/binding/weight_binder.h"
#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace gufo::inference {

AltUp::AltUp(const ForwardContext& context, std::size_t batch)
    : m_context(context)
    , m_width(context.shape.embedding)
    , m_normed(context.memory, batch, m_width)
    , m_modalities(context.memory, batch, kStreams)
    , m_coefficients(context.memory, batch, kStreams * kStreams) {
    for (Activations& other : m_others) {
        other = Activations(context.memory, batch, m_width);
    }
    for (Activations& prediction : m_predictions) {
        prediction = Activations(context.memory, batch, m_width);
    }
    std::size_t rank = 0;
    for (std::size_t block = 0; block < context.weights.blocks.size(); ++block) {
        rank = std::max<std::size_t>(rank, ofBlock(block).laurelDown.rows);
    }
    m_low = Activations(context.memory, batch, rank);
}

void AltUp::rescale(std::span<float> row, std::span<const float> like) const {
    const RowKernels& rows = activeKernels().rows;
    const double factor =
        std::sqrt(rows.squares(like.data(), like.size(), 0) / rows.squares(row.data(), row.size(), 0));
    std::ranges::transform(row, row.begin(), [&](float x) { return static_cast<float>(factor) * x; });
}

void AltUp::begin(Rows first, std::size_t tokens) {
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        m_context.multiplier.multiply(ofModel().projections[i], first, m_others[i].rows(), tokens);
        for (std::size_t t = 0; t < tokens; ++t) {
            rescale(m_others[i][t], {first[t], m_width});
        }
    }
}

void AltUp::route(const AltUpWeights& weights, Rows in, std::size_t tokens) {
    m_context.norm(weights.routerNorm, in, m_normed.rows(), tokens, m_width);
    m_context.multiplier.multiply(weights.router, m_normed.rows(), m_modalities.rows(), tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        for (float& value : m_modalities[t]) {
            value = std::tanh(value / static_cast<float>(m_width));
        }
    }
}

Rows AltUp::predict(std::size_t block, Rows first, std::size_t tokens) {
    const AltUpWeights& weights = ofBlock(block);
    route(weights, first, tokens);
    m_context.multiplier.multiply(weights.predict, m_modalities.rows(), m_coefficients.rows(), tokens);
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const auto streamOf = [&](std::size_t i) { return i == 0 ? first[t] : m_others[i - 1][t].data(); };
            for (std::size_t to = 0; to < kStreams; ++to) {
                const std::span<float> row = m_predictions[to][t];
                std::copy_n(streamOf(to), m_width, row.begin());
                for (std::size_t from = 0; from < kStreams; ++from) {
                    addScaled(row.data(), streamOf(from), m_coefficients[t][to * kStreams + from], m_width);
                }
            }
        }
    });
    return m_predictions.front().rows();
}

void AltUp::laurel(std::size_t block, Rows in, Rows out, std::size_t tokens) {
    const AltUpWeights& weights = ofBlock(block);
    m_context.multiplier.multiply(weights.laurelDown, in, m_low.rows(), tokens);
    m_context.multiplier.multiply(weights.laurelUp, m_low.rows(), out, tokens);
    m_context.norm(weights.laurelNorm, out, out, tokens, m_width);
    for (std::size_t t = 0; t < tokens; ++t) {
        addScaled(out[t], in[t], 1, m_width);
    }
}

void AltUp::correct(std::size_t block, Rows evaluated, Rows first, std::size_t tokens) {
    const AltUpWeights& weights = ofBlock(block);
    route(weights, evaluated, tokens);
    // A coefficient for each stream; the rows of m_coefficients are longer.
    m_context.multiplier.multiply(weights.correct, m_modalities.rows(), m_coefficients.rows(), tokens);
    m_context.multiplier.team().forShares(tokens, 1, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
        for (std::uint64_t t = begin; t < end; ++t) {
            const std::span<float> innovation = m_normed[t];
            std::ranges::transform(std::span(evaluated[t], m_width), m_predictions.front()[t], innovation.begin(),
                                   std::minus());
            for (std::size_t i = 0; i < kStreams; ++i) {
                float* row = i == 0 ? first[t] : m_others[i - 1][t].data();
                std::ranges::copy(m_predictions[i][t], row);
                addScaled(row, innovation.data(), 1 + m_coefficients[t][i], m_width);
            }
        }
    });
}

void AltUp::scale(std::size_t block, Rows first, Rows scaled, std::size_t tokens) const {
    const std::vector<float>& factors = ofBlock(block).correctScale;
    for (std::size_t t = 0; t < tokens; ++t) {
        std::ranges::transform(std::span(first[t], m_width), factors, scaled[t], std::multiplies());
    }
}

void AltUp::addToOthers(Rows added, std::size_t tokens) {
    for (const Activations& other : m_others) {
        for (std::size_t t = 0; t < tokens; ++t) {
            addScaled(other[t].data(), added[t], 1, m_width);
        }
    }
}

void AltUp::end(Rows first, std::size_t tokens) {
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        m_context.multiplier.multiply(ofModel().unprojections[i], m_others[i].rows(), m_predictions[i].rows(), tokens);
    }
    for (std::size_t t = 0; t < tokens; ++t) {
        const std::span<float> row(first[t], m_width);
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            rescale(m_predictions[i][t], row);
        }
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            add(row, m_predictions[i][t]);
        }
        std::ranges::transform(row, row.begin(), [](float x) { return x / kStreams; });
    }
}

namespace {

void readAltUp(ShapeReader& reader) {
    // Four streams; the first is active.
    constexpr std::pair<std::string_view, std::uint32_t> kStreams[]{{"altup.num_inputs", 4}, {"altup.active_idx", 0}};
    for (const auto& [key, value] : kStreams) {
        if (const std::uint32_t stated = reader.optional(key, value); stated != value) {
            reader.cannot(reader.keyOf(key), std::to_string(stated));
        }
    }
}

void bindAltUpModel(WeightBinder& binder) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    auto weights = std::make_shared<AltUpModelWeights>();
    const std::size_t others = weights->projections.size();
    const Binder::Stack all{.count = others, .used = others};
    const Matrix projections = file.stack("altup_proj", shape.embedding, shape.embedding, all);
    const Matrix returns = file.stack("altup_unembd_proj", shape.embedding, shape.embedding, all);
    for (std::size_t i = 0; projections && returns && i < others; ++i) {
        weights->projections[i] = projections.expert(i);
        weights->unprojections[i] = returns.expert(i);
    }
    binder.weights().altUp = std::move(weights);
}

void bindAltUp(WeightBinder& binder, std::size_t index) {
    Binder& file = binder.file();
    const ModelShape& shape = binder.shape();
    auto weights = std::make_shared<AltUpWeights>();
    const std::uint64_t width = shape.embedding;
    const std::uint64_t streams = std::tuple_size_v<decltype(AltUpModelWeights::projections)> + 1;
    weights->router = file.matrix("altup_router", width, streams);
    weights->routerNorm = file.norm("altup_router_norm", width);
    weights->predict = file.matrix("altup_predict_coef", streams, streams * streams);
    weights->correct = file.matrix("altup_correct_coef", streams, streams);
    weights->correctScale = file.floats("altup_correct_scale.weight", width);
    const std::uint64_t rank = file.rowsOf("laurel_l");
    weights->laurelDown = file.matrix("laurel_l", width, rank != 0 ? rank : Binder::kAsInFile);
    weights->laurelUp = file.matrix("laurel_r", rank != 0 ? rank : Binder::kAsInFile, width);
    weights->laurelNorm = file.norm("laurel_post_norm", width);
    binder.weights().blocks[index].altUp = std::move(weights);
}

} // namespace

constexpr StreamKind kAltUp{.readShape = readAltUp, .bindModel = bindAltUpModel, .bind = bindAltUp};

} // namespace gufo::inference
