// The sampler settings that have a field, one row each (sampler_rows.cpp): how the field is shown and what it sets.
#pragma once

#include "inference/sampling/sampler.h"

#include <span>

namespace gufo::ui {

// Texts are in the translation context of SamplerPanel. One of the two members is null.
struct SamplerRow {
    const char* name; // as in saveSampler()
    const char* label;
    const char* toolTip;
    double inference::SamplerSettings::* real;
    std::uint32_t inference::SamplerSettings::* whole;
    double minimum;
    double maximum;       // of the field
    double sliderMaximum; // maximum of the slider; the field allows more
    double step;
    int decimals;
    bool isRare;
};

[[nodiscard]] std::span<const SamplerRow> samplerRows();

} // namespace gufo::ui
