// Those about rotary position embeddings are in rope_rules.cpp.
#include "convert/key_rules.h"

#include "convert/dense_modules.h"
#include "convert/tensor_operations.h"
#include "model/encode_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::convert {
namespace {

// More than any model has; it bounds arrays with an element for each.
constexpr std::uint64_t kMaxLayers = 4'096;

std::int32_t asInt32(std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, 0, INT32_MAX));
}

// The value below which the given share of a normal distribution lies.
double quantileOfNormal(double share) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (share <= 0 || share >= 1) {
        return share <= 0 ? -kInfinity : kInfinity;
    }
    double below = -40; // farther than any share that a double can hold
    double above = 40;
    for (int step = 0; step < 100; ++step) { // each halves the interval, whose ends are then neighbours
        const double middle = (below + above) / 2;
        (std::erfc(-middle / M_SQRT2) / 2 < share ? below : above) = middle;
    }
    return below;
}

// Which layers have a window: as listed, or all but every `period`th.
Computed windows(const ModelFacts& facts, std::uint64_t period, std::string from) {
    const auto types = facts.find({"layer_types"});
    if (!types && period == 0) {
        return std::nullopt;
    }
    ArrayBuilder layers(ValueType::Bool);
    for (std::uint64_t block = 0; block < facts.blocks() && block < kMaxLayers; ++block) {
        const bool listed =
            types && block < types->value->elements.size() && types->value->elements[block].text == "sliding_attention";
        const bool window = types ? listed : (block + 1) % period != 0;
        layers.add(BoolValue{static_cast<std::uint8_t>(window ? 1 : 0)});
    }
    return FoundValue{OwnedValue(layers.view()), types ? types->from : std::move(from)};
}

// Which layers have a state instead of attention, followed by the layers that draft.
Computed recurrent(const ModelFacts& facts, std::uint64_t drafts) {
    const auto types = facts.find({"layer_types"});
    if (!types) {
        return std::nullopt;
    }
    ArrayBuilder layers(ValueType::Bool);
    for (const JsonValue& type : types->value->elements) {
        layers.add(BoolValue{static_cast<std::uint8_t>(type.text == "linear_attention" ? 1 : 0)});
    }
    for (std::uint64_t i = 0; i < std::min(drafts, kMaxLayers); ++i) {
        layers.add(BoolValue{0});
    }
    return FoundValue{OwnedValue(layers.view()), types->from};
}

// A dimension of a tensor, if the source has it.
Computed widthOf(const ModelFacts& facts, std::string_view tensor, std::size_t dimension) {
    const Model* model = facts.source().model().get();
    const auto found = model != nullptr ? model->findTensor(tensor) : std::nullopt;
    return found ? computed::number(model->tensor(*found).shape[dimension], std::string(tensor)) : std::nullopt;
}

} // namespace

Computed headWidth(const ModelFacts& facts) {
    auto stated = facts.find(kHeadWidthNames);
    stated = stated ? stated : facts.find(kHiddenNames);
    return computed::number(facts.headWidth(), stated ? stated->from : std::string());
}

Computed feedForwardTimesFour(const ModelFacts& facts) {
    const auto stated = facts.find({"ffn_hidden_size", "n_inner", "intermediate_size"});
    return stated ? computed::number(stated->natural().value_or(0), stated->from)
                  : computed::number(4 * facts.hidden(), "config.json:hidden_size");
}

Computed feedForwardLfm2(const ModelFacts& facts) {
    const auto stated = facts.find({"block_ff_dim", "intermediate_size"});
    std::uint64_t width = stated ? stated->natural().value_or(0) : 0;
    const auto adjusts = facts.find({"block_auto_adjust_ff_dim"});
    if (adjusts && adjusts->boolean().value_or(false)) {
        const auto factor = facts.find({"block_ffn_dim_multiplier"});
        const std::uint64_t multiple = std::max<std::uint64_t>(facts.number({"block_multiple_of"}), 1);
        width = 2 * width / 3;
        const double widened = factor ? factor->real().value_or(1) * static_cast<double>(width) : 0;
        constexpr double kLargest = std::numeric_limits<std::uint32_t>::max();
        width = factor ? static_cast<std::uint64_t>(std::clamp(widened, 0.0, kLargest)) : width;
        width = (width + multiple - 1) / multiple * multiple;
    }
    return stated ? computed::number(width, stated->from) : std::nullopt;
}

Computed kvHeadsOrHeads(const ModelFacts& facts) {
    const auto stated = facts.find(kKvHeadNames);
    const auto heads = facts.find(kHeadNames);
    return computed::number(facts.kvHeads(), stated ? stated->from : heads ? heads->from : std::string());
}

Computed kvHeadsFalcon(const ModelFacts& facts) {
    const auto stated = facts.find(kKvHeadNames);
    return computed::number(falconKvHeads(facts), stated ? stated->from : "config.json:multi_query");
}

Computed feedForwardByLayer(const ModelFacts& facts) {
    const auto stated = facts.find({"intermediate_size"});
    if (!stated || !stated->value->is(JsonValue::Kind::Array)) {
        return stated ? computed::number(stated->natural().value_or(0), stated->from) : std::nullopt;
    }
    ArrayBuilder widths(ValueType::Int32);
    for (const JsonValue& width : stated->value->elements) {
        widths.add(asInt32(width.whole().value_or(0)));
    }
    return FoundValue{OwnedValue(widths.view()), stated->from};
}

Computed feedForwardGemma4(const ModelFacts& facts) {
    const auto widens = facts.find({"use_double_wide_mlp"});
    const auto stated = facts.find({"intermediate_size"});
    if (!stated || !widens || !widens->boolean().value_or(false)) {
        return feedForwardByLayer(facts);
    }
    const std::uint64_t shared = std::min(facts.number({"num_kv_shared_layers"}), facts.blocks());
    ArrayBuilder widths(ValueType::Int32);
    for (std::uint64_t block = 0; block < facts.blocks() && block < kMaxLayers; ++block) {
        const std::int64_t width = stated->value->whole().value_or(0);
        widths.add(asInt32(block < facts.blocks() - shared ? width : 2 * std::min<std::int64_t>(width, INT32_MAX)));
    }
    return FoundValue{OwnedValue(widths.view()), widens->from};
}

Computed kvHeadsGemma4(const ModelFacts& facts) {
    const auto global = facts.find({"num_global_key_value_heads"});
    const auto types = facts.find({"layer_types"});
    if (!global || !types) {
        const auto stated = facts.find(kKvHeadNames);
        return stated ? computed::number(facts.kvHeads(), stated->from) : std::nullopt;
    }
    ArrayBuilder heads(ValueType::Int32);
    for (const JsonValue& type : types->value->elements) {
        const bool window = type.text == "sliding_attention";
        heads.add(asInt32(static_cast<std::int64_t>(window ? facts.kvHeads() : global->natural().value_or(0))));
    }
    return FoundValue{OwnedValue(heads.view()), global->from};
}

Computed sparsityThresholds(const ModelFacts& facts) {
    const auto shares = facts.find({"activation_sparsity_pattern"});
    if (!shares) {
        return std::nullopt;
    }
    ArrayBuilder thresholds(ValueType::Float32);
    for (const JsonValue& share : shares->value->elements) {
        thresholds.add(static_cast<float>(quantileOfNormal(share.real().value_or(0))));
    }
    return FoundValue{OwnedValue(thresholds.view()), shares->from};
}

Computed answerLabels(const ModelFacts&) {
    const std::vector<std::string> labels(kAnswers.begin(), kAnswers.end());
    return FoundValue{OwnedValue::strings(labels), std::string()};
}

Computed kvHeadsByLayer(const ModelFacts& facts) {
    const auto types = facts.find({"layer_types"});
    const auto attention = facts.find({"full_attn_idxs"});
    ArrayBuilder heads(ValueType::Int32);
    for (std::uint64_t block = 0; block < facts.blocks() && block < kMaxLayers; ++block) {
        bool attends = false;
        if (types) {
            attends = block < types->value->elements.size() && types->value->elements[block].text != "conv";
        } else if (attention) {
            attends = std::ranges::any_of(attention->value->elements, [&](const JsonValue& index) {
                return index.whole() == static_cast<std::int64_t>(block);
            });
        }
        heads.add(static_cast<std::int32_t>(attends ? facts.kvHeads() : 0));
    }
    return FoundValue{OwnedValue(heads.view()), types ? types->from : attention ? attention->from : std::string()};
}

// The first configurations state the numbers from which the width is computed, but not the width.
Computed mistralFeedForward(const ModelFacts& facts) {
    if (const auto stated = facts.find({"hidden_dim"})) {
        return computed::number(stated->natural().value_or(0), stated->from);
    }
    const Model* model = facts.source().model().get();
    const std::string name = "layers.0.feed_forward.w1.weight";
    const auto gate = model == nullptr ? std::nullopt : model->findTensor(name);
    return gate && model->tensor(*gate).shape.count() == 2 ? computed::number(model->tensor(*gate).shape[1], name)
                                                           : std::nullopt;
}

Computed gatingFunction(const ModelFacts& facts) {
    if (facts.modelClass() == "Glm4MoeLiteForCausalLM") { // its configuration does not state it
        return computed::number(2, facts.classFrom());
    }
    const auto function = facts.find({"scoring_func", "score_function", "moe_router_activation_func"});
    const auto name = function ? function->string() : std::nullopt;
    return name == "softmax"   ? computed::number(1, function->from)
           : name == "sigmoid" ? computed::number(2, function->from)
                               : std::nullopt;
}

Computed normalisedWeights(const ModelFacts& facts) {
    const auto normalised = facts.find({"norm_topk_prob"});
    return normalised && normalised->boolean().value_or(false) ? computed::flag(true, normalised->from) : std::nullopt;
}

Computed latentKeyLength(const ModelFacts& facts) {
    return computed::number(facts.number({"kv_lora_rank"}) + facts.number({"qk_rope_head_dim"}),
                            "config.json:kv_lora_rank");
}

Computed latentKeyLengthMla(const ModelFacts& facts) {
    return computed::number(facts.number({"qk_nope_head_dim"}) + facts.number({"qk_rope_head_dim"}),
                            "config.json:qk_nope_head_dim");
}

Computed notCausal(const ModelFacts& facts) {
    const auto causal = facts.find({"is_causal"});
    return causal && causal->boolean() == false ? computed::flag(false, causal->from) : std::nullopt;
}

Computed allBlocks(const ModelFacts& facts) {
    const auto stated = facts.find(kBlockNames);
    return stated ? computed::number(facts.blocks() + facts.draftBlocks(), stated->from) : std::nullopt;
}

Computed draftBlocks(const ModelFacts& facts) {
    const auto stated = facts.find(kDraftBlockNames);
    return facts.draftBlocks() != 0 ? computed::number(facts.draftBlocks(), stated->from) : std::nullopt;
}

Computed windowLayers(const ModelFacts& facts) {
    const auto period = facts.find({"sliding_window_pattern"});
    return windows(facts, period ? period->natural().value_or(0) : 0, period ? period->from : std::string());
}

Computed windowLayersOlmo(const ModelFacts& facts) {
    constexpr std::uint64_t kPeriod = 4;
    const auto window = facts.find({"sliding_window"});
    return window && window->natural() ? windows(facts, kPeriod, window->from) : std::nullopt;
}

Computed recurrentLayers(const ModelFacts& facts) { return recurrent(facts, 0); }

Computed recurrentLayersOfAll(const ModelFacts& facts) { return recurrent(facts, facts.draftBlocks()); }

Computed deltaNetInnerSize(const ModelFacts& facts) {
    return computed::number(facts.number({"linear_value_head_dim"}) * facts.number({"linear_num_value_heads"}),
                            "config.json:linear_num_value_heads");
}

Computed mambaInnerSize(const ModelFacts& facts) {
    const auto stated = facts.find({"intermediate_size", "d_inner"});
    return stated ? computed::number(stated->natural().value_or(0), stated->from)
                  : computed::number(2 * facts.hidden(), "config.json:hidden_size");
}

Computed mambaTimeStepRank(const ModelFacts& facts) {
    const auto stated = facts.find({"time_step_rank", "dt_rank"});
    const auto rank = stated ? stated->natural() : std::nullopt;
    return rank ? computed::number(*rank, stated->from)
                : computed::number((facts.hidden() + 15) / 16, "config.json:hidden_size");
}

Computed mamba2InnerSize(const ModelFacts& facts) {
    const auto stated = facts.find({"mamba_d_ssm", "intermediate_size", "d_inner"});
    const auto expand = facts.find({"expand", "mamba_expand"});
    return stated ? computed::number(stated->natural().value_or(0), stated->from)
                  : computed::number((expand ? expand->natural().value_or(2) : 2) * facts.hidden(),
                                     expand ? expand->from : "config.json:hidden_size");
}

Computed mamba2Heads(const ModelFacts& facts) {
    const std::uint64_t width = facts.headWidth() != 0 ? facts.headWidth() : 64;
    const auto inner = mamba2InnerSize(facts);
    return computed::number(asUInt(inner->value.value()).value_or(0) / width, "config.json:head_dim");
}

Computed poolingType(const ModelFacts& facts) {
    const auto modules = facts.source().json("modules.json");
    if (!modules || !*modules) {
        return std::nullopt;
    }
    struct ModeRow {
        std::string_view member;
        std::uint32_t value; // of GGUF
    };
    constexpr auto kModes = std::to_array<ModeRow>(
        {{"pooling_mode_mean_tokens", 1}, {"pooling_mode_cls_token", 2}, {"pooling_mode_lasttoken", 3}});
    for (const JsonValue& module : (*modules)->elements) {
        const JsonValue* type = module.find("type");
        const JsonValue* path = module.find("path");
        if (type == nullptr || path == nullptr || !type->text.ends_with(".Pooling")) {
            continue;
        }
        const std::string name = path->text + "/config.json";
        const auto pooling = facts.source().json(name);
        for (const ModeRow& mode : kModes) {
            const JsonValue* set = pooling && *pooling ? (*pooling)->find(mode.member) : nullptr;
            if (set != nullptr && set->is(JsonValue::Kind::True)) {
                return computed::number(mode.value, name + ":" + std::string(mode.member));
            }
        }
    }
    return std::nullopt;
}

Computed firstDenseInput(const ModelFacts& facts) { return widthOf(facts, kFirstDense, 0); }
Computed firstDenseOutput(const ModelFacts& facts) { return widthOf(facts, kFirstDense, 1); }
Computed secondDenseInput(const ModelFacts& facts) { return widthOf(facts, kSecondDense, 0); }
Computed secondDenseOutput(const ModelFacts& facts) { return widthOf(facts, kSecondDense, 1); }

Computed classifierLabels(const ModelFacts& facts) {
    const auto labels = facts.find({"id2label"});
    if (!labels || facts.modelClass().find("SequenceClassification") == std::string::npos) {
        return std::nullopt;
    }
    std::vector<std::pair<std::int64_t, std::string>> numbered;
    for (const auto& [id, label] : labels->value->members) {
        const JsonValue asNumber{.kind = JsonValue::Kind::Number, .text = id};
        numbered.emplace_back(asNumber.whole().value_or(0), label.text);
    }
    std::ranges::sort(numbered);
    std::vector<std::string> names;
    for (auto& [id, label] : numbered) {
        names.push_back(std::move(label));
    }
    return FoundValue{OwnedValue::strings(names), labels->from};
}

Computed classifierPooling(const ModelFacts& facts) {
    const auto pooling = facts.find({"classifier_pooling"});
    const auto name = pooling ? pooling->string() : std::nullopt;
    return name == "cls"    ? computed::number(2, pooling->from)
           : name == "mean" ? computed::number(1, pooling->from)
                            : std::nullopt;
}

Computed contextWithoutPadding(const ModelFacts& facts) {
    const std::uint64_t positions = facts.number({"max_position_embeddings"});
    const std::uint64_t first = firstPosition(facts);
    return positions > first ? computed::number(positions - first, "config.json:max_position_embeddings")
                             : std::nullopt;
}

Computed tensorLayoutFalcon(const ModelFacts&) { return computed::text("jploski"); }

} // namespace gufo::convert
