#include "convert/peft_adapter.h"

#include "base/detail.h"
#include "base/name_list.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

namespace gufo::convert {
namespace {

// ---- adapter_config.json --------------------------------------------------------------------------------------------

constexpr double kDefaultAlpha = 8; // of PEFT

// A member of the configuration that asks for more than a product beside each matrix, unless its value is absent, null,
// false, empty or `harmless`.
struct FeatureRow {
    std::string_view member;
    std::string_view harmless{};
};
constexpr auto kFeatures = std::to_array<FeatureRow>({
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
    for (const FeatureRow& feature : kFeatures) {
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

// ---- tensors --------------------------------------------------------------------------------------------------------

struct FactorName {
    std::string_view module;
    bool isA = false;
    bool isTable = false;
};

constexpr auto kPeftPrefixes = std::to_array<std::string_view>({"base_model.model.", "base_model."});

std::string_view withoutPrefix(std::string_view name) {
    const auto prefix = std::ranges::find_if(kPeftPrefixes, [&](std::string_view p) { return name.starts_with(p); });
    name.remove_prefix(prefix != kPeftPrefixes.end() ? prefix->size() : 0);
    return name;
}

// "base_model.model.X.modules_to_save.default.weight" and, as newer versions write it, "base_model.model.X.weight". If
// a table has both factors and a new size, its own weights are saved as "X.base_layer.weight". Empty for other names.
std::string savedName(std::string_view name) {
    constexpr auto kLayers = std::to_array<std::string_view>({".modules_to_save.", ".base_layer."});
    constexpr auto kOthers = std::to_array<std::string_view>(
        {".lora_", ".original_module.", ".token_adapter.", ".ia3_", ".vera_", ".hada_", ".lokr_", ".oft_", ".boft_"});
    const std::size_t dot = name.rfind('.');
    const std::string_view last = dot != name.npos ? name.substr(dot + 1) : std::string_view();
    const std::string_view module = withoutPrefix(name.substr(0, dot == name.npos ? 0 : dot));
    if ((last != "weight" && last != "bias") || module.size() == dot ||
        std::ranges::any_of(kOthers, [&](std::string_view other) { return name.find(other) != name.npos; })) {
        return {};
    }
    std::string saved(module);
    for (const std::string_view layer : kLayers) {
        if (const std::size_t at = (saved + '.').find(layer); at != saved.npos) {
            saved.resize(at); // without the name of the adapter that may follow
        }
    }
    return saved + '.' + std::string(last);
}

// "base_model.model.X.lora_A.weight", also with the name of the adapter before or instead of ".weight".
std::optional<FactorName> parseName(std::string_view name) {
    struct MarkerRow {
        std::string_view text;
        bool isA;
        bool isTable;
    };
    constexpr auto kMarkers = std::to_array<MarkerRow>({{".lora_A", true, false},
                                                        {".lora_B", false, false},
                                                        {".lora_embedding_A", true, true},
                                                        {".lora_embedding_B", false, true}});
    for (const MarkerRow& marker : kMarkers) {
        const std::size_t at = name.rfind(marker.text);
        if (at == name.npos) {
            continue;
        }
        const std::string_view rest = name.substr(at + marker.text.size());
        if (!rest.empty() && (rest.front() != '.' || std::ranges::count(rest, '.') > 2)) {
            continue;
        }
        return FactorName{withoutPrefix(name.substr(0, at)), marker.isA, marker.isTable};
    }
    return std::nullopt;
}

// A module while its factors are collected.
struct DraftModule {
    std::string name;
    std::optional<TensorIndex> a{};
    std::optional<TensorIndex> b{};
    bool isTable = false;
};

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

Result<AdapterTensors> adapterTensors(const Model& adapter) {
    NameList others;
    AdapterTensors result;
    std::vector<DraftModule> drafts;
    std::map<std::string, std::size_t, std::less<>> known;
    for (std::size_t i = 0; i < adapter.tensors.size(); ++i) {
        const TensorInfo& tensor = adapter.tensors[i];
        const auto name = parseName(tensor.name);
        if (!name) {
            if (std::string saved = savedName(tensor.name); !saved.empty()) {
                result.saved.push_back({std::move(saved), TensorIndex(i)});
            } else {
                others.add(tensor.name);
            }
            continue;
        }
        const auto [at, isNew] = known.try_emplace(std::string(name->module), drafts.size());
        if (isNew) {
            drafts.push_back({.name = at->first, .isTable = name->isTable});
        }
        auto& factor = name->isA ? drafts[at->second].a : drafts[at->second].b;
        if (factor || tensor.shape.count() != 2) {
            others.add(tensor.name);
        }
        factor = TensorIndex(i);
    }
    GUFO_TRY(others.refused(Detail::AdapterReplaces));
    if (drafts.empty() && result.saved.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NotAnAdapter});
    }
    for (DraftModule& draft : drafts) {
        if (!draft.a || !draft.b) {
            return fail(ErrorCode::NotSupported, Place::tensor(draft.name),
                        {Argument(Detail::PartMissing, {std::string(draft.a ? "lora_B" : "lora_A")})});
        }
        result.modules.push_back(
            {.name = std::move(draft.name), .a = *draft.a, .b = *draft.b, .isTable = draft.isTable});
    }
    return result;
}

} // namespace gufo::convert
