// Models for the tests of item models and pages.
#pragma once

#include "formats/gguf/read/reader.h"
#include "gguf_builder.h"

#include <QString>

#include <string>
#include <vector>

namespace gufo::test {

inline std::shared_ptr<const Model> readModel(const GgufBuilder& file) {
    auto model = gguf::read(file.source());
    return model ? *model : nullptr;
}

// A BPE vocabulary: "a", "b", "Ġ", a control token, then the results of the merges.
inline GgufBuilder& addSmallVocabulary(GgufBuilder& file) {
    file.key("tokenizer.ggml.model", "gpt2");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "Ġ", "<|end|>", "ab", "Ġab"});
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 1, 3, 1, 4});
    file.key("tokenizer.ggml.merges", std::vector<std::string>{"a b", "Ġ ab", "b b"});
    file.key("tokenizer.ggml.eos_token_id", std::uint32_t{3});
    return file;
}

// `tokens` tokens "t0", "t1" …, and half as many merges.
inline GgufBuilder& addLargeVocabulary(GgufBuilder& file, std::uint32_t tokens) {
    std::vector<std::string> texts;
    std::vector<std::string> merges;
    for (std::uint32_t i = 0; i < tokens; ++i) {
        texts.push_back("t" + std::to_string(i));
        if (i % 2 == 1) {
            merges.push_back("t " + std::to_string(i));
        }
    }
    file.key("tokenizer.ggml.model", "gpt2");
    file.key("tokenizer.ggml.tokens", texts);
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>(tokens, 1));
    file.key("tokenizer.ggml.merges", merges);
    file.key("tokenizer.ggml.bos_token_id", std::uint32_t{1});
    return file;
}

// A llama model with `blocks` blocks of three tensors, and two tensors outside the blocks.
inline GgufBuilder& addSmallLlama(GgufBuilder& file, std::uint32_t blocks = 2) {
    file.key("general.architecture", "llama");
    file.key("general.name", "Small Llama");
    file.key("general.file_type", std::uint32_t{7});
    file.key("llama.block_count", blocks);
    file.key("llama.context_length", std::uint32_t{2048});
    file.key("llama.embedding_length", std::uint32_t{64});
    file.key("llama.feed_forward_length", std::uint32_t{128});
    file.key("llama.attention.head_count", std::uint32_t{4});
    file.key("llama.attention.head_count_kv", std::uint32_t{2});
    file.key("llama.attention.layer_norm_rms_epsilon", 1e-6F);
    file.tensor("token_embd.weight", kQ8_0, {64, 6});
    file.tensor("output_norm.weight", kF32, {64});
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const std::string prefix = "blk." + std::to_string(i) + ".";
        file.tensor(prefix + "attn_norm.weight", kF32, {64});
        file.tensor(prefix + "attn_q.weight", kQ8_0, {64, 64});
        file.tensor(prefix + "ffn_up.weight", kQ8_0, {64, 128});
    }
    return file;
}

} // namespace gufo::test
