#include "ui/run/sampler_json.h"

#include "inference/sampling/model_defaults.h"

namespace gufo::ui {
namespace {

using Settings = inference::SamplerSettings;

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

} // namespace

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

bool readModelDefaults(const Metadata& metadata, Settings& settings) {
    const auto defaults = inference::modelDefaults(metadata);
    for (const inference::ModelDefault& each : defaults) {
        each.apply(settings);
    }
    return !defaults.empty();
}

} // namespace gufo::ui
