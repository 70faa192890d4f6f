// The rules of key_rules.h about rotary position embeddings: which part of a head is rotated, sections, and scaling.
#include "convert/key_rules.h"
#include "model/encode_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::convert {
namespace {

constexpr double kLargestWidth = std::numeric_limits<std::uint32_t>::max();

// The part of a head that a setting states, or `otherwise`.
Computed share(const ModelFacts& facts, const SettingNames& names, double otherwise) {
    const auto part = facts.find(names);
    const double factor = part ? part->value->real().value_or(otherwise) : otherwise;
    const double width = std::clamp(factor * static_cast<double>(facts.headWidth()), 0.0, kLargestWidth);
    return computed::number(static_cast<std::uint64_t>(width), part ? part->from : std::string());
}

Computed scaling(const ModelFacts& facts, std::string_view member) {
    const auto setting = findScaling(facts, member);
    const auto value = setting ? setting->real() : std::nullopt;
    return value ? computed::real(*value, setting->from) : std::nullopt;
}

Computed yarn(const ModelFacts& facts, std::string_view member) {
    return facts.ropeScaling() == "yarn" ? scaling(facts, member) : std::nullopt;
}

} // namespace

Computed rotatedWidth(const ModelFacts& facts) {
    return share(facts, {"partial_rotary_factor", "rope_pct", "rope_parameters.partial_rotary_factor"}, 1);
}

Computed rotatedWidthNeox(const ModelFacts& facts) { return share(facts, {"rotary_pct", "partial_rotary_factor"}, 1); }

Computed rotatedWidthQwenNext(const ModelFacts& facts) {
    return share(facts, {"partial_rotary_factor", "rope_parameters.partial_rotary_factor"}, 0.25);
}

Computed rotatedWidthCohere(const ModelFacts& facts) {
    return share(facts, {"rotary_pct", "partial_rotary_factor", "rope_parameters.partial_rotary_factor"}, 1);
}

Computed rotatedWidthInWindows(const ModelFacts& facts) {
    return share(facts, {"rope_parameters.sliding_attention.partial_rotary_factor"}, 1);
}

Computed scalingType(const ModelFacts& facts) {
    std::string type = facts.ropeScaling();
    type = type == "su" ? "longrope" : type;
    auto stated = findScaling(facts, "rope_type");
    stated = stated ? stated : findScaling(facts, "type");
    return type == "linear" || type == "yarn" || type == "longrope" ? computed::text(type, stated->from) : std::nullopt;
}

Computed scalingFactor(const ModelFacts& facts) {
    const std::string type = facts.ropeScaling();
    return type == "linear" || type == "yarn" ? scaling(facts, "factor") : std::nullopt;
}

Computed scalingOriginalContext(const ModelFacts& facts) {
    const auto length = facts.ropeScaling() == "yarn" ? findScaling(facts, "original_max_position_embeddings")
                                                      : std::optional<Setting>();
    return length ? computed::number(length->natural().value_or(0), length->from) : std::nullopt;
}

Computed yarnTruncate(const ModelFacts& facts) {
    const auto truncates = facts.ropeScaling() == "yarn" ? findScaling(facts, "truncate") : std::optional<Setting>();
    const auto value = truncates ? truncates->boolean() : std::nullopt;
    return value ? computed::flag(*value, truncates->from) : std::nullopt;
}

Computed yarnExtFactor(const ModelFacts& facts) { return yarn(facts, "extrapolation_factor"); }

Computed yarnAttentionFactor(const ModelFacts& facts) {
    auto factor = yarn(facts, "attention_factor");
    return factor ? factor : yarn(facts, "attn_factor");
}

Computed yarnBetaFast(const ModelFacts& facts) { return yarn(facts, "beta_fast"); }

Computed yarnBetaSlow(const ModelFacts& facts) { return yarn(facts, "beta_slow"); }

Computed yarnLogMultiplier(const ModelFacts& facts) {
    const auto scale = findScaling(facts, "mscale_all_dim");
    const auto value = facts.ropeScaling() == "yarn" && scale ? scale->real() : std::nullopt;
    return value ? computed::real(0.1 * *value, scale->from) : std::nullopt;
}

Computed longRopeAttentionFactor(const ModelFacts& facts) {
    const std::string type = facts.ropeScaling();
    const auto context = static_cast<double>(facts.number({"max_position_embeddings"}));
    const auto original = static_cast<double>(facts.number({"original_max_position_embeddings"}));
    if (type.empty() || original <= 1) {
        return std::nullopt;
    }
    if (const auto stated = findScaling(facts, "attention_factor"); stated && stated->real()) {
        return computed::real(*stated->real(), stated->from);
    }
    const double scale = std::max(context / original, 1.0);
    const std::string from = "config.json:original_max_position_embeddings";
    return type == "su" || type == "longrope"
               ? computed::real(std::sqrt(1 + std::log(scale) / std::log(original)), from)
           : type == "yarn" ? computed::real(0.1 * std::log(scale) + 1, from)
                            : std::nullopt;
}

Computed linearScaling(const ModelFacts&) { return computed::text("linear"); }

Computed noScaling(const ModelFacts&) { return computed::text("none"); }

Computed ropeSections(const ModelFacts& facts) {
    const auto stated = findScaling(facts, "mrope_section");
    constexpr std::size_t kSections = 4;
    if (!stated || stated->value->elements.empty()) {
        return std::nullopt;
    }
    ArrayBuilder sections(ValueType::Int32);
    for (std::size_t i = 0; i < kSections; ++i) {
        const auto& elements = stated->value->elements;
        const std::int64_t width = i < elements.size() ? elements[i].whole().value_or(0) : 0;
        sections.add(static_cast<std::int32_t>(std::clamp<std::int64_t>(width, 0, INT32_MAX)));
    }
    return FoundValue{OwnedValue(sections.view()), stated->from};
}

Computed ropeSectionsQwen(const ModelFacts& facts) {
    if (auto stated = ropeSections(facts)) {
        return stated;
    }
    ArrayBuilder sections(ValueType::Int32);
    for (const std::int32_t width : {11, 11, 10, 0}) { // as in the models whose configuration does not state them
        sections.add(width);
    }
    return FoundValue{OwnedValue(sections.view()), std::string()};
}

Computed yarnMagnitude(const ModelFacts& facts) { return yarn(facts, "mscale_all_dim"); }

Computed mistralScalingType(const ModelFacts& facts) {
    const auto stated = facts.find({"yarn.factor"});
    return stated ? computed::text("yarn", stated->from) : std::nullopt;
}

Computed mistralMagnitude(const ModelFacts& facts) {
    const auto stated = facts.find({"yarn.factor"});
    return stated ? computed::real(1, stated->from) : std::nullopt;
}

Computed mistralLatentMagnitude(const ModelFacts& facts) {
    const auto stated = facts.find({"yarn.factor"});
    return stated ? computed::real(0.1, stated->from) : std::nullopt;
}

} // namespace gufo::convert
