// The keys of each family, in addition to the keys that most models share (common_tables.cpp). Only
// architecture_table.cpp includes this.
#pragma once

#include "convert/key_rules.h"

namespace gufo::convert {

inline constexpr KeyRule kVocabularySize = {"vocab_size", ValueType::UInt32, {"vocab_size"}};
inline constexpr KeyRule kSlidingWindow = {"attention.sliding_window", ValueType::UInt32, {"sliding_window"}};
inline constexpr KeyRule kExpertWidth = {
    "expert_feed_forward_length", ValueType::UInt32, {"moe_intermediate_size", "intermediate_size"}};
inline constexpr KeyRule kHeadRotation = {"rope.dimension_count", ValueType::UInt32, {}, headWidth};
inline constexpr KeyRule kPartialRotation = {"rope.dimension_count", ValueType::UInt32, {}, rotatedWidth};
inline constexpr KeyRule kNotCausal = {"attention.causal", ValueType::Bool, {}, nullptr, 0};
inline constexpr KeyRule kFourfoldFeedForward = {"feed_forward_length", ValueType::UInt32, {}, feedForwardTimesFour};
inline constexpr KeyRule kParallelResidual = {
    "use_parallel_residual", ValueType::Bool, {"use_parallel_residual"}, nullptr, 1};
inline constexpr KeyRule kUnscaledRope = {"rope.scaling.type", ValueType::String, {}, noScaling};
inline constexpr KeyRule kLogitScale = {"logit_scale", ValueType::Float32, {"logit_scale"}};

inline constexpr auto kLlamaKeys = std::to_array<KeyRule>({kVocabularySize, kHeadRotation});
inline constexpr auto kMistral3Keys = std::to_array<KeyRule>({
    kVocabularySize,
    kHeadRotation,
    {"rope.scaling.yarn_log_multiplier", ValueType::Float32, {}, yarnMagnitude},
    {"attention.temperature_scale",
     ValueType::Float32,
     {"rope_parameters.llama_4_scaling_beta", "rope_scaling.llama_4_scaling_beta"}},
});
inline constexpr auto kMistralFormatKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, kContextNames, nullptr, 128'000},
    {"feed_forward_length", ValueType::UInt32, {}, mistralFeedForward},
    kVocabularySize,
    kHeadRotation,
    {"rope.scaling.type", ValueType::String, {}, mistralScalingType},
    {"rope.scaling.factor", ValueType::Float32, {"yarn.factor"}},
    {"rope.scaling.yarn_beta_fast", ValueType::Float32, {"yarn.beta"}},
    {"rope.scaling.yarn_beta_slow", ValueType::Float32, {"yarn.alpha"}},
    {"rope.scaling.yarn_log_multiplier", ValueType::Float32, {}, mistralMagnitude},
    {"rope.scaling.original_context_length", ValueType::UInt32, {"yarn.original_max_position_embeddings"}},
    {"attention.temperature_scale", ValueType::Float32, {"llama_4_scaling.beta"}},
});
// Mistral's own format with latent attention, which has the keys of DeepSeek
inline constexpr auto kMistralLatentKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, kContextNames, nullptr, 128'000},
    {"attention.head_count_kv", ValueType::UInt32, {}, nullptr, 1},
    {"expert_used_count", ValueType::UInt32, {"moe.num_experts_per_tok"}},
    {"expert_group_count", ValueType::UInt32, {"moe.num_expert_groups"}},
    {"expert_group_used_count", ValueType::UInt32, {"moe.num_expert_groups_per_tok"}},
    {"expert_gating_func", ValueType::UInt32, {}, nullptr, 1}, // softmax
    {"attention.key_length", ValueType::UInt32, {}, latentKeyLength},
    {"attention.value_length", ValueType::UInt32, {"kv_lora_rank"}},
    {"leading_dense_block_count", ValueType::UInt32, {"moe.first_k_dense_replace"}, nullptr, 0},
    kVocabularySize,
    {"attention.q_lora_rank", ValueType::UInt32, {"q_lora_rank"}},
    {"attention.kv_lora_rank", ValueType::UInt32, {"kv_lora_rank"}},
    {"attention.key_length_mla", ValueType::UInt32, {}, latentKeyLengthMla},
    {"attention.value_length_mla", ValueType::UInt32, {"v_head_dim"}},
    {"expert_feed_forward_length", ValueType::UInt32, {"moe.expert_hidden_dim"}},
    {"expert_shared_count", ValueType::UInt32, {"moe.num_shared_experts"}, nullptr, 0},
    {"expert_weights_scale", ValueType::Float32, {"moe.routed_scale"}},
    {"expert_weights_norm", ValueType::Bool, {}, nullptr, 1},
    {"rope.dimension_count", ValueType::UInt32, {"qk_rope_head_dim"}},
    {"rope.scaling.type", ValueType::String, {}, mistralScalingType},
    {"rope.scaling.factor", ValueType::Float32, {"yarn.factor"}},
    {"rope.scaling.yarn_beta_fast", ValueType::Float32, {"yarn.beta"}},
    {"rope.scaling.yarn_beta_slow", ValueType::Float32, {"yarn.alpha"}},
    {"rope.scaling.original_context_length", ValueType::UInt32, {"yarn.original_max_position_embeddings"}},
    {"attention.temperature_scale", ValueType::Float32, {"llama_4_scaling.beta"}},
    {"attention.temperature_length", ValueType::UInt32, {"yarn.original_max_position_embeddings"}},
    {"rope.scaling.yarn_log_multiplier", ValueType::Float32, {}, mistralLatentMagnitude},
});
inline constexpr auto kBitnetKeys = std::to_array<KeyRule>({
    {"rope.scaling.type", ValueType::String, {}, linearScaling},
    {"rope.scaling.factor", ValueType::Float32, {}, nullptr, 1},
});
// Norms without weights
inline constexpr auto kOlmo1Keys = std::to_array<KeyRule>({
    {"attention.layer_norm_epsilon", ValueType::Float32, {}, nullptr, 1e-5},
    {"attention.clamp_kqv", ValueType::Float32, {"clip_qkv"}},
});
inline constexpr auto kGraniteKeys = std::to_array<KeyRule>({
    kVocabularySize,
    kHeadRotation,
    {"attention.scale", ValueType::Float32, {"attention_multiplier"}},
    {"embedding_scale", ValueType::Float32, {"embedding_multiplier"}},
    {"residual_scale", ValueType::Float32, {"residual_multiplier"}},
    {"logit_scale", ValueType::Float32, {"logits_scaling"}},
    {"expert_shared_feed_forward_length", ValueType::UInt32, {"shared_intermediate_size"}},
});
inline constexpr auto kQwenMoeKeys = std::to_array<KeyRule>({
    {"expert_feed_forward_length", ValueType::UInt32, {"moe_intermediate_size"}},
    {"expert_shared_feed_forward_length", ValueType::UInt32, {"shared_expert_intermediate_size"}},
});
inline constexpr auto kQwen3NextKeys = std::to_array<KeyRule>({
    {"expert_feed_forward_length", ValueType::UInt32, {"moe_intermediate_size"}},
    {"expert_shared_feed_forward_length", ValueType::UInt32, {"shared_expert_intermediate_size"}},
    {"ssm.conv_kernel", ValueType::UInt32, {"linear_conv_kernel_dim"}},
    {"ssm.state_size", ValueType::UInt32, {"linear_key_head_dim"}},
    {"ssm.group_count", ValueType::UInt32, {"linear_num_key_heads"}},
    {"ssm.time_step_rank", ValueType::UInt32, {"linear_num_value_heads"}},
    {"ssm.inner_size", ValueType::UInt32, {}, deltaNetInnerSize},
    {"attention.recurrent_layers", ValueType::Array, {}, recurrentLayers},
    {"full_attention_interval", ValueType::UInt32, {"full_attention_interval"}, nullptr, 4},
    {"rope.dimension_count", ValueType::UInt32, {}, rotatedWidthQwenNext},
});
inline constexpr auto kQwen35Keys = std::to_array<KeyRule>({
    {"block_count", ValueType::UInt32, {}, allBlocks},
    {"rope.dimension_sections", ValueType::Array, {}, ropeSectionsQwen},
    {"expert_feed_forward_length", ValueType::UInt32, {"moe_intermediate_size"}},
    {"expert_shared_feed_forward_length", ValueType::UInt32, {"shared_expert_intermediate_size"}},
    {"ssm.conv_kernel", ValueType::UInt32, {"linear_conv_kernel_dim"}},
    {"ssm.state_size", ValueType::UInt32, {"linear_key_head_dim"}},
    {"ssm.group_count", ValueType::UInt32, {"linear_num_key_heads"}},
    {"ssm.time_step_rank", ValueType::UInt32, {"linear_num_value_heads"}},
    {"ssm.inner_size", ValueType::UInt32, {}, deltaNetInnerSize},
    {"attention.recurrent_layers", ValueType::Array, {}, recurrentLayersOfAll},
    {"full_attention_interval", ValueType::UInt32, {"full_attention_interval"}, nullptr, 4},
    {"rope.dimension_count", ValueType::UInt32, {}, rotatedWidthQwenNext},
    {"nextn_predict_layers", ValueType::UInt32, {}, draftBlocks},
});
inline constexpr auto kGemma2Keys = std::to_array<KeyRule>({
    {"attn_logit_softcapping", ValueType::Float32, {"attn_logit_softcapping"}},
    {"final_logit_softcapping", ValueType::Float32, {"final_logit_softcapping"}},
    kSlidingWindow,
});
// Configurations of Gemma 3 omit members that have the values of the first model.
inline constexpr auto kGemma3Keys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, kContextNames, nullptr, 131'072},
    {"attention.head_count", ValueType::UInt32, kHeadNames, nullptr, 8},
    {"attention.head_count_kv", ValueType::UInt32, kKvHeadNames, nullptr, 4},
    {"attention.key_length", ValueType::UInt32, kHeadWidthNames, nullptr, 256},
    {"attention.value_length", ValueType::UInt32, kHeadWidthNames, nullptr, 256},
    {"attention.layer_norm_rms_epsilon", ValueType::Float32, {"rms_norm_eps"}, nullptr, 1e-6},
    {"rope.freq_base", ValueType::Float32, kRopeBaseNames, nullptr, 1'000'000},
    {"final_logit_softcapping", ValueType::Float32, {"final_logit_softcapping"}},
    kSlidingWindow,
});
inline constexpr auto kGemmaEmbeddingKeys =
    joinedRows(kGemma3Keys, std::to_array<KeyRule>({
                                {"dense_2_feat_in", ValueType::UInt32, {}, firstDenseInput},
                                {"dense_2_feat_out", ValueType::UInt32, {}, firstDenseOutput},
                                {"dense_3_feat_in", ValueType::UInt32, {}, secondDenseInput},
                                {"dense_3_feat_out", ValueType::UInt32, {}, secondDenseOutput},
                            }));
inline constexpr KeyRule kSharedKeyLayers = {
    "attention.shared_kv_layers", ValueType::UInt32, {"num_kv_shared_layers"}, nullptr, 0};
inline constexpr KeyRule kInputPerLayer = {
    "embedding_length_per_layer_input", ValueType::UInt32, {"hidden_size_per_layer_input"}, nullptr, 0};
inline constexpr KeyRule kSoftCap = {"final_logit_softcapping", ValueType::Float32, {"final_logit_softcapping"}};
inline constexpr auto kGemma3nKeys = std::to_array<KeyRule>({
    {"feed_forward_length", ValueType::UInt32, {}, feedForwardByLayer},
    kSoftCap,
    kSlidingWindow,
    {"altup.active_idx", ValueType::UInt32, {"altup_active_idx"}},
    {"altup.num_inputs", ValueType::UInt32, {"altup_num_inputs"}},
    kInputPerLayer,
    kSharedKeyLayers,
    {"activation_sparsity_scale", ValueType::Array, {}, sparsityThresholds},
    {"attention.sliding_window_pattern", ValueType::Array, {}, windowLayers},
});
inline constexpr auto kGemma4Keys = std::to_array<KeyRule>({
    {"feed_forward_length", ValueType::UInt32, {}, feedForwardGemma4},
    {"attention.head_count_kv", ValueType::UInt32, {}, kvHeadsGemma4},
    {"attention.key_length", ValueType::UInt32, {"global_head_dim", "head_dim"}},
    {"attention.value_length", ValueType::UInt32, {"global_head_dim", "head_dim"}},
    kSoftCap,
    kSlidingWindow,
    kSharedKeyLayers,
    kInputPerLayer,
    {"attention.sliding_window_pattern", ValueType::Array, {}, windowLayers},
    {"attention.key_length_swa", ValueType::UInt32, kHeadWidthNames},
    {"attention.value_length_swa", ValueType::UInt32, kHeadWidthNames},
    {"expert_feed_forward_length", ValueType::UInt32, {"expert_intermediate_size", "moe_intermediate_size"}},
    {"rope.dimension_count", ValueType::UInt32, {"global_head_dim", "head_dim"}},
    {"rope.dimension_count_swa", ValueType::UInt32, {}, rotatedWidthInWindows},
});
inline constexpr auto kRerankerKeys = std::to_array<KeyRule>({
    {"pooling_type", ValueType::UInt32, {}, nullptr, 4}, // a ranking head
    {"classifier.output_labels", ValueType::Array, {}, answerLabels},
});
inline constexpr auto kPhi2Keys = std::to_array<KeyRule>({kPartialRotation});
inline constexpr auto kPhi3Keys = std::to_array<KeyRule>({
    kPartialRotation,
    {"rope.scaling.original_context_length", ValueType::UInt32, {"original_max_position_embeddings"}},
    {"rope.scaling.attn_factor", ValueType::Float32, {}, longRopeAttentionFactor},
    {"attention.sliding_window", ValueType::UInt32, {"sliding_window"}, nullptr, 0},
});
inline constexpr auto kOlmoKeys = std::to_array<KeyRule>({
    kSlidingWindow,
    {"attention.sliding_window_pattern", ValueType::Array, {}, windowLayersOlmo},
});
inline constexpr auto kFourfoldKeys = std::to_array<KeyRule>({kFourfoldFeedForward});
inline constexpr auto kStarcoderKeys = std::to_array<KeyRule>({
    kFourfoldFeedForward,
    {"attention.head_count_kv", ValueType::UInt32, {}, nullptr, 1},
});
inline constexpr auto kGptNeoxKeys = std::to_array<KeyRule>({
    {"rope.dimension_count", ValueType::UInt32, {}, rotatedWidthNeox},
    kParallelResidual,
});
inline constexpr auto kFalconKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, {}, nullptr, 2'048},
    {"tensor_data_layout", ValueType::String, {}, tensorLayoutFalcon},
    kFourfoldFeedForward,
    {"attention.head_count_kv", ValueType::UInt32, {}, kvHeadsFalcon},
});
inline constexpr auto kBloomKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, {"seq_length", "n_positions"}, nullptr, 2'048},
    kFourfoldFeedForward,
    {"attention.head_count_kv", ValueType::UInt32, {}, kvHeadsOrHeads},
});
inline constexpr auto kMptKeys = std::to_array<KeyRule>({
    kFourfoldFeedForward,
    {"attention.head_count_kv", ValueType::UInt32, {"attn_config.kv_n_heads"}},
    {"attention.layer_norm_epsilon", ValueType::Float32, {}, nullptr, 1e-5},
    {"attention.clamp_kqv", ValueType::Float32, {"attn_config.clip_qkv"}},
    {"attention.max_alibi_bias", ValueType::Float32, {"attn_config.alibi_bias_max"}, nullptr, 0},
});
inline constexpr auto kStableLmKeys = std::to_array<KeyRule>({kPartialRotation, kParallelResidual});
inline constexpr auto kCommandRKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, {"model_max_length", "max_position_embeddings"}},
    kLogitScale,
    kUnscaledRope,
});
inline constexpr auto kCohere2Keys = std::to_array<KeyRule>({
    kLogitScale,
    kSlidingWindow,
    {"attention.sliding_window_pattern", ValueType::Array, {}, windowLayers},
    kVocabularySize,
    {"rope.dimension_count", ValueType::UInt32, {}, rotatedWidthCohere},
    kUnscaledRope,
});
inline constexpr auto kGptOssKeys = std::to_array<KeyRule>({kSlidingWindow, kExpertWidth});
inline constexpr auto kDeepseek2Keys = std::to_array<KeyRule>({
    {"attention.head_count_kv", ValueType::UInt32, {}, nullptr, 1},
    {"attention.key_length", ValueType::UInt32, {}, latentKeyLength},
    {"attention.value_length", ValueType::UInt32, {"kv_lora_rank"}},
    {"leading_dense_block_count", ValueType::UInt32, {"first_k_dense_replace"}},
    kVocabularySize,
    {"attention.q_lora_rank", ValueType::UInt32, {"q_lora_rank"}},
    {"attention.kv_lora_rank", ValueType::UInt32, {"kv_lora_rank"}},
    {"attention.key_length_mla", ValueType::UInt32, {}, latentKeyLengthMla},
    {"attention.value_length_mla", ValueType::UInt32, {"v_head_dim"}},
    {"expert_feed_forward_length", ValueType::UInt32, {"moe_intermediate_size"}},
    {"expert_shared_count", ValueType::UInt32, {"n_shared_experts"}},
    {"expert_weights_scale", ValueType::Float32, {"routed_scaling_factor"}},
    {"expert_weights_norm", ValueType::Bool, {}, normalisedWeights},
    {"rope.dimension_count", ValueType::UInt32, {"qk_rope_head_dim"}},
    {"rope.scaling.yarn_log_multiplier", ValueType::Float32, {}, yarnLogMultiplier},
});
inline constexpr KeyRule kUnlimitedContext = {"context_length", ValueType::UInt32, {}, nullptr, 1'048'576};
inline constexpr KeyRule kNoFeedForward = {"feed_forward_length", ValueType::UInt32, {}, nullptr, 0};
inline constexpr KeyRule kNoHeads = {"attention.head_count", ValueType::UInt32, {}, nullptr, 0};
inline constexpr KeyRule kMambaConvolution = {
    "ssm.conv_kernel", ValueType::UInt32, {"conv_kernel", "d_conv"}, nullptr, 4};
inline constexpr KeyRule kMambaEpsilon = {
    "attention.layer_norm_rms_epsilon", ValueType::Float32, {"layer_norm_epsilon", "rms_norm_eps"}, nullptr, 1e-5};
inline constexpr auto kMambaKeys = std::to_array<KeyRule>({
    kUnlimitedContext,
    kNoFeedForward,
    kNoHeads,
    kMambaConvolution,
    {"ssm.inner_size", ValueType::UInt32, {}, mambaInnerSize},
    {"ssm.state_size", ValueType::UInt32, {"state_size", "d_state"}, nullptr, 16},
    {"ssm.time_step_rank", ValueType::UInt32, {}, mambaTimeStepRank},
    kMambaEpsilon,
    {"ssm.dt_b_c_rms", ValueType::Bool, {}, nullptr, 0},
});
inline constexpr auto kMamba2Keys = std::to_array<KeyRule>({
    kUnlimitedContext,
    kNoFeedForward,
    kNoHeads,
    kMambaConvolution,
    {"ssm.inner_size", ValueType::UInt32, {}, mamba2InnerSize},
    {"ssm.state_size", ValueType::UInt32, {"state_size", "d_state"}, nullptr, 128},
    {"ssm.time_step_rank", ValueType::UInt32, {}, mamba2Heads},
    {"ssm.group_count", ValueType::UInt32, {"n_groups"}, nullptr, 1},
    kMambaEpsilon,
});
inline constexpr auto kLfm2Keys = std::to_array<KeyRule>({
    {"feed_forward_length", ValueType::UInt32, {}, feedForwardLfm2},
    {"attention.head_count_kv", ValueType::Array, {}, kvHeadsByLayer},
    kVocabularySize,
    {"shortconv.l_cache", ValueType::UInt32, {"conv_L_cache"}},
});
inline constexpr auto kBertKeys = std::to_array<KeyRule>({kNotCausal});
inline constexpr auto kRobertaKeys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, {}, contextWithoutPadding},
    kNotCausal,
});
inline constexpr auto kModernBertKeys = std::to_array<KeyRule>({
    kNotCausal,
    {"classifier.pooling_type", ValueType::UInt32, {}, classifierPooling},
    {"classifier.activation", ValueType::String, {"classifier_activation"}},
    {"attention.layer_norm_epsilon", ValueType::Float32, {"layer_norm_eps", "norm_eps"}},
    {"attention.sliding_window", ValueType::UInt32, {"local_attention"}},
    {"attention.sliding_window_pattern", ValueType::UInt32, {"global_attn_every_n_layers"}},
    kUnscaledRope,
    kVocabularySize,
    {"hidden_activation", ValueType::String, {"hidden_activation"}},
});
inline constexpr auto kT5Keys = std::to_array<KeyRule>({
    {"context_length", ValueType::UInt32, {"n_positions"}, nullptr, 512},
    {"feed_forward_length", ValueType::UInt32, {"d_ff"}},
    {"block_count", ValueType::UInt32, {"num_layers"}},
    {"decoder_block_count", ValueType::UInt32, {"num_decoder_layers", "num_layers"}},
    {"attention.key_length", ValueType::UInt32, {"d_kv"}},
    {"attention.value_length", ValueType::UInt32, {"d_kv"}},
    {"attention.relative_buckets_count", ValueType::UInt32, {"relative_attention_num_buckets"}},
    {"attention.layer_norm_rms_epsilon", ValueType::Float32, {"layer_norm_epsilon"}},
    {"decoder_start_token_id", ValueType::UInt32, {"decoder_start_token_id"}},
});

} // namespace gufo::convert
