#include "inference/engine/binding/weight_binder.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo::inference {
namespace {

std::vector<float> transposed(const std::vector<float>& rows, std::uint64_t columns) {
    std::vector<float> result(rows.size());
    const std::size_t count = columns != 0 ? rows.size() / columns : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        result[i % columns * count + i / columns] = rows[i];
    }
    return result;
}

} // namespace

void WeightBinder::bindRecurrence(const BlockShape& block, BlockWeights& weights) {
    switch (block.recurrence) {
    case Recurrence::None:
        return;
    case Recurrence::Mamba:
        return bindMamba(weights.mamba);
    case Recurrence::Mamba2:
        return bindMamba2(weights.mamba2);
    case Recurrence::ShortConvolution:
        return bindShortConvolution(weights.shortConvolution);
    case Recurrence::GatedDelta:
        return bindDelta(weights.delta);
    case Recurrence::KimiDelta:
        return bindKimiDelta(weights.delta);
    }
}

// The file has the taps of a channel together.
std::vector<float> WeightBinder::convolutionTaps(std::string_view name, std::uint64_t taps, std::uint64_t channels) {
    return transposed(m_file.grid(std::string(name) + ".weight", taps, channels), taps);
}

void WeightBinder::bindMamba(MambaWeights& mamba) {
    const SsmShape& ssm = m_shape.ssm;
    const std::uint64_t inner = ssm.inner;
    mamba.in = m_file.matrix("ssm_in", m_shape.embedding, 2 * inner);
    mamba.convolution = {.taps = convolutionTaps("ssm_conv1d", ssm.convolution, inner),
                         .bias = m_file.floats("ssm_conv1d.bias", inner, Need::May)};
    mamba.x =
        m_file.withFinerActivations(m_file.matrix("ssm_x", inner, ssm.timeStepRank + 2 * std::uint64_t{ssm.state}));
    mamba.timeStepNorm = m_file.norm("ssm_dt_norm", ssm.timeStepRank, Need::May);
    mamba.bNorm = m_file.norm("ssm_b_norm", ssm.state, Need::May);
    mamba.cNorm = m_file.norm("ssm_c_norm", ssm.state, Need::May);
    mamba.timeStep = m_file.withFinerActivations(m_file.matrix("ssm_dt", ssm.timeStepRank, inner));
    mamba.a = transposed(m_file.grid("ssm_a", ssm.state, inner), ssm.state);
    mamba.d = m_file.floats("ssm_d", inner);
    mamba.out = m_file.matrix("ssm_out", inner, m_shape.embedding);
}

void WeightBinder::bindMamba2(Mamba2Weights& mamba) {
    const SsmShape& ssm = m_shape.ssm;
    const std::uint64_t inner = ssm.inner;
    const std::uint64_t heads = ssm.timeStepRank;
    const std::uint64_t channels = inner + 2 * std::uint64_t{ssm.groups} * ssm.state;
    mamba.in = m_file.matrix("ssm_in", m_shape.embedding, inner + channels + heads);
    mamba.convolution = {.taps = convolutionTaps("ssm_conv1d", ssm.convolution, channels),
                         .bias = m_file.floats("ssm_conv1d.bias", channels, Need::May)};
    mamba.timeStepBias = m_file.floats("ssm_dt.bias", heads);
    mamba.a = m_file.floats("ssm_a", heads);
    mamba.d = m_file.floats("ssm_d", heads);
    // Of Falcon H1 only the large models have this norm.
    const bool mayLack = m_shape.architecture->recurrence.blocks == RecurrentBlocks::Beside;
    mamba.norm = m_file.norm("ssm_norm", inner, mayLack ? Need::May : Need::Must);
    mamba.norm.length = inner / ssm.groups;
    mamba.out = m_file.matrix("ssm_out", inner, m_shape.embedding);
}

void WeightBinder::bindShortConvolution(ShortConvolutionWeights& convolution) {
    const std::uint64_t width = m_shape.embedding;
    convolution.in = m_file.matrix("shortconv.in_proj", width, 3 * width);
    convolution.convolution.taps = convolutionTaps("shortconv.conv", m_shape.shortConvolution, width);
    convolution.out = m_file.matrix("shortconv.out_proj", width, width);
}

void WeightBinder::bindDelta(DeltaWeights& delta) {
    const DeltaShape& shape = m_shape.delta;
    const std::uint64_t width = m_shape.embedding;
    const std::size_t keys = shape.keys();
    const std::size_t channels = shape.channels();
    const std::size_t perKey = shape.valueHeads / shape.keyHeads; // value heads
    if (m_file.has(
            "ssm_in",
            {width,
             channels + shape.values()})) { // older files: queries, keys, values and gates of each key head together
        const Matrix all = m_file.matrix("ssm_in", width, channels + shape.values());
        const std::size_t key = shape.keyLength;
        const std::size_t values = perKey * shape.valueLength;
        for (std::size_t head = 0; all && head < shape.keyHeads; ++head) {
            const std::size_t row = head * 2 * (key + values);
            delta.projections.push_back({all.part(row, key), head * key});
            delta.projections.push_back({all.part(row + key, key), keys + head * key});
            delta.projections.push_back({all.part(row + 2 * key, values), 2 * keys + head * values});
            delta.projections.push_back({all.part(row + 2 * key + values, values), channels + head * values});
        }
    } else {
        delta.projections = {{m_file.matrix("attn_qkv", width, channels), 0},
                             {m_file.matrix("attn_gate", width, shape.values()), channels}};
    }
    if (m_file.has("ssm_ba", {width, 2 * std::uint64_t{shape.valueHeads}})) { // β and decays of each key head together
        const Matrix all =
            m_file.withFinerActivations(m_file.matrix("ssm_ba", width, 2 * std::uint64_t{shape.valueHeads}));
        for (std::size_t head = 0; all && head < shape.keyHeads; ++head) {
            delta.rates.push_back({all.part(2 * head * perKey, perKey), head * perKey});
            delta.rates.push_back({all.part((2 * head + 1) * perKey, perKey), shape.valueHeads + head * perKey});
        }
    } else {
        delta.rates = {
            {m_file.withFinerActivations(m_file.matrix("ssm_beta", width, shape.valueHeads)), 0},
            {m_file.withFinerActivations(m_file.matrix("ssm_alpha", width, shape.valueHeads)), shape.valueHeads}};
    }
    delta.convolution.taps = convolutionTaps("ssm_conv1d", shape.convolution, channels);
    delta.decayBias = m_file.floats("ssm_dt.bias", shape.valueHeads);
    delta.a = m_file.floats("ssm_a", shape.valueHeads);
    delta.norm = m_file.norm("ssm_norm", shape.valueLength);
    delta.out = m_file.matrix("ssm_out", shape.values(), width);
}

void WeightBinder::bindKimiDelta(DeltaWeights& delta) {
    const DeltaShape& shape = m_shape.delta;
    const std::uint64_t width = m_shape.embedding;
    const std::uint64_t inner = shape.values(); // keys have the same number of elements
    std::array<std::vector<float>, 3> taps;
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const char part = "qkv"[i];
        delta.projections.push_back({m_file.matrix(std::string("attn_") + part, width, inner), i * inner});
        taps[i] = convolutionTaps(std::string("ssm_conv1d_") + part, shape.convolution, inner);
    }
    if (std::ranges::none_of(taps, &std::vector<float>::empty)) {
        for (std::size_t tap = 0; tap < shape.convolution; ++tap) {
            for (const std::vector<float>& part : taps) {
                const auto begin = part.begin() + static_cast<std::ptrdiff_t>(tap * inner);
                delta.convolution.taps.insert(delta.convolution.taps.end(), begin,
                                              begin + static_cast<std::ptrdiff_t>(inner));
            }
        }
    }
    delta.rates = {{m_file.matrix("ssm_beta", width, shape.valueHeads), 0}};
    delta.decayDown = m_file.matrix("ssm_f_a", width, shape.keyLength);
    delta.decayUp = m_file.matrix("ssm_f_b", shape.keyLength, inner);
    delta.decayBias = m_file.floats("ssm_dt.bias", inner);
    delta.a = m_file.floats("ssm_a", shape.valueHeads);
    delta.gateDown = m_file.matrix("ssm_g_a", width, shape.keyLength);
    delta.gateUp = m_file.matrix("ssm_g_b", shape.keyLength, inner);
    delta.norm = m_file.norm("ssm_norm", shape.valueLength);
    delta.out = m_file.matrix("attn_output", inner, width);
}

} // namespace gufo::inference
