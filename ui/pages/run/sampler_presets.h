// Named sampler settings: the model's (general.sampling.*), three built-in ones, and the user's own, which are stored
// in QSettings.
#pragma once

#include "base/error.h"
#include "ui/run/sampler_json.h"

#include <QString>

#include <vector>

namespace gufo::ui {

struct SamplerPreset {
    QString name; // translated, or as the user named it
    inference::SamplerSettings settings;
    bool isUserPreset = false; // the user's own; can be deleted
};

// In display order; a new page uses the first. A model without such keys gets the default settings.
[[nodiscard]] std::vector<SamplerPreset> samplerPresets(const Metadata& metadata);

void keepUserPreset(const QString& name, const inference::SamplerSettings& settings);
void deleteUserPreset(const QString& name);

} // namespace gufo::ui
