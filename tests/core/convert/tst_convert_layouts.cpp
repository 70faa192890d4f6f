// Architectures and formats without a folder that the official converter has converted: tiny models with exact logits
// are turned into the folders that they could come from (original_layout.h), and converted back. Every tensor, every
// key of the architecture and the logits must equal the model's.
#include "convert/convert_folder.h"
#include "document/open_model.h"
#include "gemma_layouts.h"
#include "inference/engine/gufo_engine.h"
#include "support/test_unit.h"

#include <QTemporaryDir>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::convert;
namespace fs = std::filesystem;

namespace {

// Mistral's own format.
std::vector<OriginalName> mistralNames() {
    return {
        {"token_embd.weight", "tok_embeddings.weight"},
        {"output_norm.weight", "norm.weight"},
        {"output.weight", "output.weight"},
        {"blk.{b}.attn_norm.weight", "layers.{b}.attention_norm.weight"},
        {"blk.{b}.attn_q.weight", "layers.{b}.attention.wq.weight"},
        {"blk.{b}.attn_k.weight", "layers.{b}.attention.wk.weight"},
        {"blk.{b}.attn_v.weight", "layers.{b}.attention.wv.weight"},
        {"blk.{b}.attn_output.weight", "layers.{b}.attention.wo.weight"},
        {"blk.{b}.ffn_norm.weight", "layers.{b}.ffn_norm.weight"},
        {"blk.{b}.ffn_gate.weight", "layers.{b}.feed_forward.w1.weight"},
        {"blk.{b}.ffn_down.weight", "layers.{b}.feed_forward.w2.weight"},
        {"blk.{b}.ffn_up.weight", "layers.{b}.feed_forward.w3.weight"},
        {"blk.{b}.ffn_gate_inp.weight", "layers.{b}.feed_forward.gate.weight"},
        {"blk.{b}.ffn_gate_exps.weight", "layers.{b}.feed_forward.experts.{e}.w1.weight"},
        {"blk.{b}.ffn_down_exps.weight", "layers.{b}.feed_forward.experts.{e}.w2.weight"},
        {"blk.{b}.ffn_up_exps.weight", "layers.{b}.feed_forward.experts.{e}.w3.weight"},
    };
}

// DeepSeek's names for latent attention and experts, in Hugging Face's layout.
std::vector<OriginalName> latentNames() {
    return decoderNames("model.", "",
                        {{"blk.{b}.attn_q_a.weight", ".self_attn.q_a_proj.weight"},
                         {"blk.{b}.attn_q_a_norm.weight", ".self_attn.q_a_layernorm.weight"},
                         {"blk.{b}.attn_q_b.weight", ".self_attn.q_b_proj.weight"},
                         {"blk.{b}.attn_kv_a_mqa.weight", ".self_attn.kv_a_proj_with_mqa.weight"},
                         {"blk.{b}.attn_kv_a_norm.weight", ".self_attn.kv_a_layernorm.weight"},
                         {"blk.{b}.attn_kv_b.weight", ".self_attn.kv_b_proj.weight"},
                         {"blk.{b}.ffn_gate_inp.weight", ".mlp.gate.weight"},
                         {"blk.{b}.exp_probs_b.bias", ".mlp.gate.e_score_correction_bias"},
                         {"blk.{b}.ffn_gate_exps.weight", ".mlp.experts.{e}.gate_proj.weight"},
                         {"blk.{b}.ffn_up_exps.weight", ".mlp.experts.{e}.up_proj.weight"},
                         {"blk.{b}.ffn_down_exps.weight", ".mlp.experts.{e}.down_proj.weight"},
                         {"blk.{b}.ffn_gate_shexp.weight", ".mlp.shared_experts.gate_proj.weight"},
                         {"blk.{b}.ffn_up_shexp.weight", ".mlp.shared_experts.up_proj.weight"},
                         {"blk.{b}.ffn_down_shexp.weight", ".mlp.shared_experts.down_proj.weight"}});
}

// The same in Mistral's own format.
std::vector<OriginalName> mistralLatentNames() {
    std::vector<OriginalName> names{
        {"blk.{b}.attn_q_a.weight", "layers.{b}.attention.wq_a.weight"},
        {"blk.{b}.attn_q_a_norm.weight", "layers.{b}.attention.q_a_norm.weight"},
        {"blk.{b}.attn_q_b.weight", "layers.{b}.attention.wq_b.weight"},
        {"blk.{b}.attn_kv_a_mqa.weight", "layers.{b}.attention.wkv_a_with_mqa.weight"},
        {"blk.{b}.attn_kv_a_norm.weight", "layers.{b}.attention.kv_a_norm.weight"},
        {"blk.{b}.attn_kv_b.weight", "layers.{b}.attention.wkv_b.weight"},
        {"blk.{b}.ffn_gate_inp.weight", "layers.{b}.gate.weight"},
        {"blk.{b}.ffn_gate_exps.weight", "layers.{b}.experts.{e}.w1.weight"},
        {"blk.{b}.ffn_down_exps.weight", "layers.{b}.experts.{e}.w2.weight"},
        {"blk.{b}.ffn_up_exps.weight", "layers.{b}.experts.{e}.w3.weight"},
        {"blk.{b}.ffn_gate_shexp.weight", "layers.{b}.shared_experts.w1.weight"},
        {"blk.{b}.ffn_down_shexp.weight", "layers.{b}.shared_experts.w2.weight"},
        {"blk.{b}.ffn_up_shexp.weight", "layers.{b}.shared_experts.w3.weight"},
    };
    for (OriginalName& name : mistralNames()) {
        names.push_back(std::move(name));
    }
    return names;
}

// The fixtures have the up-projection of latent keys and values in one tensor, whose keys and values count as heads.
const QStringList kLatentMissing{"attention.head_count_kv", "attention.key_length", "attention.value_length",
                                 "tokenizer.ggml.merges", "tokenizer.ggml.add_bos_token"};
// The configuration of a model with latent attention and experts; `differing` are the members in which such models
// differ.
std::string latentConfig(std::string_view differing) {
    return "{" + std::string(differing) + R"(,"hidden_size":24,"num_hidden_layers":3,
        "intermediate_size":32,"num_attention_heads":2,"num_key_value_heads":2,"rms_norm_eps":1e-06,
        "rope_theta":10000,"max_position_embeddings":4096,"vocab_size":64,"first_k_dense_replace":1,
        "q_lora_rank":24,"kv_lora_rank":32,"qk_nope_head_dim":16,"qk_rope_head_dim":16,"v_head_dim":16,
        "moe_intermediate_size":12,"n_routed_experts":8,"num_experts_per_tok":3,"n_shared_experts":1,
        "routed_scaling_factor":2.5,"norm_topk_prob":true,
        "rope_scaling":{"type":"yarn","factor":4,"original_max_position_embeddings":1024,"mscale":1.0,
        "mscale_all_dim":1.0}})";
}

const QStringList kLatentAdded{"vocab_size", "attention.key_length_mla", "attention.value_length_mla"};

std::vector<OriginalName> qwen35Names() {
    using namespace layout;
    return decoderNames("model.language_model.", "",
                        {
                            {"output_norm.weight", "model.language_model.norm.weight", minusOne},
                            {"blk.{b}.attn_norm.weight", ".input_layernorm.weight", minusOne},
                            {"blk.{b}.post_attention_norm.weight", ".post_attention_layernorm.weight", minusOne},
                            {"blk.{b}.attn_q_norm.weight", ".self_attn.q_norm.weight", minusOne},
                            {"blk.{b}.attn_k_norm.weight", ".self_attn.k_norm.weight", minusOne},
                            {"blk.{b}.attn_qkv.weight", ".linear_attn.in_proj_qkv.weight", groupedInputs},
                            {"blk.{b}.attn_gate.weight", ".linear_attn.in_proj_z.weight", groupedValues},
                            {"blk.{b}.ssm_beta.weight", ".linear_attn.in_proj_b.weight", groupedHeads},
                            {"blk.{b}.ssm_alpha.weight", ".linear_attn.in_proj_a.weight", groupedHeads},
                            {"blk.{b}.ssm_conv1d.weight", ".linear_attn.conv1d.weight", groupedConvolution},
                            {"blk.{b}.ssm_dt.bias", ".linear_attn.dt_bias", groupedHeads},
                            {"blk.{b}.ssm_a", ".linear_attn.A_log", groupedLogarithm},
                            {"blk.{b}.ssm_norm.weight", ".linear_attn.norm.weight"},
                            {"blk.{b}.ssm_out.weight", ".linear_attn.out_proj.weight", groupedColumns},
                            {"blk.{b}.ffn_gate_inp.weight", ".mlp.gate.weight"},
                            {"blk.{b}.ffn_gate_exps.weight", ".mlp.experts.gate_up_proj"},
                            {"blk.{b}.ffn_up_exps.weight", ".mlp.experts.gate_up_proj"},
                            {"blk.{b}.ffn_down_exps.weight", ".mlp.experts.down_proj"},
                            {"blk.{b}.ffn_gate_inp_shexp.weight", ".mlp.shared_expert_gate.weight"},
                            {"blk.{b}.ffn_gate_shexp.weight", ".mlp.shared_expert.gate_proj.weight"},
                            {"blk.{b}.ffn_up_shexp.weight", ".mlp.shared_expert.up_proj.weight"},
                            {"blk.{b}.ffn_down_shexp.weight", ".mlp.shared_expert.down_proj.weight"},
                        });
}

constexpr const char* kQwen35Numbers =
    R"("hidden_size":32,"num_hidden_layers":4,"num_attention_heads":4,"num_key_value_heads":2,"rms_norm_eps":1e-06,
       "max_position_embeddings":128,"linear_conv_kernel_dim":4,"linear_key_head_dim":8,"linear_value_head_dim":8,
       "linear_num_key_heads":2,"linear_num_value_heads":4,"vocab_size":264,)";

const std::vector<Layout>& decoderLayouts() {
    static const std::string qwen35 =
        R"({"architectures":["Qwen3_5ForConditionalGeneration"],"vision_config":{"hidden_size":7},"text_config":{)" +
        std::string(kQwen35Numbers) + R"("intermediate_size":48,"head_dim":16,"full_attention_interval":4,
       "layer_types":["linear_attention","linear_attention","linear_attention","full_attention"],
       "rope_parameters":{"rope_type":"default","rope_theta":10000000,"partial_rotary_factor":0.5,
       "mrope_section":[2,1,1]}}})";
    static const std::string qwen35Moe =
        R"({"architectures":["Qwen3_5MoeForCausalLM"],)" + std::string(kQwen35Numbers) + R"("intermediate_size":64,
       "head_dim":12,"layer_types":["linear_attention","full_attention","full_attention","linear_attention"],
       "num_experts":6,"num_experts_per_tok":2,"moe_intermediate_size":10,"shared_expert_intermediate_size":16,
       "rope_parameters":{"rope_type":"default","rope_theta":10000000,"partial_rotary_factor":0.6666667,
       "mrope_section":[2,1,1]}})";
    static const LayoutSizes qwenSizes{
        .heads = 4, .kvHeads = 2, .keyHeads = 2, .valuesPerKey = 2, .keyRows = 32, .valueWidth = 8};
    static const std::vector<Layout> rows{
        {.name = "cohere2",
         .model = "cohere2",
         .config = R"({"architectures":["Cohere2ForCausalLM"],"hidden_size":48,"num_hidden_layers":4,
            "intermediate_size":48,"num_attention_heads":3,"num_key_value_heads":1,"layer_norm_eps":1e-05,
            "rope_theta":50000,"max_position_embeddings":4096,"sliding_window":8,"logit_scale":0.25,"vocab_size":264,
            "rotary_pct":1.0,"layer_types":["sliding_attention","sliding_attention","full_attention",
            "sliding_attention"]})",
         .names = decoderNames("model.", "", {}),
         .added = {"vocab_size", "rope.dimension_count", "rope.scaling.type"},
         .missing = {},
         .unused = {{"model.layers.1.self_attn.q_proj.bias", "zero"}, {"lm_head.weight", "tied"}}},
        {.name = "olmo3",
         .model = "olmo2-swa",
         .config = R"({"architectures":["Olmo3ForCausalLM"],"hidden_size":48,"num_hidden_layers":4,
            "intermediate_size":40,"num_attention_heads":3,"num_key_value_heads":3,"rms_norm_eps":1e-06,
            "rope_theta":500000,"max_position_embeddings":4096,"sliding_window":8,"vocab_size":53,
            "rope_scaling":{"rope_type":"yarn","factor":8.0,"original_max_position_embeddings":128},
            "layer_types":["sliding_attention","full_attention","full_attention","sliding_attention"]})",
         .names = decoderNames("model.", "",
                               {{"blk.{b}.post_attention_norm.weight", ".post_attention_layernorm.weight"},
                                {"blk.{b}.post_ffw_norm.weight", ".post_feedforward_layernorm.weight"}}),
         .missing = {"rope.scaling.finetuned", "tokenizer.ggml.merges"}},
        {.name = "granitemoe",
         .model = "granitemoe",
         .config = R"({"architectures":["GraniteMoeForCausalLM"],"hidden_size":32,"num_hidden_layers":2,
            "intermediate_size":24,"num_attention_heads":4,"num_key_value_heads":2,"rms_norm_eps":1e-05,
            "rope_theta":10000,"max_position_embeddings":4096,"num_local_experts":6,"num_experts_per_tok":2,
            "attention_multiplier":0.2,"embedding_multiplier":5.0,"residual_multiplier":0.5,"logits_scaling":6.0,
            "vocab_size":264})",
         .names = decoderNames("model.", "",
                               halved({{"blk.{b}.ffn_gate_inp.weight", ".block_sparse_moe.router.layer.weight"},
                                       {"blk.{b}.ffn_gate_exps.weight", ".block_sparse_moe.input_linear.weight"},
                                       {"blk.{b}.ffn_up_exps.weight", ".block_sparse_moe.input_linear.weight"},
                                       {"blk.{b}.ffn_down_exps.weight", ".block_sparse_moe.output_linear.weight"}})),
         .sizes = {.heads = 4, .kvHeads = 2},
         .added = {"vocab_size", "rope.dimension_count"}},
        {.name = "mistral3 with pictures",
         .model = "mistral3",
         .config = R"({"architectures":["Mistral3ForConditionalGeneration"],"vision_config":{"hidden_size":9},
            "text_config":{"model_type":"ministral3","hidden_size":48,"num_hidden_layers":2,"intermediate_size":48,
            "num_attention_heads":3,"num_key_value_heads":1,"head_dim":32,"rms_norm_eps":1e-05,
            "max_position_embeddings":4096,"vocab_size":264,"rope_parameters":{"rope_type":"yarn","factor":16.0,
            "original_max_position_embeddings":40,"beta_fast":4.0,"beta_slow":0.25,"mscale":1.0,"mscale_all_dim":1.0,
            "llama_4_scaling_beta":0.4,"rope_theta":500.0}}})",
         .names = decoderNames("language_model.model.", "language_model.", halved({})),
         .sizes = {.heads = 3, .kvHeads = 1},
         .added = {"vocab_size", "rope.dimension_count"},
         .unused = {{"vision_tower.patch_conv.weight", "other_modality"},
                    {"multi_modal_projector.linear_1.weight", "other_modality"}}},
        {.name = "mistral3 in Mistral's format",
         .model = "mistral3",
         .config = R"({"dim":48,"n_layers":2,"head_dim":32,"hidden_dim":48,"n_heads":3,"n_kv_heads":1,
            "rope_theta":500.0,"norm_eps":1e-05,"vocab_size":264,"max_position_embeddings":4096,
            "llama_4_scaling":{"original_max_position_embeddings":40,"beta":0.4},
            "yarn":{"original_max_position_embeddings":40,"factor":16,"apply_scale":false,"beta":4,"alpha":0.25}})",
         .configFile = "params.json",
         .weightsFile = "consolidated.safetensors",
         .names = mistralNames(),
         .added = {"vocab_size", "rope.dimension_count"},
         .unused = {{"vision_encoder.patch_conv.weight", "other_modality"},
                    {"vision_language_adapter.w_in.weight", "other_modality"}}},
        {.name = "mistral3 with experts in Mistral's format",
         .model = "mistral3-moe",
         .config = R"({"dim":32,"n_layers":2,"head_dim":16,"hidden_dim":24,"n_heads":4,"n_kv_heads":2,
            "rope_theta":1000000.0,"norm_eps":1e-05,"vocab_size":264,"max_position_embeddings":4096,
            "llama_4_scaling":{"original_max_position_embeddings":40,"beta":0.0},
            "moe":{"num_experts":6,"num_experts_per_tok":2}})",
         .configFile = "params.json",
         .weightsFile = "consolidated.safetensors",
         .names = mistralNames(),
         .added = {"vocab_size", "rope.dimension_count", "attention.temperature_scale"}},
        {.name = "mixtral",
         .model = "llama-moe",
         .config = R"({"architectures":["MixtralForCausalLM"],"hidden_size":32,"num_hidden_layers":2,
            "intermediate_size":20,"num_attention_heads":4,"num_key_value_heads":2,"rms_norm_eps":1e-05,
            "rope_theta":1000000.0,"max_position_embeddings":128,"num_local_experts":4,"num_experts_per_tok":2,
            "vocab_size":64})",
         .names = decoderNames("model.", "",
                               halved({{"blk.{b}.ffn_gate_inp.weight", ".block_sparse_moe.gate.weight"},
                                       {"blk.{b}.ffn_gate_exps.weight", ".block_sparse_moe.experts.{e}.w1.weight"},
                                       {"blk.{b}.ffn_down_exps.weight", ".block_sparse_moe.experts.{e}.w2.weight"},
                                       {"blk.{b}.ffn_up_exps.weight", ".block_sparse_moe.experts.{e}.w3.weight"}})),
         .sizes = {.heads = 4, .kvHeads = 2}},
        {.name = "mixtral in Mistral's format",
         .model = "llama-moe",
         .config = R"({"dim":32,"n_layers":2,"n_heads":4,"n_kv_heads":2,"hidden_dim":20,"rope_theta":1000000.0,
            "norm_eps":1e-05,"vocab_size":64,"max_seq_len":128,"moe":{"num_experts":4,"num_experts_per_tok":2}})",
         .configFile = "params.json",
         .weightsFile = "consolidated.safetensors",
         .names = mistralNames()},
        {.name = "llama with YaRN inside a model of pictures",
         .model = "llama-yarn",
         .config = R"({"architectures":["LlavaForConditionalGeneration"],"text_config":{
            "architectures":["LlamaForCausalLM"],"hidden_size":32,"num_hidden_layers":2,"intermediate_size":32,
            "num_attention_heads":2,"num_key_value_heads":1,"rms_norm_eps":1e-05,"max_position_embeddings":16384,
            "vocab_size":64,"rope_scaling":{"type":"yarn","factor":4.0,"original_max_position_embeddings":4096}}})",
         .names = decoderNames("language_model.model.", "language_model.", halved({})),
         .sizes = {.heads = 2, .kvHeads = 1},
         .unused = {{"vision_tower.vision_model.post_layernorm.weight", "other_modality"},
                    {"image_newline", "other_modality"}}},
        {.name = "phi3 with LongRoPE",
         .model = "phi3-longrope",
         .config = R"({"architectures":["Phi3ForCausalLM"],"hidden_size":32,"num_hidden_layers":2,
            "intermediate_size":32,"num_attention_heads":2,"num_key_value_heads":1,"rms_norm_eps":1e-05,
            "rope_theta":10000.0,"max_position_embeddings":256,"original_max_position_embeddings":64,
            "sliding_window":512,"vocab_size":64,
            "rope_scaling":{"type":"longrope","attention_factor":1.19,"long_factor":@long,"short_factor":@short}})",
         .names = decoderNames("model.", "",
                               {{"blk.{b}.attn_qkv.weight", ".self_attn.qkv_proj.weight"},
                                {"blk.{b}.ffn_up.weight", ".mlp.gate_up_proj.weight"}})},
        {.name = "arcee",
         .model = "arcee",
         .config = R"({"architectures":["ArceeForCausalLM"],"hidden_size":48,"num_hidden_layers":2,
            "intermediate_size":72,"num_attention_heads":3,"num_key_value_heads":1,"rms_norm_eps":1e-05,
            "rope_theta":10000.0,"max_position_embeddings":4096,"vocab_size":264,"hidden_act":"relu2",
            "rope_scaling":{"rope_type":"yarn","factor":20.0,"original_max_position_embeddings":128}})",
         .names = decoderNames("model.", "", halved({})),
         .sizes = {.heads = 3, .kvHeads = 1},
         .added = {"vocab_size", "rope.dimension_count"}},
        {.name = "deepseek v3",
         .model = "deepseek2-v3",
         .config = latentConfig(R"("architectures":["DeepseekV3ForCausalLM"],"scoring_func":"sigmoid")"),
         .names = latentNames(),
         .added = kLatentAdded,
         .missing = kLatentMissing,
         .unused = {{"model.layers.3.input_layernorm.weight", "draft_layers"}}},
        {.name = "glm4moelite",
         .model = "deepseek2-v3",
         .config = latentConfig(R"("architectures":["Glm4MoeLiteForCausalLM"],"topk_method":"noaux_tc")"),
         .names = latentNames(),
         .added = kLatentAdded,
         .missing = kLatentMissing},
        {.name = "mistral large 3 in Mistral's format",
         .model = "deepseek2",
         .config = R"({"dim":24,"n_layers":3,"n_heads":2,"n_kv_heads":2,"hidden_dim":32,"norm_eps":1e-06,
            "rope_theta":10000.0,"vocab_size":64,"max_position_embeddings":4096,"q_lora_rank":24,"kv_lora_rank":32,
            "qk_nope_head_dim":16,"qk_rope_head_dim":16,"v_head_dim":16,
            "llama_4_scaling":{"original_max_position_embeddings":1024,"beta":0.1},
            "yarn":{"original_max_position_embeddings":1024,"factor":4,"apply_scale":false,"beta":32,"alpha":1},
            "moe":{"expert_hidden_dim":12,"num_experts":6,"num_shared_experts":2,"num_experts_per_tok":2,
            "first_k_dense_replace":1,"routed_scale":1.5,"route_every_n":1}})",
         .configFile = "params.json",
         .weightsFile = "consolidated.safetensors",
         .names = mistralLatentNames(),
         .added = kLatentAdded + QStringList{"rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow",
                                             "attention.temperature_scale", "attention.temperature_length"},
         .missing = kLatentMissing,
         .unused = {{"vision_encoder.patch_conv.weight", "other_modality"}},
         .chosen = {"expert_weights_norm", "rope.scaling.yarn_log_multiplier"}},
        {.name = "qwen35 with pictures",
         .model = "qwen35",
         .config = qwen35,
         .names = qwen35Names(),
         .sizes = qwenSizes,
         .added = {"attention.recurrent_layers", "full_attention_interval"},
         .missing = {},
         .unused = {{"model.visual.patch_embed.proj.weight", "other_modality"}},
         .relative = 1e-6},
        {.name = "qwen35moe",
         .model = "qwen35moe",
         .config = qwen35Moe,
         .names = qwen35Names(),
         .sizes = qwenSizes,
         .added = {"full_attention_interval"},
         .missing = {},
         .relative = 1e-6},
    };
    return rows;
}

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> all = [] {
        std::vector<Layout> layouts = decoderLayouts();
        std::ranges::move(gemmaLayouts(), std::back_inserter(layouts));
        return layouts;
    }();
    return all;
}

std::vector<float> weightsOf(const Model& model, const TensorInfo& tensor) {
    std::vector<float> weights(tensor.weights());
    const auto rows = model.rowsOf(tensor);
    return rows && decode(*rows, 0, weights) ? weights : std::vector<float>();
}

std::vector<std::uint64_t> withoutOnes(const Shape& shape) {
    std::vector<std::uint64_t> dims(shape.dims().begin(), shape.dims().end());
    std::erase(dims, 1U);
    return dims;
}

// DeepSeek's up-projection of latent keys and values, which converters of today divide.
bool isJoinedLatent(const TensorInfo& tensor) { return tensor.name.ends_with("attn_kv_b.weight"); }

// A copy of the model with the values that another has for some keys of the architecture.
std::shared_ptr<const Model> withKeysOf(const std::shared_ptr<const Model>& model, const Model& other,
                                        const QStringList& suffixes) {
    auto changed = std::make_shared<Model>(*model);
    changed->metadata = {};
    for (KeyValue entry : model->metadata) {
        const bool chosen = std::ranges::any_of(suffixes, [&](const QString& suffix) {
            return entry.key == other.metadata.architectureKey(suffix.toStdString());
        });
        entry.value = chosen ? *other.metadata.find(entry.key) : entry.value;
        changed->metadata.add(entry);
    }
    return changed;
}

QString listOf(const std::vector<float>& values) {
    QStringList texts;
    for (const float value : values) {
        texts << QString::number(static_cast<double>(value), 'g', 9);
    }
    return '[' + texts.join(',') + ']';
}

QJsonObject facts(const QString& model) {
    QFile file(kFixtures + model + ".json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<float> exactLogits(const QString& model) {
    QFile file(kFixtures + model + ".exact.bin");
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    std::vector<float> logits(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(logits.data(), bytes.data(), logits.size() * sizeof(float));
    return logits;
}

} // namespace

class TestConvertLayouts final : public QObject {
    Q_OBJECT

private slots:
    void convertsBack_data() {
        QTest::addColumn<Layout>("layout");
        for (const Layout& layout : layouts()) {
            QTest::newRow(layout.name) << layout;
        }
    }
    void convertsBack();

private:
    void compareTensors(const Model& model, const Model& original, double relative);
    void compareLatent(const Model& model, const Model& original, const TensorInfo& joined);
    void compareKeys(const Model& model, const Model& original, const Layout& layout);
    void compareLogits(std::shared_ptr<const Model> model, const QString& name);
};

void TestConvertLayouts::compareTensors(const Model& model, const Model& original, double relative) {
    const auto joined = static_cast<std::size_t>(std::ranges::count_if(original.tensors, isJoinedLatent));
    QCOMPARE(model.tensors.size(), original.tensors.size() + joined);
    for (const TensorInfo& expected : original.tensors) {
        if (isJoinedLatent(expected)) {
            compareLatent(model, original, expected);
            continue;
        }
        const auto index = model.findTensor(expected.name);
        QVERIFY2(index, std::string(expected.name).c_str());
        const TensorInfo& tensor = model.tensor(*index);
        QCOMPARE(withoutOnes(tensor.shape), withoutOnes(expected.shape));
        const std::vector<float> weights = weightsOf(model, tensor);
        const std::vector<float> wanted = weightsOf(original, expected);
        QVERIFY(!wanted.empty() && weights.size() == wanted.size());
        // These went through a logarithm, or lost a bit when 1 was subtracted.
        const bool rounded = expected.name.ends_with(".ssm_a") || expected.name.ends_with("norm.weight");
        const double allowed = rounded ? relative : 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double difference = std::abs(static_cast<double>(weights[i]) - static_cast<double>(wanted[i]));
            QVERIFY2(difference <= allowed * std::abs(static_cast<double>(wanted[i])),
                     qPrintable(QString("%1[%2]").arg(std::string(expected.name).c_str()).arg(i)));
        }
    }
}

// Of each head, the first rows become keys, transposed, and the others values.
void TestConvertLayouts::compareLatent(const Model& model, const Model& original, const TensorInfo& joined) {
    const std::string prefix(joined.name.substr(0, joined.name.find("attn_kv_b")));
    const auto keyIndex = model.findTensor(prefix + "attn_k_b.weight");
    const auto valueIndex = model.findTensor(prefix + "attn_v_b.weight");
    QVERIFY(keyIndex && valueIndex);
    const TensorInfo& keyTensor = model.tensor(*keyIndex);
    const TensorInfo& valueTensor = model.tensor(*valueIndex);
    const std::vector<float> keys = weightsOf(model, keyTensor);
    const std::vector<float> values = weightsOf(model, valueTensor);
    const std::vector<float> wanted = weightsOf(original, joined);
    const std::size_t rank = joined.shape[0];
    const std::size_t keyRows = keyTensor.shape[0];
    const std::size_t valueRows = valueTensor.shape[1];
    const std::size_t heads = keyTensor.shape[2];
    QCOMPARE(wanted.size(), rank * (keyRows + valueRows) * heads);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::size_t column = i % rank;
        const std::size_t row = i / rank % (keyRows + valueRows);
        const std::size_t head = i / rank / (keyRows + valueRows);
        const float found = row < keyRows ? keys[(head * rank + column) * keyRows + row]
                                          : values[(head * valueRows + row - keyRows) * rank + column];
        QCOMPARE(found, wanted[i]);
    }
}

void TestConvertLayouts::compareKeys(const Model& model, const Model& original, const Layout& layout) {
    const std::string prefix = std::string(original.metadata.architecture()) + ".";
    const auto isCompared = [&](std::string_view key) {
        return key.starts_with(prefix) || key == "tokenizer.ggml.tokens" || key == "tokenizer.ggml.token_type" ||
               key == "tokenizer.ggml.merges" || key.ends_with("s_token_id") || key == "tokenizer.ggml.add_bos_token";
    };
    QStringList added;
    for (const KeyValue& entry : model.metadata) {
        if (entry.key.starts_with(prefix) && original.metadata.find(entry.key) == nullptr) {
            added << QString::fromStdString(std::string(entry.key.substr(prefix.size())));
        }
    }
    QCOMPARE(QSet<QString>(added.begin(), added.end()), QSet<QString>(layout.added.begin(), layout.added.end()));
    const bool hasTokenizer = model.metadata.find("tokenizer.ggml.tokens") != nullptr;
    for (const KeyValue& entry : original.metadata) {
        const QString key = QString::fromStdString(std::string(entry.key));
        const bool isPrefixed = entry.key.starts_with(prefix);
        if (!isCompared(entry.key) ||
            layout.chosen.contains(isPrefixed ? key.mid(static_cast<qsizetype>(prefix.size())) : key) ||
            layout.missing.contains(isPrefixed ? key.mid(static_cast<qsizetype>(prefix.size())) : key) ||
            (key.startsWith("tokenizer.") && !hasTokenizer)) {
            continue;
        }
        const Value* value = model.metadata.find(entry.key);
        QVERIFY2(value != nullptr, qPrintable(key));
        QVERIFY2(OwnedValue(*value) == OwnedValue(entry.value), qPrintable(key));
    }
}

void TestConvertLayouts::compareLogits(std::shared_ptr<const Model> model, const QString& name) {
    const QJsonObject json = facts(name);
    const auto loaded = inference::loadForInference(std::move(model));
    QVERIFY(loaded);
    std::vector<TokenId> tokens;
    for (const QJsonValue& id : json["tokens"].toArray()) {
        tokens.emplace_back(static_cast<std::size_t>(id.toInt()));
    }
    const auto session = (*loaded)->startSession({.context = static_cast<std::uint32_t>(json["n_ctx"].toInt()),
                                                  .keys = KvCacheType::F32,
                                                  .values = KvCacheType::F32,
                                                  .threads = 1});
    QVERIFY(session);
    const double difference = largestDifference(logitsOf(**session, tokens, tokens.size()), exactLogits(name));
    QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
}

void TestConvertLayouts::convertsBack() {
    QFETCH(const Layout, layout);
    const auto original = openFixture(layout.model);
    QVERIFY(original);
    OriginalWeights weights(layout.sizes);
    std::vector<OriginalName> names = layout.names;
    names.push_back({"rope_factors_long.weight", "@long"}); // stated by the configuration
    names.push_back({"rope_factors_short.weight", "@short"});
    names.push_back({"rope_freqs.weight", "@frequencies"});
    QVERIFY(weights.add(*original, names));
    (void)weights.take("@frequencies"); // computed
    QString config = QString::fromStdString(layout.config);
    for (const char* factors : {"long", "short"}) {
        const QString place = QString("@%1").arg(factors);
        if (config.contains(place)) {
            const std::vector<float> values = weights.take(place.toStdString());
            QVERIFY(!values.empty());
            config.replace(place, listOf(values));
        }
    }
    for (const auto& [name, reason] : layout.unused) {
        weights.add(name, {{2, 3}, std::vector<float>(6)});
    }
    const QTemporaryDir folder;
    const fs::path in = folder.path().toStdString();
    std::ofstream(in / layout.configFile) << config.toStdString();
    weights.build().write(in / layout.weightsFile);
    const bool inBytes = original->metadata.string("tokenizer.ggml.model") == "gpt2";
    if (inBytes) {
        writeByteLevelTokenizer(*original, in);
    }

    const auto source = SourceFolder::open(in);
    QVERIFY(source);
    const ConvertRequest request{.recipe = {.recipe = findRecipe("F32")}};
    const auto plan = planConversion(*source, request);
    QVERIFY2(plan, plan ? ""
                        : (std::string(errorName(plan.error().code)) + " " + plan.error().place.name + " " +
                           (plan.error().args.empty() ? "" : plan.error().args[0].text()))
                              .c_str());
    for (const Finding& finding : std::span(plan->findings).first(plan->obstacles)) {
        QVERIFY2(false, (std::string(finding.name()) + ' ' + finding.place.name).c_str());
    }
    QCOMPARE(plan->unused.size(), layout.unused.size());
    for (const auto& [name, reason] : layout.unused) {
        const auto found = std::ranges::find(plan->unused, name, &UnusedTensor::name);
        QVERIFY2(found != plan->unused.end() && found->reason == reason, name);
    }
    QVERIFY(writeConverted(*source, *plan, request, in / "out.gguf"));
    const auto model = openModel(in / "out.gguf");
    QVERIFY(model);
    QCOMPARE((*model)->metadata.architecture(), original->metadata.architecture());
    compareTensors(**model, *original, layout.relative);
    compareKeys(**model, *original, layout);
    compareLogits(withKeysOf(*model, *original, layout.chosen), layout.model);
}

GUFO_TEST(TestConvertLayouts)
#include "tst_convert_layouts.moc"
