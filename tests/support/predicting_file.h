// A model whose answers count, and whose block that predicts further tokens is right.
#pragma once

#include "support/gguf_builder.h"
#include "support/run_models.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::test {

// After each of these words comes the next one, and after everything else the first.
inline constexpr std::array<const char*, 5> kCounted{"▁one", "▁two", "▁three", "▁four", "▁owl"};

struct PredictingShape {
    bool predicts = true;        // has the block
    bool wrongOnce = false;      // after "three", the block predicts "two"
    std::uint32_t projected = 0; // columns of nextn.eh_proj; 0: as many as there have to be
    std::uint32_t context = 512;
};

// A glm4moe model in which attention and feed-forward add nothing. The state of a token is thus its embedding, in which
// one element is not 0, and the output matrix maps that to the word after it. The block that predicts makes its input
// half from the token and half from the state before it; either suffices. If a state is paired with
// another token than the one that follows, the two halves contradict each other, and no prediction is certain.
inline GgufBuilder predictingFile(const PredictingShape& shape = {}) {
    const RunnableWords words = runnableWords();
    const std::size_t count = words.tokens.size();
    const auto indexOf = [&](std::string_view word) {
        return static_cast<std::size_t>(std::ranges::find(words.tokens, word) - words.tokens.begin());
    };
    std::vector<std::size_t> after(count, indexOf(kCounted.front()));
    for (std::size_t i = 0; i + 1 < kCounted.size(); ++i) {
        after[indexOf(kCounted[i])] = indexOf(kCounted[i + 1]);
    }
    std::vector<std::size_t> seenAs(count);
    for (std::size_t i = 0; i < count; ++i) {
        seenAs[i] = shape.wrongOnce && i == indexOf("▁three") ? indexOf("▁one") : i;
    }
    const auto width = static_cast<std::uint32_t>(count);
    constexpr std::uint32_t kLength = 8;
    GgufBuilder file;
    file.key("general.architecture", "glm4moe").key("general.name", "Counter");
    const auto number = [&](const std::string& name, std::uint32_t value) { file.key("glm4moe." + name, value); };
    number("context_length", shape.context);
    number("embedding_length", width);
    number("block_count", shape.predicts ? 2 : 1);
    number("feed_forward_length", kLength);
    number("attention.head_count", 2);
    number("attention.head_count_kv", 1);
    number("attention.key_length", kLength);
    number("attention.value_length", kLength);
    number("rope.dimension_count", kLength);
    number("expert_count", 2);
    number("expert_used_count", 1);
    number("expert_feed_forward_length", kLength);
    number("expert_shared_count", 1);
    number("leading_dense_block_count", shape.predicts ? 2 : 1);
    number("vocab_size", width);
    file.key("glm4moe.attention.layer_norm_rms_epsilon", 1e-5F);
    if (shape.predicts) {
        number("nextn_predict_layers", 1);
    }
    words.addTo(file, RunnableShape().chatTemplate);

    const auto tensor = [&](const std::string& name, std::vector<std::uint64_t> dims, const auto& weight) {
        GgufBytes data;
        const std::uint64_t rows = dims.size() == 2 ? dims[1] : 1;
        for (std::uint64_t row = 0; row < rows; ++row) {
            for (std::uint64_t column = 0; column < dims[0]; ++column) {
                data.number(static_cast<float>(weight(row, column)));
            }
        }
        file.tensor(name, 0, dims, data.bytes);
    };
    const auto constant = [](double value) { return [value](std::uint64_t, std::uint64_t) { return value; }; };
    tensor("token_embd.weight", {width, width}, [](auto row, auto column) { return row == column ? 1.0 : 0.0; });
    tensor("output_norm.weight", {width}, constant(1));
    tensor("output.weight", {width, width}, [&](auto row, auto column) { return after[column] == row ? 1.0 : 0.0; });
    const auto mixed = [](auto row, auto column) {
        return static_cast<double>((7 * row + 3 * column) % 11) / 11 - 0.5;
    };
    for (int i = 0; i < (shape.predicts ? 2 : 1); ++i) {
        const std::string block = "blk." + std::to_string(i) + '.';
        tensor(block + "attn_norm.weight", {width}, constant(1));
        tensor(block + "attn_q.weight", {width, 2 * kLength}, mixed);
        tensor(block + "attn_k.weight", {width, kLength}, mixed);
        tensor(block + "attn_v.weight", {width, kLength}, mixed);
        tensor(block + "attn_output.weight", {2 * kLength, width}, constant(0));
        tensor(block + "post_attention_norm.weight", {width}, constant(1));
        tensor(block + "ffn_gate.weight", {width, kLength}, mixed);
        tensor(block + "ffn_up.weight", {width, kLength}, mixed);
        tensor(block + "ffn_down.weight", {kLength, width}, constant(0));
    }
    if (shape.predicts) {
        const std::string block = "blk.1.nextn.";
        const std::uint32_t projected = shape.projected != 0 ? shape.projected : 2 * width;
        tensor(block + "eh_proj.weight", {projected, width}, [&](auto row, auto column) {
            const std::size_t meant = column < width ? column : after[std::min<std::size_t>(column - width, count - 1)];
            return seenAs[meant] == row ? 0.5 : 0.0;
        });
        tensor(block + "enorm.weight", {width}, constant(1));
        tensor(block + "hnorm.weight", {width}, constant(1));
        tensor(block + "shared_head_norm.weight", {width}, constant(1));
    }
    return file;
}

} // namespace gufo::test
