// The sampler settings that a model recommends in its keys general.sampling.*.
//
// Thread contract: pure functions.
#pragma once

#include "inference/sampling/sampler.h"
#include "model/metadata.h"

#include <string_view>
#include <vector>

namespace gufo::inference {

struct ModelDefault {
    std::string_view key; // after "general.sampling."
    // The setting that the key states, and its value: one of both is not null.
    double SamplerSettings::* real = nullptr;
    std::uint32_t SamplerSettings::* whole = nullptr;
    double value = 0;

    void apply(SamplerSettings& settings) const {
        if (real != nullptr) {
            settings.*real = value;
        } else {
            settings.*whole = static_cast<std::uint32_t>(value);
        }
    }
};
// In a fixed order. Keys whose values are out of range are left out.
[[nodiscard]] std::vector<ModelDefault> modelDefaults(const Metadata& metadata);

} // namespace gufo::inference
