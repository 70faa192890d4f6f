#include "base/ascii.h"
#include "convert/architecture.h"
#include "convert/key_sets.h"
#include "convert/tensor_patterns.h"

#include <algorithm>
#include <string_view>

namespace gufo::convert {
namespace {

// The prompt with which Qwen3's rerankers were trained, as their model cards state it. It is part of the model, which
// gives no meaningful scores for another text.
inline constexpr std::string_view kRankingTemplate =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    "provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n"
    "<|im_start|>user\n<Instruct>: Given a web search query, retrieve relevant passages that answer the query\n"
    "<Query>: {query}\n<Document>: {document}<|im_end|>\n"
    "<|im_start|>assistant\n<think>\n\n</think>\n\n";

using Names = std::string_view;

constexpr auto kLlama = std::to_array<Names>(
    {"LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM", "MixtralForCausalLM", "LlamaModel"});
constexpr auto kArcee = std::to_array<Names>({"ArceeForCausalLM"});
constexpr auto kBitnet = std::to_array<Names>({"BitnetForCausalLM"});
constexpr auto kSmolLm3 = std::to_array<Names>({"SmolLM3ForCausalLM"});
constexpr auto kGranite = std::to_array<Names>({"GraniteForCausalLM"});
constexpr auto kGraniteMoe = std::to_array<Names>({"GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"});
constexpr auto kMistral3 = std::to_array<Names>({"Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"});
constexpr auto kQwen2 = std::to_array<Names>({"Qwen2ForCausalLM", "Qwen2Model"});
constexpr auto kQwen2Moe = std::to_array<Names>({"Qwen2MoeForCausalLM"});
constexpr auto kQwen3 = std::to_array<Names>({"Qwen3ForCausalLM", "Qwen3Model"});
constexpr auto kQwen3Moe = std::to_array<Names>({"Qwen3MoeForCausalLM"});
constexpr auto kQwen3Next = std::to_array<Names>({"Qwen3NextForCausalLM"});
constexpr auto kQwen35 = std::to_array<Names>({"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"});
constexpr auto kQwen35Moe = std::to_array<Names>({"Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"});
constexpr auto kGemma = std::to_array<Names>({"GemmaForCausalLM"});
constexpr auto kGemma2 = std::to_array<Names>({"Gemma2ForCausalLM"});
constexpr auto kGemma3 = std::to_array<Names>({"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"});
constexpr auto kGemmaEmbedding = std::to_array<Names>({"Gemma3TextModel"});
constexpr auto kGemma3n = std::to_array<Names>({"Gemma3nForCausalLM", "Gemma3nForConditionalGeneration"});
constexpr auto kGemma4 = std::to_array<Names>({"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration"});
constexpr auto kPhi2 = std::to_array<Names>({"PhiForCausalLM"});
constexpr auto kPhi3 = std::to_array<Names>({"Phi3ForCausalLM"});
constexpr auto kOlmo = std::to_array<Names>({"OlmoForCausalLM", "OLMoForCausalLM"});
constexpr auto kOlmo2 = std::to_array<Names>({"Olmo2ForCausalLM", "Olmo3ForCausalLM"});
constexpr auto kOlmoe = std::to_array<Names>({"OlmoeForCausalLM"});
constexpr auto kGlm4 = std::to_array<Names>({"Glm4ForCausalLM"});
constexpr auto kStableLm = std::to_array<Names>({"StableLmForCausalLM", "StableLMEpochForCausalLM"});
constexpr auto kStarcoder2 = std::to_array<Names>({"Starcoder2ForCausalLM"});
constexpr auto kCommandR = std::to_array<Names>({"CohereForCausalLM"});
constexpr auto kCohere2 = std::to_array<Names>({"Cohere2ForCausalLM"});
constexpr auto kGptOss = std::to_array<Names>({"GptOssForCausalLM"});
constexpr auto kDeepseek2 =
    std::to_array<Names>({"DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM", "Glm4MoeLiteForCausalLM"});
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

// Keys of the common table that an architecture does not have, although its configuration has the setting.
constexpr auto kNoRopeBase = std::to_array<Names>({"rope.freq_base"});
constexpr auto kMambaWithout = std::to_array<Names>(
    {"attention.key_length", "attention.value_length", "attention.head_count_kv", "attention.layer_norm_epsilon"});
constexpr auto kBitnetWithout = std::to_array<Names>({"rope.scaling.type", "rope.scaling.factor"});
constexpr auto kPhi3Without = std::to_array<Names>({"rope.scaling.type", "rope.scaling.factor"});
constexpr auto kNoRopeScaling = std::to_array<Names>({"rope.scaling.type"});
constexpr auto kMistralWithout =
    std::to_array<Names>({"rope.scaling.type", "rope.scaling.factor", "rope.scaling.original_context_length",
                          "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow"});
constexpr auto kLlamaWithout = std::to_array<Names>({"attention.layer_norm_epsilon"});

// Orders of keys (Architecture::order).
constexpr Names kGemmaOrder = "context_length,embedding_length,block_count,feed_forward_length";
constexpr Names kBloomOrder = "context_length,embedding_length,feed_forward_length,block_count";
constexpr Names kPhi2Order =
    "context_length,embedding_length,feed_forward_length,block_count,attention.head_count,attention.head_count_kv,"
    "attention.layer_norm_epsilon,rope.dimension_count,general.file_type,tokenizer.ggml.add_bos_token";
constexpr Names kPhi3Order =
    "context_length,rope.scaling.original_context_length,embedding_length,feed_forward_length,block_count,"
    "attention.head_count,attention.head_count_kv,attention.layer_norm_rms_epsilon,rope.dimension_count,rope.freq_base";
constexpr Names kStableLmOrder =
    "context_length,embedding_length,block_count,feed_forward_length,rope.dimension_count,attention.head_count,"
    "attention.head_count_kv,use_parallel_residual";
constexpr Names kFalconOrder = "context_length,tensor_data_layout,embedding_length,feed_forward_length,block_count";
constexpr Names kMambaOrder =
    "context_length,embedding_length,feed_forward_length,attention.head_count,block_count,ssm.conv_kernel,"
    "ssm.inner_size,ssm.state_size,ssm.time_step_rank,ssm.group_count,attention.layer_norm_rms_epsilon,ssm.dt_b_c_rms";
constexpr Names kT5Order =
    "context_length,embedding_length,feed_forward_length,block_count,decoder_block_count,attention.head_count,"
    "attention.key_length,attention.value_length,attention.layer_norm_epsilon,attention.relative_buckets_count,"
    "attention.layer_norm_rms_epsilon,decoder_start_token_id";
constexpr Names kEmbeddingOrder =
    "block_count,context_length,embedding_length,feed_forward_length,attention.head_count,attention.head_count_kv,"
    "rope.freq_base,rope.freq_base_swa,attention.layer_norm_rms_epsilon,attention.key_length,attention.value_length,"
    "general.file_type,attention.sliding_window";

constexpr auto kArchitectures = std::to_array<Architecture>({
    {"llama", kLlama, kLlamaTensors, kLlamaKeys, kLlamaWithout},
    {"arcee", kArcee, kLlamaTensors, kLlamaKeys, kLlamaWithout},
    {"bitnet", kBitnet, kBitnetTensors, kBitnetKeys, kBitnetWithout},
    {"smollm3", kSmolLm3, kLlamaTensors, kLlamaKeys},
    {"granite", kGranite, kLlamaTensors, kGraniteKeys},
    {"granitemoe", kGraniteMoe, kLlamaTensors, kGraniteKeys},
    {"mistral3", kMistral3, kLlamaTensors, kMistral3Keys, kLlamaWithout},
    {"qwen2", kQwen2, {}},
    {"qwen2moe", kQwen2Moe, {}, kQwenMoeKeys},
    {"qwen3", kQwen3, {}},
    {"qwen3moe", kQwen3Moe, {}, kQwenMoeKeys},
    {"qwen3next", kQwen3Next, kQwen3NextTensors, kQwen3NextKeys},
    {.name = "qwen35", .classes = kQwen35, .tensors = kQwen35Tensors, .keys = kQwen35Keys, .draftBlocks = true},
    {.name = "qwen35moe", .classes = kQwen35Moe, .tensors = kQwen35Tensors, .keys = kQwen35Keys, .draftBlocks = true},
    {"gemma", kGemma, kGemmaTensors, {}, kNoRopeBase, true, true, kGemmaOrder},
    {"gemma2", kGemma2, kGemma2Tensors, kGemma2Keys, kNoRopeBase, true, true, kGemmaOrder},
    {"gemma3", kGemma3, kGemma2Tensors, kGemma3Keys},
    {"gemma-embedding", kGemmaEmbedding, kGemmaEmbeddingTensors, kGemmaEmbeddingKeys, {}, true, true, kEmbeddingOrder},
    {"gemma3n", kGemma3n, kGemma3nTensors, kGemma3nKeys},
    {"gemma4", kGemma4, kGemma4Tensors, kGemma4Keys},
    {"phi2", kPhi2, kPhi2Tensors, kPhi2Keys, kNoRopeBase, true, true, kPhi2Order},
    {"phi3", kPhi3, kPhi3Tensors, kPhi3Keys, kPhi3Without, true, true, kPhi3Order},
    {"olmo", kOlmo, kLlamaTensors, kOlmo1Keys},
    {"olmo2", kOlmo2, kOlmo2Tensors, kOlmoKeys},
    {"olmoe", kOlmoe, {}},
    {"glm4", kGlm4, kGlm4Tensors, kPhi2Keys},
    {"stablelm", kStableLm, kStableLmTensors, kStableLmKeys, kNoRopeBase, true, true, kStableLmOrder},
    {"starcoder2", kStarcoder2, kStarcoder2Tensors},
    {"command-r", kCommandR, kTiedTensors, kCommandRKeys, kNoRopeScaling},
    {"cohere2", kCohere2, kTiedTensors, kCohere2Keys, kNoRopeScaling, true, true, {}, true},
    {"gpt-oss", kGptOss, kGptOssTensors, kGptOssKeys},
    {"deepseek2", kDeepseek2, kDeepseek2Tensors, kDeepseek2Keys},
    {"lfm2", kLfm2, kLfm2Tensors, kLfm2Keys},
    {"gpt2", kGpt2, kGpt2Tensors, kFourfoldKeys},
    {"gptneox", kGptNeox, kGptNeoxTensors, kGptNeoxKeys, kNoRopeBase, true, false, kStableLmOrder},
    {"falcon", kFalcon, kFalconTensors, kFalconKeys, {}, true, true, kFalconOrder},
    {"starcoder", kStarcoder, kStarcoderTensors, kStarcoderKeys, {}, true, true, kBloomOrder},
    {"bloom", kBloom, kBloomTensors, kBloomKeys, {}, true, true, kBloomOrder},
    {"mpt", kMpt, kMptTensors, kMptKeys, {}, true, false, kGemmaOrder},
    {"mamba", kMamba, kMambaTensors, kMambaKeys, kMambaWithout, true, true, kMambaOrder},
    {"mamba2", kMamba2, kMamba2Tensors, kMamba2Keys, kMambaWithout, true, true, kMambaOrder},
    {"bert", kBert, kBertTensors, kBertKeys, {}, false},
    {"bert", kRoberta, kRobertaTensors, kRobertaKeys, {}, false},
    {"modern-bert", kModernBert, kModernBertTensors, kModernBertKeys, kNoRopeScaling, false},
    {"t5", kT5, kT5Tensors, kT5Keys, {}, false, true, kT5Order},
});

constexpr auto kModelTypes = std::to_array<ModelType>({
    {"arcee", "ArceeForCausalLM"},
    {"bert", "BertModel"},
    {"bitnet", "BitnetForCausalLM"},
    {"bloom", "BloomForCausalLM"},
    {"camembert", "CamembertModel"},
    {"cohere", "CohereForCausalLM"},
    {"cohere2", "Cohere2ForCausalLM"},
    {"deepseek_v2", "DeepseekV2ForCausalLM"},
    {"deepseek_v3", "DeepseekV3ForCausalLM"},
    {"falcon", "FalconForCausalLM"},
    {"RefinedWeb", "FalconForCausalLM"},
    {"RefinedWebModel", "FalconForCausalLM"},
    {"gemma", "GemmaForCausalLM"},
    {"gemma2", "Gemma2ForCausalLM"},
    {"gemma3", "Gemma3ForConditionalGeneration"},
    {"gemma3_text", "Gemma3ForCausalLM", "Gemma3TextModel"},
    {"gemma3n", "Gemma3nForConditionalGeneration"},
    {"gemma3n_text", "Gemma3nForCausalLM"},
    {"gemma4", "Gemma4ForConditionalGeneration"},
    {"gemma4_text", "Gemma4ForCausalLM"},
    {"glm4", "Glm4ForCausalLM"},
    {"glm4_moe_lite", "Glm4MoeLiteForCausalLM"},
    {"gpt2", "GPT2LMHeadModel"},
    {"gpt_bigcode", "GPTBigCodeForCausalLM"},
    {"gpt_neox", "GPTNeoXForCausalLM"},
    {"gpt_oss", "GptOssForCausalLM"},
    {"granite", "GraniteForCausalLM"},
    {"granitemoe", "GraniteMoeForCausalLM"},
    {"granitemoeshared", "GraniteMoeSharedForCausalLM"},
    {"lfm2", "Lfm2ForCausalLM"},
    {"llama", "LlamaForCausalLM"},
    {"mamba", "MambaForCausalLM"},
    {"mamba2", "Mamba2ForCausalLM"},
    {"ministral3", "Ministral3ForCausalLM"},
    {"mistral", "MistralForCausalLM"},
    {"mistral3", "Mistral3ForConditionalGeneration"},
    {"mixtral", "MixtralForCausalLM"},
    {"modernbert", "ModernBertModel"},
    {"mpt", "MptForCausalLM"},
    {"mt5", "MT5ForConditionalGeneration"},
    {"olmo", "OlmoForCausalLM"},
    {"olmo2", "Olmo2ForCausalLM"},
    {"olmo3", "Olmo3ForCausalLM"},
    {"olmoe", "OlmoeForCausalLM"},
    {"phi", "PhiForCausalLM"},
    {"phi3", "Phi3ForCausalLM"},
    {"qwen2", "Qwen2ForCausalLM"},
    {"qwen2_moe", "Qwen2MoeForCausalLM"},
    {"qwen3", "Qwen3ForCausalLM"},
    {"qwen3_5", "Qwen3_5ForConditionalGeneration"},
    {"qwen3_5_text", "Qwen3_5ForCausalLM"},
    {"qwen3_5_moe", "Qwen3_5MoeForConditionalGeneration"},
    {"qwen3_5_moe_text", "Qwen3_5MoeForCausalLM"},
    {"qwen3_moe", "Qwen3MoeForCausalLM"},
    {"qwen3_next", "Qwen3NextForCausalLM"},
    {"roberta", "RobertaModel"},
    {"smollm3", "SmolLM3ForCausalLM"},
    {"stablelm", "StableLmForCausalLM"},
    {"stablelm_epoch", "StableLMEpochForCausalLM"},
    {"starcoder2", "Starcoder2ForCausalLM"},
    {"t5", "T5ForConditionalGeneration"},
    {"umt5", "UMT5ForConditionalGeneration"},
    {"xlm-roberta", "XLMRobertaModel"},
});

constexpr Architecture kMeta = {"llama", {}, kMetaTensors, {}, {}, false};
constexpr Architecture kMistral = {"llama", {}, kMetaTensors, kMistralFormatKeys, kMistralWithout, false};
constexpr Architecture kMistralLatent = {"deepseek2",     {},   kMistralLatentTensors, kMistralLatentKeys,
                                         kMistralWithout, false};
constexpr Architecture kMistral3Format = {"mistral3", {}, kMetaTensors, kMistralFormatKeys, kMistralWithout, false};

constexpr Architecture kReranker = {.name = "qwen3",
                                    .classes = {},
                                    .tensors = kRerankerTensors,
                                    .keys = kRerankerKeys,
                                    .rankingTemplate = kRankingTemplate};
constexpr Architecture kTiedReranker = {.name = "qwen3",
                                        .classes = {},
                                        .tensors = kTiedRerankerTensors,
                                        .keys = kRerankerKeys,
                                        .rankingTemplate = kRankingTemplate};
constexpr std::string_view kRerankerName = "qwen3-reranker";
constexpr std::uint64_t kMaxCardBytes = std::uint64_t{1} << 20U;

bool contains(std::string_view text, std::string_view name) { return asciiLowerText(text).find(name) != text.npos; }

} // namespace

bool isReranker(const ModelFacts& facts) {
    const auto named = facts.find({"_name_or_path"});
    if (contains(facts.source().name(), kRerankerName) ||
        (named && contains(named->string().value_or(""), kRerankerName))) {
        return true;
    }
    const auto card = facts.source().file("README.md", kMaxCardBytes);
    return card && *card && contains((*card)->text, std::string("# ").append(kRerankerName));
}

const Architecture& rerankerArchitecture(const ModelFacts& facts) {
    const auto tied = facts.find({"tie_word_embeddings"});
    return tied && tied->boolean().value_or(false) ? kTiedReranker : kReranker;
}

std::span<const Architecture> architectures() { return kArchitectures; }

std::span<const ModelType> modelTypes() { return kModelTypes; }

std::string_view classOfType(std::string_view modelType, bool isSentenceTransformer) {
    const auto* row = std::ranges::find(kModelTypes, modelType, &ModelType::type);
    if (row == kModelTypes.end()) {
        return {};
    }
    return isSentenceTransformer && !row->embeddingClass.empty() ? row->embeddingClass : row->modelClass;
}

const Architecture& metaArchitecture() { return kMeta; }

const Architecture& mistralArchitecture(const ModelFacts& facts) {
    return facts.find({"kv_lora_rank"}) ? kMistralLatent : facts.find({"llama_4_scaling"}) ? kMistral3Format : kMistral;
}

} // namespace gufo::convert
