// Models that can run, for the tests of the Run page.
#pragma once

#include "base/error.h"
#include "formats/gguf/read/reader.h"
#include "support/gguf_builder.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gufo::test {

struct RunnableShape {
    std::uint32_t width = 64;
    std::uint32_t blocks = 2;
    std::uint32_t context = 512;
    std::string chatTemplate =
        "{%- for message in messages %}{{- '<|' + message.role + '|>' + message.content + '<|end|>' "
        "}}{%- endfor %}{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}";
    bool tokenizer = true;
};

// A vocabulary of words, bytes and "<|user|>", "<|system|>", "<|assistant|>" and "<|end|>" (which ends an answer).
struct RunnableWords {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> types;
    std::vector<float> scores;

    void addTo(GgufBuilder& file, const std::string& chatTemplate) const {
        file.key("tokenizer.ggml.model", "llama").key("tokenizer.ggml.tokens", tokens);
        file.key("tokenizer.ggml.token_type", types).key("tokenizer.ggml.scores", scores);
        file.key("tokenizer.ggml.bos_token_id", std::uint32_t{1}).key("tokenizer.ggml.eos_token_id", std::uint32_t{6});
        if (!chatTemplate.empty()) {
            file.key("tokenizer.chat_template", chatTemplate);
        }
    }
};

inline RunnableWords runnableWords() {
    RunnableWords words;
    words.tokens = {"<unk>", "<s>", "</s>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>"};
    words.types = {2, 3, 3, 3, 3, 3, 3};
    for (unsigned byte = 0; byte < 256; ++byte) {
        constexpr const char* kDigits = "0123456789ABCDEF";
        words.tokens.push_back({'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'});
        words.types.push_back(6);
    }
    for (const char* word :
         {"▁",      "o",     "n",     "e",    "t",      "w",    "h",     "r",  "f",    "u",  "O",    "c",    "on",
          "one",    "tw",    "two",   "th",   "re",     "thre", "three", "fo", "four", "On", "Once", "▁one", "▁two",
          "▁three", "▁four", "▁Once", "▁owl", "▁night", "▁and", "▁the",  "\n", ".",    ",",  "**"}) {
        words.tokens.emplace_back(word);
        words.types.push_back(1);
    }
    words.scores.resize(words.tokens.size());
    for (std::size_t i = 0; i < words.scores.size(); ++i) {
        words.scores[i] = -static_cast<float>(words.tokens.size() - i);
    }
    return words;
}

// A llama model with pseudo-random weights, the same in each call.
inline GgufBuilder runnableFile(const RunnableShape& shape = {}) {
    const RunnableWords words = runnableWords();
    const std::vector<std::string>& tokens = words.tokens;
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Runner");
    file.key("llama.context_length", shape.context).key("llama.embedding_length", shape.width);
    file.key("llama.block_count", shape.blocks).key("llama.feed_forward_length", 2 * shape.width);
    file.key("llama.attention.head_count", std::uint32_t{4}).key("llama.attention.head_count_kv", std::uint32_t{2});
    file.key("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    file.key("llama.vocab_size", static_cast<std::uint32_t>(tokens.size()));
    if (shape.tokenizer) {
        words.addTo(file, shape.chatTemplate);
    }
    std::uint32_t state = 12'345;
    const auto weights = [&](std::string_view name, std::uint64_t columns, std::uint64_t rows, float scale, float add) {
        GgufBytes data;
        for (std::uint64_t i = 0; i < columns * rows; ++i) {
            state = state * 1'664'525U + 1'013'904'223U;
            data.number(add + scale * (static_cast<float>(state >> 8U) / 8'388'608.0F - 1.0F));
        }
        file.tensor(name, 0,
                    rows == 1 ? std::vector<std::uint64_t>{columns} : std::vector<std::uint64_t>{columns, rows},
                    data.bytes);
    };
    const std::uint64_t width = shape.width;
    weights("token_embd.weight", width, tokens.size(), 1, 0);
    weights("output_norm.weight", width, 1, 0, 1);
    weights("output.weight", width, tokens.size(), 0.5F, 0);
    for (std::uint32_t i = 0; i < shape.blocks; ++i) {
        const std::string block = "blk." + std::to_string(i) + '.';
        weights(block + "attn_norm.weight", width, 1, 0, 1);
        weights(block + "attn_q.weight", width, width, 0.2F, 0);
        weights(block + "attn_k.weight", width, width / 2, 0.2F, 0);
        weights(block + "attn_v.weight", width, width / 2, 0.2F, 0);
        weights(block + "attn_output.weight", width, width, 0.2F, 0);
        weights(block + "ffn_norm.weight", width, 1, 0, 1);
        weights(block + "ffn_gate.weight", width, 2 * width, 0.2F, 0);
        weights(block + "ffn_up.weight", width, 2 * width, 0.2F, 0);
        weights(block + "ffn_down.weight", 2 * width, width, 0.2F, 0);
    }
    return file;
}

inline std::shared_ptr<const Model> modelOf(std::vector<std::byte> bytes) {
    auto model = gguf::read(std::make_shared<MemorySource>(std::move(bytes)));
    return model ? *model : nullptr;
}

inline std::shared_ptr<const Model> tinyRunnable(const RunnableShape& shape = {}) {
    return modelOf(runnableFile(shape).build());
}

} // namespace gufo::test
