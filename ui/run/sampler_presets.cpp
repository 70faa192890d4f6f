#include "ui/run/sampler_presets.h"

#include "inference/sampling/model_defaults.h"

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

// The settings with their names in JSON and their ranges.
struct RealRow {
    const char* name;
    double Settings::* member;
    double minimum;
    double maximum;
};
constexpr RealRow kReals[] = {
    {"temperature", &Settings::temperature, 0, 10},
    {"temperature_range", &Settings::temperatureRange, 0, 10},
    {"temperature_exponent", &Settings::temperatureExponent, 0, 10},
    {"typical_p", &Settings::typicalP, 0, 1},
    {"top_p", &Settings::topP, 0, 1},
    {"min_p", &Settings::minP, 0, 1},
    {"top_n_sigma", &Settings::topNSigma, 0, 100},
    {"xtc_probability", &Settings::xtcProbability, 0, 1},
    {"xtc_threshold", &Settings::xtcThreshold, 0, 1},
    {"repeat_penalty", &Settings::repeatPenalty, 0.01, 10},
    {"frequency_penalty", &Settings::frequencyPenalty, -10, 10},
    {"presence_penalty", &Settings::presencePenalty, -10, 10},
    {"dry_multiplier", &Settings::dryMultiplier, 0, 100},
    {"dry_base", &Settings::dryBase, 1, 100},
    {"mirostat_tau", &Settings::mirostatTau, 0, 100},
    {"mirostat_eta", &Settings::mirostatEta, 0, 10},
};
struct WholeRow {
    const char* name;
    std::uint32_t Settings::* member;
    std::uint32_t maximum;
};
constexpr WholeRow kWholes[] = {
    {"top_k", &Settings::topK, 1'000'000},
    {"penalty_last", &Settings::penaltyLast, 1'000'000},
    {"dry_allowed", &Settings::dryAllowed, 1'000'000},
    {"dry_last", &Settings::dryLast, 1'000'000},
    {"mirostat", &Settings::mirostat, 2},
};

// Applies general.sampling.* to the default settings. Returns false if there are no such keys.
bool readModelDefaults(const Metadata& metadata, Settings& settings) {
    const auto defaults = inference::modelDefaults(metadata);
    for (const inference::ModelDefault& each : defaults) {
        each.apply(settings);
    }
    return !defaults.empty();
}

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

QJsonObject saveSampler(const Settings& settings) {
    QJsonObject state;
    for (const RealRow& row : kReals) {
        state.insert(QLatin1String(row.name), settings.*row.member);
    }
    for (const WholeRow& row : kWholes) {
        state.insert(QLatin1String(row.name), static_cast<qint64>(settings.*row.member));
    }
    state.insert(QStringLiteral("ignore_end"), settings.ignoreEnd);
    return state;
}

Settings restoreSampler(const QJsonObject& state, Settings base) {
    for (const RealRow& row : kReals) {
        const QJsonValue value = state[QLatin1String(row.name)];
        if (value.isDouble() && value.toDouble() >= row.minimum && value.toDouble() <= row.maximum) {
            base.*row.member = value.toDouble();
        }
    }
    for (const WholeRow& row : kWholes) {
        const qint64 value = state[QLatin1String(row.name)].toInteger(-1);
        if (value >= 0 && value <= qint64{row.maximum}) {
            base.*row.member = static_cast<std::uint32_t>(value);
        }
    }
    base.ignoreEnd = state[QStringLiteral("ignore_end")].toBool(base.ignoreEnd);
    return base;
}

} // namespace gufo::ui
