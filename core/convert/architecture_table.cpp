#include "convert/architecture.h"
#include "convert/key_sets.h"
#include "convert/tensor_patterns.h"

namespace gufo::convert {
namespace {

using Names = std::string_view;

constexpr auto kLlama = std::to_array<Names>(
    {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM", "MixtralForCausalLM", "LlamaModel"});
constexpr auto kSmolLm3 = std::to_array<Names>({"SmolLM3ForCausalLM"});
constexpr auto kGranite = std::to_array<Names>({"GraniteForCausalLM"});
constexpr auto kGraniteMoe = std::to_array<Names>({"GraniteMoeForCausalLM"});
constexpr auto kQwen2 = std::to_array<Names>({"Qwen2ForCausalLM", "Qwen2Model"});
constexpr auto kQwen2Moe = std::to_array<Names>({"Qwen2MoeForCausalLM"});
constexpr auto kQwen3 = std::to_array<Names>({"Qwen3ForCausalLM", "Qwen3Model"});
constexpr auto kQwen3Moe = std::to_array<Names>({"Qwen3MoeForCausalLM"});
constexpr auto kQwen3Next = std::to_array<Names>({"Qwen3NextForCausalLM"});
constexpr auto kGemma = std::to_array<Names>({"GemmaForCausalLM"});
constexpr auto kGemma2 = std::to_array<Names>({"Gemma2ForCausalLM"});
constexpr auto kGemma3 = std::to_array<Names>({"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"});
constexpr auto kGemmaEmbedding = std::to_array<Names>({"Gemma3TextModel"});
constexpr auto kPhi2 = std::to_array<Names>({"PhiForCausalLM"});
constexpr auto kPhi3 = std::to_array<Names>({"Phi3ForCausalLM"});
constexpr auto kOlmo2 = std::to_array<Names>({"Olmo2ForCausalLM"});
constexpr auto kOlmoe = std::to_array<Names>({"OlmoeForCausalLM"});
constexpr auto kGlm4 = std::to_array<Names>({"Glm4ForCausalLM"});
constexpr auto kStableLm = std::to_array<Names>({"StableLmForCausalLM", "StableLMEpochForCausalLM"});
constexpr auto kStarcoder2 = std::to_array<Names>({"Starcoder2ForCausalLM"});
constexpr auto kCommandR = std::to_array<Names>({"CohereForCausalLM"});
constexpr auto kGptOss = std::to_array<Names>({"GptOssForCausalLM"});
constexpr auto kDeepseek2 = std::to_array<Names>({"DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM"});
constexpr auto kLfm2 = std::to_array<Names>({"Lfm2ForCausalLM"});
constexpr auto kGpt2 = std::to_array<Names>({"GPT2LMHeadModel"});
constexpr auto kGptNeox = std::to_array<Names>({"GPTNeoXForCausalLM"});
constexpr auto kFalcon = std::to_array<Names>({"FalconForCausalLM", "RWForCausalLM"});
constexpr auto kStarcoder = std::to_array<Names>({"GPTBigCodeForCausalLM"});
constexpr auto kBloom = std::to_array<Names>({"BloomForCausalLM", "BloomModel"});
constexpr auto kMpt = std::to_array<Names>({"MPTForCausalLM", "MptForCausalLM"});
constexpr auto kMamba = std::to_array<Names>({"MambaForCausalLM", "MambaLMHeadModel"});
constexpr auto kMamba2 = std::to_array<Names>({"Mamba2ForCausalLM"});
constexpr auto kBert =
    std::to_array<Names>({"BertModel", "BertForMaskedLM", "BertForSequenceClassification", "CamembertModel"});
constexpr auto kRoberta = std::to_array<Names>(
    {"RobertaModel", "RobertaForSequenceClassification", "XLMRobertaModel", "XLMRobertaForSequenceClassification"});
constexpr auto kModernBert =
    std::to_array<Names>({"ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"});
constexpr auto kT5 = std::to_array<Names>(
    {"T5ForConditionalGeneration", "T5WithLMHeadModel", "MT5ForConditionalGeneration", "UMT5ForConditionalGeneration"});

// Keys of the common table that an architecture has not, although its configuration has the setting.
constexpr auto kNoRopeBase = std::to_array<Names>({"rope.freq_base"});
constexpr auto kNoHeadWidth = std::to_array<Names>({"attention.key_length", "attention.value_length"});
constexpr auto kMambaWithout = std::to_array<Names>(
    {"attention.key_length", "attention.value_length", "attention.head_count_kv", "attention.layer_norm_epsilon"});
constexpr auto kPhi3Without = std::to_array<Names>({"rope.scaling.type", "rope.scaling.factor"});
constexpr auto kLlamaWithout = std::to_array<Names>({"attention.layer_norm_epsilon"});

constexpr auto kArchitectures = std::to_array<Architecture>({
    {"llama", kLlama, kLlamaTensors, kLlamaKeys, kLlamaWithout},
    {"smollm3", kSmolLm3, kLlamaTensors, kLlamaKeys},
    {"granite", kGranite, kLlamaTensors, kGraniteKeys},
    {"granitemoe", kGraniteMoe, kLlamaTensors, kGraniteKeys},
    {"qwen2", kQwen2, {}},
    {"qwen2moe", kQwen2Moe, {}, kQwenMoeKeys},
    {"qwen3", kQwen3, {}},
    {"qwen3moe", kQwen3Moe, {}, kQwenMoeKeys},
    {"qwen3next", kQwen3Next, kQwen3NextTensors, kQwen3NextKeys},
    {"gemma", kGemma, kGemmaTensors, {}, kNoRopeBase},
    {"gemma2", kGemma2, kGemma2Tensors, kGemma2Keys, kNoRopeBase},
    {"gemma3", kGemma3, kGemma2Tensors, kGemma3Keys},
    {"gemma-embedding", kGemmaEmbedding, kGemma2Tensors, kGemma3Keys},
    {"phi2", kPhi2, kPhi2Tensors, kPhi2Keys, kNoRopeBase},
    {"phi3", kPhi3, kPhi3Tensors, kPhi3Keys, kPhi3Without},
    {"olmo2", kOlmo2, kOlmo2Tensors, kOlmoKeys},
    {"olmoe", kOlmoe, {}},
    {"glm4", kGlm4, kGlm4Tensors, kPhi2Keys},
    {"stablelm", kStableLm, kStableLmTensors, kStableLmKeys, kNoRopeBase},
    {"starcoder2", kStarcoder2, kStarcoder2Tensors},
    {"command-r", kCommandR, kTiedTensors, kCommandRKeys},
    {"gpt-oss", kGptOss, kGptOssTensors, kGptOssKeys},
    {"deepseek2", kDeepseek2, kDeepseek2Tensors, kDeepseek2Keys, kNoHeadWidth},
    {"lfm2", kLfm2, kLfm2Tensors, kLfm2Keys},
    {"gpt2", kGpt2, kGpt2Tensors, kFourfoldKeys},
    {"gptneox", kGptNeox, kGptNeoxTensors, kGptNeoxKeys, kNoRopeBase, true, false},
    {"falcon", kFalcon, kFalconTensors, kFalconKeys},
    {"starcoder", kStarcoder, kStarcoderTensors, kStarcoderKeys},
    {"bloom", kBloom, kBloomTensors, kBloomKeys},
    {"mpt", kMpt, kMptTensors, kMptKeys, {}, true, false},
    {"mamba", kMamba, kMambaTensors, kMambaKeys, kMambaWithout},
    {"mamba2", kMamba2, kMamba2Tensors, kMamba2Keys, kMambaWithout},
    {"bert", kBert, kBertTensors, kBertKeys, {}, false},
    {"bert", kRoberta, kRobertaTensors, kRobertaKeys, {}, false},
    {"modern-bert", kModernBert, kModernBertTensors, kModernBertKeys, {}, false},
    {"t5", kT5, kT5Tensors, kT5Keys, {}, false},
});

constexpr Architecture kMeta = {"llama", {}, kMetaTensors, {}, {}, false};

} // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture& metaArchitecture() { return kMeta; }

} // namespace gufo::convert
