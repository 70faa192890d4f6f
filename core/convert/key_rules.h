// Values of keys that are not simply a setting of the configuration.
#pragma once

#include "convert/architecture.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gufo::convert {

using Computed = std::optional<FoundValue>;

// Make the values that rules compute for keys. `from` says where in the source they come from.
namespace computed {

inline Computed number(std::uint64_t value, std::string from) {
    return FoundValue{OwnedValue(static_cast<std::uint32_t>(value)), std::move(from)};
}
inline Computed real(double value, std::string from) {
    return FoundValue{OwnedValue(static_cast<float>(value)), std::move(from)};
}
inline Computed flag(bool value, std::string from) {
    return FoundValue{OwnedValue(BoolValue{static_cast<std::uint8_t>(value ? 1 : 0)}), std::move(from)};
}
inline Computed text(std::string_view value, std::string from = {}) {
    return FoundValue{OwnedValue::string(std::string(value)), std::move(from)};
}

} // namespace computed

[[nodiscard]] Computed headWidth(const ModelFacts& facts);
// The part of a head that is rotated.
[[nodiscard]] Computed rotatedWidth(const ModelFacts& facts);
[[nodiscard]] Computed rotatedWidthNeox(const ModelFacts& facts);
[[nodiscard]] Computed rotatedWidthQwenNext(const ModelFacts& facts);
[[nodiscard]] Computed rotatedWidthCohere(const ModelFacts& facts);
[[nodiscard]] Computed feedForwardTimesFour(const ModelFacts& facts);
[[nodiscard]] Computed feedForwardLfm2(const ModelFacts& facts);
[[nodiscard]] Computed kvHeadsOrHeads(const ModelFacts& facts);
[[nodiscard]] Computed kvHeadsFalcon(const ModelFacts& facts);
[[nodiscard]] Computed feedForwardByLayer(const ModelFacts& facts); // a number, or one for each layer
// Twice as wide where layers share keys and values, if the configuration says so.
[[nodiscard]] Computed feedForwardGemma4(const ModelFacts& facts);
[[nodiscard]] Computed kvHeadsGemma4(const ModelFacts& facts); // for each layer, if global layers differ
[[nodiscard]] Computed rotatedWidthInWindows(const ModelFacts& facts);
// Below which share of a normal distribution each layer cuts, as a number of standard deviations.
[[nodiscard]] Computed sparsityThresholds(const ModelFacts& facts);
[[nodiscard]] Computed answerLabels(const ModelFacts& facts);
[[nodiscard]] Computed kvHeadsByLayer(const ModelFacts& facts); // 0 where a layer has no attention

[[nodiscard]] Computed scalingType(const ModelFacts& facts);
[[nodiscard]] Computed scalingFactor(const ModelFacts& facts);
[[nodiscard]] Computed scalingOriginalContext(const ModelFacts& facts);
[[nodiscard]] Computed yarnTruncate(const ModelFacts& facts);
[[nodiscard]] Computed yarnExtFactor(const ModelFacts& facts);
[[nodiscard]] Computed yarnAttentionFactor(const ModelFacts& facts);
[[nodiscard]] Computed yarnBetaFast(const ModelFacts& facts);
[[nodiscard]] Computed yarnBetaSlow(const ModelFacts& facts);
[[nodiscard]] Computed yarnLogMultiplier(const ModelFacts& facts);
[[nodiscard]] Computed longRopeAttentionFactor(const ModelFacts& facts);
[[nodiscard]] Computed linearScaling(const ModelFacts& facts); // for all models
[[nodiscard]] Computed noScaling(const ModelFacts& facts);
[[nodiscard]] Computed ropeSections(const ModelFacts& facts); // padded to four
[[nodiscard]] Computed ropeSectionsQwen(const ModelFacts& facts);
[[nodiscard]] Computed yarnMagnitude(const ModelFacts& facts);

// Mistral's own format states YaRN in a separate object.
[[nodiscard]] Computed mistralScalingType(const ModelFacts& facts);
[[nodiscard]] Computed mistralLatentMagnitude(const ModelFacts& facts); // a tenth, as runtimes expect of deepseek2
[[nodiscard]] Computed mistralMagnitude(const ModelFacts& facts);
[[nodiscard]] Computed mistralFeedForward(const ModelFacts& facts);

[[nodiscard]] Computed gatingFunction(const ModelFacts& facts);
[[nodiscard]] Computed normalisedWeights(const ModelFacts& facts); // only if the weights are normalised
[[nodiscard]] Computed latentKeyLength(const ModelFacts& facts);
[[nodiscard]] Computed latentKeyLengthMla(const ModelFacts& facts);
[[nodiscard]] Computed notCausal(const ModelFacts& facts); // only if the configuration states it

[[nodiscard]] Computed allBlocks(const ModelFacts& facts);    // including the drafting blocks
[[nodiscard]] Computed draftBlocks(const ModelFacts& facts);  // only if there are some
[[nodiscard]] Computed windowLayers(const ModelFacts& facts); // layers with a window, if that is stated
[[nodiscard]] Computed windowLayersOlmo(const ModelFacts& facts);
[[nodiscard]] Computed recurrentLayers(const ModelFacts& facts);
[[nodiscard]] Computed recurrentLayersOfAll(const ModelFacts& facts); // including the drafting blocks
[[nodiscard]] Computed deltaNetInnerSize(const ModelFacts& facts);
[[nodiscard]] Computed mambaInnerSize(const ModelFacts& facts);
[[nodiscard]] Computed mambaTimeStepRank(const ModelFacts& facts);
[[nodiscard]] Computed mamba2InnerSize(const ModelFacts& facts);
[[nodiscard]] Computed mamba2Heads(const ModelFacts& facts);

[[nodiscard]] Computed poolingType(const ModelFacts& facts); // of the sentence-transformers modules beside the weights
// The widths of the dense layers behind the pooling (dense_modules.h).
[[nodiscard]] Computed firstDenseInput(const ModelFacts& facts);
[[nodiscard]] Computed firstDenseOutput(const ModelFacts& facts);
[[nodiscard]] Computed secondDenseInput(const ModelFacts& facts);
[[nodiscard]] Computed secondDenseOutput(const ModelFacts& facts);
[[nodiscard]] Computed classifierLabels(const ModelFacts& facts);
[[nodiscard]] Computed classifierPooling(const ModelFacts& facts);
[[nodiscard]] Computed contextWithoutPadding(const ModelFacts& facts);
[[nodiscard]] Computed tensorLayoutFalcon(const ModelFacts& facts);

} // namespace gufo::convert
