// The names of the tensors of each family, in addition to the names that most decoders share (common_tables.cpp). Only
// architecture_table.cpp includes this.
#pragma once

#include "convert/tensor_operations.h"

namespace gufo::convert {

inline constexpr auto kLlamaTensors = std::to_array<TensorPattern>({
    {"layers.{b}.self_attn.q_proj", "blk.{b}.attn_q", permuteQueries},
    {"layers.{b}.self_attn.k_proj", "blk.{b}.attn_k", permuteKeys},
    {"layers.{b}.block_sparse_moe.gate", "blk.{b}.ffn_gate_inp"},
    {"layers.{b}.block_sparse_moe.experts.{e}.w1", "blk.{b}.ffn_gate_exps"},
    {"layers.{b}.block_sparse_moe.experts.{e}.w2", "blk.{b}.ffn_down_exps"},
    {"layers.{b}.block_sparse_moe.experts.{e}.w3", "blk.{b}.ffn_up_exps"},
    {"layers.{b}.block_sparse_moe.router.layer", "blk.{b}.ffn_gate_inp"},
    {"layers.{b}.block_sparse_moe.input_linear", "blk.{b}.ffn_gate_exps", firstHalf},
    {"layers.{b}.block_sparse_moe.input_linear", "blk.{b}.ffn_up_exps", secondHalf},
    {"layers.{b}.block_sparse_moe.output_linear", "blk.{b}.ffn_down_exps"},
    {"layers.{b}.shared_mlp.input_linear", "blk.{b}.ffn_gate_shexp", firstHalf},
    {"layers.{b}.shared_mlp.input_linear", "blk.{b}.ffn_up_shexp", secondHalf},
    {"layers.{b}.shared_mlp.output_linear", "blk.{b}.ffn_down_shexp"},
});
// The names of the original LLaMA and of Mistral's own format. The rows of query and key heads already have the order
// of GGUF.
inline constexpr auto kMetaTensors = std::to_array<TensorPattern>({
    {"tok_embeddings", "token_embd"},
    {"norm", "output_norm"},
    {"output", "output"},
    {"layers.{b}.attention_norm", "blk.{b}.attn_norm"},
    {"layers.{b}.attention.wq", "blk.{b}.attn_q"},
    {"layers.{b}.attention.wk", "blk.{b}.attn_k"},
    {"layers.{b}.attention.wv", "blk.{b}.attn_v"},
    {"layers.{b}.attention.wo", "blk.{b}.attn_output"},
    {"layers.{b}.ffn_norm", "blk.{b}.ffn_norm"},
    {"layers.{b}.feed_forward.w1", "blk.{b}.ffn_gate"},
    {"layers.{b}.feed_forward.w2", "blk.{b}.ffn_down"},
    {"layers.{b}.feed_forward.w3", "blk.{b}.ffn_up"},
    {"layers.{b}.feed_forward.gate", "blk.{b}.ffn_gate_inp"},
    {"layers.{b}.feed_forward.experts.{e}.w1", "blk.{b}.ffn_gate_exps"},
    {"layers.{b}.feed_forward.experts.{e}.w2", "blk.{b}.ffn_down_exps"},
    {"layers.{b}.feed_forward.experts.{e}.w3", "blk.{b}.ffn_up_exps"},
    {"=rope.freqs", "", nullptr, "computed"},
});
// Mistral's own format with latent attention
inline constexpr auto kMistralLatentTensors = std::to_array<TensorPattern>({
    {"tok_embeddings", "token_embd"},
    {"norm", "output_norm"},
    {"output", "output"},
    {"layers.{b}.attention_norm", "blk.{b}.attn_norm"},
    {"layers.{b}.attention.wq", "blk.{b}.attn_q"},
    {"layers.{b}.attention.wq_a", "blk.{b}.attn_q_a"},
    {"layers.{b}.attention.q_a_norm", "blk.{b}.attn_q_a_norm"},
    {"layers.{b}.attention.wq_b", "blk.{b}.attn_q_b"},
    {"layers.{b}.attention.wkv_a_with_mqa", "blk.{b}.attn_kv_a_mqa"},
    {"layers.{b}.attention.kv_a_norm", "blk.{b}.attn_kv_a_norm"},
    {"layers.{b}.attention.wkv_b", "blk.{b}.attn_k_b", latentKeys},
    {"layers.{b}.attention.wkv_b", "blk.{b}.attn_v_b", latentValues},
    {"layers.{b}.attention.wo", "blk.{b}.attn_output"},
    {"layers.{b}.ffn_norm", "blk.{b}.ffn_norm"},
    {"layers.{b}.feed_forward.w1", "blk.{b}.ffn_gate"},
    {"layers.{b}.feed_forward.w2", "blk.{b}.ffn_down"},
    {"layers.{b}.feed_forward.w3", "blk.{b}.ffn_up"},
    {"layers.{b}.gate", "blk.{b}.ffn_gate_inp"},
    {"layers.{b}.experts.{e}.w1", "blk.{b}.ffn_gate_exps"},
    {"layers.{b}.experts.{e}.w2", "blk.{b}.ffn_down_exps"},
    {"layers.{b}.experts.{e}.w3", "blk.{b}.ffn_up_exps"},
    {"layers.{b}.shared_experts.w1", "blk.{b}.ffn_gate_shexp"},
    {"layers.{b}.shared_experts.w2", "blk.{b}.ffn_down_shexp"},
    {"layers.{b}.shared_experts.w3", "blk.{b}.ffn_up_shexp"},
});
// The weights of the first BitNet models are rounded whenever they are used.
inline constexpr auto kBitnetTensors = std::to_array<TensorPattern>({
    {"layers.{b}.self_attn.q_proj", "blk.{b}.attn_q", roundToTernary},
    {"layers.{b}.self_attn.k_proj", "blk.{b}.attn_k", roundToTernary},
    {"layers.{b}.self_attn.v_proj", "blk.{b}.attn_v", roundToTernary},
    {"layers.{b}.self_attn.o_proj", "blk.{b}.attn_output", roundToTernary},
    {"layers.{b}.self_attn.inner_attn_ln", "blk.{b}.attn_sub_norm"},
    {"layers.{b}.mlp.gate_proj", "blk.{b}.ffn_gate", roundToTernary},
    {"layers.{b}.mlp.up_proj", "blk.{b}.ffn_up", roundToTernary},
    {"layers.{b}.mlp.down_proj", "blk.{b}.ffn_down", roundToTernary},
    {"layers.{b}.mlp.ffn_layernorm", "blk.{b}.ffn_sub_norm"},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kGemmaTensors = std::to_array<TensorPattern>({
    {"norm", "output_norm", addOne},
    {"layers.{b}.input_layernorm", "blk.{b}.attn_norm", addOne},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.ffn_norm", addOne},
    {"lm_head", "", nullptr, "tied"},
});
// Gemma 2 and 3
inline constexpr auto kGemma2Tensors = std::to_array<TensorPattern>({
    {"norm", "output_norm", addOne},
    {"layers.{b}.input_layernorm", "blk.{b}.attn_norm", addOne},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm", addOne},
    {"layers.{b}.pre_feedforward_layernorm", "blk.{b}.ffn_norm", addOne},
    {"layers.{b}.post_feedforward_layernorm", "blk.{b}.post_ffw_norm", addOne},
    {"layers.{b}.self_attn.q_norm", "blk.{b}.attn_q_norm", addOne},
    {"layers.{b}.self_attn.k_norm", "blk.{b}.attn_k_norm", addOne},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kGemmaEmbeddingTensors =
    joinedRows(kGemma2Tensors, std::to_array<TensorPattern>({
                                   {"sentence_transformers.dense_2.linear", "dense_2"},
                                   {"sentence_transformers.dense_3.linear", "dense_3"},
                               }));
// Gemma 3n and 4 feed each block with an embedding of its own.
inline constexpr auto kGemma3nTensors = std::to_array<TensorPattern>({
    {"embed_tokens", "token_embd", textTokens},
    {"embed_tokens_per_layer", "per_layer_token_embd"},
    {"per_layer_model_projection", "per_layer_model_proj"},
    {"per_layer_projection_norm", "per_layer_proj_norm"},
    {"altup_projections.{e}", "altup_proj"},
    {"altup_unembed_projections.{e}", "altup_unembd_proj"},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm"},
    {"layers.{b}.pre_feedforward_layernorm", "blk.{b}.ffn_norm"},
    {"layers.{b}.post_feedforward_layernorm", "blk.{b}.post_ffw_norm"},
    {"layers.{b}.per_layer_input_gate", "blk.{b}.inp_gate"},
    {"layers.{b}.per_layer_projection", "blk.{b}.proj"},
    {"layers.{b}.post_per_layer_input_norm", "blk.{b}.post_norm"},
    {"layers.{b}.altup.correction_coefs", "blk.{b}.altup_correct_coef"},
    {"=layers.{b}.altup.correct_output_scale", "blk.{b}.altup_correct_scale.weight"},
    {"layers.{b}.altup.prediction_coefs", "blk.{b}.altup_predict_coef"},
    {"layers.{b}.altup.modality_router", "blk.{b}.altup_router"},
    {"layers.{b}.altup.router_norm", "blk.{b}.altup_router_norm"},
    {"layers.{b}.laurel.linear_left", "blk.{b}.laurel_l"},
    {"layers.{b}.laurel.linear_right", "blk.{b}.laurel_r"},
    {"layers.{b}.laurel.post_laurel_norm", "blk.{b}.laurel_post_norm"},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kGemma4Tensors = std::to_array<TensorPattern>({
    {"embed_tokens_per_layer", "per_layer_token_embd"},
    {"per_layer_model_projection", "per_layer_model_proj"},
    {"per_layer_projection_norm", "per_layer_proj_norm"},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm"},
    {"layers.{b}.pre_feedforward_layernorm", "blk.{b}.ffn_norm"},
    {"layers.{b}.post_feedforward_layernorm", "blk.{b}.post_ffw_norm"},
    {"layers.{b}.per_layer_input_gate", "blk.{b}.inp_gate"},
    {"layers.{b}.per_layer_projection", "blk.{b}.proj"},
    {"layers.{b}.post_per_layer_input_norm", "blk.{b}.post_norm"},
    {"=layers.{b}.layer_scalar", "blk.{b}.layer_output_scale.weight"},
    // experts, beside a feed-forward network
    {"layers.{b}.post_feedforward_layernorm_1", "blk.{b}.post_ffw_norm_1"},
    {"layers.{b}.pre_feedforward_layernorm_2", "blk.{b}.pre_ffw_norm_2"},
    {"layers.{b}.post_feedforward_layernorm_2", "blk.{b}.post_ffw_norm_2"},
    {"layers.{b}.router.proj", "blk.{b}.ffn_gate_inp"},
    {"=layers.{b}.router.scale", "blk.{b}.ffn_gate_inp.scale"},
    {"=layers.{b}.router.per_expert_scale", "blk.{b}.ffn_down_exps.scale"},
    {"=layers.{b}.experts.gate_up_proj", "blk.{b}.ffn_gate_up_exps.weight"},
    {"=layers.{b}.experts.down_proj", "blk.{b}.ffn_down_exps.weight"},
    {"lm_head", "", nullptr, "tied"},
});
// Rerankers, of whose output only the rows of two tokens matter
inline constexpr auto kRerankerTensors = std::to_array<TensorPattern>({
    {"lm_head", "cls.output", answerRows},
});
inline constexpr auto kTiedRerankerTensors = std::to_array<TensorPattern>({
    {"embed_tokens", "token_embd"},
    {"embed_tokens", "cls.output", answerRows},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kTiedTensors = std::to_array<TensorPattern>({
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kPhi2Tensors = std::to_array<TensorPattern>({
    {"final_layernorm", "output_norm"},
    {"layers.{b}.self_attn.dense", "blk.{b}.attn_output"},
    {"layers.{b}.mlp.fc1", "blk.{b}.ffn_up"},
    {"layers.{b}.mlp.fc2", "blk.{b}.ffn_down"},
});
// Fused matrices stay as they are.
inline constexpr auto kPhi3Tensors = std::to_array<TensorPattern>({
    {"layers.{b}.self_attn.qkv_proj", "blk.{b}.attn_qkv"},
    {"layers.{b}.mlp.gate_up_proj", "blk.{b}.ffn_up"},
});
inline constexpr auto kGlm4Tensors = std::to_array<TensorPattern>({
    {"layers.{b}.mlp.gate_up_proj", "blk.{b}.ffn_up"},
    {"layers.{b}.post_self_attn_layernorm", "blk.{b}.post_attention_norm"},
    {"layers.{b}.post_mlp_layernorm", "blk.{b}.post_ffw_norm"},
});
inline constexpr auto kOlmo2Tensors = std::to_array<TensorPattern>({
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm"},
    {"layers.{b}.post_feedforward_layernorm", "blk.{b}.post_ffw_norm"},
});
inline constexpr auto kGpt2Tensors = std::to_array<TensorPattern>({
    {"wte", "token_embd"},
    {"wpe", "position_embd"},
    {"ln_f", "output_norm"},
    {"h.{b}.ln_1", "blk.{b}.attn_norm"},
    {"h.{b}.ln_2", "blk.{b}.ffn_norm"},
    {"h.{b}.attn.c_attn", "blk.{b}.attn_qkv", transpose},
    {"h.{b}.attn.c_proj", "blk.{b}.attn_output", transpose},
    {"h.{b}.mlp.c_fc", "blk.{b}.ffn_up", transpose},
    {"h.{b}.mlp.c_proj", "blk.{b}.ffn_down", transpose},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kStarcoderTensors = std::to_array<TensorPattern>({
    {"wte", "token_embd"},
    {"wpe", "position_embd"},
    {"ln_f", "output_norm"},
    {"h.{b}.ln_1", "blk.{b}.attn_norm"},
    {"h.{b}.ln_2", "blk.{b}.ffn_norm"},
    {"h.{b}.attn.c_attn", "blk.{b}.attn_qkv"},
    {"h.{b}.attn.c_proj", "blk.{b}.attn_output"},
    {"h.{b}.mlp.c_fc", "blk.{b}.ffn_up"},
    {"h.{b}.mlp.c_proj", "blk.{b}.ffn_down"},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kStarcoder2Tensors = std::to_array<TensorPattern>({
    {"layers.{b}.mlp.c_fc", "blk.{b}.ffn_up"},
    {"layers.{b}.mlp.c_proj", "blk.{b}.ffn_down"},
});
inline constexpr auto kGptNeoxTensors = std::to_array<TensorPattern>({
    {"embed_in", "token_embd"},
    {"embed_out", "output"},
    {"final_layer_norm", "output_norm"},
    {"layers.{b}.attention.query_key_value", "blk.{b}.attn_qkv", regroupHeads},
    {"layers.{b}.attention.dense", "blk.{b}.attn_output"},
    {"layers.{b}.mlp.dense_h_to_4h", "blk.{b}.ffn_up"},
    {"layers.{b}.mlp.dense_4h_to_h", "blk.{b}.ffn_down"},
});
inline constexpr auto kFalconTensors = std::to_array<TensorPattern>({
    {"word_embeddings", "token_embd"},
    {"ln_f", "output_norm"},
    {"h.{b}.input_layernorm", "blk.{b}.attn_norm"},
    {"h.{b}.ln_mlp", "blk.{b}.attn_norm"},
    {"h.{b}.ln_attn", "blk.{b}.attn_norm_2"},
    {"h.{b}.self_attention.query_key_value", "blk.{b}.attn_qkv", regroupFalcon},
    {"h.{b}.self_attention.dense", "blk.{b}.attn_output"},
    {"h.{b}.mlp.dense_h_to_4h", "blk.{b}.ffn_up"},
    {"h.{b}.mlp.dense_4h_to_h", "blk.{b}.ffn_down"},
});
inline constexpr auto kBloomTensors = std::to_array<TensorPattern>({
    {"word_embeddings", "token_embd"},
    {"word_embeddings_layernorm", "token_embd_norm"},
    {"ln_f", "output_norm"},
    {"h.{b}.input_layernorm", "blk.{b}.attn_norm"},
    {"h.{b}.post_attention_layernorm", "blk.{b}.ffn_norm"},
    {"h.{b}.self_attention.query_key_value", "blk.{b}.attn_qkv", regroupHeads},
    {"h.{b}.self_attention.dense", "blk.{b}.attn_output"},
    {"h.{b}.mlp.dense_h_to_4h", "blk.{b}.ffn_up"},
    {"h.{b}.mlp.dense_4h_to_h", "blk.{b}.ffn_down"},
});
inline constexpr auto kMptTensors = std::to_array<TensorPattern>({
    {"wte", "token_embd"},
    {"norm_f", "output_norm"},
    {"blocks.{b}.norm_1", "blk.{b}.attn_norm"},
    {"blocks.{b}.norm_2", "blk.{b}.ffn_norm"},
    {"blocks.{b}.attn.Wqkv", "blk.{b}.attn_qkv"},
    {"blocks.{b}.attn.out_proj", "blk.{b}.attn_output"},
    {"blocks.{b}.attn.q_ln", "blk.{b}.attn_q_norm"},
    {"blocks.{b}.attn.k_ln", "blk.{b}.attn_k_norm"},
    {"blocks.{b}.ffn.up_proj", "blk.{b}.ffn_up"},
    {"blocks.{b}.ffn.down_proj", "blk.{b}.ffn_down"},
});
// A norm for each head
inline constexpr auto kStableLmTensors = std::to_array<TensorPattern>({
    {"layers.{b}.self_attn.q_layernorm.norms.{e}", "blk.{b}.attn_q_norm"},
    {"layers.{b}.self_attn.k_layernorm.norms.{e}", "blk.{b}.attn_k_norm"},
});
inline constexpr auto kGptOssTensors = std::to_array<TensorPattern>({
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm"},
    {"=layers.{b}.self_attn.sinks", "blk.{b}.attn_sinks.weight"},
    {"layers.{b}.mlp.router", "blk.{b}.ffn_gate_inp"},
    {"=layers.{b}.mlp.experts.gate_up_proj", "blk.{b}.ffn_gate_exps.weight", evenRows},
    {"=layers.{b}.mlp.experts.gate_up_proj", "blk.{b}.ffn_up_exps.weight", oddRows},
    {"=layers.{b}.mlp.experts.gate_up_proj_bias", "blk.{b}.ffn_gate_exps.bias", evenBiases},
    {"=layers.{b}.mlp.experts.gate_up_proj_bias", "blk.{b}.ffn_up_exps.bias", oddBiases},
    {"=layers.{b}.mlp.experts.down_proj", "blk.{b}.ffn_down_exps.weight", transposeUnlessRepacked},
    {"=layers.{b}.mlp.experts.down_proj_bias", "blk.{b}.ffn_down_exps.bias"},
});
inline constexpr auto kDeepseek2Tensors = std::to_array<TensorPattern>({
    {"layers.{b}.self_attn.q_a_proj", "blk.{b}.attn_q_a"},
    {"layers.{b}.self_attn.q_a_layernorm", "blk.{b}.attn_q_a_norm"},
    {"layers.{b}.self_attn.q_b_proj", "blk.{b}.attn_q_b"},
    {"layers.{b}.self_attn.kv_a_proj_with_mqa", "blk.{b}.attn_kv_a_mqa"},
    {"layers.{b}.self_attn.kv_a_layernorm", "blk.{b}.attn_kv_a_norm"},
    {"layers.{b}.self_attn.kv_b_proj", "blk.{b}.attn_k_b", latentKeys},
    {"layers.{b}.self_attn.kv_b_proj", "blk.{b}.attn_v_b", latentValues},
    {"=layers.{b}.mlp.gate.e_score_correction_bias", "blk.{b}.exp_probs_b.bias"},
});
inline constexpr auto kMambaTensors = std::to_array<TensorPattern>({
    {"embeddings", "token_embd"},
    {"embedding", "token_embd"},
    {"norm_f", "output_norm"},
    {"layers.{b}.norm", "blk.{b}.attn_norm"},
    {"=layers.{b}.mixer.A_log", "blk.{b}.ssm_a", negateExponential},
    {"=layers.{b}.mixer.D", "blk.{b}.ssm_d"},
    {"layers.{b}.mixer.conv1d", "blk.{b}.ssm_conv1d", squeeze},
    {"layers.{b}.mixer.dt_proj", "blk.{b}.ssm_dt"},
    {"layers.{b}.mixer.in_proj", "blk.{b}.ssm_in"},
    {"layers.{b}.mixer.out_proj", "blk.{b}.ssm_out"},
    {"layers.{b}.mixer.x_proj", "blk.{b}.ssm_x"},
    {"lm_head", "", nullptr, "tied"},
});
inline constexpr auto kMamba2Tensors = std::to_array<TensorPattern>({
    {"embeddings", "token_embd"},
    {"embedding", "token_embd"},
    {"norm_f", "output_norm"},
    {"layers.{b}.norm", "blk.{b}.attn_norm"},
    {"=layers.{b}.mixer.A_log", "blk.{b}.ssm_a", negateExponentialColumn},
    {"=layers.{b}.mixer.D", "blk.{b}.ssm_d", asColumn},
    {"=layers.{b}.mixer.dt_bias", "blk.{b}.ssm_dt.bias"},
    {"layers.{b}.mixer.conv1d", "blk.{b}.ssm_conv1d", squeeze},
    {"layers.{b}.mixer.in_proj", "blk.{b}.ssm_in"},
    {"layers.{b}.mixer.norm", "blk.{b}.ssm_norm", splitIntoGroups},
    {"layers.{b}.mixer.out_proj", "blk.{b}.ssm_out"},
});
inline constexpr auto kLfm2Tensors = std::to_array<TensorPattern>({
    {"embedding_norm", "token_embd_norm"},
    {"layers.{b}.operator_norm", "blk.{b}.attn_norm"},
    {"layers.{b}.ffn_norm", "blk.{b}.ffn_norm"},
    {"layers.{b}.conv.conv", "blk.{b}.shortconv.conv", squeeze},
    {"layers.{b}.conv.in_proj", "blk.{b}.shortconv.in_proj"},
    {"layers.{b}.conv.out_proj", "blk.{b}.shortconv.out_proj"},
    {"layers.{b}.feed_forward.w1", "blk.{b}.ffn_gate"},
    {"layers.{b}.feed_forward.w2", "blk.{b}.ffn_down"},
    {"layers.{b}.feed_forward.w3", "blk.{b}.ffn_up"},
    {"layers.{b}.self_attn.out_proj", "blk.{b}.attn_output"},
    {"layers.{b}.self_attn.q_layernorm", "blk.{b}.attn_q_norm"},
    {"layers.{b}.self_attn.k_layernorm", "blk.{b}.attn_k_norm"},
});
inline constexpr auto kQwen3NextTensors = std::to_array<TensorPattern>({
    {"norm", "output_norm", addOne},
    {"layers.{b}.input_layernorm", "blk.{b}.attn_norm", addOne},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm", addOne},
    {"layers.{b}.self_attn.q_norm", "blk.{b}.attn_q_norm", addOne},
    {"layers.{b}.self_attn.k_norm", "blk.{b}.attn_k_norm", addOne},
    {"=layers.{b}.linear_attn.A_log", "blk.{b}.ssm_a", negateExponential},
    {"=layers.{b}.linear_attn.dt_bias", "blk.{b}.ssm_dt.bias"},
    {"layers.{b}.linear_attn.conv1d", "blk.{b}.ssm_conv1d", squeeze},
    {"layers.{b}.linear_attn.in_proj_ba", "blk.{b}.ssm_ba"},
    {"layers.{b}.linear_attn.in_proj_qkvz", "blk.{b}.attn_qkv", deltaNetInputs},
    {"layers.{b}.linear_attn.in_proj_qkvz", "blk.{b}.attn_gate", deltaNetGate},
    {"layers.{b}.linear_attn.norm", "blk.{b}.ssm_norm"},
    {"layers.{b}.linear_attn.out_proj", "blk.{b}.ssm_out"},
});
// Runtimes expect the value heads that share a key head in another order.
inline constexpr auto kQwen35Tensors = std::to_array<TensorPattern>({
    {"norm", "output_norm", addOne},
    {"layers.{b}.input_layernorm", "blk.{b}.attn_norm", addOne},
    {"layers.{b}.post_attention_layernorm", "blk.{b}.post_attention_norm", addOne},
    {"layers.{b}.self_attn.q_norm", "blk.{b}.attn_q_norm", addOne},
    {"layers.{b}.self_attn.k_norm", "blk.{b}.attn_k_norm", addOne},
    {"=layers.{b}.linear_attn.A_log", "blk.{b}.ssm_a", tiledNegateExponential},
    {"=layers.{b}.linear_attn.dt_bias", "blk.{b}.ssm_dt.bias", tiledHeads},
    {"layers.{b}.linear_attn.conv1d", "blk.{b}.ssm_conv1d", tiledConvolution},
    {"layers.{b}.linear_attn.in_proj_qkv", "blk.{b}.attn_qkv", tiledInputs},
    {"layers.{b}.linear_attn.in_proj_z", "blk.{b}.attn_gate", tiledValues},
    {"layers.{b}.linear_attn.in_proj_b", "blk.{b}.ssm_beta", tiledHeads},
    {"layers.{b}.linear_attn.in_proj_a", "blk.{b}.ssm_alpha", tiledHeads},
    {"layers.{b}.linear_attn.norm", "blk.{b}.ssm_norm"},
    {"layers.{b}.linear_attn.out_proj", "blk.{b}.ssm_out", tiledColumns},
    {"mtp.fc", "blk.{d}.nextn.eh_proj"},
    {"mtp.pre_fc_norm_embedding", "blk.{d}.nextn.enorm", addOne},
    {"mtp.pre_fc_norm_hidden", "blk.{d}.nextn.hnorm", addOne},
    {"mtp.norm", "blk.{d}.nextn.shared_head_norm", addOne},
});

// Encoders, and T5: nothing in common with decoders.
inline constexpr auto kBertTensors = std::to_array<TensorPattern>({
    {"embeddings.word_embeddings", "token_embd"},
    {"embeddings.position_embeddings", "position_embd"},
    {"embeddings.token_type_embeddings", "token_types"},
    {"embeddings.LayerNorm", "token_embd_norm"},
    {"encoder.layer.{b}.attention.self.query", "blk.{b}.attn_q"},
    {"encoder.layer.{b}.attention.self.key", "blk.{b}.attn_k"},
    {"encoder.layer.{b}.attention.self.value", "blk.{b}.attn_v"},
    {"encoder.layer.{b}.attention.output.dense", "blk.{b}.attn_output"},
    {"encoder.layer.{b}.attention.output.LayerNorm", "blk.{b}.attn_output_norm"},
    {"encoder.layer.{b}.intermediate.dense", "blk.{b}.ffn_up"},
    {"encoder.layer.{b}.output.dense", "blk.{b}.ffn_down"},
    {"encoder.layer.{b}.output.LayerNorm", "blk.{b}.layer_output_norm"},
    {"pooler.dense", "", nullptr, "pooler"},
    {"classifier", "cls.output"},
});
inline constexpr auto kRobertaTensors = std::to_array<TensorPattern>({
    {"embeddings.word_embeddings", "token_embd"},
    {"embeddings.position_embeddings", "position_embd", withoutPaddingPositions},
    {"embeddings.token_type_embeddings", "token_types"},
    {"embeddings.LayerNorm", "token_embd_norm"},
    {"encoder.layer.{b}.attention.self.query", "blk.{b}.attn_q"},
    {"encoder.layer.{b}.attention.self.key", "blk.{b}.attn_k"},
    {"encoder.layer.{b}.attention.self.value", "blk.{b}.attn_v"},
    {"encoder.layer.{b}.attention.output.dense", "blk.{b}.attn_output"},
    {"encoder.layer.{b}.attention.output.LayerNorm", "blk.{b}.attn_output_norm"},
    {"encoder.layer.{b}.intermediate.dense", "blk.{b}.ffn_up"},
    {"encoder.layer.{b}.output.dense", "blk.{b}.ffn_down"},
    {"encoder.layer.{b}.output.LayerNorm", "blk.{b}.layer_output_norm"},
    {"pooler.dense", "", nullptr, "pooler"},
    {"classifier.dense", "cls"},
    {"classifier.out_proj", "cls.output"},
    {"lm_head.dense", "", nullptr, "training_head"},
    {"lm_head.layer_norm", "", nullptr, "training_head"},
    {"lm_head.decoder", "", nullptr, "training_head"},
    {"=lm_head.bias", "", nullptr, "training_head"},
});
inline constexpr auto kModernBertTensors = std::to_array<TensorPattern>({
    {"embeddings.tok_embeddings", "token_embd"},
    {"embeddings.norm", "token_embd_norm"},
    {"final_norm", "output_norm"},
    {"layers.{b}.attn_norm", "blk.{b}.attn_norm"},
    {"layers.{b}.attn.Wqkv", "blk.{b}.attn_qkv"},
    {"layers.{b}.attn.Wo", "blk.{b}.attn_output"},
    {"layers.{b}.mlp_norm", "blk.{b}.ffn_norm"},
    {"layers.{b}.mlp.Wi", "blk.{b}.ffn_up"},
    {"layers.{b}.mlp.Wo", "blk.{b}.ffn_down"},
    {"head.dense", "cls"},
    {"head.norm", "cls.norm"},
    {"classifier", "cls.output"},
    {"decoder", "", nullptr, "training_head"},
});
inline constexpr auto kT5Tensors = std::to_array<TensorPattern>({
    {"shared", "token_embd"},
    {"lm_head", "output"},
    {"encoder.embed_tokens", "", nullptr, "tied"},
    {"decoder.embed_tokens", "", nullptr, "tied"},
    {"encoder.final_layer_norm", "enc.output_norm"},
    {"encoder.block.{b}.layer.0.layer_norm", "enc.blk.{b}.attn_norm"},
    {"encoder.block.{b}.layer.0.SelfAttention.q", "enc.blk.{b}.attn_q"},
    {"encoder.block.{b}.layer.0.SelfAttention.k", "enc.blk.{b}.attn_k"},
    {"encoder.block.{b}.layer.0.SelfAttention.v", "enc.blk.{b}.attn_v"},
    {"encoder.block.{b}.layer.0.SelfAttention.o", "enc.blk.{b}.attn_o"},
    {"encoder.block.{b}.layer.0.SelfAttention.relative_attention_bias", "enc.blk.{b}.attn_rel_b"},
    {"encoder.block.{b}.layer.1.layer_norm", "enc.blk.{b}.ffn_norm"},
    {"encoder.block.{b}.layer.1.DenseReluDense.wi", "enc.blk.{b}.ffn_up"},
    {"encoder.block.{b}.layer.1.DenseReluDense.wi_0", "enc.blk.{b}.ffn_gate"},
    {"encoder.block.{b}.layer.1.DenseReluDense.wi_1", "enc.blk.{b}.ffn_up"},
    {"encoder.block.{b}.layer.1.DenseReluDense.wo", "enc.blk.{b}.ffn_down"},
    {"decoder.final_layer_norm", "dec.output_norm"},
    {"decoder.block.{b}.layer.0.layer_norm", "dec.blk.{b}.attn_norm"},
    {"decoder.block.{b}.layer.0.SelfAttention.q", "dec.blk.{b}.attn_q"},
    {"decoder.block.{b}.layer.0.SelfAttention.k", "dec.blk.{b}.attn_k"},
    {"decoder.block.{b}.layer.0.SelfAttention.v", "dec.blk.{b}.attn_v"},
    {"decoder.block.{b}.layer.0.SelfAttention.o", "dec.blk.{b}.attn_o"},
    {"decoder.block.{b}.layer.0.SelfAttention.relative_attention_bias", "dec.blk.{b}.attn_rel_b"},
    {"decoder.block.{b}.layer.1.layer_norm", "dec.blk.{b}.cross_attn_norm"},
    {"decoder.block.{b}.layer.1.EncDecAttention.q", "dec.blk.{b}.cross_attn_q"},
    {"decoder.block.{b}.layer.1.EncDecAttention.k", "dec.blk.{b}.cross_attn_k"},
    {"decoder.block.{b}.layer.1.EncDecAttention.v", "dec.blk.{b}.cross_attn_v"},
    {"decoder.block.{b}.layer.1.EncDecAttention.o", "dec.blk.{b}.cross_attn_o"},
    {"decoder.block.{b}.layer.1.EncDecAttention.relative_attention_bias", "", nullptr, "not_used"},
    {"decoder.block.{b}.layer.2.layer_norm", "dec.blk.{b}.ffn_norm"},
    {"decoder.block.{b}.layer.2.DenseReluDense.wi", "dec.blk.{b}.ffn_up"},
    {"decoder.block.{b}.layer.2.DenseReluDense.wi_0", "dec.blk.{b}.ffn_gate"},
    {"decoder.block.{b}.layer.2.DenseReluDense.wi_1", "dec.blk.{b}.ffn_up"},
    {"decoder.block.{b}.layer.2.DenseReluDense.wo", "dec.blk.{b}.ffn_down"},
});

} // namespace gufo::convert
