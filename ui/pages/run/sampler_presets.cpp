#include "ui/pages/run/sampler_presets.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QSettings>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::SamplerPreset)
};

using Settings = inference::SamplerSettings;

const QString kUserPresets = QStringLiteral("run/samplers");

} // namespace

std::vector<SamplerPreset> samplerPresets(const Metadata& metadata) {
    std::vector<SamplerPreset> presets;
    Settings defaults;
    if (readModelDefaults(metadata, defaults)) {
        presets.push_back({.name = Words::tr("Model default"), .settings = defaults});
    }
    presets.push_back({.name = Words::tr("Balanced"), .settings = {}});
    presets.push_back({.name = Words::tr("Precise"), .settings = {.temperature = 0, .topK = 0, .topP = 1, .minP = 0}});
    presets.push_back({.name = Words::tr("Creative"),
                       .settings = {.temperature = 1.1, .topK = 0, .topP = 1, .minP = 0.05, .presencePenalty = 0.3}});
    const QJsonObject kept = QJsonDocument::fromJson(QSettings().value(kUserPresets).toByteArray()).object();
    for (auto preset = kept.begin(); preset != kept.end(); ++preset) {
        presets.push_back(
            {.name = preset.key(), .settings = restoreSampler(preset.value().toObject()), .isUserPreset = true});
    }
    return presets;
}

void keepUserPreset(const QString& name, const Settings& settings) {
    QSettings store;
    QJsonObject kept = QJsonDocument::fromJson(store.value(kUserPresets).toByteArray()).object();
    kept.insert(name, saveSampler(settings));
    store.setValue(kUserPresets, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

void deleteUserPreset(const QString& name) {
    QSettings store;
    QJsonObject kept = QJsonDocument::fromJson(store.value(kUserPresets).toByteArray()).object();
    kept.remove(name);
    store.setValue(kUserPresets, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

} // namespace gufo::ui
