// Named settings of the samplers: those the model brings (general.sampling.*), three of the program, and the person's
// own, kept in QSettings.
#pragma once

#include "base/error.h"
#include "inference/sampling/sampler.h"
#include "model/model.h"

#include <QJsonObject>
#include <QString>

#include <vector>

namespace gufo::ui {

struct SamplerPreset {
    QString name; // translated, or the person's
    inference::SamplerSettings settings;
    bool isOwn = false; // may be deleted
};

// In the order shown; the first is what a new page takes. A model without keys of its own gets the usual settings.
[[nodiscard]] std::vector<SamplerPreset> samplerPresets(const Metadata& metadata);

// What general.sampling.* says, over the usual settings; false: it says nothing.
[[nodiscard]] bool readModelDefaults(const Metadata& metadata, inference::SamplerSettings& settings);

void keepOwnPreset(const QString& name, const inference::SamplerSettings& settings);
void deleteOwnPreset(const QString& name);

[[nodiscard]] QJsonObject saveSampler(const inference::SamplerSettings& settings);
// Values outside what makes sense are left as they are in `base`.
[[nodiscard]] inference::SamplerSettings restoreSampler(const QJsonObject& state, inference::SamplerSettings base = {});

} // namespace gufo::ui
