#include "model/key_catalogue.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// What runtimes refuse to do without: hyper-parameters read without a default by llama.cpp's loaders.
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

// name, description, recurrent, cache, period of the window's pattern, global block first, window, required, expected.
// Sources: names and windows as llama.cpp has them; "rwkv" and "whisper" from the GGUF specification.
constexpr auto kArchitectures = std::to_array<ArchitectureFact>({
    {"afmoe", "Arcee Trinity with experts", false, true, 4, false, 0, kRmsMoe, ""},
    {"apertus", "Apertus", false, true, 0, false, 0, kRms, ""},
    {"arcee", "Arcee AFM", false, true, 0, false, 0, kRms, ""},
    {"arctic", "Arctic", false, true, 0, false, 0, kRms, "expert_count,expert_used_count"},
    {"arwkv7", "RWKV 7 heads in Qwen 2", true, true, 0, false, 0, kRwkv7, ""},
    {"baichuan", "Baichuan", false, true, 0, false, 0, kRms, ""},
    {"bailingmoe", "Ling with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"bailingmoe2", "Ling 2 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"bailingmoe3", "Ling 3 with experts: linear and latent attention", false, true, 0, false, 0, kRms, ""},
    {"bert", "BERT", false, false, 0, false, 0, kLayerNorm, ""},
    {"bitnet", "BitNet", false, true, 0, false, 0, kRms, ""},
    {"bloom", "BLOOM", false, true, 0, false, 0, kLayerNorm, "feed_forward_length"},
    {"chameleon", "Chameleon", false, true, 0, false, 0, kRms, ""},
    {"chatglm", "ChatGLM, GLM 3", false, true, 0, false, 0, kRms, ""},
    {"clef", "Clef: Qwen 3.5 that scores answers", false, false, 0, false, 0, kRmsSsm, ""},
    {"clip", "Projector of images or audio", false, false, 0, false, 0, kNone, ""},
    {"codeshell", "CodeShell", false, true, 0, false, 0, kLayerNorm, ""},
    {"cogvlm", "CogVLM", false, true, 0, false, 0, kRms, ""},
    {"cohere2", "Command R7B and A", false, true, 4, false, 0, kLayerNorm, "logit_scale"},
    {"cohere2moe", "Command with experts", false, true, 4, true, 0, kBase, "logit_scale"},
    {"command-r", "Command R", false, true, 0, false, 0, kLayerNorm, "logit_scale"},
    {"dbrx", "DBRX", false, true, 0, false, 0, kLayerNormMoe, ""},
    {"deci", "DeciLM, Nemotron with searched architecture", false, true, 0, false, 0, kRms, ""},
    {"deepseek", "DeepSeek with experts", false, true, 0, false, 0, kDeepSeek, ""},
    {"deepseek2", "DeepSeek 2, 3, R1; Kimi K2", false, true, 0, false, 0, kDeepSeek2, ""},
    {"deepseek2-ocr", "DeepSeek OCR", false, true, 0, false, 0, kRms, ""},
    {"deepseek32", "DeepSeek 3.2 with sparse attention", false, true, 0, false, 0, kDeepSeek2, ""},
    {"deepseek4", "DeepSeek 4: compressed attention, several residual streams", false, true, 0, false, 0, kRms, ""},
    {"dflash", "DFlash: draft model", false, true, 0, false, 0, kRms, ""},
    {"dots1", "dots.llm1", false, true, 0, false, 0, kRmsMoe, ""},
    {"dots3note", "dots3-note", false, true, 0, false, 0, kRms, ""},
    {"dream", "Dream: diffusion", false, false, 0, false, 0, kRms, ""},
    {"eagle3", "EAGLE 3: draft model", false, true, 0, false, 0, kRms, ""},
    {"ernie4_5", "ERNIE 4.5", false, true, 0, false, 0, kRms, ""},
    {"ernie4_5-moe", "ERNIE 4.5 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"eurobert", "EuroBERT", false, false, 0, false, 0, kRms, ""},
    {"exaone", "EXAONE 3", false, true, 0, false, 0, kRms, ""},
    {"exaone-moe", "EXAONE with experts", false, true, 4, false, 0, kRmsMoe, ""},
    {"exaone4", "EXAONE 4", false, true, 4, false, 0, kRms, ""},
    {"falcon", "Falcon", false, true, 0, false, 0, kLayerNorm, "attention.head_count_kv"},
    {"falcon-h1", "Falcon H1: attention and state space side by side", false, true, 0, false, 0, kRmsSsm, ""},
    {"gemma", "Gemma", false, true, 0, false, 0, kRms, ""},
    {"gemma-embedding", "EmbeddingGemma", false, false, 6, false, 0, kRms, ""},
    {"gemma-embedding2", "EmbeddingGemma 2", false, false, 6, false, 0, kRms, ""},
    {"gemma2", "Gemma 2", false, true, 2, false, 4096, kRms, ""},
    {"gemma3", "Gemma 3", false, true, 6, false, 0, kRms, ""},
    {"gemma3n", "Gemma 3n", false, true, 5, false, 0, kRms, ""},
    {"gemma4", "Gemma 4", false, true, 6, false, 0, kRms, ""},
    {"gemma4-assistant", "Draft model of Gemma 4, which reads the cache of its target", false, false, 0, false, 0, kRms,
     ""},
    {"glm-dsa", "GLM 5 with sparse attention", false, true, 0, false, 0, kDeepSeek2, ""},
    {"glm4", "GLM 4", false, true, 0, false, 0, kRms, ""},
    {"glm4moe", "GLM 4.5 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"glm5-next", "GLM 5.3 Flash: linear and latent attention", false, true, 0, false, 0, kRms, ""},
    {"gpt-oss", "gpt-oss", false, true, 2, false, 0, kRmsMoe, "attention.sliding_window"},
    {"gpt2", "GPT-2", false, true, 0, false, 0, kLayerNorm, ""},
    {"gptj", "GPT-J", false, true, 0, false, 0, kLayerNorm, kRope},
    {"gptneox", "GPT-NeoX, Pythia", false, true, 0, false, 0, kLayerNorm, "use_parallel_residual,rope.dimension_count"},
    {"granite", "Granite", false, true, 0, false, 0, kRms, ""},
    {"granite_swa", "Granite with sliding windows", false, true, 0, false, 0, kRmsLogitScale, ""},
    {"granitehybrid", "Granite 4: attention and state space", false, true, 0, false, 0, kRmsSsm, ""},
    {"granitemoe", "Granite with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"graniteswitch", "Granite Switch", false, true, 0, false, 0, kRms, ""},
    {"grok", "Grok", false, true, 0, false, 0, kRms, "expert_count,expert_used_count"},
    {"grovemoe", "GroveMoE", false, true, 0, false, 0, kRmsMoe, ""},
    {"hrm_text", "HRM Text: two stacks that run in turns", false, true, 0, false, 0, kRms, ""},
    {"hunyuan-dense", "Hunyuan", false, true, 0, false, 0, kRms, ""},
    {"hunyuan-moe", "Hunyuan with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"hunyuan_vl", "Hunyuan VL", false, true, 0, false, 0, kRms, ""},
    {"hy_v3", "Hunyuan 3 with experts", false, true, 0, false, 0, kBase, ""},
    {"hy_v4", "Hunyuan 4 with experts", false, true, 0, false, 0, kBase, ""},
    {"internlm2", "InternLM 2", false, true, 0, false, 0, kRms, ""},
    {"jais", "Jais", false, true, 0, false, 0, kLayerNorm, ""},
    {"jais2", "Jais 2", false, true, 0, false, 0, kLayerNorm, ""},
    {"jamba", "Jamba: attention and state space", false, true, 0, false, 0, kRmsSsm, ""},
    {"jina-bert-v2", "Jina BERT 2", false, false, 0, false, 0, kLayerNorm, ""},
    {"jina-bert-v3", "Jina BERT 3", false, false, 0, false, 0, kLayerNorm, ""},
    {"k2-horizon", "K2 Horizon", false, true, 0, false, 0, kBase, ""},
    {"kimi-k3", "Kimi K3: linear and latent attention", false, true, 0, false, 0, kRms, ""},
    {"kimi-linear", "Kimi Linear: linear and latent attention", false, true, 0, false, 0, kRms, ""},
    {"laguna", "Laguna with experts", false, true, 4, true, 0, kRmsMoe, ""},
    {"lfm2", "LFM 2: attention and short convolutions", false, true, 0, false, 0, kLfm2, ""},
    {"lfm2moe", "LFM 2 with experts", false, true, 0, false, 0, kLfm2, ""},
    {"llada", "LLaDA: diffusion", false, false, 0, false, 0, kRms, ""},
    {"llada-moe", "LLaDA with experts: diffusion", false, false, 0, false, 0, kRmsMoe, ""},
    {"llama", "LLaMA, Mistral, Mixtral and relatives", false, true, 0, false, 0, kRms, kRope},
    {"llama-embed", "LLaMA as an encoder for embeddings", false, false, 0, false, 0, kRms, ""},
    {"llama4", "Llama 4", false, true, 4, false, 8192, kRmsMoe, ""},
    {"maincoder", "Maincoder", false, true, 0, false, 0, kRms, ""},
    {"maion-coder", "Maion Coder with experts", false, true, 0, false, 0, kBase, ""},
    {"mamba", "Mamba", true, true, 0, false, 0, kSsm, ""},
    {"mamba2", "Mamba 2", true, true, 0, false, 0, kSsm2, ""},
    {"maple", "Maple with experts", false, true, 0, false, 0, kRmsMoe, "attention.sliding_window"},
    {"mellum", "Mellum 2 with experts", false, true, 4, false, 0, kRmsMoe, ""},
    {"mimo2", "MiMo 2", false, true, 1, false, 0, kRmsMoe, ""},
    {"minicpm", "MiniCPM", false, true, 0, false, 0, kRms, ""},
    {"minicpm3", "MiniCPM 3", false, true, 0, false, 0, kRms, "attention.q_lora_rank,attention.kv_lora_rank"},
    {"minimax-01", "MiniMax 01: lightning and full attention", false, true, 0, false, 0, kBase, ""},
    {"minimax-m2", "MiniMax M2", false, true, 0, false, 0, kRmsMoe, ""},
    {"minimax-m3", "MiniMax M3", false, true, 0, false, 0, kRmsMoe, ""},
    {"mistral3", "Mistral 3", false, true, 0, false, 0, kRms, ""},
    {"mistral4", "Mistral 4", false, true, 0, false, 0, kRms, ""},
    {"modern-bert", "ModernBERT", false, false, 3, true, 0, kLayerNorm, ""},
    {"mpt", "MPT", false, true, 0, false, 0, kLayerNorm, "attention.max_alibi_bias"},
    {"muse-glimmer", "Muse Glimmer", false, true, 4, false, 0, kRmsLogitScale, ""},
    {"nanbeige", "Nanbeige", false, true, 0, false, 0, kBase, ""},
    {"nemotron", "Nemotron", false, true, 0, false, 0, kLayerNorm, ""},
    {"nemotron_h", "Nemotron H: attention and state space", false, true, 0, false, 0, kRmsSsm, ""},
    {"nemotron_h_moe", "Nemotron H with experts", false, true, 0, false, 0, kRmsSsm, ""},
    {"neo-bert", "NeoBERT", false, false, 0, false, 0, kRms, ""},
    {"nomic-bert", "Nomic BERT", false, false, 0, false, 0, kLayerNorm, ""},
    {"nomic-bert-moe", "Nomic BERT with experts", false, false, 0, false, 0, kLayerNorm, ""},
    {"olmo", "OLMo", false, true, 0, false, 0, kLayerNorm, ""},
    {"olmo2", "OLMo 2 and 3", false, true, 4, false, 0, kRms, ""},
    {"olmoe", "OLMo with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"openelm", "OpenELM", false, true, 0, false, 0, kRms, ""},
    {"orion", "Orion", false, true, 0, false, 0, kLayerNorm, ""},
    {"paddleocr", "PaddleOCR VL", false, true, 0, false, 0, kRms, ""},
    {"pangu-embedded", "openPangu Embedded", false, true, 0, false, 0, kRms, ""},
    {"phi2", "Phi 1.5 and 2", false, true, 0, false, 0, kLayerNorm, ""},
    {"phi3", "Phi 3 and 4", false, true, 0, false, 0, kRms, ""},
    {"phimoe", "Phi 3.5 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"plamo", "PLaMo", false, true, 0, false, 0, kRms, ""},
    {"plamo2", "PLaMo 2: attention and state space", false, true, 0, false, 0, kRmsSsm, ""},
    {"plamo3", "PLaMo 3", false, true, 8, false, 0, kRms, ""},
    {"plm", "PLM", false, true, 0, false, 0, kRms, "attention.kv_lora_rank"},
    {"pockettts", "Pocket TTS: speech", false, true, 0, false, 0, kNone, ""},
    {"qwen", "Qwen", false, true, 0, false, 0, kRms, ""},
    {"qwen2", "Qwen 2 and 2.5", false, true, 0, false, 0, kRms, ""},
    {"qwen2moe", "Qwen 2 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen2vl", "Qwen 2 VL", false, true, 0, false, 0, kRms, ""},
    {"qwen3", "Qwen 3", false, true, 0, false, 0, kRms, ""},
    {"qwen35", "Qwen 3.5: linear and full attention", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen35moe", "Qwen 3.5 with experts", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen3moe", "Qwen 3 with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen3next", "Qwen 3 Next: linear and full attention", false, true, 0, false, 0, kRmsSsm, ""},
    {"qwen3tts", "Qwen 3 TTS: speech", false, true, 0, false, 0, kNone, ""},
    {"qwen3vl", "Qwen 3 VL", false, true, 0, false, 0, kRms, ""},
    {"qwen3vlmoe", "Qwen 3 VL with experts", false, true, 0, false, 0, kRmsMoe, ""},
    {"qwen4exp", "Qwen 3.8 Flash Next: linear and sparse attention", false, true, 0, false, 0, kRms, ""},
    {"refact", "Refact", false, true, 0, false, 0, kRms, ""},
    {"rnd1", "RND1: diffusion with experts", false, false, 0, false, 0, kRmsMoe, ""},
    {"rwkv", "RWKV 4", true, true, 0, false, 0, kBase, ""},
    {"rwkv6", "RWKV 6", true, true, 0, false, 0, kRwkv6, ""},
    {"rwkv6qwen2", "RWKV 6 heads in Qwen 2", true, true, 0, false, 0, kRwkv6, ""},
    {"rwkv7", "RWKV 7", true, true, 0, false, 0, kRwkv7, ""},
    {"seed_oss", "Seed-OSS", false, true, 0, false, 0, kRms, ""},
    {"smallthinker", "SmallThinker", false, true, 4, true, 0, kRmsMoe, ""},
    {"smollm3", "SmolLM 3", false, true, 0, false, 0, kRms, ""},
    {"spark2_5", "Spark 2.5", false, true, 0, false, 0, kBase, ""},
    {"stablelm", "StableLM", false, true, 0, false, 0, kLayerNorm, ""},
    {"starcoder", "StarCoder", false, true, 0, false, 0, kLayerNorm, ""},
    {"starcoder2", "StarCoder 2", false, true, 0, false, 0, kLayerNorm, ""},
    {"step35", "Step 3.5", false, true, 1, false, 0, kRmsMoe, ""},
    {"t5", "T5", false, true, 0, false, 0, kRms, ""},
    {"t5encoder", "Encoder of T5", false, false, 0, false, 0, kRms, ""},
    {"talkie", "Talkie", false, true, 0, false, 0, kBase, ""},
    {"vllm-decision2", "vLLM's decision model", false, true, 0, false, 0, kNone, ""},
    {"wavtokenizer-dec", "WavTokenizer decoder", false, false, 0, false, 0, kWav, ""},
    {"whisper", "Whisper", false, false, 0, false, 0, kNone, ""},
    {"xverse", "XVERSE", false, true, 0, false, 0, kRms, ""},
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
