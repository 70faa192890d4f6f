#include "ui/run/sampler_json.h"

#include <cmath>

namespace gufo::ui {
namespace {

using Settings = inference::SamplerSettings;

// The settings with their names in JSON, the model's key if there is one, and their ranges.
struct RealRow {
    const char* name;
    const char* key; // general.sampling.KEY; null if there is none
    double Settings::* member;
    double minimum;
    double maximum;
};
constexpr RealRow kReals[] = {
    {"temperature", "temp", &Settings::temperature, 0, 10},
    {"temperature_range", nullptr, &Settings::temperatureRange, 0, 10},
    {"temperature_exponent", nullptr, &Settings::temperatureExponent, 0, 10},
    {"typical_p", nullptr, &Settings::typicalP, 0, 1},
    {"top_p", "top_p", &Settings::topP, 0, 1},
    {"min_p", "min_p", &Settings::minP, 0, 1},
    {"top_n_sigma", nullptr, &Settings::topNSigma, 0, 100},
    {"xtc_probability", "xtc_probability", &Settings::xtcProbability, 0, 1},
    {"xtc_threshold", "xtc_threshold", &Settings::xtcThreshold, 0, 1},
    {"repeat_penalty", "penalty_repeat", &Settings::repeatPenalty, 0.01, 10},
    {"frequency_penalty", nullptr, &Settings::frequencyPenalty, -10, 10},
    {"presence_penalty", nullptr, &Settings::presencePenalty, -10, 10},
    {"dry_multiplier", nullptr, &Settings::dryMultiplier, 0, 100},
    {"dry_base", nullptr, &Settings::dryBase, 1, 100},
    {"mirostat_tau", "mirostat_tau", &Settings::mirostatTau, 0, 100},
    {"mirostat_eta", "mirostat_eta", &Settings::mirostatEta, 0, 10},
};
struct WholeRow {
    const char* name;
    const char* key;
    std::uint32_t Settings::* member;
    std::uint32_t maximum;
};
constexpr WholeRow kWholes[] = {
    {"top_k", "top_k", &Settings::topK, 1'000'000},
    {"penalty_last", "penalty_last_n", &Settings::penaltyLast, 1'000'000},
    {"dry_allowed", nullptr, &Settings::dryAllowed, 1'000'000},
    {"dry_last", nullptr, &Settings::dryLast, 1'000'000},
    {"mirostat", "mirostat", &Settings::mirostat, 2},
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
    QJsonObject said;
    const auto look = [&](const char* key, const char* name) {
        const auto number = key != nullptr ? metadata.number(std::string("general.sampling.") + key) : std::nullopt;
        if (number && std::isfinite(*number)) {
            said.insert(QLatin1String(name), *number);
        }
    };
    for (const RealRow& row : kReals) {
        look(row.key, row.name);
    }
    for (const WholeRow& row : kWholes) {
        look(row.key, row.name);
    }
    settings = restoreSampler(said, settings);
    return !said.isEmpty();
}

} // namespace gufo::ui
