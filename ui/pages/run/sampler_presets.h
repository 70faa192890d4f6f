// Named sampler settings: those of the model (general.sampling.*), three built-in ones, and the user's own, which are
// stored in QSettings.
#pragma once

#include "base/error.h"
#include "inference/sampling/sampler.h"
#include "model/model.h"

#include <QJsonObject>
#include <QString>

#include <vector>

namespace gufo::ui {

struct SamplerPreset {
    QString name; // translated, or as the user named it
    inference::SamplerSettings settings;
    bool isOwn = false; // the user's own; can be deleted
};

// In display order; a new page uses the first. A model without such keys gets the default settings.
[[nodiscard]] std::vector<SamplerPreset> samplerPresets(const Metadata& metadata);

// Applies general.sampling.* to the default settings. Returns false if there are no such keys.
[[nodiscard]] bool readModelDefaults(const Metadata& metadata, inference::SamplerSettings& settings);

void keepOwnPreset(const QString& name, const inference::SamplerSettings& settings);
void deleteOwnPreset(const QString& name);

[[nodiscard]] QJsonObject saveSampler(const inference::SamplerSettings& settings);
// Values outside of the valid range are left as in `base`.
[[nodiscard]] inference::SamplerSettings restoreSampler(const QJsonObject& state, inference::SamplerSettings base = {});

} // namespace gufo::ui
