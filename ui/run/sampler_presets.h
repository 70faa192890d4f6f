// Sampler settings with names, and as JSON, as presets, conversations and exports hold them.
#pragma once

#include "base/error.h"
#include "inference/sampling/sampler.h"
#include "model/model.h"

#include <QJsonObject>
#include <QString>

#include <vector>

namespace gufo::ui {

// The presets are the model's own settings (general.sampling.*), three built-in ones, and the user's own, which are
// stored in QSettings.
struct SamplerPreset {
    QString name; // translated, or as the user named it
    inference::SamplerSettings settings;
    bool isUserPreset = false; // the user's own; can be deleted
};

// In display order; a new page uses the first. A model without such keys gets the default settings.
[[nodiscard]] std::vector<SamplerPreset> samplerPresets(const Metadata& metadata);

void keepUserPreset(const QString& name, const inference::SamplerSettings& settings);
void deleteUserPreset(const QString& name);

[[nodiscard]] QJsonObject saveSampler(const inference::SamplerSettings& settings);
// Values outside of the valid range are left as in `base`.
[[nodiscard]] inference::SamplerSettings restoreSampler(const QJsonObject& state, inference::SamplerSettings base = {});

} // namespace gufo::ui
