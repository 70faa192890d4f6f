// The rules that most models share: the names of Hugging Face's decoders, and settings that mean the same everywhere.
#include "convert/key_rules.h"
#include "convert/tensor_operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

namespace gufo::convert {
namespace {

constexpr auto kTensors = std::to_array<TensorPattern>({
    {"embed_tokens", "token_embd"},
    {"norm", "output_norm"},
    {"lm_head", "output"},
    {"layers.{b}.input_layernorm", "blk.{b}.attn_norm"},
    {"layers.{b}.self_attn.q_proj", "blk.{b}.attn_q"},
    {"layers.{b}.self_attn.k_proj", "blk.{b}.attn_k"},
    {"layers.{b}.self_attn.v_proj", "blk.{b}.attn_v"},
    {"layers.{b}.self_attn.o_proj", "blk.{b}.attn_output"},
    {"layers.{b}.self_attn.q_norm", "blk.{b}.attn_q_norm"},
    {"layers.{b}.self_attn.k_norm", "blk.{b}.attn_k_norm"},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.ffn_norm"},
    {"layers.{b}.mlp.gate_proj", "blk.{b}.ffn_gate"},
    {"layers.{b}.mlp.up_proj", "blk.{b}.ffn_up"},
    {"layers.{b}.mlp.down_proj", "blk.{b}.ffn_down"},
    // experts
    {"layers.{b}.mlp.gate", "blk.{b}.ffn_gate_inp"},
    {"layers.{b}.mlp.experts.{e}.gate_proj", "blk.{b}.ffn_gate_exps"},
    {"layers.{b}.mlp.experts.{e}.up_proj", "blk.{b}.ffn_up_exps"},
    {"layers.{b}.mlp.experts.{e}.down_proj", "blk.{b}.ffn_down_exps"},
    {"=layers.{b}.mlp.experts.gate_up_proj", "blk.{b}.ffn_gate_exps.weight", firstHalf},
    {"=layers.{b}.mlp.experts.gate_up_proj", "blk.{b}.ffn_up_exps.weight", secondHalf},
    {"=layers.{b}.mlp.experts.down_proj", "blk.{b}.ffn_down_exps.weight"},
    {"layers.{b}.mlp.shared_expert_gate", "blk.{b}.ffn_gate_inp_shexp"},
    {"layers.{b}.mlp.shared_expert.gate_proj", "blk.{b}.ffn_gate_shexp"},
    {"layers.{b}.mlp.shared_expert.up_proj", "blk.{b}.ffn_up_shexp"},
    {"layers.{b}.mlp.shared_expert.down_proj", "blk.{b}.ffn_down_shexp"},
    {"layers.{b}.mlp.shared_experts.gate_proj", "blk.{b}.ffn_gate_shexp"},
    {"layers.{b}.mlp.shared_experts.up_proj", "blk.{b}.ffn_up_shexp"},
    {"layers.{b}.mlp.shared_experts.down_proj", "blk.{b}.ffn_down_shexp"},
});

// Its place among the keys of the architecture; the value comes from the plan.
constexpr std::string_view kFileTypeKey = "general.file_type";

// In the order of the official converter.
constexpr auto kKeys = std::to_array<KeyRule>({
    {"block_count", ValueType::UInt32, kBlockNames},
    {"context_length", ValueType::UInt32, kContextNames},
    {"embedding_length", ValueType::UInt32, kHiddenNames},
    {"feed_forward_length",
     ValueType::UInt32,
     {"prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim"}},
    {"attention.head_count", ValueType::UInt32, kHeadNames},
    {"attention.head_count_kv", ValueType::UInt32, kKvHeadNames},
    {"rope.scaling.type", ValueType::String, {}, scalingType},
    {"rope.scaling.factor", ValueType::Float32, {}, scalingFactor},
    {"rope.scaling.original_context_length", ValueType::UInt32, {}, scalingOriginalContext},
    {"rope.scaling.yarn_truncate", ValueType::Bool, {}, yarnTruncate},
    {"rope.scaling.yarn_ext_factor", ValueType::Float32, {}, yarnExtFactor},
    {"rope.scaling.yarn_attn_factor", ValueType::Float32, {}, yarnAttentionFactor},
    {"rope.scaling.yarn_beta_fast", ValueType::Float32, {}, yarnBetaFast},
    {"rope.scaling.yarn_beta_slow", ValueType::Float32, {}, yarnBetaSlow},
    {"rope.dimension_sections", ValueType::Array, {}, ropeSections},
    {"rope.freq_base", ValueType::Float32, kRopeBaseNames},
    {"rope.freq_base_swa",
     ValueType::Float32,
     {"rope_parameters.sliding_attention.rope_theta", "rope_local_base_freq", "local_rope_theta", "swa_rope_theta"}},
    {"attention.layer_norm_rms_epsilon", ValueType::Float32, {"rms_norm_eps", "norm_eps"}},
    {"attention.layer_norm_epsilon", ValueType::Float32, {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}},
    {"expert_count", ValueType::UInt32, kExpertNames},
    {"expert_used_count",
     ValueType::UInt32,
     {"num_experts_per_tok", "num_experts_per_token", "top_k_experts", "experts_per_token", "moe.num_experts_per_tok"}},
    {"expert_group_count", ValueType::UInt32, {"n_group"}},
    {"expert_group_used_count", ValueType::UInt32, {"topk_group"}},
    {"expert_gating_func", ValueType::UInt32, {}, gatingFunction},
    {"attention.key_length", ValueType::UInt32, kHeadWidthNames},
    {"attention.value_length", ValueType::UInt32, kHeadWidthNames},
    {kFileTypeKey, ValueType::UInt32},
    {"attention.causal", ValueType::Bool, {}, notCausal},
    {"pooling_type", ValueType::UInt32, {}, poolingType},
    {"classifier.output_labels", ValueType::Array, {}, classifierLabels},
});

// The value of a setting in the type of its key.
std::optional<OwnedValue> typed(const Setting& setting, ValueType type) {
    switch (type) {
    case ValueType::UInt32: {
        const auto value = setting.natural();
        return value && *value <= std::numeric_limits<std::uint32_t>::max()
                   ? std::optional(OwnedValue(static_cast<std::uint32_t>(*value)))
                   : std::nullopt;
    }
    case ValueType::Float32: {
        const auto value = setting.real();
        return value ? std::optional(OwnedValue(static_cast<float>(*value))) : std::nullopt;
    }
    case ValueType::Bool: {
        const auto value = setting.boolean();
        return value ? std::optional(OwnedValue(BoolValue{static_cast<std::uint8_t>(*value ? 1 : 0)})) : std::nullopt;
    }
    case ValueType::String: {
        const auto value = setting.string();
        return value ? std::optional(OwnedValue::string(std::string(*value))) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

OwnedValue constant(double value, ValueType type) {
    switch (type) {
    case ValueType::Float32:
        return OwnedValue(static_cast<float>(value));
    case ValueType::Bool:
        return OwnedValue(BoolValue{static_cast<std::uint8_t>(value != 0 ? 1 : 0)});
    default:
        return OwnedValue(static_cast<std::uint32_t>(value));
    }
}

Computed valueOf(const KeyRule& rule, const ModelFacts& facts) {
    if (rule.compute != nullptr) {
        return rule.compute(facts);
    }
    for (const std::string_view name : rule.names) {
        const auto setting = name.empty() ? std::optional<Setting>() : facts.source().find({name});
        const auto value = setting ? typed(*setting, rule.type) : std::nullopt;
        if (value) {
            return FoundValue{*value, setting->from};
        }
    }
    return std::isnan(rule.otherwise) ? std::nullopt
                                      : Computed(FoundValue{constant(rule.otherwise, rule.type), std::string()});
}

// More pairs than any head has; it bounds what a configuration can ask for.
constexpr std::uint64_t kMaxPairs = 65'536;

// Llama 3's scaling: long wavelengths are stretched, short ones stay, and wavelengths between the two are blended. In
// f32, step by step, as PyTorch computes it: a number divided by a tensor is the number times the tensor's reciprocal.
std::vector<float> llama3Factors(const ModelFacts& facts) {
    const auto stated = [&](std::string_view member, double otherwise) {
        const auto setting = findScaling(facts, member);
        return static_cast<float>(setting ? setting->real().value_or(otherwise) : otherwise);
    };
    const auto rope = facts.find(kRopeBaseNames);
    const auto base = static_cast<float>(rope ? rope->real().value_or(10'000) : 10'000);
    const float factor = stated("factor", 8);
    const float low = stated("low_freq_factor", 1);
    const float high = stated("high_freq_factor", 4);
    const float original = stated("original_max_position_embeddings", 8'192);
    const auto width = static_cast<float>(facts.headWidth());
    std::vector<float> factors;
    for (std::uint64_t i = 0; i < std::min(facts.headWidth() / 2, kMaxPairs); ++i) {
        const float frequency = 1 / std::pow(base, static_cast<float>(2 * i) / width);
        const float wavelength = 1 / frequency * static_cast<float>(2 * M_PI);
        if (wavelength < original / high) {
            factors.push_back(1);
        } else if (wavelength > original / low) {
            factors.push_back(factor);
        } else {
            const float blend = (1 / wavelength * original - low) / (high - low);
            factors.push_back(1 / ((1 - blend) / factor + blend));
        }
    }
    return factors;
}

// Only the first pairs of a head are rotated, as if it were whole. The factors of the others make them stand still.
std::vector<float> proportionalFactors(const ModelFacts& facts) {
    constexpr float kUnrotated = 1e30F;
    const auto stated = findScaling(facts, "partial_rotary_factor");
    const double share = stated ? stated->real().value_or(0.25) : 0.25;
    const std::uint64_t width = facts.number({"global_head_dim", "head_dim"});
    const std::uint64_t pairs = std::min(width / 2, kMaxPairs);
    const double rotated = std::clamp(share * static_cast<double>(width) / 2, 0.0, static_cast<double>(pairs));
    std::vector<float> factors(pairs, kUnrotated);
    std::fill_n(factors.begin(), static_cast<std::size_t>(rotated), 1.0F);
    return factors;
}

std::vector<float> numbersOf(const JsonValue& list) {
    std::vector<float> numbers;
    for (const JsonValue& element : list.elements) {
        numbers.push_back(static_cast<float>(element.real().value_or(0)));
    }
    return numbers;
}

} // namespace

std::span<const TensorPattern> commonTensors() { return kTensors; }

std::span<const KeyRule> commonKeys() { return kKeys; }

std::vector<PlannedKey> architectureKeys(const Architecture& architecture, const ModelFacts& facts,
                                         std::optional<PlannedKey> fileType) {
    std::vector<PlannedKey> keys;
    const auto add = [&](const KeyRule& rule) {
        if (auto found = valueOf(rule, facts)) {
            keys.push_back({std::string(architecture.name) + "." + std::string(rule.key), std::move(found->value),
                            std::move(found->from)});
        }
    };
    // A rule of the architecture replaces the common one, unless the architecture excludes the common one; the other
    // rules follow.
    const auto inPlace = [&](std::string_view key) {
        return std::ranges::find(kKeys, key, &KeyRule::key) != kKeys.end() &&
               std::ranges::find(architecture.otherKeys, key) == architecture.otherKeys.end();
    };
    for (const KeyRule& rule : kKeys) {
        if (rule.key == kFileTypeKey && fileType) {
            keys.push_back(*std::move(fileType));
        } else if (inPlace(rule.key)) {
            const auto override = std::ranges::find(architecture.keys, rule.key, &KeyRule::key);
            add(override != architecture.keys.end() ? *override : rule);
        }
    }
    for (const KeyRule& rule : architecture.keys) {
        if (!inPlace(rule.key)) {
            add(rule);
        }
    }
    return keys;
}

void putInOrder(const Architecture& architecture, std::span<PlannedKey> keys) {
    if (architecture.order.empty()) {
        return;
    }
    const std::string prefix = std::string(architecture.name) + ".";
    const auto place = [&](const PlannedKey& planned) {
        std::string_view key = planned.key;
        key.remove_prefix(key.starts_with(prefix) ? prefix.size() : 0);
        std::size_t at = 0;
        for (const auto& listed : std::views::split(architecture.order, ',')) {
            if (std::string_view(listed.begin(), listed.end()) == key) {
                break;
            }
            ++at;
        }
        return at;
    };
    // Keys of the same place keep their order. clang 19 rejects std::stable_sort of GCC 12's library.
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        order.emplace_back(place(keys[i]), i);
    }
    std::ranges::sort(order);
    std::vector<PlannedKey> sorted;
    for (const auto& [at, i] : order) {
        sorted.push_back(std::move(keys[i]));
    }
    std::ranges::move(sorted, keys.begin());
}

std::vector<ComputedTensor> computedTensors(const ModelFacts& facts) {
    std::vector<ComputedTensor> computed;
    const std::string type = facts.ropeScaling();
    if (type == "llama3") {
        computed.push_back({"rope_freqs.weight", llama3Factors(facts), "config.json:rope_scaling"});
    }
    if (type == "longrope" || type == "su") {
        const auto longFactors = findScaling(facts, "long_factor");
        const auto shortFactors = findScaling(facts, "short_factor");
        if (longFactors && shortFactors) {
            computed.push_back({"rope_factors_long.weight", numbersOf(*longFactors->value), longFactors->from});
            computed.push_back({"rope_factors_short.weight", numbersOf(*shortFactors->value), shortFactors->from});
        }
    }
    if (type == "proportional") {
        computed.push_back({"rope_freqs.weight", proportionalFactors(facts), "config.json:rope_parameters"});
    }
    return computed;
}

} // namespace gufo::convert
