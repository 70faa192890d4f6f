#include "model/architectures.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// The required hyper-parameters: llama.cpp's loaders read them without a default.
#define GUFO_BASE "context_length,embedding_length,block_count"
#define GUFO_SSM "ssm.conv_kernel,ssm.inner_size,ssm.state_size,ssm.time_step_rank"
constexpr std::string_view kNone;
constexpr std::string_view kBase = GUFO_BASE;
constexpr std::string_view kRms = GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon";
constexpr std::string_view kLayerNorm = GUFO_BASE ",attention.head_count,attention.layer_norm_epsilon";
constexpr std::string_view kRmsMoe =
    GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon,expert_count,expert_used_count";
constexpr std::string_view kLayerNormMoe =
    GUFO_BASE ",attention.head_count,attention.layer_norm_epsilon,expert_count,expert_used_count";
constexpr std::string_view kDeepSeek =
    GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon,leading_dense_block_count";
constexpr std::string_view kDeepSeek2 =
    GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon,attention.kv_lora_rank";
constexpr std::string_view kSsm = GUFO_BASE ",attention.layer_norm_rms_epsilon," GUFO_SSM;
constexpr std::string_view kSsm2 = GUFO_BASE ",attention.layer_norm_rms_epsilon,ssm.group_count," GUFO_SSM;
constexpr std::string_view kRmsSsm = GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon," GUFO_SSM;
constexpr std::string_view kRwkv6 = GUFO_BASE ",wkv.head_size,time_mix_extra_dim,time_decay_extra_dim";
constexpr std::string_view kRwkv7 = GUFO_BASE ",wkv.head_size";
constexpr std::string_view kLfm2 = GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon,shortconv.l_cache";
constexpr std::string_view kWav = GUFO_BASE ",features_length,posnet.embedding_length,convnext.embedding_length";
constexpr std::string_view kRmsLogitScale =
    GUFO_BASE ",attention.head_count,attention.layer_norm_rms_epsilon,logit_scale";
constexpr std::string_view kRope = "rope.dimension_count";
#undef GUFO_BASE
#undef GUFO_SSM

// Columns: name, recurrent, cache, windowPeriod, globalFirst, window, required, expected, and, where they are not 0,
// windowedBlocks and chunked. Sources: llama.cpp for names and windows, the GGUF specification for "rwkv" and
// "whisper".
constexpr auto kArchitectures = std::to_array<ArchitectureFact>({
    {"afmoe", false, true, 4, false, 0, kRmsMoe, ""},
    {"apertus", false, true, 0, false, 0, kRms, ""},
    {"arcee", false, true, 0, false, 0, kRms, ""},
    {"arctic", false, true, 0, false, 0, kRms, "expert_count,expert_used_count"},
    {"arwkv7", true, true, 0, false, 0, kRwkv7, ""},
    {"baichuan", false, true, 0, false, 0, kRms, ""},
    {"bailingmoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"bailingmoe2", false, true, 0, false, 0, kRmsMoe, ""},
    {"bailingmoe3", false, true, 0, false, 0, kRms, ""},
    {"bert", false, false, 0, false, 0, kLayerNorm, ""},
    {"bitnet", false, true, 0, false, 0, kRms, ""},
    {"bloom", false, true, 0, false, 0, kLayerNorm, "feed_forward_length"},
    {"chameleon", false, true, 0, false, 0, kRms, ""},
    {"chatglm", false, true, 0, false, 0, kRms, ""},
    {"clef", false, false, 0, false, 0, kRmsSsm, ""},
    {"clip", false, false, 0, false, 0, kNone, ""},
    {"codeshell", false, true, 0, false, 0, kLayerNorm, ""},
    {"cogvlm", false, true, 0, false, 0, kRms, ""},
    {"cohere2", false, true, 4, false, 0, kLayerNorm, "logit_scale"},
    {"cohere2moe", false, true, 4, true, 0, kBase, "logit_scale"},
    {"command-r", false, true, 0, false, 0, kLayerNorm, "logit_scale"},
    {"dbrx", false, true, 0, false, 0, kLayerNormMoe, ""},
    {"deci", false, true, 0, false, 0, kRms, ""},
    {"deepseek", false, true, 0, false, 0, kDeepSeek, ""},
    {"deepseek2", false, true, 0, false, 0, kDeepSeek2, ""},
    {"deepseek2-ocr", false, true, 0, false, 0, kRms, ""},
    {"deepseek32", false, true, 0, false, 0, kDeepSeek2, ""},
    {"deepseek4", false, true, 0, false, 0, kRms, ""},
    {"dflash", false, true, 0, false, 0, kRms, ""},
    {"dots1", false, true, 0, false, 0, kRmsMoe, ""},
    {"dots3note", false, true, 0, false, 0, kRms, ""},
    {"dream", false, false, 0, false, 0, kRms, ""},
    {"eagle3", false, true, 0, false, 0, kRms, ""},
    {"ernie4_5", false, true, 0, false, 0, kRms, ""},
    {"ernie4_5-moe", false, true, 0, false, 0, kRmsMoe, ""},
    {"eurobert", false, false, 0, false, 0, kRms, ""},
    {"exaone", false, true, 0, false, 0, kRms, ""},
    {"exaone-moe", false, true, 4, false, 0, kRmsMoe, ""},
    {"exaone4", false, true, 4, false, 4096, kRms, "", 64},
    {"falcon", false, true, 0, false, 0, kLayerNorm, "attention.head_count_kv"},
    {"falcon-h1", false, true, 0, false, 0, kRmsSsm, ""},
    {"gemma", false, true, 0, false, 0, kRms, ""},
    {"gemma-embedding", false, false, 6, false, 0, kRms, ""},
    {"gemma-embedding2", false, false, 6, false, 0, kRms, ""},
    {"gemma2", false, true, 2, false, 4096, kRms, ""},
    {"gemma3", false, true, 6, false, 0, kRms, ""},
    {"gemma3n", false, true, 5, false, 0, kRms, ""},
    {"gemma4", false, true, 6, false, 0, kRms, ""},
    {"gemma4-assistant", false, false, 0, false, 0, kRms, ""},
    {"glm-dsa", false, true, 0, false, 0, kDeepSeek2, ""},
    {"glm4", false, true, 0, false, 0, kRms, ""},
    {"glm4moe", false, true, 0, false, 0, kRmsMoe, ""},
    {"glm5-next", false, true, 0, false, 0, kRms, ""},
    {"gpt-oss", false, true, 2, false, 0, kRmsMoe, "attention.sliding_window"},
    {"gpt2", false, true, 0, false, 0, kLayerNorm, ""},
    {"gptj", false, true, 0, false, 0, kLayerNorm, kRope},
    {"gptneox", false, true, 0, false, 0, kLayerNorm, "use_parallel_residual,rope.dimension_count"},
    {"granite", false, true, 0, false, 0, kRms, ""},
    {"granite_swa", false, true, 0, false, 0, kRmsLogitScale, ""},
    {"granitehybrid", false, true, 0, false, 0, kRmsSsm, ""},
    {"granitemoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"graniteswitch", false, true, 0, false, 0, kRms, ""},
    {"grok", false, true, 0, false, 0, kRms, "expert_count,expert_used_count"},
    {"grovemoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"hrm_text", false, true, 0, false, 0, kRms, ""},
    {"hunyuan-dense", false, true, 0, false, 0, kRms, ""},
    {"hunyuan-moe", false, true, 0, false, 0, kRmsMoe, ""},
    {"hunyuan_vl", false, true, 0, false, 0, kRms, ""},
    {"hy_v3", false, true, 0, false, 0, kBase, ""},
    {"hy_v4", false, true, 0, false, 0, kBase, ""},
    {"internlm2", false, true, 0, false, 0, kRms, ""},
    {"jais", false, true, 0, false, 0, kLayerNorm, ""},
    {"jais2", false, true, 0, false, 0, kLayerNorm, ""},
    {"jamba", false, true, 0, false, 0, kRmsSsm, ""},
    {"jina-bert-v2", false, false, 0, false, 0, kLayerNorm, ""},
    {"jina-bert-v3", false, false, 0, false, 0, kLayerNorm, ""},
    {"k2-horizon", false, true, 0, false, 0, kBase, ""},
    {"kimi-k3", false, true, 0, false, 0, kRms, ""},
    {"kimi-linear", false, true, 0, false, 0, kRms, ""},
    {"laguna", false, true, 4, true, 0, kRmsMoe, ""},
    {"lfm2", false, true, 0, false, 0, kLfm2, ""},
    {"lfm2moe", false, true, 0, false, 0, kLfm2, ""},
    {"llada", false, false, 0, false, 0, kRms, ""},
    {"llada-moe", false, false, 0, false, 0, kRmsMoe, ""},
    {"llama", false, true, 0, false, 0, kRms, kRope},
    {"llama-embed", false, false, 0, false, 0, kRms, ""},
    {"llama4", false, true, 4, false, 8192, kRmsMoe, "", 0, true},
    {"maincoder", false, true, 0, false, 0, kRms, ""},
    {"maion-coder", false, true, 0, false, 0, kBase, ""},
    {"mamba", true, true, 0, false, 0, kSsm, ""},
    {"mamba2", true, true, 0, false, 0, kSsm2, ""},
    {"maple", false, true, 0, false, 0, kRmsMoe, "attention.sliding_window"},
    {"mellum", false, true, 4, false, 0, kRmsMoe, ""},
    {"mimo2", false, true, 1, false, 0, kRmsMoe, ""},
    {"minicpm", false, true, 0, false, 0, kRms, ""},
    {"minicpm3", false, true, 0, false, 0, kRms, "attention.q_lora_rank,attention.kv_lora_rank"},
    {"minimax-01", false, true, 0, false, 0, kBase, ""},
    {"minimax-m2", false, true, 0, false, 0, kRmsMoe, ""},
    {"minimax-m3", false, true, 0, false, 0, kRmsMoe, ""},
    {"mistral3", false, true, 0, false, 0, kRms, ""},
    {"mistral4", false, true, 0, false, 0, kRms, ""},
    {"modern-bert", false, false, 3, true, 0, kLayerNorm, ""},
    {"mpt", false, true, 0, false, 0, kLayerNorm, "attention.max_alibi_bias"},
    {"muse-glimmer", false, true, 4, false, 0, kRmsLogitScale, ""},
    {"nanbeige", false, true, 0, false, 0, kBase, ""},
    {"nemotron", false, true, 0, false, 0, kLayerNorm, ""},
    {"nemotron_h", false, true, 0, false, 0, kRmsSsm, ""},
    {"nemotron_h_moe", false, true, 0, false, 0, kRmsSsm, ""},
    {"neo-bert", false, false, 0, false, 0, kRms, ""},
    {"nomic-bert", false, false, 0, false, 0, kLayerNorm, ""},
    {"nomic-bert-moe", false, false, 0, false, 0, kLayerNorm, ""},
    {"olmo", false, true, 0, false, 0, kLayerNorm, ""},
    {"olmo2", false, true, 4, false, 0, kRms, ""},
    {"olmoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"openelm", false, true, 0, false, 0, kRms, ""},
    {"orion", false, true, 0, false, 0, kLayerNorm, ""},
    {"paddleocr", false, true, 0, false, 0, kRms, ""},
    {"pangu-embedded", false, true, 0, false, 0, kRms, ""},
    {"phi2", false, true, 0, false, 0, kLayerNorm, ""},
    {"phi3", false, true, 0, false, 0, kRms, ""},
    {"phimoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"plamo", false, true, 0, false, 0, kRms, ""},
    {"plamo2", false, true, 0, false, 0, kRmsSsm, ""},
    {"plamo3", false, true, 8, false, 0, kRms, ""},
    {"plm", false, true, 0, false, 0, kRms, "attention.kv_lora_rank"},
    {"pockettts", false, true, 0, false, 0, kNone, ""},
    {"qwen", false, true, 0, false, 0, kRms, ""},
    {"qwen2", false, true, 0, false, 0, kRms, ""},
    {"qwen2moe", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen2vl", false, true, 0, false, 0, kRms, ""},
    {"qwen3", false, true, 0, false, 0, kRms, ""},
    {"qwen35", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen35moe", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen3moe", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen3next", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen3tts", false, true, 0, false, 0, kNone, ""},
    {"qwen3vl", false, true, 0, false, 0, kRms, ""},
    {"qwen3vlmoe", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen4exp", false, true, 0, false, 0, kRms, ""},
    {"refact", false, true, 0, false, 0, kRms, ""},
    {"rnd1", false, false, 0, false, 0, kRmsMoe, ""},
    {"rwkv", true, true, 0, false, 0, kBase, ""},
    {"rwkv6", true, true, 0, false, 0, kRwkv6, ""},
    {"rwkv6qwen2", true, true, 0, false, 0, kRwkv6, ""},
    {"rwkv7", true, true, 0, false, 0, kRwkv7, ""},
    {"seed_oss", false, true, 0, false, 0, kRms, ""},
    {"smallthinker", false, true, 4, true, 0, kRmsMoe, ""},
    {"smollm3", false, true, 0, false, 0, kRms, ""},
    {"spark2_5", false, true, 0, false, 0, kBase, ""},
    {"stablelm", false, true, 0, false, 0, kLayerNorm, ""},
    {"starcoder", false, true, 0, false, 0, kLayerNorm, ""},
    {"starcoder2", false, true, 0, false, 0, kLayerNorm, ""},
    {"step35", false, true, 1, false, 0, kRmsMoe, ""},
    {"t5", false, true, 0, false, 0, kRms, ""},
    {"t5encoder", false, false, 0, false, 0, kRms, ""},
    {"talkie", false, true, 0, false, 0, kBase, ""},
    {"vllm-decision2", false, true, 0, false, 0, kNone, ""},
    {"wavtokenizer-dec", false, false, 0, false, 0, kWav, ""},
    {"whisper", false, false, 0, false, 0, kNone, ""},
    {"xverse", false, true, 0, false, 0, kRms, ""},
});
static_assert(std::ranges::is_sorted(kArchitectures, std::ranges::less_equal{}, &ArchitectureFact::name) &&
                  std::ranges::adjacent_find(kArchitectures, {}, &ArchitectureFact::name) == kArchitectures.end(),
              "ascending, each name once: findArchitecture searches by halves");

} // namespace

std::span<const ArchitectureFact> architectureFacts() { return kArchitectures; }

const ArchitectureFact* findArchitecture(std::string_view name) {
    const auto* row = std::ranges::lower_bound(kArchitectures, name, {}, &ArchitectureFact::name);
    return row != kArchitectures.end() && row->name == name ? row : nullptr;
}

} // namespace gufo
