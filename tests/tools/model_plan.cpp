#include "model_plan.h"

#include "tensor/tensor_type.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::tools {
namespace {

constexpr auto kShapes = std::to_array<ModelShape>({
    {.name = "llama-tiny",
     .description = "3 million weights, for tests",
     .embedding = 256,
     .feedForward = 768,
     .blocks = 3,
     .heads = 4,
     .kvHeads = 2,
     .vocabulary = 1024,
     .label = "3M"},
    {.name = "llama-moe",
     .description = "8 experts in each block, 0.4 billion weights",
     .embedding = 768,
     .feedForward = 1536,
     .blocks = 12,
     .heads = 12,
     .kvHeads = 4,
     .experts = 8,
     .vocabulary = 32'000,
     .label = "8x60M"},
    {.name = "llama-1b",
     .description = "1.1 billion weights: 2048 / 5632 / 22 / 32 / 4 / 32k",
     .embedding = 2048,
     .feedForward = 5632,
     .blocks = 22,
     .heads = 32,
     .kvHeads = 4,
     .vocabulary = 32'000,
     .label = "1.1B"},
    {.name = "glm-1b",
     .description = "the same 22 blocks as glm4moe, and one that predicts further tokens",
     .embedding = 2048,
     .feedForward = 5632,
     .blocks = 23,
     .heads = 32,
     .kvHeads = 4,
     .predicts = true,
     .vocabulary = 32'000,
     .label = "1.1B"},
    {.name = "vocab-262k",
     .description = "a vocabulary of 262,144 tokens with merges, no tensors",
     .vocabulary = 262'144,
     .merges = true,
     .label = {}},
    {.name = "header-5k",
     .description = "5,007 tensors and a vocabulary of 262,144 tokens with merges; 20 GB as F16, meant for --sparse",
     .embedding = 1280,
     .feedForward = 3456,
     .blocks = 556,
     .heads = 20,
     .kvHeads = 4,
     .vocabulary = 262'144,
     .merges = true,
     .label = "10B"},
    {.name = "tensors-250k",
     .description = "249,996 tensors; 0.7 GB as F16, meant for --sparse",
     .embedding = 32,
     .feedForward = 64,
     .blocks = 27'777,
     .heads = 2,
     .kvHeads = 1,
     .vocabulary = 512,
     .label = "310M"},
    {.name = "keys-20k",
     .description = "20,000 keys beside the usual ones, few weights",
     .embedding = 64,
     .feedForward = 128,
     .blocks = 2,
     .heads = 2,
     .kvHeads = 1,
     .vocabulary = 512,
     .extraKeys = 20'000,
     .label = "0.1M"},
});

constexpr std::uint32_t id(TensorType type) { return static_cast<std::uint32_t>(type); }

constexpr TypeMix plain(std::string_view name, std::uint32_t fileType, TensorType type) {
    return {name, fileType, id(type), id(type)};
}

constexpr auto kMixes = std::to_array<TypeMix>({
    plain("F32", 0, TensorType::F32),
    plain("F16", 1, TensorType::F16),
    plain("BF16", 32, TensorType::BF16),
    plain("Q4_0", 2, TensorType::Q4_0),
    plain("Q4_1", 3, TensorType::Q4_1),
    plain("Q5_0", 8, TensorType::Q5_0),
    plain("Q5_1", 9, TensorType::Q5_1),
    plain("Q8_0", 7, TensorType::Q8_0),
    plain("Q4_K", 14, TensorType::Q4_K),
    plain("Q5_K", 16, TensorType::Q5_K),
    plain("Q6_K", 18, TensorType::Q6_K),
    {"Q2_K", 10, id(TensorType::Q2_K), id(TensorType::Q3_K)},
    {"Q3_K_M", 12, id(TensorType::Q3_K), id(TensorType::Q5_K)},
    {"Q4_K_M", 15, id(TensorType::Q4_K), id(TensorType::Q6_K)},
    {"Q5_K_M", 17, id(TensorType::Q5_K), id(TensorType::Q6_K)},
    plain("IQ1_S", 24, TensorType::IQ1_S),
    plain("IQ1_M", 31, TensorType::IQ1_M),
    plain("IQ2_XXS", 19, TensorType::IQ2_XXS),
    plain("IQ2_XS", 20, TensorType::IQ2_XS),
    plain("IQ2_S", 28, TensorType::IQ2_S),
    plain("IQ3_XXS", 23, TensorType::IQ3_XXS),
    plain("IQ3_S", 26, TensorType::IQ3_S),
    plain("IQ4_NL", 25, TensorType::IQ4_NL),
    plain("IQ4_XS", 30, TensorType::IQ4_XS),
    plain("TQ1_0", 36, TensorType::TQ1_0),
    plain("TQ2_0", 37, TensorType::TQ2_0),
    plain("MXFP4", 38, TensorType::MXFP4),
    plain("NVFP4", 39, TensorType::NVFP4),
    plain("Q1_0", 40, TensorType::Q1_0),
    plain("Q2_0", 41, TensorType::Q2_0),
});

// Blocks for which mixes use more bits: the first and last eighth, and every third in between.
bool deservesBetter(std::uint32_t block, std::uint32_t blocks) {
    const std::uint32_t eighth = blocks / 8;
    return block < eighth || block >= blocks - eighth || (block - eighth) % 3 == 2;
}

class Planner {
public:
    Planner(const ModelShape& shape, const TypeMix& mix)
        : m_shape(shape)
        , m_mix(mix) {}

    std::vector<PlannedTensor> plan() {
        const std::uint64_t embedding = m_shape.embedding;
        add("token_embd.weight", m_mix.typeId, {embedding, m_shape.vocabulary});
        for (std::uint32_t block = 0; block < m_shape.blocks; ++block) {
            planBlock(block);
        }
        addNorm("output_norm.weight");
        add("output.weight", m_mix.betterId, {embedding, m_shape.vocabulary});
        return std::move(m_tensors);
    }

private:
    void planBlock(std::uint32_t block) {
        const std::string prefix = "blk." + std::to_string(block) + ".";
        const std::uint64_t embedding = m_shape.embedding;
        const std::uint64_t kv = embedding / m_shape.heads * m_shape.kvHeads;
        const std::uint32_t usual = m_mix.typeId;
        const std::uint32_t better = deservesBetter(block, m_shape.blocks) ? m_mix.betterId : usual;
        addNorm(prefix + "attn_norm.weight");
        add(prefix + "attn_q.weight", usual, {embedding, embedding});
        add(prefix + "attn_k.weight", usual, {embedding, kv});
        add(prefix + "attn_v.weight", better, {embedding, kv});
        add(prefix + "attn_output.weight", usual, {embedding, embedding});
        addNorm(prefix + (m_shape.predicts ? "post_attention_norm.weight" : "ffn_norm.weight"));
        const bool dense = m_shape.experts == 0;
        if (!dense) {
            add(prefix + "ffn_gate_inp.weight", id(TensorType::F32), {embedding, m_shape.experts});
        }
        const std::string kind = dense ? ".weight" : "_exps.weight";
        const auto stacked = [&](std::uint64_t columns, std::uint64_t rows) {
            return dense ? std::vector{columns, rows}
                         : std::vector{columns, rows, static_cast<std::uint64_t>(m_shape.experts)};
        };
        add(prefix + "ffn_gate" + kind, usual, stacked(embedding, m_shape.feedForward));
        add(prefix + "ffn_up" + kind, usual, stacked(embedding, m_shape.feedForward));
        add(prefix + "ffn_down" + kind, better, stacked(m_shape.feedForward, embedding));
        if (m_shape.predicts && block + 1 == m_shape.blocks) {
            add(prefix + "nextn.eh_proj.weight", usual, {2 * embedding, embedding});
            for (const char* norm : {"enorm", "hnorm", "shared_head_norm"}) {
                addNorm(prefix + "nextn." + norm + ".weight");
            }
        }
    }

    void add(std::string name, std::uint32_t typeId, std::vector<std::uint64_t> dims) {
        const double deviation = 0.8 / std::sqrt(static_cast<double>(dims[0]));
        m_tensors.push_back({std::move(name), typeId, std::move(dims), 0, deviation});
    }

    void addNorm(std::string name) {
        m_tensors.push_back({std::move(name), id(TensorType::F32), {m_shape.embedding}, 1, 0.2});
    }

    const ModelShape& m_shape;
    const TypeMix& m_mix;
    std::vector<PlannedTensor> m_tensors;
};

} // namespace

bool TypeMix::quantised() const { return findTensorType(typeId)->kind == TensorTypeKind::Quantised; }

std::span<const ModelShape> modelShapes() { return kShapes; }

const ModelShape* findModelShape(std::string_view name) {
    const auto* row = std::ranges::find(kShapes, name, &ModelShape::name);
    return row != kShapes.end() ? row : nullptr;
}

std::span<const TypeMix> typeMixes() { return kMixes; }

const TypeMix* findTypeMix(std::string_view name) {
    const auto* row = std::ranges::find(kMixes, name, &TypeMix::name);
    return row != kMixes.end() ? row : nullptr;
}

std::vector<PlannedTensor> planTensors(const ModelShape& shape, const TypeMix& mix) {
    return shape.embedding == 0 ? std::vector<PlannedTensor>() : Planner(shape, mix).plan();
}

} // namespace gufo::tools
