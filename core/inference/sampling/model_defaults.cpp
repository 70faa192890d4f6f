#include "inference/sampling/model_defaults.h"

#include <array>
#include <cmath>
#include <string>

namespace gufo::inference {
namespace {

struct SamplingRow {
    std::string_view name;
    double SamplerSettings::* real;
    std::uint32_t SamplerSettings::* whole;
    double minimum;
    double maximum;
};
constexpr double kMostTokens = 1e6;
constexpr auto kSamplingKeys = std::to_array<SamplingRow>({
    {"temp", &SamplerSettings::temperature, nullptr, 0, 10},
    {"top_k", nullptr, &SamplerSettings::topK, 0, kMostTokens},
    {"top_p", &SamplerSettings::topP, nullptr, 0, 1},
    {"min_p", &SamplerSettings::minP, nullptr, 0, 1},
    {"xtc_probability", &SamplerSettings::xtcProbability, nullptr, 0, 1},
    {"xtc_threshold", &SamplerSettings::xtcThreshold, nullptr, 0, 1},
    {"penalty_last_n", nullptr, &SamplerSettings::penaltyLast, 0, kMostTokens},
    {"penalty_repeat", &SamplerSettings::repeatPenalty, nullptr, 0.01, 10},
    {"mirostat", nullptr, &SamplerSettings::mirostat, 0, 2},
    {"mirostat_tau", &SamplerSettings::mirostatTau, nullptr, 0, 100},
    {"mirostat_eta", &SamplerSettings::mirostatEta, nullptr, 0, 10},
});

} // namespace

std::vector<ModelDefault> modelDefaults(const Metadata& metadata) {
    std::vector<ModelDefault> defaults;
    for (const SamplingRow& key : kSamplingKeys) {
        const auto value = metadata.number("general.sampling." + std::string(key.name));
        const bool isWhole = value && std::floor(*value) == *value;
        if (value && *value >= key.minimum && *value <= key.maximum && (key.whole == nullptr || isWhole)) {
            defaults.push_back({.key = key.name, .real = key.real, .whole = key.whole, .value = *value});
        }
    }
    return defaults;
}

} // namespace gufo::inference
