#include "model/tensor_role.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace gufo {
namespace {

constexpr auto kEmbedding = TensorGroup::Embedding;
constexpr auto kAttention = TensorGroup::Attention;
constexpr auto kFeedForward = TensorGroup::FeedForward;
constexpr auto kRecurrent = TensorGroup::Recurrent;
constexpr auto kNorm = TensorGroup::Norm;
constexpr auto kOutput = TensorGroup::Output;
constexpr auto kOther = TensorGroup::Other;

constexpr bool kModel = false; // once in a model
constexpr bool kBlock = true;  // in each block
constexpr bool kExperts = true;

// Names: GGUF specification ("Standardized tensor names") and those that converters of llama.cpp write.
constexpr auto kRoles = std::to_array<RoleFact>({
    // -- before the blocks
    {"token_embd", kEmbedding, "Token embedding", kModel, false, 0},
    {"token_types", kEmbedding, "Embedding of segment types", kModel, false, 1},
    {"position_embd", kEmbedding, "Learned position embedding", kModel, false, 2},
    {"token_embd_norm", kNorm, "Norm after the token embedding", kModel, false, 3},
    {"per_layer_token_embd", kEmbedding, "Token embedding for each block", kModel, false, 4},
    {"per_layer_model_proj", kEmbedding, "Projection to the embeddings of the blocks", kModel, false, 5},
    {"per_layer_proj_norm", kNorm, "Norm of the embeddings of the blocks", kModel, false, 6},
    {"altup_proj", kOther, "Projection to alternating-update streams", kModel, false, 7},
    {"rope_freqs", kAttention, "Factors of RoPE frequencies", kModel, false, 8},
    {"rope_factors_long", kAttention, "RoPE factors for long contexts", kModel, false, 9},
    {"rope_factors_short", kAttention, "RoPE factors for short contexts", kModel, false, 10},
    {"conv1d", kOther, "Input convolution", kModel, false, 11},
    {"cls_embd", kEmbedding, "Embedding of the class token", kModel, false, 12},
    {"class_embd", kEmbedding, "Embedding of the class token", kModel, false, 13},
    {"patch_embd", kEmbedding, "Embedding of image patches", kModel, false, 14},
    {"norm_embd", kNorm, "Norm of the patch embedding", kModel, false, 15},
    {"position_embd_norm", kNorm, "Norm of the position embedding", kModel, false, 16},
    {"pre_ln", kNorm, "Norm before the encoder's blocks", kModel, false, 17},
    {"image_newline", kEmbedding, "Embedding that ends a row of an image", kModel, false, 18},
    {"view_seperator", kEmbedding, "Embedding between views of an image", kModel, false, 19},
    {"token_embd.img_break", kEmbedding, "Embedding that ends a row of patches", kModel, false, 20},
    {"boi", kEmbedding, "Embedding that begins an image", kModel, false, 21},
    {"eoi", kEmbedding, "Embedding that ends an image", kModel, false, 22},
    {"std_bias", kOther, "Offset of the input standardisation", kModel, false, 23},
    {"std_scale", kOther, "Scale of the input standardisation", kModel, false, 24},
    {"conv_stem.conv", kOther, "Convolution of the stem", kModel, false, 25},
    {"conv_stem.bn", kNorm, "Batch norm of the stem", kModel, false, 26},
    {"embd_to_logits", kOutput, "Embedding to logits of audio codes", kModel, false, 27},
    {"mel_filters", kOther, "Mel filter bank", kModel, false, 28},
    {"window", kOther, "Window of the Fourier transform", kModel, false, 29},
    {"conv1d", kOther, "Convolution over time", kBlock, false, 0},
    {"conv1d.norm", kNorm, "Norm after the convolution", kBlock, false, 1},
    {"conv2d", kOther, "Convolution over time and frequency", kBlock, false, 0},
    {"conv_out", kOther, "Output of the convolutions", kModel, false, 30},
    {"input_projection", kOther, "Projection of the input", kModel, false, 31},

    // -- attention
    {"attn_norm", kNorm, "Norm before attention", kBlock, false, 10},
    {"attn_norm_2", kNorm, "Second norm before attention", kBlock, false, 11},
    {"attn_q_a", kAttention, "Query, compressing half", kBlock, false, 12},
    {"attn_q_a_norm", kNorm, "Norm of the compressed query", kBlock, false, 13},
    {"attn_q_b", kAttention, "Query, expanding half", kBlock, false, 14},
    {"attn_q", kAttention, "Query", kBlock, false, 15},
    {"attn_q_norm", kNorm, "Norm of the query heads", kBlock, false, 16},
    {"attn_kv_a_mqa", kAttention, "Key and value, compressing half", kBlock, false, 17},
    {"attn_kv_a_norm", kNorm, "Norm of the compressed key and value", kBlock, false, 18},
    {"attn_kv_b", kAttention, "Key and value, expanding half", kBlock, false, 19},
    {"attn_k_b", kAttention, "Key, expanding half", kBlock, false, 20},
    {"attn_v_b", kAttention, "Value, expanding half", kBlock, false, 21},
    {"attn_k", kAttention, "Key", kBlock, false, 22},
    {"attn_k_norm", kNorm, "Norm of the key heads", kBlock, false, 23},
    {"attn_v", kAttention, "Value", kBlock, false, 24},
    {"attn_qkv", kAttention, "Query, key and value in one", kBlock, false, 25},
    {"attn_rot_embd", kAttention, "Rotary frequencies", kBlock, false, 26},
    {"attn_rel_b", kAttention, "Relative position bias", kBlock, false, 27},
    {"attn_k_rel", kAttention, "Relative position keys", kBlock, false, 27},
    {"attn_sinks", kAttention, "Attention sinks", kBlock, false, 28},
    {"attn_gate", kAttention, "Gate of the attention output", kBlock, false, 29},
    {"attn_sub_norm", kNorm, "Norm before the attention output", kBlock, false, 30},
    {"attn_output", kAttention, "Attention output", kBlock, false, 31},
    {"attn_output_norm", kNorm, "Norm after attention", kBlock, false, 32},
    {"post_attention_norm", kNorm, "Norm of the attention output", kBlock, false, 33},
    {"attn_pre_norm", kNorm, "Norm before attention", kBlock, false, 10},
    {"per_dim_scale", kAttention, "Scale of each query dimension", kBlock, false, 27},
    {"per_dim_k_scale", kAttention, "Scale of each key dimension", kBlock, false, 27},
    {"linear_pos", kAttention, "Projection of relative positions", kBlock, false, 27},
    {"pos_bias_u", kAttention, "Content bias of relative positions", kBlock, false, 27},
    {"pos_bias_v", kAttention, "Position bias of relative positions", kBlock, false, 27},
    {"attn.pos_h", kAttention, "Relative positions by height", kBlock, false, 27},
    {"attn.pos_w", kAttention, "Relative positions by width", kBlock, false, 27},
    {"vis_attn_qkv", kAttention, "Query, key and value for images", kBlock, false, 25},
    {"vis_attn_output", kAttention, "Attention output for images", kBlock, false, 31},
    {"indexer.k_norm", kNorm, "Norm of the indexer's keys", kBlock, false, 34},
    {"indexer.proj", kAttention, "Weights of the indexer's heads", kBlock, false, 34},
    {"indexer.attn_k", kAttention, "Keys of the indexer", kBlock, false, 34},
    {"indexer.attn_q_b", kAttention, "Queries of the indexer", kBlock, false, 34},
    {"cross_attn_norm", kNorm, "Norm before cross-attention", kBlock, false, 35},
    {"cross_attn_q", kAttention, "Query of cross-attention", kBlock, false, 36},
    {"cross_attn_k", kAttention, "Key of cross-attention", kBlock, false, 37},
    {"cross_attn_v", kAttention, "Value of cross-attention", kBlock, false, 38},
    {"cross_attn_rel_b", kAttention, "Relative position bias of cross-attention", kBlock, false, 39},
    {"cross_attn_output", kAttention, "Output of cross-attention", kBlock, false, 40},
    {"ls1", kOther, "Scale of the attention branch", kBlock, false, 41},

    // -- state-space and short-convolution blocks
    {"ssm_in", kRecurrent, "State space: input projection", kBlock, false, 50},
    {"ssm_conv1d", kRecurrent, "State space: short convolution", kBlock, false, 51},
    {"ssm_conv1d_q", kRecurrent, "Linear attention: convolution of queries", kBlock, false, 51},
    {"ssm_conv1d_k", kRecurrent, "Linear attention: convolution of keys", kBlock, false, 51},
    {"ssm_conv1d_v", kRecurrent, "Linear attention: convolution of values", kBlock, false, 51},
    {"ssm_x", kRecurrent, "State space: step, input and output matrices from the input", kBlock, false, 52},
    {"ssm_ba", kRecurrent, "Linear attention: beta and alpha", kBlock, false, 53},
    {"ssm_alpha", kRecurrent, "Linear attention: alpha", kBlock, false, 53},
    {"ssm_beta", kRecurrent, "Linear attention: beta", kBlock, false, 53},
    {"ssm_f_a", kRecurrent, "Linear attention: forget gate, compressing half", kBlock, false, 53},
    {"ssm_f_b", kRecurrent, "Linear attention: forget gate, expanding half", kBlock, false, 53},
    {"ssm_g_a", kRecurrent, "Linear attention: output gate, compressing half", kBlock, false, 53},
    {"ssm_g_b", kRecurrent, "Linear attention: output gate, expanding half", kBlock, false, 53},
    {"ssm_dt_norm", kNorm, "State space: norm of the step", kBlock, false, 54},
    {"ssm_b_norm", kNorm, "State space: norm of the input matrix", kBlock, false, 55},
    {"ssm_c_norm", kNorm, "State space: norm of the output matrix", kBlock, false, 56},
    {"ssm_dt", kRecurrent, "State space: time step", kBlock, false, 57},
    {"ssm_a", kRecurrent, "State space: decay", kBlock, false, 58},
    {"ssm_d", kRecurrent, "State space: skip connection", kBlock, false, 59},
    {"ssm_norm", kNorm, "State space: norm before the output", kBlock, false, 60},
    {"ssm_out", kRecurrent, "State space: output projection", kBlock, false, 61},
    {"shortconv.in_proj", kRecurrent, "Short convolution: input projection", kBlock, false, 62},
    {"shortconv.conv", kRecurrent, "Short convolution", kBlock, false, 63},
    {"shortconv.out_proj", kRecurrent, "Short convolution: output projection", kBlock, false, 64},

    // -- RWKV
    {"time_mix_lerp_x", kRecurrent, "Time mix: interpolation of the input", kBlock, false, 70},
    {"time_mix_lerp_w", kRecurrent, "Time mix: interpolation for the decay", kBlock, false, 71},
    {"time_mix_lerp_k", kRecurrent, "Time mix: interpolation for the key", kBlock, false, 71},
    {"time_mix_lerp_v", kRecurrent, "Time mix: interpolation for the value", kBlock, false, 71},
    {"time_mix_lerp_r", kRecurrent, "Time mix: interpolation for the receptance", kBlock, false, 71},
    {"time_mix_lerp_g", kRecurrent, "Time mix: interpolation for the gate", kBlock, false, 71},
    {"time_mix_lerp_fused", kRecurrent, "Time mix: all interpolations in one", kBlock, false, 72},
    {"time_mix_w0", kRecurrent, "Time mix: base of the decay", kBlock, false, 73},
    {"time_mix_w1", kRecurrent, "Time mix: low-rank pair, compressing half", kBlock, false, 73},
    {"time_mix_w2", kRecurrent, "Time mix: low-rank pair, expanding half", kBlock, false, 74},
    {"time_mix_a0", kRecurrent, "Time mix: base of the learning rate", kBlock, false, 75},
    {"time_mix_a1", kRecurrent, "Time mix: learning rate, compressing half", kBlock, false, 75},
    {"time_mix_a2", kRecurrent, "Time mix: learning rate, expanding half", kBlock, false, 75},
    {"time_mix_v0", kRecurrent, "Time mix: base of the value residual", kBlock, false, 76},
    {"time_mix_v1", kRecurrent, "Time mix: value residual, compressing half", kBlock, false, 76},
    {"time_mix_v2", kRecurrent, "Time mix: value residual, expanding half", kBlock, false, 76},
    {"time_mix_g1", kRecurrent, "Time mix: gate, compressing half", kBlock, false, 77},
    {"time_mix_g2", kRecurrent, "Time mix: gate, expanding half", kBlock, false, 77},
    {"time_mix_k_k", kRecurrent, "Time mix: scale of the removal key", kBlock, false, 78},
    {"time_mix_k_a", kRecurrent, "Time mix: scale of the replacement key", kBlock, false, 78},
    {"time_mix_r_k", kRecurrent, "Time mix: bonus of the present token", kBlock, false, 78},
    {"time_mix_first", kRecurrent, "Time mix: bonus of the present token", kBlock, false, 78},
    {"time_mix_decay", kRecurrent, "Time mix: decay", kBlock, false, 79},
    {"time_mix_decay_w1", kRecurrent, "Time mix: decay, compressing half", kBlock, false, 80},
    {"time_mix_decay_w2", kRecurrent, "Time mix: decay, expanding half", kBlock, false, 81},
    {"time_mix_receptance", kRecurrent, "Time mix: receptance", kBlock, false, 82},
    {"time_mix_key", kRecurrent, "Time mix: key", kBlock, false, 83},
    {"time_mix_value", kRecurrent, "Time mix: value", kBlock, false, 84},
    {"time_mix_gate", kRecurrent, "Time mix: gate", kBlock, false, 85},
    {"time_mix_ln", kNorm, "Time mix: group norm", kBlock, false, 86},
    {"time_mix_output", kRecurrent, "Time mix: output", kBlock, false, 87},
    {"channel_mix_lerp_k", kFeedForward, "Channel mix: interpolation for the key", kBlock, false, 150},
    {"channel_mix_lerp_r", kFeedForward, "Channel mix: interpolation for the receptance", kBlock, false, 151},
    {"channel_mix_key", kFeedForward, "Channel mix: key", kBlock, false, 152},
    {"channel_mix_value", kFeedForward, "Channel mix: value", kBlock, false, 153},
    {"channel_mix_receptance", kFeedForward, "Channel mix: receptance", kBlock, false, 154},

    // -- feed-forward
    {"ffn_norm", kNorm, "Norm before feed-forward", kBlock, false, 100},
    {"ffn_norm_exps", kNorm, "Norm before the experts", kBlock, false, 101},
    {"pre_ffw_norm_2", kNorm, "Second norm before feed-forward", kBlock, false, 102},
    {"ffn_gate", kFeedForward, "Gate", kBlock, false, 103},
    {"ffn_up", kFeedForward, "Up", kBlock, false, 104},
    {"ffn_act", kFeedForward, "Scales of the activation", kBlock, false, 105},
    {"ffn_sub_norm", kNorm, "Norm before the down projection", kBlock, false, 106},
    {"ffn_down", kFeedForward, "Down", kBlock, false, 107},
    {"ffn_gate_inp", kFeedForward, "Router that chooses the experts", kBlock, false, 110},
    {"exp_probs_b", kFeedForward, "Bias of the router, for balance", kBlock, false, 111},
    {"ffn_latent_down", kFeedForward, "Compression before the experts", kBlock, false, 112},
    {"ffn_gate_exps", kFeedForward, "Gate of all experts", kBlock, kExperts, 113},
    {"ffn_up_exps", kFeedForward, "Up of all experts", kBlock, kExperts, 114},
    {"ffn_gate_up_exps", kFeedForward, "Gate and up of all experts", kBlock, kExperts, 115},
    {"ffn_down_exps", kFeedForward, "Down of all experts", kBlock, kExperts, 116},
    {"ffn_latent_up", kFeedForward, "Expansion after the experts", kBlock, false, 117},
    {"ffn_gate_inp_shexp", kFeedForward, "Gate of the shared expert's output", kBlock, false, 118},
    {"ffn_gate_shexp", kFeedForward, "Gate of the shared experts", kBlock, false, 119},
    {"ffn_up_shexp", kFeedForward, "Up of the shared experts", kBlock, false, 120},
    {"ffn_down_shexp", kFeedForward, "Down of the shared experts", kBlock, false, 121},
    {"ffn_gate_chexps", kFeedForward, "Gate of the chunk experts", kBlock, kExperts, 122},
    {"ffn_up_chexps", kFeedForward, "Up of the chunk experts", kBlock, kExperts, 123},
    {"ffn_down_chexps", kFeedForward, "Down of the chunk experts", kBlock, kExperts, 124},
    {"vis_gate", kFeedForward, "Gate for images", kBlock, false, 125},
    {"vis_up", kFeedForward, "Up for images", kBlock, false, 126},
    {"vis_down", kFeedForward, "Down for images", kBlock, false, 127},
    {"post_ffw_norm", kNorm, "Norm of the feed-forward output", kBlock, false, 130},
    {"post_ffw_norm_1", kNorm, "Norm of the dense feed-forward output", kBlock, false, 131},
    {"post_ffw_norm_2", kNorm, "Norm of the experts' output", kBlock, false, 132},
    {"ffn_scale", kOther, "Scale of the feed-forward branch", kBlock, false, 133},
    {"ffn_norm_1", kNorm, "Norm before the second feed-forward", kBlock, false, 134},
    {"ffn_gate_1", kFeedForward, "Gate of the second feed-forward", kBlock, false, 135},
    {"ffn_up_1", kFeedForward, "Up of the second feed-forward", kBlock, false, 136},
    {"ffn_down_1", kFeedForward, "Down of the second feed-forward", kBlock, false, 137},
    {"ffn_post_norm_1", kNorm, "Norm of the second feed-forward's output", kBlock, false, 138},
    {"ffn_scale_1", kOther, "Scale of the second feed-forward branch", kBlock, false, 139},
    {"ls2", kOther, "Scale of the feed-forward branch", kBlock, false, 140},
    {"layer_output_norm", kNorm, "Norm at the end of the block", kBlock, false, 141},
    {"layer_output_scale", kOther, "Scale at the end of the block", kBlock, false, 142},
    {"out_scale", kOther, "Scale at the end of the block", kBlock, false, 142},

    // -- gemma3n's additions to a block
    {"altup_router_norm", kNorm, "Alternating update: norm of the router", kBlock, false, 160},
    {"altup_router", kOther, "Alternating update: router", kBlock, false, 161},
    {"altup_predict_coef", kOther, "Alternating update: prediction", kBlock, false, 162},
    {"altup_correct_coef", kOther, "Alternating update: correction", kBlock, false, 163},
    {"altup_correct_scale", kOther, "Alternating update: scale of the correction", kBlock, false, 164},
    {"laurel_l", kOther, "Learned residual, compressing half", kBlock, false, 165},
    {"laurel_r", kOther, "Learned residual, expanding half", kBlock, false, 166},
    {"laurel_post_norm", kNorm, "Norm of the learned residual", kBlock, false, 167},
    {"inp_gate", kOther, "Gate of the block's own embedding", kBlock, false, 168},
    {"proj", kOther, "Projection of the block's own embedding", kBlock, false, 169},
    {"post_norm", kNorm, "Norm of the block's own embedding", kBlock, false, 170},

    // -- prediction of further tokens
    {"nextn.embed_tokens", kEmbedding, "Next tokens: embedding", kBlock, false, 180},
    {"nextn.enorm", kNorm, "Next tokens: norm of the embedding", kBlock, false, 181},
    {"nextn.hnorm", kNorm, "Next tokens: norm of the hidden state", kBlock, false, 182},
    {"nextn.eh_proj", kOther, "Next tokens: projection of both", kBlock, false, 183},
    {"nextn.shared_head_norm", kNorm, "Next tokens: norm before the head", kBlock, false, 184},
    {"nextn.shared_head_head", kOutput, "Next tokens: head", kBlock, false, 185},

    // -- blocks of image and audio encoders, vocoders, projectors
    {"ln1", kNorm, "Norm before attention", kBlock, false, 10},
    {"ln2", kNorm, "Norm before feed-forward", kBlock, false, 100},
    {"pre_ln", kNorm, "Norm before attention", kBlock, false, 10},
    {"post_ln", kNorm, "Norm before feed-forward", kBlock, false, 100},
    {"layer_pre_norm", kNorm, "Norm at the start of the block", kBlock, false, 9},
    {"norm_conv", kNorm, "Norm before the convolution", kBlock, false, 89},
    {"conv_pw1", kOther, "First pointwise convolution", kBlock, false, 90},
    {"conv_dw", kOther, "Depthwise convolution", kBlock, false, 91},
    {"conv_norm", kNorm, "Norm of the convolution", kBlock, false, 92},
    {"conv_norm_mean", kNorm, "Mean of the convolution's batch norm", kBlock, false, 93},
    {"conv_norm_var", kNorm, "Variance of the convolution's batch norm", kBlock, false, 94},
    {"conv_pw2", kOther, "Second pointwise convolution", kBlock, false, 95},
    {"dw", kOther, "Depthwise convolution", kBlock, false, 190},
    {"norm", kNorm, "Norm", kBlock, false, 191},
    {"pw1", kOther, "First pointwise convolution", kBlock, false, 192},
    {"pw2", kOther, "Second pointwise convolution", kBlock, false, 193},
    {"gamma", kOther, "Scale of the branch", kBlock, false, 194},
    {"norm1", kNorm, "First norm", kBlock, false, 195},
    {"conv1", kOther, "First convolution", kBlock, false, 196},
    {"norm2", kNorm, "Second norm", kBlock, false, 197},
    {"conv2", kOther, "Second convolution", kBlock, false, 198},
    {"fc1", kOther, "First layer of the projection", kBlock, false, 199},
    {"fc2", kOther, "Second layer of the projection", kBlock, false, 200},
    {"neck", kOther, "Convolution after the encoder", kBlock, false, 201},
    {"mm", kOther, "Layer of the projector", kBlock, false, 202},
    {"model.mlp", kOther, "Layer of the projector", kBlock, false, 203},
    {"model.peg", kOther, "Position generator of the projector", kBlock, false, 204},

    // -- after the blocks
    {"output_norm", kNorm, "Norm before the output", kModel, false, 210},
    {"altup_unembd_proj", kOther, "Projection from alternating-update streams", kModel, false, 211},
    {"output", kOutput, "Output: embedding to logits", kModel, false, 212},
    {"dense_2", kOutput, "First dense layer of the embedding", kModel, false, 213},
    {"dense_3", kOutput, "Second dense layer of the embedding", kModel, false, 214},
    {"cls", kOutput, "Classifier", kModel, false, 215},
    {"cls.norm", kNorm, "Norm of the classifier", kModel, false, 216},
    {"cls.output", kOutput, "Output of the classifier", kModel, false, 217},
    {"post_ln", kNorm, "Norm after the encoder's blocks", kModel, false, 218},
    {"net_2", kOther, "Second convolution after the encoder", kModel, false, 219},
    {"net_3", kOther, "Third convolution after the encoder", kModel, false, 220},
    {"msfa.ffn.pw_exp.conv", kOther, "Fusion of scales: expansion", kModel, false, 221},
    {"msfa.ffn.pw_exp.bn", kNorm, "Fusion of scales: norm of the expansion", kModel, false, 222},
    {"msfa.ffn.pw_proj.conv", kOther, "Fusion of scales: projection", kModel, false, 223},
    {"msfa.ffn.pw_proj.bn", kNorm, "Fusion of scales: norm of the projection", kModel, false, 224},
    {"msfa.norm", kNorm, "Fusion of scales: norm", kModel, false, 225},
    {"model.fc", kOther, "Projector", kModel, false, 226},
    {"fc", kOther, "Projector", kModel, false, 227},
    {"input_norm", kNorm, "Norm before the projector", kModel, false, 228},
    {"pre_norm", kNorm, "Norm before the projector", kModel, false, 229},
    {"norm_pre", kNorm, "Norm before the projector", kModel, false, 230},
    {"norm_mid", kNorm, "Norm inside the projector", kModel, false, 231},
    {"post_norm", kNorm, "Norm after the projector", kModel, false, 232},
    {"post_fc_norm", kNorm, "Norm after the projection", kModel, false, 233},
    {"soft_emb_norm", kNorm, "Norm of embeddings from the encoder", kModel, false, 234},
    {"hard_emb_norm", kNorm, "Norm of embeddings of special tokens", kModel, false, 235},
    {"embedding", kEmbedding, "Embedding of special tokens", kModel, false, 236},
    {"patch_merger", kOther, "Joins neighbouring patches", kModel, false, 237},
    {"gate", kOther, "Gate of the projector", kModel, false, 238},
    {"up", kOther, "Up of the projector", kModel, false, 239},
    {"down", kOther, "Down of the projector", kModel, false, 240},
    {"image_begin", kEmbedding, "Embedding that begins an image", kModel, false, 241},
    {"image_end", kEmbedding, "Embedding that ends an image", kModel, false, 242},
    {"query", kEmbedding, "Learned queries of the resampler", kModel, false, 243},
    {"pos_embd_k", kEmbedding, "Positions of the resampler's keys", kModel, false, 244},
    {"kv", kAttention, "Input of the resampler's keys and values", kModel, false, 245},
    {"ln_q", kNorm, "Norm of the resampler's queries", kModel, false, 246},
    {"ln_kv", kNorm, "Norm of the resampler's keys and values", kModel, false, 247},
    {"attn.q", kAttention, "Query of the resampler", kModel, false, 248},
    {"attn.k", kAttention, "Key of the resampler", kModel, false, 249},
    {"attn.v", kAttention, "Value of the resampler", kModel, false, 250},
    {"attn.out", kAttention, "Attention output of the resampler", kModel, false, 251},
    {"ln_post", kNorm, "Norm after the resampler", kModel, false, 252},
    {"proj", kOther, "Projection of the resampler", kModel, false, 253},
});

// Spellings of older files and of encoders for a role of the table.
struct Alias {
    std::string_view alias;
    std::string_view role;
    bool perBlock;
};
constexpr auto kAliases = std::to_array<Alias>({
    {"pos_embd", "position_embd", kModel},
    {"attn_o", "attn_output", kBlock},
    {"attn_out", "attn_output", kBlock},
    {"attn.qkv", "attn_qkv", kBlock},
    {"attn.out", "attn_output", kBlock},
    {"attn_out_norm", "attn_output_norm", kBlock},
    {"attn_post_norm", "post_attention_norm", kBlock},
    {"attn_q_proj", "attn_q", kBlock},
    {"attn_k_proj", "attn_k", kBlock},
    {"attn_v_proj", "attn_v", kBlock},
    {"cross_attn_o", "cross_attn_output", kBlock},
    {"ffn_post_norm", "post_ffw_norm", kBlock},
    {"ffn", "ffn_act", kBlock},
    {"mlp.lin1", "ffn_up", kBlock},
    {"mlp.lin2", "ffn_down", kBlock},
    {"ffn_gate_exp", "ffn_gate_exps", kBlock},
    {"ffn_up_exp", "ffn_up_exps", kBlock},
    {"ffn_down_exp", "ffn_down_exps", kBlock},
    {"ffn_gate_shexps", "ffn_gate_shexp", kBlock},
    {"ffn_up_shexps", "ffn_up_shexp", kBlock},
    {"ffn_down_shexps", "ffn_down_shexp", kBlock},
    {"ssm_conv1d_weight", "ssm_conv1d", kBlock},
    {"mlp", "model.mlp", kBlock},
    // the original LLaMA release and GGJT
    {"tok_embeddings", "token_embd", kModel},
    {"norm", "output_norm", kModel},
    {"attention_norm", "attn_norm", kBlock},
    {"attention.wq", "attn_q", kBlock},
    {"attention.wk", "attn_k", kBlock},
    {"attention.wv", "attn_v", kBlock},
    {"attention.wo", "attn_output", kBlock},
    {"feed_forward.w1", "ffn_gate", kBlock},
    {"feed_forward.w2", "ffn_down", kBlock},
    {"feed_forward.w3", "ffn_up", kBlock},
});

// What stands before the blocks of models with several parts; longer ones first where one starts another.
constexpr auto kPrefixes = std::to_array<std::string_view>(
    {"v.deepstack.", "v.sam.", "v.", "mm.a.", "mm.", "a.", "enc.", "dec.", "posnet.", "convnext.", "resampler."});
constexpr auto kBlockWords = std::to_array<std::string_view>({"blk.", "layers."});
constexpr auto kSuffixes = std::to_array<std::string_view>(
    {"weight", "bias", "scale", "scales", "input_scale", "lora_a", "lora_b", "in_sum", "in_sum2", "counts"});
// Roles whose experts stand in tensors of their own in old files.
constexpr auto kNumberedExperts = std::to_array<std::string_view>({"ffn_gate", "ffn_up", "ffn_down"});

struct Entry {
    std::string_view name;
    bool perBlock;
    std::uint16_t role; // index into kRoles

    [[nodiscard]] constexpr auto key() const { return std::tuple(name, perBlock); }
};

constexpr std::uint16_t indexOfRole(std::string_view name, bool perBlock) {
    std::uint16_t i = 0;
    while (kRoles.at(i).name != name || kRoles.at(i).perBlock != perBlock) {
        ++i;
    }
    return i;
}

constexpr auto kIndex = [] {
    std::array<Entry, kRoles.size() + kAliases.size()> index{};
    std::size_t n = 0;
    for (const RoleFact& role : kRoles) {
        index.at(n) = {role.name, role.perBlock, static_cast<std::uint16_t>(n)};
        ++n;
    }
    for (const Alias& alias : kAliases) {
        index.at(n++) = {alias.alias, alias.perBlock, indexOfRole(alias.role, alias.perBlock)};
    }
    std::ranges::sort(index, {}, &Entry::key);
    return index;
}();
static_assert(std::ranges::adjacent_find(kIndex, {}, &Entry::key) == kIndex.end(), "each name once");

const RoleFact* findRole(std::string_view name, bool perBlock) {
    const auto* row = std::ranges::lower_bound(kIndex, std::tuple(name, perBlock), {}, &Entry::key);
    return row != kIndex.end() && row->key() == std::tuple(name, perBlock) ? &kRoles.at(row->role) : nullptr;
}

// The number that is the whole of `text`, without sign or leading zeros.
std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool plain = !text.empty() && (text.size() == 1 || text[0] != '0');
    return plain && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "7.rest" → 7, and `text` becomes "rest".
std::optional<std::uint32_t> takeNumber(std::string_view& text) {
    const std::size_t dot = text.find('.');
    const auto value = number(text.substr(0, dot));
    if (value) {
        text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
    }
    return value;
}

// Takes ".weight", ".weight.lora_a" … off the end; gives the last word. A number after it (".weight.1", the second of
// two patch embeddings) belongs to it.
std::string_view takeSuffix(std::string_view& text) {
    std::string_view suffix;
    const auto lastDot = text.rfind('.');
    if (lastDot != std::string_view::npos && number(text.substr(lastDot + 1))) {
        const auto before = text.substr(0, lastDot);
        const auto dot = before.rfind('.');
        if (dot != std::string_view::npos && std::ranges::count(kSuffixes, before.substr(dot + 1)) != 0) {
            suffix = text.substr(dot + 1);
            text = text.substr(0, dot);
        }
    }
    for (;;) {
        const std::size_t dot = text.rfind('.');
        const std::string_view word = dot == std::string_view::npos ? text : text.substr(dot + 1);
        if (std::ranges::find(kSuffixes, word) == kSuffixes.end()) {
            return suffix;
        }
        suffix = suffix.empty() ? word : suffix;
        text = dot == std::string_view::npos ? std::string_view() : text.substr(0, dot);
    }
}

// A role with a number of its own inside: "ffn_gate.7" (an expert), "model.mlp.2", "conv1d.0.norm" (a layer).
bool parseNumbered(std::string_view role, TensorName& result) {
    std::string_view tail = role;
    while (!tail.empty()) {
        const std::string_view head = role.substr(0, role.size() - tail.size());
        std::string_view rest = tail;
        if (const auto value = takeNumber(rest); value && !head.empty()) {
            std::array<char, 32> buffer{};
            const std::string_view first = head.substr(0, head.size() - 1);
            const std::string_view second = rest.empty() ? rest : role.substr(role.size() - rest.size() - 1);
            if (first.size() + second.size() > buffer.size()) {
                return false;
            }
            char* end = std::ranges::copy(first, buffer.data()).out;
            end = std::ranges::copy(second, end).out;
            const std::string_view name(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
            const RoleFact* fact = findRole(name, kBlock);
            if (fact == nullptr ||
                (result.block && std::ranges::find(kNumberedExperts, fact->name) == kNumberedExperts.end())) {
                return false;
            }
            (result.block ? result.expert : result.block) = value;
            result.fact = fact;
            return true;
        }
        const std::size_t dot = tail.find('.');
        tail.remove_prefix(dot == std::string_view::npos ? tail.size() : dot + 1);
    }
    return false;
}

} // namespace

std::span<const RoleFact> roleFacts() { return kRoles; }

TensorName parseTensorName(std::string_view name) {
    TensorName result;
    std::string_view rest = name;
    for (const std::string_view prefix : kPrefixes) {
        if (rest.starts_with(prefix)) {
            result.prefix = prefix;
            rest.remove_prefix(prefix.size());
            break;
        }
    }
    const auto* word =
        std::ranges::find_if(kBlockWords, [&](std::string_view candidate) { return rest.starts_with(candidate); });
    std::string_view afterBlock = rest.substr(word != kBlockWords.end() ? word->size() : 0);
    if (word != kBlockWords.end() || !result.prefix.empty()) {
        result.block = takeNumber(afterBlock);
        rest = result.block ? afterBlock : rest;
    }
    result.role = rest;
    result.suffix = takeSuffix(result.role);
    if (result.role.empty() && result.prefix == "mm." && result.block) {
        result.role = "mm";
    }
    result.fact = findRole(result.role, result.block.has_value());
    if (result.fact == nullptr) {
        parseNumbered(result.role, result);
    }
    if (result.fact != nullptr) {
        result.role = result.fact->name;
    }
    return result;
}

} // namespace gufo
