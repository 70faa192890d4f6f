// Models of random weights whose blocks are those of a family of architectures.
#pragma once

#include "core/inference/lying_models.h"
#include "tensor/encode.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace gufo::bench {

inline constexpr std::uint32_t kMostBlocks = 16; // as many as complete() plans
inline constexpr std::uint32_t kWidth = 2048;    // of the stream

// Dimensions as models of one to three billion weights have them.
inline const std::vector<test::PlannedKey> kCommonKeys{
    {"context_length", 4096U},
    {"embedding_length", kWidth},
    {"feed_forward_length", 8192U},
    {"attention.head_count", 16U},
    {"attention.head_count_kv", 4U},
    {"attention.key_length", 128U},
    {"attention.value_length", 128U},
    {"attention.q_lora_rank", 1024U},
    {"attention.kv_lora_rank", 512U},
    {"rope.dimension_count", 128U},
    {"expert_count", 16U},
    {"expert_used_count", 4U},
    {"expert_feed_forward_length", 1024U},
    {"expert_shared_count", 1U},
    {"expert_shared_feed_forward_length", 1024U},
    {"ssm.inner_size", 4096U},
    {"ssm.state_size", 128U},
    {"ssm.time_step_rank", 64U},
    {"wkv.head_size", 64U},
    {"kda.head_dim", 128U},
    {"full_attention_interval", 4U},
};

struct ModelFamily {
    const char* architecture;
    const char* blocks; // their peculiarity
    TensorType experts = TensorType::Q4_K;
    std::vector<test::PlannedKey> keys{};
};
inline const std::vector<ModelFamily> kFamilies{
    {.architecture = "llama", .blocks = "dense"},
    {.architecture = "qwen35",
     .blocks = "gated delta net",
     .keys = {{"ssm.time_step_rank", 32U}, {"ssm.group_count", 16U}}},
    {.architecture = "kimi-linear",
     .blocks = "Kimi's delta attention, experts",
     .keys = {{"attention.key_length", 192U}, {"rope.dimension_count", 64U}}},
    {.architecture = "mamba2", .blocks = "Mamba 2"},
    {.architecture = "falcon-h1", .blocks = "Mamba 2 beside attention"},
    {.architecture = "mamba", .blocks = "Mamba", .keys = {{"ssm.state_size", 16U}, {"ssm.time_step_rank", 128U}}},
    {.architecture = "rwkv7",
     .blocks = "RWKV 7",
     .keys = {{"attention.decay_lora_rank", 64U},
              {"attention.iclr_lora_rank", 64U},
              {"attention.value_residual_mix_lora_rank", 32U},
              {"attention.gate_lora_rank", 128U}}},
    {.architecture = "lfm2", .blocks = "short convolutions"},
    {.architecture = "gemma3", .blocks = "windows", .keys = {{"attention.sliding_window", 512U}}},
    {.architecture = "gpt-oss",
     .blocks = "windows, sinks, MXFP4 experts",
     .experts = TensorType::MXFP4,
     .keys = {{"attention.sliding_window", 128U}}},
    {.architecture = "glm4moe", .blocks = "experts chosen by sigmoid"},
    {.architecture = "deepseek2",
     .blocks = "latent attention, experts",
     .keys = {{"attention.key_length", 192U}, {"rope.dimension_count", 64U}}},
};

inline std::vector<float> normals(std::size_t count, float deviation) {
    std::mt19937_64 random(count);
    std::normal_distribution<float> normal(0, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

// Encoded weights that tensors repeat.
inline Bytes blocksOf(TensorType type) {
    static std::map<TensorType, std::vector<std::byte>> known;
    std::vector<std::byte>& bytes = known[type];
    if (bytes.empty()) {
        const std::vector<float> weights = normals(std::size_t{1} << 18U, 0.02F);
        bytes.resize(blocksBytes(tensorTypeFact(type), weights.size()));
        if (!encode({.typeId = static_cast<std::uint32_t>(type), .columns = 256, .importance = {}}, weights, bytes)) {
            std::fprintf(stderr, "a type cannot be encoded\n");
            std::exit(1);
        }
    }
    return bytes;
}

// The matrices of latent attention, as converters have stored them since 2025: keys and values in separate matrices;
// the matrix of the keys is transposed.
inline bool isOfLatents(std::string_view role) { return role == "attn_k_b.weight" || role == "attn_v_b.weight"; }

// Matrices of whole super-blocks are quantised; routers, convolutions, norms and rates are not.
inline TensorType typeOf(const ModelFamily& family, const test::PlannedTensor& tensor) {
    const std::string role = test::roleOf(tensor.name);
    if (isOfLatents(role) && tensor.dims[0] % 256 != 0) {
        return TensorType::Q8_0;
    }
    const bool matrix = tensor.dims.size() >= 2 && tensor.dims[0] % 256 == 0 && tensor.dims[1] >= 32;
    if (!matrix || role == "ffn_gate_inp.weight" || role.starts_with("ssm_a") || role.starts_with("time_mix_lerp")) {
        return TensorType::F32;
    }
    return tensor.dims.size() == 3 ? family.experts : TensorType::Q4_K;
}

inline std::shared_ptr<const Model> makeModel(const ModelFamily& family, std::uint32_t blocks,
                                              std::uint32_t vocabulary = 40) {
    const inference::GraphTraits& traits = *inference::findGraphTraits(family.architecture);
    test::ModelPlan plan = test::planOf(traits);
    const auto set = [&](const std::vector<test::PlannedKey>& keys) {
        for (const test::PlannedKey& each : keys) {
            std::visit([&](const auto& value) { plan.set(each.name, value); }, each.value);
        }
    };
    set(kCommonKeys);
    set(family.keys);
    plan.set("block_count", blocks);
    if (traits.recurrence.blocks == inference::RecurrentBlocks::WithoutKvHeads && traits.recurrence.kind != nullptr) {
        std::vector<std::uint32_t> heads(blocks, 0); // every fourth block attends
        for (std::size_t i = 3; i < blocks; i += 4) {
            heads[i] = family.architecture == std::string_view("kimi-linear") ? 1 : 4;
        }
        plan.set("attention.head_count_kv", heads);
    }
    test::PlannedTensor embedding{.name = "token_embd.weight", .dims = {kWidth, vocabulary}};
    embedding.type = static_cast<std::uint32_t>(typeOf(family, embedding));
    plan.tensors.push_back(std::move(embedding));
    test::complete(plan, {.optional = isOfLatents, .type = [&](const test::PlannedTensor& tensor) {
                              return static_cast<std::uint32_t>(typeOf(family, tensor));
                          }});
    for (test::PlannedTensor& tensor : plan.tensors) {
        const auto type = static_cast<TensorType>(tensor.type);
        if (test::roleOf(tensor.name).starts_with("ssm_a")) { // decays, so that states stay small
            tensor.values.assign(plan.bytesOf(tensor) / sizeof(float), -0.5F);
        } else if (type != TensorType::F32) {
            tensor.blocks = blocksOf(type);
        }
    }
    auto read = gguf::read(std::make_shared<MemorySource>(plan.file(~std::uint64_t{0}), "Model.gguf"));
    return read ? *read : nullptr;
}

} // namespace gufo::bench
