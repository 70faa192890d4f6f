// Sampler settings as JSON, as presets, conversations and exports hold them.
#pragma once

#include "inference/sampling/sampler.h"
#include "model/model.h"

#include <QJsonObject>

namespace gufo::ui {

[[nodiscard]] QJsonObject saveSampler(const inference::SamplerSettings& settings);
// Values outside of the valid range are left as in `base`.
[[nodiscard]] inference::SamplerSettings restoreSampler(const QJsonObject& state, inference::SamplerSettings base = {});

// Applies general.sampling.* to the default settings. Returns false if there are no such keys.
[[nodiscard]] bool readModelDefaults(const Metadata& metadata, inference::SamplerSettings& settings);

} // namespace gufo::ui
