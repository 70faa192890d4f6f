#include "convert/peft_config.h"

#include "base/detail.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gufo::convert {
namespace {

constexpr double kDefaultAlpha = 8; // of PEFT

// A member of the configuration that asks for more than a product beside each matrix, unless its value is absent, null,
// false, empty or `harmless`.
struct Feature {
    std::string_view member;
    std::string_view harmless{};
};
constexpr auto kFeatures = std::to_array<Feature>({
    {"bias", "none"},
    {"use_dora"},
    {"use_qalora"},
    {"lora_bias"},
    {"layer_replication"},
    {"target_parameters"},
    {"trainable_token_indices"},
    {"arrow_config"},
});

// Initialisations that also change the base model's weights, so that the factors do not fit the model as it was
// published.
constexpr auto kChangingInitialisations = std::to_array<std::string_view>({"pissa", "olora", "corda", "loftq"});

bool isAbsent(const JsonValue& value) {
    switch (value.kind) {
    case JsonValue::Kind::Null:
    case JsonValue::Kind::False:
        return true;
    case JsonValue::Kind::Array:
        return value.elements.empty();
    case JsonValue::Kind::Object:
        return value.members.empty();
    case JsonValue::Kind::String:
        return value.text.empty();
    default:
        return false;
    }
}

std::unexpected<Error> refuse(std::string_view member, const JsonValue& value) {
    const std::string text = value.is(JsonValue::Kind::String) ? value.text : writeJson(value);
    return fail(ErrorCode::NotSupported, {}, {Argument(Detail::AdapterFeature, {member, text})});
}

Result<> checkFeatures(const JsonValue& config) {
    if (const JsonValue* type = config.find("peft_type"); type != nullptr && type->text != "LORA") {
        return refuse("peft_type", *type);
    }
    for (const Feature& feature : kFeatures) {
        const JsonValue* value = config.find(feature.member);
        if (value != nullptr && !isAbsent(*value) && (feature.harmless.empty() || value->text != feature.harmless)) {
            return refuse(feature.member, *value);
        }
    }
    const JsonValue* start = config.find("init_lora_weights");
    if (start != nullptr && start->is(JsonValue::Kind::String) &&
        std::ranges::any_of(kChangingInitialisations,
                            [&](std::string_view name) { return start->text.starts_with(name); })) {
        return refuse("init_lora_weights", *start);
    }
    return {};
}

// Whether a pattern matches the whole name of a module or its end after a dot, as PEFT decides.
bool matches(const std::string& pattern, std::string_view module) {
    const QRegularExpression expression(QStringLiteral("\\A(?:.*\\.)?(?:%1)\\z").arg(QString::fromStdString(pattern)));
    return expression.isValid() &&
           expression.match(QString::fromUtf8(module.data(), static_cast<qsizetype>(module.size()))).hasMatch();
}

std::string textOf(const JsonValue& config, std::string_view member) {
    const JsonValue* value = config.find(member);
    return value != nullptr && value->is(JsonValue::Kind::String) ? value->text : std::string();
}

} // namespace

Result<PeftConfig> PeftConfig::read(const SourceFolder& adapter) {
    const auto file = GUFO_TRY(adapter.json(kAdapterConfig));
    if (!file) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NotAnAdapter});
    }
    const JsonValue& json = *file;
    if (auto allowed = checkFeatures(json); !allowed) {
        return std::unexpected(std::move(allowed).error().in(adapter.folder() / kAdapterConfig));
    }
    PeftConfig config;
    const JsonValue* alpha = json.find("lora_alpha");
    if (alpha != nullptr && !alpha->is(JsonValue::Kind::Null) && !alpha->real()) {
        return std::unexpected(refuse("lora_alpha", *alpha).error().in(adapter.folder() / kAdapterConfig));
    }
    config.m_alpha = alpha != nullptr ? alpha->real().value_or(kDefaultAlpha) : kDefaultAlpha;
    const JsonValue* root = json.find("use_rslora");
    config.m_rootOfRank = root != nullptr && root->is(JsonValue::Kind::True);
    if (const JsonValue* patterns = json.find("alpha_pattern")) {
        for (const auto& [pattern, value] : patterns->members) {
            config.m_alphas.emplace_back(pattern, value.real().value_or(config.m_alpha));
        }
    }
    config.m_task = textOf(json, "task_type");
    const std::string base = textOf(json, "base_model_name_or_path");
    if (std::ranges::count(base, '/') == 1 && !base.starts_with('/') && !base.starts_with('.')) {
        config.m_baseModel = base;
    }
    if (const JsonValue* tokens = json.find("alora_invocation_tokens")) {
        for (const JsonValue& token : tokens->elements) {
            const auto id = token.whole();
            if (!id || *id < 0 || *id > std::numeric_limits<std::uint32_t>::max()) {
                return std::unexpected(
                    refuse("alora_invocation_tokens", *tokens).error().in(adapter.folder() / kAdapterConfig));
            }
            config.m_invocationTokens.push_back(static_cast<std::uint32_t>(*id));
        }
    }
    return config;
}

double PeftConfig::alphaOf(std::string_view module, std::uint64_t rank) const {
    double alpha = m_alpha;
    const auto special = std::ranges::find_if(m_alphas, [&](const auto& row) { return matches(row.first, module); });
    alpha = special != m_alphas.end() ? special->second : alpha;
    return m_rootOfRank ? alpha * std::sqrt(static_cast<double>(rank)) : alpha;
}

} // namespace gufo::convert
