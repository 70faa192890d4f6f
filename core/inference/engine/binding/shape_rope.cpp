#include "base/detail.h"
#include "inference/engine/binding/shape_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::inference {

void ShapeReader::readRope() {
    const GraphTraits& row = *m_shape.architecture;
    RopeShape& rope = m_shape.rope;
    rope.base = number("rope.freq_base", 10'000);
    if (rope.base <= 0) {
        refuse("rope.freq_base");
    }
    if (const double alpha = row.rope.stretchedBase ? number("rope.scaling.alpha", 0) : 0;
        alpha > 0 && m_shape.rotated > 2) {
        rope.base *= std::pow(alpha, m_shape.rotated / (m_shape.rotated - 2.0));
    }
    m_shape.ropeKind = row.rope.kind;
    readSections();
    const auto type = m_model.metadata.string(m_model.metadata.architectureKey("rope.scaling.type"));
    if (!type && m_parameters.find("rope.scaling.type") != nullptr) {
        refuse("rope.scaling.type");
    }
    const double oldFactor = number("rope.scale_linear", 0);
    const double factor = number("rope.scaling.factor", oldFactor != 0 ? oldFactor : 1);
    if (factor <= 0) {
        refuse("rope.scaling.factor");
    }
    rope.originalContext = optional("rope.scaling.original_context_length", m_shape.trainedContext);
    rope.attentionFactor = number("rope.scaling.attn_factor", 1);
    rope.yarnFast = number("rope.scaling.yarn_beta_fast", 32);
    rope.yarnSlow = number("rope.scaling.yarn_beta_slow", 1);
    rope.yarnLogMultiplier = number("rope.scaling.yarn_log_multiplier", 0);
    const auto scaling = type ? ropeScalingFromName(*type) : std::optional(RopeScaling::None);
    if (!scaling) {
        cannot(m_model.metadata.architectureKey("rope.scaling.type"), *type);
    } else if (!type && factor != 1) {
        rope.scaling = RopeScaling::Linear;
    } else {
        rope.scaling = *scaling;
    }
    if (rope.scaling == RopeScaling::Linear || rope.scaling == RopeScaling::Yarn) {
        rope.scale = 1 / factor; // the factors of LongRoPE are in tensors
    }
    rope.rotated = m_shape.rotated;
    RopeShape windows = rope;
    if (row.rope.windowBase != 0 || row.rope.unstretchedWindows) {
        windows = {.pairFactors = !row.rope.unstretchedWindows};
    }
    windows.base = number("rope.freq_base_swa", row.rope.windowBase != 0 ? row.rope.windowBase : rope.base);
    windows.rotated = m_shape.windowRope.rotated;
    if (windows.base <= 0) {
        refuse("rope.freq_base_swa");
    }
    m_shape.windowRope = windows;
}

void ShapeReader::readTemperature() {
    TemperatureShape& shape = m_shape.temperature;
    switch (m_shape.architecture->attention.temperature) {
    case Temperature::None:
        break;
    case Temperature::Scaled:
        shape.growth = number("attention.temperature_scale", 0);
        shape.length = m_shape.rope.originalContext;
        if (shape.growth != 0 && shape.length == 0) {
            refuse("rope.scaling.original_context_length");
        }
        break;
    case Temperature::ScaledLength:
        shape.growth = number("attention.temperature_scale", 0);
        shape.length = optional("attention.temperature_length", 0);
        if (shape.growth != 0 && shape.length == 0) {
            refuse("attention.temperature_length");
        }
        break;
    case Temperature::Unrotated:
        shape = {.growth = 0.1, .length = 8192, .offset = 1, .unrotatedOnly = true};
        break;
    }
}

void ShapeReader::readSections() {
    const RopeSections meaning = m_shape.architecture->rope.sections;
    constexpr std::string_view kKey = "rope.dimension_sections";
    const Value* value = m_parameters.find(kKey);
    if (meaning == RopeSections::Ignored || value == nullptr) {
        return;
    }
    std::array<std::uint64_t, 4> sections{};
    const ArrayView* array = asArray(*value);
    const std::size_t count =
        std::min<std::size_t>(sections.size(), array != nullptr ? array->length : sections.size());
    if (count < 3) {
        return refuse(kKey);
    }
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sections[i] = m_parameters.uintAt(kKey, i).value_or(kLargestLength + 1);
        if (sections[i] > kLargestLength) {
            return refuse(kKey);
        }
        sum += sections[i];
    }
    if (meaning == RopeSections::HalfSplit) {
        m_shape.ropeKind = sections[0] > 0 && sections[1] > 0 ? RopeKind::HalfSplit : m_shape.ropeKind;
        return;
    }
    for (std::uint32_t pair = 0; sum != 0 && pair < m_shape.rotated / 2; ++pair) {
        const std::uint64_t at = pair % sum;
        m_shape.rope.still.push_back(meaning == RopeSections::InOrder ? at >= sum - sections[3]
                                                                      : at >= 3 * sections[at % 3]);
    }
}

namespace {

void apply(RopeShape& rope, const RopeOverride& asked) {
    rope.base = asked.base.value_or(rope.base);
    rope.originalContext = asked.originalContext.value_or(rope.originalContext);
    if (asked.scaling) {
        const bool same = *asked.scaling == rope.scaling;
        rope.scale = same ? rope.scale : 1;
        rope.attentionFactor = same && rope.scaling == RopeScaling::Yarn ? rope.attentionFactor : 1;
        rope.scaling = *asked.scaling;
        rope.pairFactors = false;
    }
    if (asked.scale && rope.scaling != RopeScaling::Yarn && asked.scaling != RopeScaling::None) {
        rope.scaling = *asked.scale == 1 ? RopeScaling::None : RopeScaling::Linear;
    }
    if (rope.scaling == RopeScaling::None) {
        rope.scale = 1;
    } else if (asked.scale) {
        rope.scale = 1 / *asked.scale;
    }
}

} // namespace

Result<ModelShape> withRope(ModelShape shape, const RopeOverride& asked) {
    for (const auto& number : {asked.base, asked.scale}) {
        if (number && (!std::isfinite(*number) || *number <= 0)) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::RopeNumberInvalid, {std::to_string(*number)})});
        }
    }
    if (asked.scaling == RopeScaling::LongRope) {
        return fail(ErrorCode::InvalidArgument, {},
                    {Argument(Detail::RopeScalingUnavailable, {ropeScalingName(*asked.scaling)})});
    }
    apply(shape.rope, asked);
    // Blocks with a sliding window may have their own frequencies, which context scaling does not affect.
    if (shape.architecture->rope.windowBase == 0 && !shape.architecture->rope.unstretchedWindows) {
        apply(shape.windowRope, asked);
    }
    RopeShape& rope = shape.rope;
    if (asked.scaling == RopeScaling::Yarn && rope.originalContext == 0) {
        const std::string key = std::string(shape.architecture->name) + ".rope.scaling.original_context_length";
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    if (shape.architecture->attention.kind->latent) {
        // YaRN's attention factor applies to the scores instead of sines and cosines, as DeepSeek-V2 defines it.
        if (rope.scaling == RopeScaling::Yarn) {
            const double stretch = std::log(1 / rope.scale);
            const double measure = rope.attentionFactor * (1 + rope.yarnLogMultiplier * stretch);
            shape.queryFactor *= measure * measure;
            rope.attentionFactor /= 1 + 0.1 * stretch;
        }
    }
    if (shape.architecture->rope.dividedYarn) {
        for (RopeShape* each : {&rope, &shape.windowRope}) {
            const double stretch = each->scaling == RopeScaling::Yarn ? std::log(1 / each->scale) : 0;
            each->attentionFactor /= 1 + 0.1 * each->yarnLogMultiplier * stretch;
        }
    }
    return shape;
}

} // namespace gufo::inference
