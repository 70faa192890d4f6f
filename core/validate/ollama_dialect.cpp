#include "validate/ollama_dialect.h"

#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/finding_code.h"
#include "model/hyper_parameters.h"
#include "model/token.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace gufo {
namespace {

constexpr std::string_view kArchitecture = "general.architecture";
constexpr std::string_view kPre = "tokenizer.ggml.pre";
constexpr std::string_view kTokenizer = "tokenizer.ggml.model";
constexpr std::string_view kEmbedding = "token_embd.weight";
constexpr float kBaseOfWindows = 10'000;
constexpr float kGemmaEpsilon = 1e-6F;
constexpr float kGemmaBase = 1'000'000;
constexpr std::uint64_t kScaledContext = 131'072; // Gemma 3 from 4B on
constexpr float kGemmaFactor = 8;

// Collects the differences of one file.
class Translation {
public:
    explicit Translation(const Model& model)
        : m_model(model)
        , m_before(model.metadata.architecture())
        , m_after(m_before) {}

    [[nodiscard]] const Model& model() const { return m_model; }
    [[nodiscard]] std::string_view before() const { return m_before; }
    [[nodiscard]] bool has(std::string_view suffix) const { return find(suffix) != nullptr; }
    [[nodiscard]] const Value* find(std::string_view suffix) const {
        return m_model.metadata.find(std::string(m_before) + "." + std::string(suffix));
    }
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view suffix) const {
        return m_model.metadata.uint(std::string(m_before) + "." + std::string(suffix));
    }
    [[nodiscard]] const TensorInfo* tensor(std::string_view name) const {
        const auto index = m_model.findTensor(name);
        return index ? &m_model.tensor(*index) : nullptr;
    }
    [[nodiscard]] bool anyTensor(std::string_view prefix) const {
        return std::ranges::any_of(m_model.tensors,
                                   [&](const TensorInfo& each) { return each.name.starts_with(prefix); });
    }
    // Whether a key has this text.
    [[nodiscard]] bool says(std::string_view key, std::string_view text) const {
        return m_model.metadata.string(key) == text;
    }

    // All keys of the architecture get the new name.
    void renameArchitecture(std::string_view to) {
        m_after = to;
        const std::string old = std::string(m_before) + ".";
        for (const KeyValue& entry : m_model.metadata) {
            if (entry.key.starts_with(old)) {
                const std::string name = std::string(to) + "." + std::string(entry.key.substr(old.size()));
                if (m_model.metadata.find(name) == nullptr) {
                    m_out.changes.emplace_back(RenameKey{std::string(entry.key), name});
                }
            }
        }
        m_out.changes.emplace_back(SetKey{std::string(kArchitecture), OwnedValue::string(std::string(to))});
        m_out.differences.push_back(old + "* → " + std::string(to) + ".*");
    }
    // The keys below are given without the architecture, and named after the new one.
    void renameKey(std::string_view from, std::string_view to) {
        if (has(from) && !has(to)) {
            m_out.changes.emplace_back(RenameKey{now(from), now(to)});
            m_out.differences.push_back(now(from) + " → " + now(to));
        }
    }
    template<typename T>
    void setKey(std::string_view suffix, T value) {
        set(now(suffix), OwnedValue(Value(value)));
    }
    template<typename T>
    void addKey(std::string_view suffix, T value) {
        if (!has(suffix)) {
            setKey(suffix, value);
        }
    }
    void deleteKey(std::string_view suffix) {
        if (has(suffix)) {
            m_out.changes.emplace_back(DeleteKey{now(suffix)});
            m_out.differences.push_back(now(suffix) + " → –");
        }
    }
    void set(std::string key, OwnedValue value) {
        m_out.differences.push_back(key);
        m_out.changes.emplace_back(SetKey{std::move(key), std::move(value)});
    }
    void setText(std::string_view key, std::string_view text) {
        if (!says(key, text)) {
            set(std::string(key), OwnedValue::string(std::string(text)));
        }
    }
    // Replaces a part of the names of tensors; `whole` only where the name ends with it.
    void renameTensors(std::string_view from, std::string_view to, bool whole = false) {
        bool any = false;
        for (const TensorInfo& each : m_model.tensors) {
            const std::size_t at = whole && !each.name.ends_with(from) ? std::string_view::npos : each.name.rfind(from);
            if (at != std::string_view::npos) {
                std::string name(each.name);
                name.replace(at, from.size(), to);
                m_out.changes.emplace_back(RenameTensor{std::string(each.name), std::move(name)});
                any = true;
            }
        }
        if (any) {
            m_out.differences.push_back(std::string(from) + " → " + std::string(to));
        }
    }
    // An array with a number for each block becomes its largest number.
    void collapse(std::string_view suffix) {
        const Value* value = find(suffix);
        const ArrayView* array = value != nullptr ? asArray(*value) : nullptr;
        std::uint64_t largest = 0;
        for (std::uint64_t i = 0; array != nullptr && i < array->length; ++i) {
            largest = std::max(largest, uintElement(*array, i).value_or(0));
        }
        if (largest != 0) {
            setKey(suffix, static_cast<std::uint32_t>(largest));
        }
    }
    // Cuts the lists of tokens, and the embedding, to a number of tokens.
    void truncateTokens(std::uint64_t tokens) {
        bool any = false;
        for (const std::string_view key : {kTokensKey, kTokenTypesKey, kTokenScoresKey}) {
            const ArrayView* list = m_model.metadata.array(key);
            if (list != nullptr && list->length > tokens) {
                m_out.changes.emplace_back(RemoveElements{{std::string(key)}, tokens, list->length - tokens});
                any = true;
            }
        }
        const TensorInfo* embedding = tensor(kEmbedding);
        if (embedding != nullptr && embedding->shape[1] > tokens) {
            m_out.changes.emplace_back(ResizeRows{.name = std::string(kEmbedding), .kept = {{0, tokens}}, .added = {}});
            m_out.differences.emplace_back(kEmbedding);
        }
        if (any) {
            m_out.differences.emplace_back(kTokensKey);
        }
    }
    void leave(std::string_view prefix) {
        if (anyTensor(prefix)) {
            m_out.differences.push_back(std::string(prefix) + "*");
            m_out.unknown.push_back(std::string(prefix) + "*");
        }
    }
    void leaveEncoders() {
        for (const std::string_view prefix : {"v.", "mm.", "a.", "s.", "mtp.", "model.vision_tower."}) {
            leave(prefix);
        }
    }
    void leaveDifference(std::string difference) {
        m_out.differences.push_back(difference);
        m_out.unknown.push_back(std::move(difference));
    }

    // Whether any difference has been found so far.
    [[nodiscard]] bool differs() const { return !m_out.differences.empty(); }

    [[nodiscard]] std::optional<OllamaDialect> take() {
        return m_out.differences.empty() ? std::nullopt : std::optional(std::move(m_out));
    }

private:
    [[nodiscard]] std::string now(std::string_view suffix) const {
        return std::string(m_after) + "." + std::string(suffix);
    }

    const Model& m_model;
    std::string_view m_before;
    std::string_view m_after;
    OllamaDialect m_out;
};

bool isUnstated(const Model& model, std::string_view key) {
    const auto text = model.metadata.string(key);
    return !text || text->empty() || *text == "default";
}

void gptOss(Translation& file) {
    file.renameArchitecture("gpt-oss");
    if (const TensorInfo* gate = file.tensor("blk.0.ffn_gate_exps.weight")) {
        file.addKey("expert_feed_forward_length", static_cast<std::uint32_t>(gate->shape[1]));
    }
    file.addKey("rope.scaling.type", std::string_view("yarn"));
    file.setText(kPre, "gpt-4o");
    file.renameTensors(".attn_out.", ".attn_output.");
    file.renameTensors(".attn_sinks", ".attn_sinks.weight", true);
    file.renameTensors(".ffn_norm.", ".post_attention_norm.");
}

void lfm2(Translation& file) {
    if (file.tensor("output_norm.weight") == nullptr || file.tensor("token_embd_norm.weight") != nullptr) {
        return;
    }
    file.renameTensors("output_norm.weight", "token_embd_norm.weight", true);
    file.setText(kPre, "lfm2");
    const TensorInfo* gate = file.tensor("blk.0.ffn_gate.weight");
    if (gate != nullptr && file.number("feed_forward_length") != gate->shape[1]) {
        file.setKey("feed_forward_length", static_cast<std::uint32_t>(gate->shape[1]));
    }
}

void olmo3(Translation& file) { file.renameArchitecture("olmo2"); }

void laguna(Translation& file) {
    file.renameKey("rope.swa.dimension_count", "rope.dimension_count_swa");
    file.renameKey("rope.swa.freq_base", "rope.freq_base_swa");
    file.renameTensors(".attn_g.weight", ".attn_gate.weight", true);
}

void qwen3next(Translation& file) {
    const bool unnamed = std::ranges::any_of(file.model().tensors,
                                             [](const TensorInfo& each) { return each.name.ends_with(".ssm_dt"); });
    if (unnamed) {
        file.collapse("attention.head_count_kv");
        file.renameTensors(".ssm_dt", ".ssm_dt.bias", true);
    }
}

void nemotronMoe(Translation& file) {
    for (const TensorInfo& each : file.model().tensors) {
        if (each.name.ends_with(".ffn_latent_in.weight")) {
            file.addKey("moe_latent_size", static_cast<std::uint32_t>(each.shape[1]));
            break;
        }
    }
    file.renameTensors(".ffn_latent_in.", ".ffn_latent_down.");
    file.renameTensors(".ffn_latent_out.", ".ffn_latent_up.");
    file.leave("mtp.");
}

void mistral3(Translation& file) {
    const bool marked = file.has("rope.scaling.beta_fast") || file.has("rope.scaling.mscale_all_dim") ||
                        file.has("rope.scaling_beta") || file.anyTensor("v.") || file.anyTensor("mm.");
    if (!marked) {
        return;
    }
    file.renameKey("rope.scaling.beta_fast", "rope.scaling.yarn_beta_fast");
    file.renameKey("rope.scaling.beta_slow", "rope.scaling.yarn_beta_slow");
    file.renameKey("rope.scaling.mscale_all_dim", "rope.scaling.yarn_log_multiplier");
    file.renameKey("rope.scaling_beta", "attention.temperature_scale");
    if (file.says(kTokenizer, "gpt2") && isUnstated(file.model(), kPre)) {
        file.setText(kPre, "tekken");
    }
    file.leaveEncoders();
}

// The common form keeps one compressed head of keys and values.
void glm4MoeLite(Translation& file) {
    const auto rank = file.number("attention.kv_lora_rank");
    const auto turned = file.number("rope.dimension_count");
    const auto head = file.number("attention.key_length");
    file.renameArchitecture("deepseek2");
    if (!rank || !turned || !head) {
        file.leaveDifference("deepseek2.attention.key_length");
        return;
    }
    file.setKey("attention.head_count_kv", std::uint32_t{1});
    file.setKey("attention.key_length", static_cast<std::uint32_t>(*rank + *turned));
    file.setKey("attention.value_length", static_cast<std::uint32_t>(*rank));
    file.setKey("attention.key_length_mla", static_cast<std::uint32_t>(*head));
    file.setKey("attention.value_length_mla", static_cast<std::uint32_t>(*head));
    file.addKey("expert_group_count", std::uint32_t{1});
    file.addKey("expert_group_used_count", std::uint32_t{1});
    file.setText(kPre, "glm4");
    const ArrayView* ends = file.model().metadata.array("tokenizer.ggml.eos_token_ids");
    constexpr auto kEnds = std::to_array<std::string_view>(
        {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"});
    for (std::uint64_t i = 1; ends != nullptr && i < kEnds.size() && i < ends->length; ++i) {
        const auto id = uintElement(*ends, i);
        if (id && file.model().metadata.find(kEnds.at(i)) == nullptr) {
            file.set(std::string(kEnds.at(i)), OwnedValue(Value(static_cast<std::uint32_t>(*id))));
        }
    }
}

void embeddingGemma(Translation& file) {
    const TensorInfo* first = file.tensor("dense.0.weight");
    const TensorInfo* second = file.tensor("dense.1.weight");
    file.renameArchitecture("gemma-embedding");
    file.deleteKey("attention.causal");
    file.deleteKey("attention.sliding_window_pattern");
    file.addKey("rope.freq_base_swa", kBaseOfWindows);
    file.setKey("dense_2_feat_in", static_cast<std::uint32_t>(first->shape[0]));
    file.setKey("dense_2_feat_out", static_cast<std::uint32_t>(first->shape[1]));
    if (second != nullptr) {
        file.setKey("dense_3_feat_in", static_cast<std::uint32_t>(second->shape[0]));
        file.setKey("dense_3_feat_out", static_cast<std::uint32_t>(second->shape[1]));
    }
    file.renameTensors("dense.0.weight", "dense_2.weight", true);
    file.renameTensors("dense.1.weight", "dense_3.weight", true);
    if (file.tensor("norm.weight") != nullptr) {
        file.renameTensors("norm.weight", "output_norm.weight", false);
    }
}

void gemma3(Translation& file) {
    if (file.tensor("dense.0.weight") != nullptr) {
        embeddingGemma(file);
        return;
    }
    const bool marked = file.has("mm.tokens_per_image") || file.anyTensor("v.") || file.anyTensor("mm.") ||
                        file.has("rope.global.freq_base") || file.has("rope.local.freq_base") ||
                        file.model().metadata.find("tokenizer.ggml.add_padding_token") != nullptr ||
                        file.model().metadata.find("tokenizer.ggml.add_unknown_token") != nullptr;
    if (!marked) {
        return;
    }
    file.renameKey("rope.global.freq_base", "rope.freq_base");
    file.renameKey("rope.local.freq_base", "rope.freq_base_swa");
    file.addKey("attention.layer_norm_rms_epsilon", kGemmaEpsilon);
    if (!file.has("rope.global.freq_base")) {
        file.addKey("rope.freq_base", kGemmaBase);
    }
    if (!file.has("rope.local.freq_base")) {
        file.addKey("rope.freq_base_swa", kBaseOfWindows);
    }
    if (file.number("context_length").value_or(0) >= kScaledContext) {
        file.addKey("rope.scaling.type", std::string_view("linear"));
        file.addKey("rope.scaling.factor", kGemmaFactor);
    }
    if (const TensorInfo* embedding = file.tensor(kEmbedding)) {
        file.truncateTokens(embedding->shape[1]);
    }
    file.leaveEncoders();
}

void gemma3n(Translation& file) {
    const TensorInfo* main = file.tensor(kEmbedding);
    const TensorInfo* perLayer = file.tensor("per_layer_token_embd.weight");
    if (main == nullptr || perLayer == nullptr || main->shape[1] <= perLayer->shape[1]) {
        return;
    }
    file.setText(kTokenizer, "llama");
    file.truncateTokens(perLayer->shape[1]);
    file.leaveEncoders();
}

void gemma4(Translation& file) {
    file.renameTensors(".ffn_gate_inp.per_expert_scale", ".ffn_down_exps.scale", true);
    file.leaveEncoders();
    // A file whose tokenizer alone differs may come from any program.
    if (file.differs() && file.says(kTokenizer, "llama")) {
        file.setText(kTokenizer, "gemma4");
    }
}

// These have the same names in both forms, except for parts that would have to be joined or go to a file of their own.
void withEncoders(Translation& file) { file.leaveEncoders(); }

void qwen35(Translation& file) {
    const bool marked = file.has("vision.block_count") || file.has("image_token_id") ||
                        file.has("ssm.v_head_reordered") || file.has("rope.mrope_interleaved") ||
                        file.anyTensor("mtp.") || file.anyTensor("v.");
    if (!marked) {
        return;
    }
    file.collapse("attention.head_count_kv");
    file.renameTensors(".ssm_dt", ".ssm_dt.bias", true);
    const Value* sections = file.find("rope.dimension_sections");
    const ArrayView* array = sections != nullptr ? asArray(*sections) : nullptr;
    if (array != nullptr && array->length == 3 && array->elementType == ValueType::Int32) {
        ArrayBuilder padded(ValueType::Int32);
        for (std::uint64_t i = 0; i < 3; ++i) {
            padded.add(Value(static_cast<std::int32_t>(uintElement(*array, i).value_or(0))));
        }
        padded.add(Value(std::int32_t{0}));
        file.set(std::string(file.before()) + ".rope.dimension_sections", OwnedValue(Value(padded.view())));
    }
    file.leaveEncoders();
}

// The last length is 0 in the common form.
void qwen25vl(Translation& file) {
    const Value* sections = file.find("rope.mrope_section");
    const ArrayView* array = sections != nullptr ? asArray(*sections) : nullptr;
    file.renameArchitecture("qwen2vl");
    if (array != nullptr && array->length >= 3) {
        ArrayBuilder padded(ValueType::Int32);
        for (std::uint64_t i = 0; i < 3; ++i) {
            padded.add(Value(static_cast<std::int32_t>(uintElement(*array, i).value_or(0))));
        }
        padded.add(Value(std::int32_t{0}));
        file.set("qwen2vl.rope.dimension_sections", OwnedValue(Value(padded.view())));
    }
    file.leaveEncoders();
}

void onlyOllama(Translation& file) {
    file.leaveDifference(std::string(file.before()) + ".*");
    file.leaveEncoders();
}

void qwen3vl(Translation& file) {
    if (!file.has("rope.dimension_sections")) {
        file.leaveDifference(std::string(file.before()) + ".rope.dimension_sections");
        file.leaveEncoders();
    }
}

// Older projectors name no type, because there was only one.
void clip(Translation& file) {
    const bool llava = file.tensor("mm.0.weight") != nullptr && file.tensor("mm.2.weight") != nullptr;
    if (!file.has("projector_type") && !file.has("vision.projector_type") && llava && !file.anyTensor("resampler.")) {
        file.setKey("projector_type", std::string_view("mlp"));
    }
}

struct Row {
    std::string_view architecture;
    void (*translate)(Translation&);
};
constexpr auto kRows = std::to_array<Row>({
    {"clip", clip},
    {"deepseekocr", onlyOllama},
    {"gemma3", gemma3},
    {"gemma3n", gemma3n},
    {"gemma4", gemma4},
    {"glm4moelite", glm4MoeLite},
    {"glmocr", onlyOllama},
    {"gptoss", gptOss},
    {"laguna", laguna},
    {"lfm2", lfm2},
    {"llama4", withEncoders},
    {"mistral3", mistral3},
    {"mllama", onlyOllama},
    {"nemotron_h_moe", nemotronMoe},
    {"nemotron_h_omni", onlyOllama},
    {"olmo3", olmo3},
    {"qwen25vl", qwen25vl},
    {"qwen35", qwen35},
    {"qwen35moe", qwen35},
    {"qwen3next", qwen3next},
    {"qwen3vl", qwen3vl},
    {"qwen3vlmoe", qwen3vl},
});

std::string listed(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) {
        text += (text.empty() ? "" : ", ") + item;
    }
    return text;
}

} // namespace

std::optional<OllamaDialect> ollamaDialect(const Model& model) {
    const auto* row = std::ranges::find(kRows, model.metadata.architecture(), &Row::architecture);
    if (row == kRows.end()) {
        return std::nullopt;
    }
    Translation file(model);
    row->translate(file);
    return file.take();
}

Result<CheckOutcome> checkOllamaDialect(const CheckContext& context, FindingList& findings) {
    const auto dialect = ollamaDialect(context.model);
    if (!dialect) {
        return CheckOutcome::Ran;
    }
    const Place place = Place::key("general.architecture");
    if (dialect->unknown.empty()) {
        findings.add(FindingCode::OllamaDialect, place, {listed(dialect->differences)});
    } else {
        findings.add(FindingCode::OllamaDialectPart, place, {listed(dialect->differences), listed(dialect->unknown)});
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
