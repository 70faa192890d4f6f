// Pairs of small models for the tests of the comparison tab: the same weights in several types, with optional defects.
#pragma once

#include "support/gguf_builder.h"
#include "tensor/encode.h"

#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace gufo::test {

struct CompareModel {
    TensorType type = TensorType::F32; // of the matrices
    std::uint32_t blocks = 3;
    std::uint64_t width = 256;
    std::uint32_t experts = 0; // of ffn_gate_exps; 0: a dense feed-forward part
    std::string architecture = "llama";
    std::string name = "Small";
    std::string chatTemplate = "{% for message in messages %}\n{{ message.content }}\n{% endfor %}\n";
    std::vector<std::string> tokens{"<unk>", "<s>", "</s>", "hello", "world"};
    std::string without;   // name of a tensor to omit
    std::string extra;     // name of an additional tensor
    std::string reshaped;  // name of a tensor with half the width
    std::string prefix;    // prefix of all tensor names
    bool garbled = false;  // use other weights
    std::string notFinite; // name of a tensor, of type F32, whose first weight is NaN
};

inline std::vector<std::byte> encodedWeights(TensorType type, std::uint64_t columns, std::uint64_t rows,
                                             std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 0.05F);
    std::vector<float> values(columns * rows);
    for (float& value : values) {
        value = normal(random);
    }
    const TensorTypeFact& info = tensorTypeFact(type);
    std::vector<std::byte> bytes(blocksBytes(info, rows * columns));
    const EncodeRequest request{.typeId = info.id, .columns = columns, .importance = {}};
    return encode(request, values, bytes) ? bytes : std::vector<std::byte>{};
}

inline void writeCompareModel(const std::filesystem::path& path, const CompareModel& model) {
    GgufBuilder file;
    file.key("general.architecture", model.architecture);
    file.key("general.name", model.name);
    file.key("general.file_type", static_cast<std::uint32_t>(model.type));
    file.key(model.architecture + ".block_count", model.blocks);
    file.key("tokenizer.ggml.model", "llama");
    file.key("tokenizer.ggml.tokens", model.tokens);
    file.key("tokenizer.chat_template", model.chatTemplate);
    std::uint32_t seed = model.garbled ? 1000 : 1;
    const auto add = [&](const std::string& name, TensorType type, std::uint64_t columns, std::uint64_t rows,
                         std::uint64_t depth = 1) {
        ++seed;
        if (name == model.without) {
            return;
        }
        const std::uint64_t wide = name == model.reshaped ? columns / 2 : columns;
        std::vector<std::uint64_t> dims{wide};
        if (rows > 1) {
            dims.push_back(rows);
        }
        if (depth > 1) {
            dims.push_back(depth);
        }
        std::vector<std::byte> bytes = encodedWeights(type, wide, rows * depth, seed);
        if (name == model.notFinite) {
            constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
            std::memcpy(bytes.data(), &kNaN, sizeof kNaN);
        }
        file.tensor(model.prefix + name, static_cast<std::uint32_t>(type), dims, bytes);
    };
    const std::uint64_t width = model.width;
    add("token_embd.weight", model.type, width, model.tokens.size());
    for (std::uint32_t block = 0; block < model.blocks; ++block) {
        const std::string prefix = "blk." + std::to_string(block) + '.';
        add(prefix + "attn_norm.weight", TensorType::F32, width, 1);
        add(prefix + "attn_q.weight", model.type, width, 32);
        add(prefix + "attn_k.weight", model.type, width, 16);
        if (model.experts > 0) {
            add(prefix + "ffn_gate_exps.weight", model.type, width, 8, model.experts);
        } else {
            add(prefix + "ffn_up.weight", model.type, width, 24);
        }
    }
    add("output_norm.weight", TensorType::F32, width, 1);
    if (!model.extra.empty()) {
        add(model.extra, model.type, width, 8);
    }
    file.write(path);
}

} // namespace gufo::test
