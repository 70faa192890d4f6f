// Gemma 3n and 4 as Hugging Face stores them, with blocks that have an input of their own (tst_convert_layouts.cpp).
#pragma once

#include "layout.h"

#include <algorithm>

namespace gufo::test {

// The folder has embeddings of tokens that stand for pictures and sounds.
inline Weights withMoreTokens(Weights weights, const LayoutSizes&) {
    weights.dims[0] += 2;
    weights.values.resize(weights.values.size() + 2 * weights.dims[1], 9.0F);
    return weights;
}

// What both have in common.
inline std::vector<OriginalName> gemmaNames(std::vector<OriginalName> specific) {
    const std::string prefix = "model.language_model.";
    std::ranges::copy(std::to_array<OriginalName>({
                          {"per_layer_token_embd.weight", prefix + "embed_tokens_per_layer.weight"},
                          {"per_layer_model_proj.weight", prefix + "per_layer_model_projection.weight"},
                          {"per_layer_proj_norm.weight", prefix + "per_layer_projection_norm.weight"},
                          {"blk.{b}.post_attention_norm.weight", ".post_attention_layernorm.weight"},
                          {"blk.{b}.ffn_norm.weight", ".pre_feedforward_layernorm.weight"},
                          {"blk.{b}.post_ffw_norm.weight", ".post_feedforward_layernorm.weight"},
                          {"blk.{b}.inp_gate.weight", ".per_layer_input_gate.weight"},
                          {"blk.{b}.proj.weight", ".per_layer_projection.weight"},
                          {"blk.{b}.post_norm.weight", ".post_per_layer_input_norm.weight"},
                      }),
                      std::back_inserter(specific));
    return decoderNames(prefix, "", std::move(specific));
}

inline std::vector<OriginalName> gemma3nNames() {
    const std::string prefix = "model.language_model.";
    return gemmaNames({
        {"token_embd.weight", prefix + "embed_tokens.weight", withMoreTokens},
        {"altup_proj.weight", prefix + "altup_projections.{e}.weight"},
        {"altup_unembd_proj.weight", prefix + "altup_unembed_projections.{e}.weight"},
        {"blk.{b}.altup_correct_coef.weight", ".altup.correction_coefs.weight"},
        {"blk.{b}.altup_correct_scale.weight", ".altup.correct_output_scale"},
        {"blk.{b}.altup_predict_coef.weight", ".altup.prediction_coefs.weight"},
        {"blk.{b}.altup_router.weight", ".altup.modality_router.weight"},
        {"blk.{b}.altup_router_norm.weight", ".altup.router_norm.weight"},
        {"blk.{b}.laurel_l.weight", ".laurel.linear_left.weight"},
        {"blk.{b}.laurel_r.weight", ".laurel.linear_right.weight"},
        {"blk.{b}.laurel_post_norm.weight", ".laurel.post_laurel_norm.weight"},
    });
}

inline std::vector<OriginalName> gemma4Names() {
    return gemmaNames({
        {"blk.{b}.layer_output_scale.weight", ".layer_scalar"},
        {"blk.{b}.post_ffw_norm_1.weight", ".post_feedforward_layernorm_1.weight"},
        {"blk.{b}.pre_ffw_norm_2.weight", ".pre_feedforward_layernorm_2.weight"},
        {"blk.{b}.post_ffw_norm_2.weight", ".post_feedforward_layernorm_2.weight"},
        {"blk.{b}.ffn_gate_inp.weight", ".router.proj.weight"},
        {"blk.{b}.ffn_gate_inp.scale", ".router.scale"},
        {"blk.{b}.ffn_down_exps.scale", ".router.per_expert_scale"},
        {"blk.{b}.ffn_gate_up_exps.weight", ".experts.gate_up_proj"},
        {"blk.{b}.ffn_down_exps.weight", ".experts.down_proj"},
    });
}

// The configuration of a Gemma 4 with the numbers that all of the tiny ones share.
inline std::string gemma4Config(const std::string& differing, const std::string& layers) {
    return R"({"architectures":["Gemma4ForConditionalGeneration"],"vision_config":{"hidden_size":7},"text_config":{
        "hidden_size":32,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":8,"global_head_dim":16,
        "max_position_embeddings":128,"rms_norm_eps":1e-06,"sliding_window":6,"vocab_size":280,"rope_parameters":{
        "full_attention":{"rope_type":"proportional","partial_rotary_factor":0.25,"rope_theta":1000000.0},
        "sliding_attention":{"rope_type":"default","rope_theta":10000.0}},)" +
           differing + R"(,"layer_types":[)" + layers + "]}}";
}

inline std::vector<Layout> gemmaLayouts() {
    const std::string window = R"("sliding_attention")";
    const std::string full = R"("full_attention")";
    const std::string group = window + "," + window + "," + window + "," + window + "," + full;
    std::string shares = "0.95";
    for (int layer = 1; layer < 25; ++layer) {
        shares += layer < 10 ? ",0.95" : ",0.0";
    }
    return {
        {.name = "gemma3n with pictures and sounds",
         .model = "gemma3n",
         .config =
             R"({"architectures":["Gemma3nForConditionalGeneration"],"audio_config":{"hidden_size":7},"text_config":{
            "hidden_size":16,"num_hidden_layers":25,"intermediate_size":24,"num_attention_heads":2,
            "num_key_value_heads":1,"head_dim":8,"rms_norm_eps":1e-06,"rope_theta":1000000.0,
            "rope_local_base_freq":10000.0,"max_position_embeddings":128,"sliding_window":6,"vocab_size":50,
            "vocab_size_per_layer_input":48,"hidden_size_per_layer_input":256,"altup_active_idx":0,
            "altup_num_inputs":4,"num_kv_shared_layers":5,"final_logit_softcapping":30.0,
            "activation_sparsity_pattern":[)" +
             shares + R"(],"layer_types":[)" + group + "," + group + "," + group + "," + group + "," + group + "]}}",
         .names = gemma3nNames(),
         .added = {"rope.freq_base_swa"},
         .unused = {{"model.embed_vision.embedding.weight", "other_modality"},
                    {"model.embed_audio.embedding.weight", "other_modality"},
                    {"model.audio_tower.conv.weight", "other_modality"}},
         .chosen = {"activation_sparsity_scale"}}, // the same but for the last bit
        {.name = "gemma4 with wide layers that share keys",
         .model = "gemma4",
         .config = gemma4Config(R"("num_hidden_layers":5,"intermediate_size":40,"num_kv_shared_layers":2,
            "hidden_size_per_layer_input":12,"use_double_wide_mlp":true,"final_logit_softcapping":8.0,
            "num_global_key_value_heads":null)",
                                window + "," + window + "," + full + "," + window + "," + full),
         .names = gemma4Names(),
         .unused = {{"model.vision_tower.patch_embedder.weight", "other_modality"}, {"lm_head.weight", "tied"}}},
        {.name = "gemma4 whose keys serve as values",
         .model = "gemma4-altattn",
         .config = gemma4Config(R"("num_hidden_layers":4,"intermediate_size":64,"attention_k_eq_v":true,
            "hidden_size_per_layer_input":0,"final_logit_softcapping":10.0,"num_global_key_value_heads":1)",
                                window + "," + window + "," + window + "," + full),
         .names = gemma4Names()},
        {.name = "gemma4 with experts",
         .model = "gemma4-moe",
         .config = gemma4Config(R"("num_hidden_layers":3,"intermediate_size":32,"attention_k_eq_v":true,
            "enable_moe_block":true,"num_experts":6,"top_k_experts":2,"moe_intermediate_size":16,
            "final_logit_softcapping":10.0,"num_global_key_value_heads":1)",
                                window + "," + window + "," + full),
         .names = gemma4Names()},
    };
}

} // namespace gufo::test
