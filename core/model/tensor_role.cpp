#include "model/tensor_role.h"

#include "model/find_role.h"
#include "model/role_aliases.h"

#include <algorithm>
#include <array>
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

constexpr bool kModel = false; // once per model
constexpr bool kBlock = true;  // in every block
constexpr bool kExperts = true;

// Sources of the names: the GGUF specification ("Standardized tensor names") and llama.cpp's converters.
constexpr auto kRoles = std::to_array<RoleFact>({
    // -- before the blocks
    {"token_embd", kEmbedding, kModel, false, 0},
    {"token_types", kEmbedding, kModel, false, 1},
    {"position_embd", kEmbedding, kModel, false, 2},
    {"token_embd_norm", kNorm, kModel, false, 3},
    {"per_layer_token_embd", kEmbedding, kModel, false, 4},
    {"per_layer_model_proj", kEmbedding, kModel, false, 5},
    {"per_layer_proj_norm", kNorm, kModel, false, 6},
    {"altup_proj", kOther, kModel, false, 7},
    {"rope_freqs", kAttention, kModel, false, 8},
    {"rope_factors_long", kAttention, kModel, false, 9},
    {"rope_factors_short", kAttention, kModel, false, 10},
    {"conv1d", kOther, kModel, false, 11},
    {"cls_embd", kEmbedding, kModel, false, 12},
    {"class_embd", kEmbedding, kModel, false, 13},
    {"patch_embd", kEmbedding, kModel, false, 14},
    {"norm_embd", kNorm, kModel, false, 15},
    {"position_embd_norm", kNorm, kModel, false, 16},
    {"pre_ln", kNorm, kModel, false, 17},
    {"image_newline", kEmbedding, kModel, false, 18},
    {"view_seperator", kEmbedding, kModel, false, 19},
    {"token_embd.img_break", kEmbedding, kModel, false, 20},
    {"boi", kEmbedding, kModel, false, 21},
    {"eoi", kEmbedding, kModel, false, 22},
    {"std_bias", kOther, kModel, false, 23},
    {"std_scale", kOther, kModel, false, 24},
    {"conv_stem.conv", kOther, kModel, false, 25},
    {"conv_stem.bn", kNorm, kModel, false, 26},
    {"embd_to_logits", kOutput, kModel, false, 27},
    {"mel_filters", kOther, kModel, false, 28},
    {"window", kOther, kModel, false, 29},
    {"conv1d", kOther, kBlock, false, 0},
    {"conv1d.norm", kNorm, kBlock, false, 1},
    {"conv2d", kOther, kBlock, false, 0},
    {"conv_out", kOther, kModel, false, 30},
    {"input_projection", kOther, kModel, false, 31},

    // -- attention
    {"attn_norm", kNorm, kBlock, false, 10},
    {"attn_norm_2", kNorm, kBlock, false, 11},
    {"attn_q_a", kAttention, kBlock, false, 12},
    {"attn_q_a_norm", kNorm, kBlock, false, 13},
    {"attn_q_b", kAttention, kBlock, false, 14},
    {"attn_q", kAttention, kBlock, false, 15},
    {"attn_q_norm", kNorm, kBlock, false, 16},
    {"attn_kv_a_mqa", kAttention, kBlock, false, 17},
    {"attn_kv_a_norm", kNorm, kBlock, false, 18},
    {"attn_kv_b", kAttention, kBlock, false, 19},
    {"attn_k_b", kAttention, kBlock, false, 20},
    {"attn_v_b", kAttention, kBlock, false, 21},
    {"attn_k", kAttention, kBlock, false, 22},
    {"attn_k_norm", kNorm, kBlock, false, 23},
    {"attn_v", kAttention, kBlock, false, 24},
    {"attn_qkv", kAttention, kBlock, false, 25},
    {"attn_rot_embd", kAttention, kBlock, false, 26},
    {"attn_rel_b", kAttention, kBlock, false, 27},
    {"attn_k_rel", kAttention, kBlock, false, 27},
    {"attn_sinks", kAttention, kBlock, false, 28},
    {"attn_gate", kAttention, kBlock, false, 29},
    {"attn_sub_norm", kNorm, kBlock, false, 30},
    {"attn_output", kAttention, kBlock, false, 31},
    {"attn_output_norm", kNorm, kBlock, false, 32},
    {"post_attention_norm", kNorm, kBlock, false, 33},
    {"attn_pre_norm", kNorm, kBlock, false, 10},
    {"per_dim_scale", kAttention, kBlock, false, 27},
    {"per_dim_k_scale", kAttention, kBlock, false, 27},
    {"linear_pos", kAttention, kBlock, false, 27},
    {"pos_bias_u", kAttention, kBlock, false, 27},
    {"pos_bias_v", kAttention, kBlock, false, 27},
    {"attn.pos_h", kAttention, kBlock, false, 27},
    {"attn.pos_w", kAttention, kBlock, false, 27},
    {"vis_attn_qkv", kAttention, kBlock, false, 25},
    {"vis_attn_output", kAttention, kBlock, false, 31},
    {"indexer.k_norm", kNorm, kBlock, false, 34},
    {"indexer.proj", kAttention, kBlock, false, 34},
    {"indexer.attn_k", kAttention, kBlock, false, 34},
    {"indexer.attn_q_b", kAttention, kBlock, false, 34},
    {"cross_attn_norm", kNorm, kBlock, false, 35},
    {"cross_attn_q", kAttention, kBlock, false, 36},
    {"cross_attn_k", kAttention, kBlock, false, 37},
    {"cross_attn_v", kAttention, kBlock, false, 38},
    {"cross_attn_rel_b", kAttention, kBlock, false, 39},
    {"cross_attn_output", kAttention, kBlock, false, 40},
    {"ls1", kOther, kBlock, false, 41},

    // -- state-space and short-convolution blocks
    {"ssm_in", kRecurrent, kBlock, false, 50},
    {"ssm_conv1d", kRecurrent, kBlock, false, 51},
    {"ssm_conv1d_q", kRecurrent, kBlock, false, 51},
    {"ssm_conv1d_k", kRecurrent, kBlock, false, 51},
    {"ssm_conv1d_v", kRecurrent, kBlock, false, 51},
    {"ssm_x", kRecurrent, kBlock, false, 52},
    {"ssm_ba", kRecurrent, kBlock, false, 53},
    {"ssm_alpha", kRecurrent, kBlock, false, 53},
    {"ssm_beta", kRecurrent, kBlock, false, 53},
    {"ssm_f_a", kRecurrent, kBlock, false, 53},
    {"ssm_f_b", kRecurrent, kBlock, false, 53},
    {"ssm_g_a", kRecurrent, kBlock, false, 53},
    {"ssm_g_b", kRecurrent, kBlock, false, 53},
    {"ssm_dt_norm", kNorm, kBlock, false, 54},
    {"ssm_b_norm", kNorm, kBlock, false, 55},
    {"ssm_c_norm", kNorm, kBlock, false, 56},
    {"ssm_dt", kRecurrent, kBlock, false, 57},
    {"ssm_a", kRecurrent, kBlock, false, 58},
    {"ssm_d", kRecurrent, kBlock, false, 59},
    {"ssm_norm", kNorm, kBlock, false, 60},
    {"ssm_out", kRecurrent, kBlock, false, 61},
    {"shortconv.in_proj", kRecurrent, kBlock, false, 62},
    {"shortconv.conv", kRecurrent, kBlock, false, 63},
    {"shortconv.out_proj", kRecurrent, kBlock, false, 64},

    // -- RWKV
    {"time_mix_lerp_x", kRecurrent, kBlock, false, 70},
    {"time_mix_lerp_w", kRecurrent, kBlock, false, 71},
    {"time_mix_lerp_k", kRecurrent, kBlock, false, 71},
    {"time_mix_lerp_v", kRecurrent, kBlock, false, 71},
    {"time_mix_lerp_r", kRecurrent, kBlock, false, 71},
    {"time_mix_lerp_g", kRecurrent, kBlock, false, 71},
    {"time_mix_lerp_fused", kRecurrent, kBlock, false, 72},
    {"time_mix_w0", kRecurrent, kBlock, false, 73},
    {"time_mix_w1", kRecurrent, kBlock, false, 73},
    {"time_mix_w2", kRecurrent, kBlock, false, 74},
    {"time_mix_a0", kRecurrent, kBlock, false, 75},
    {"time_mix_a1", kRecurrent, kBlock, false, 75},
    {"time_mix_a2", kRecurrent, kBlock, false, 75},
    {"time_mix_v0", kRecurrent, kBlock, false, 76},
    {"time_mix_v1", kRecurrent, kBlock, false, 76},
    {"time_mix_v2", kRecurrent, kBlock, false, 76},
    {"time_mix_g1", kRecurrent, kBlock, false, 77},
    {"time_mix_g2", kRecurrent, kBlock, false, 77},
    {"time_mix_k_k", kRecurrent, kBlock, false, 78},
    {"time_mix_k_a", kRecurrent, kBlock, false, 78},
    {"time_mix_r_k", kRecurrent, kBlock, false, 78},
    {"time_mix_first", kRecurrent, kBlock, false, 78},
    {"time_mix_decay", kRecurrent, kBlock, false, 79},
    {"time_mix_decay_w1", kRecurrent, kBlock, false, 80},
    {"time_mix_decay_w2", kRecurrent, kBlock, false, 81},
    {"time_mix_receptance", kRecurrent, kBlock, false, 82},
    {"time_mix_key", kRecurrent, kBlock, false, 83},
    {"time_mix_value", kRecurrent, kBlock, false, 84},
    {"time_mix_gate", kRecurrent, kBlock, false, 85},
    {"time_mix_ln", kNorm, kBlock, false, 86},
    {"time_mix_output", kRecurrent, kBlock, false, 87},
    {"channel_mix_lerp_k", kFeedForward, kBlock, false, 150},
    {"channel_mix_lerp_r", kFeedForward, kBlock, false, 151},
    {"channel_mix_key", kFeedForward, kBlock, false, 152},
    {"channel_mix_value", kFeedForward, kBlock, false, 153},
    {"channel_mix_receptance", kFeedForward, kBlock, false, 154},

    // -- feed-forward
    {"ffn_norm", kNorm, kBlock, false, 100},
    {"ffn_norm_exps", kNorm, kBlock, false, 101},
    {"pre_ffw_norm_2", kNorm, kBlock, false, 102},
    {"ffn_gate", kFeedForward, kBlock, false, 103},
    {"ffn_up", kFeedForward, kBlock, false, 104},
    {"ffn_act", kFeedForward, kBlock, false, 105},
    {"ffn_sub_norm", kNorm, kBlock, false, 106},
    {"ffn_down", kFeedForward, kBlock, false, 107},
    {"ffn_gate_inp", kFeedForward, kBlock, false, 110},
    {"exp_probs_b", kFeedForward, kBlock, false, 111},
    {"ffn_latent_down", kFeedForward, kBlock, false, 112},
    {"ffn_gate_exps", kFeedForward, kBlock, kExperts, 113},
    {"ffn_up_exps", kFeedForward, kBlock, kExperts, 114},
    {"ffn_gate_up_exps", kFeedForward, kBlock, kExperts, 115},
    {"ffn_down_exps", kFeedForward, kBlock, kExperts, 116},
    {"ffn_latent_up", kFeedForward, kBlock, false, 117},
    {"ffn_gate_inp_shexp", kFeedForward, kBlock, false, 118},
    {"ffn_gate_shexp", kFeedForward, kBlock, false, 119},
    {"ffn_up_shexp", kFeedForward, kBlock, false, 120},
    {"ffn_down_shexp", kFeedForward, kBlock, false, 121},
    {"ffn_gate_chexps", kFeedForward, kBlock, kExperts, 122},
    {"ffn_up_chexps", kFeedForward, kBlock, kExperts, 123},
    {"ffn_down_chexps", kFeedForward, kBlock, kExperts, 124},
    {"vis_gate", kFeedForward, kBlock, false, 125},
    {"vis_up", kFeedForward, kBlock, false, 126},
    {"vis_down", kFeedForward, kBlock, false, 127},
    {"post_ffw_norm", kNorm, kBlock, false, 130},
    {"post_ffw_norm_1", kNorm, kBlock, false, 131},
    {"post_ffw_norm_2", kNorm, kBlock, false, 132},
    {"ffn_scale", kOther, kBlock, false, 133},
    {"ffn_norm_1", kNorm, kBlock, false, 134},
    {"ffn_gate_1", kFeedForward, kBlock, false, 135},
    {"ffn_up_1", kFeedForward, kBlock, false, 136},
    {"ffn_down_1", kFeedForward, kBlock, false, 137},
    {"ffn_post_norm_1", kNorm, kBlock, false, 138},
    {"ffn_scale_1", kOther, kBlock, false, 139},
    {"ls2", kOther, kBlock, false, 140},
    {"layer_output_norm", kNorm, kBlock, false, 141},
    {"layer_output_scale", kOther, kBlock, false, 142},
    {"out_scale", kOther, kBlock, false, 142},

    // -- gemma3n's additions to a block
    {"altup_router_norm", kNorm, kBlock, false, 160},
    {"altup_router", kOther, kBlock, false, 161},
    {"altup_predict_coef", kOther, kBlock, false, 162},
    {"altup_correct_coef", kOther, kBlock, false, 163},
    {"altup_correct_scale", kOther, kBlock, false, 164},
    {"laurel_l", kOther, kBlock, false, 165},
    {"laurel_r", kOther, kBlock, false, 166},
    {"laurel_post_norm", kNorm, kBlock, false, 167},
    {"inp_gate", kOther, kBlock, false, 168},
    {"proj", kOther, kBlock, false, 169},
    {"post_norm", kNorm, kBlock, false, 170},

    // -- multi-token prediction
    {"nextn.embed_tokens", kEmbedding, kBlock, false, 180},
    {"nextn.enorm", kNorm, kBlock, false, 181},
    {"nextn.hnorm", kNorm, kBlock, false, 182},
    {"nextn.eh_proj", kOther, kBlock, false, 183},
    {"nextn.shared_head_norm", kNorm, kBlock, false, 184},
    {"nextn.shared_head_head", kOutput, kBlock, false, 185},

    // -- blocks of image and audio encoders, vocoders, projectors
    {"ln1", kNorm, kBlock, false, 10},
    {"ln2", kNorm, kBlock, false, 100},
    {"pre_ln", kNorm, kBlock, false, 10},
    {"post_ln", kNorm, kBlock, false, 100},
    {"layer_pre_norm", kNorm, kBlock, false, 9},
    {"norm_conv", kNorm, kBlock, false, 89},
    {"conv_pw1", kOther, kBlock, false, 90},
    {"conv_dw", kOther, kBlock, false, 91},
    {"conv_norm", kNorm, kBlock, false, 92},
    {"conv_norm_mean", kNorm, kBlock, false, 93},
    {"conv_norm_var", kNorm, kBlock, false, 94},
    {"conv_pw2", kOther, kBlock, false, 95},
    {"dw", kOther, kBlock, false, 190},
    {"norm", kNorm, kBlock, false, 191},
    {"pw1", kOther, kBlock, false, 192},
    {"pw2", kOther, kBlock, false, 193},
    {"gamma", kOther, kBlock, false, 194},
    {"norm1", kNorm, kBlock, false, 195},
    {"conv1", kOther, kBlock, false, 196},
    {"norm2", kNorm, kBlock, false, 197},
    {"conv2", kOther, kBlock, false, 198},
    {"fc1", kOther, kBlock, false, 199},
    {"fc2", kOther, kBlock, false, 200},
    {"neck", kOther, kBlock, false, 201},
    {"mm", kOther, kBlock, false, 202},
    {"model.mlp", kOther, kBlock, false, 203},
    {"model.peg", kOther, kBlock, false, 204},

    // -- after the blocks
    {"output_norm", kNorm, kModel, false, 210},
    {"altup_unembd_proj", kOther, kModel, false, 211},
    {"output", kOutput, kModel, false, 212},
    {"dense_2", kOutput, kModel, false, 213},
    {"dense_3", kOutput, kModel, false, 214},
    {"cls", kOutput, kModel, false, 215},
    {"cls.norm", kNorm, kModel, false, 216},
    {"cls.output", kOutput, kModel, false, 217},
    {"post_ln", kNorm, kModel, false, 218},
    {"net_2", kOther, kModel, false, 219},
    {"net_3", kOther, kModel, false, 220},
    {"msfa.ffn.pw_exp.conv", kOther, kModel, false, 221},
    {"msfa.ffn.pw_exp.bn", kNorm, kModel, false, 222},
    {"msfa.ffn.pw_proj.conv", kOther, kModel, false, 223},
    {"msfa.ffn.pw_proj.bn", kNorm, kModel, false, 224},
    {"msfa.norm", kNorm, kModel, false, 225},
    {"model.fc", kOther, kModel, false, 226},
    {"fc", kOther, kModel, false, 227},
    {"input_norm", kNorm, kModel, false, 228},
    {"pre_norm", kNorm, kModel, false, 229},
    {"norm_pre", kNorm, kModel, false, 230},
    {"norm_mid", kNorm, kModel, false, 231},
    {"post_norm", kNorm, kModel, false, 232},
    {"post_fc_norm", kNorm, kModel, false, 233},
    {"soft_emb_norm", kNorm, kModel, false, 234},
    {"hard_emb_norm", kNorm, kModel, false, 235},
    {"embedding", kEmbedding, kModel, false, 236},
    {"patch_merger", kOther, kModel, false, 237},
    {"gate", kOther, kModel, false, 238},
    {"up", kOther, kModel, false, 239},
    {"down", kOther, kModel, false, 240},
    {"image_begin", kEmbedding, kModel, false, 241},
    {"image_end", kEmbedding, kModel, false, 242},
    {"query", kEmbedding, kModel, false, 243},
    {"pos_embd_k", kEmbedding, kModel, false, 244},
    {"kv", kAttention, kModel, false, 245},
    {"ln_q", kNorm, kModel, false, 246},
    {"ln_kv", kNorm, kModel, false, 247},
    {"attn.q", kAttention, kModel, false, 248},
    {"attn.k", kAttention, kModel, false, 249},
    {"attn.v", kAttention, kModel, false, 250},
    {"attn.out", kAttention, kModel, false, 251},
    {"ln_post", kNorm, kModel, false, 252},
    {"proj", kOther, kModel, false, 253},
});

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
    std::array<Entry, kRoles.size() + kRoleAliases.size()> index{};
    std::size_t n = 0;
    for (const RoleFact& role : kRoles) {
        index.at(n) = {role.name, role.perBlock, static_cast<std::uint16_t>(n)};
        ++n;
    }
    for (const RoleAlias& alias : kRoleAliases) {
        index.at(n++) = {alias.alias, alias.perBlock, indexOfRole(alias.role, alias.perBlock)};
    }
    std::ranges::sort(index, {}, &Entry::key);
    return index;
}();
static_assert(std::ranges::adjacent_find(kIndex, {}, &Entry::key) == kIndex.end(), "each name once");

} // namespace

const RoleFact* findRole(std::string_view name, bool perBlock) {
    const auto* row = std::ranges::lower_bound(kIndex, std::tuple(name, perBlock), {}, &Entry::key);
    return row != kIndex.end() && row->key() == std::tuple(name, perBlock) ? &kRoles.at(row->role) : nullptr;
}

std::span<const RoleFact> roleFacts() { return kRoles; }

} // namespace gufo
