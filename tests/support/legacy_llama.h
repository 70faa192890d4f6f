// A small LLaMA from before GGUF, in any of the versions and types of its time.
#pragma once

#include "support/ggml_builder.h"
#include "tensor/tensor_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::test {

inline constexpr std::int32_t kLegacyTokens = 261; // control tokens, bytes, and two pieces
inline constexpr std::int32_t kLegacyWidth = 64;
inline constexpr std::int32_t kLegacyFeedForward = 96;
inline constexpr std::int32_t kLegacyHeads = 2;

// A type as GGJT numbered it, with the sizes that its blocks had in each version.
struct LegacyCase {
    std::int32_t number;
    std::size_t blockBytes;
    std::size_t floats; // numbers of 4 bytes at the start of a block
    std::size_t halves; // numbers of 2 bytes
    TensorType becomes;
};

class LegacyRandom {
public:
    std::uint32_t next() { return m_state = m_state * 1'664'525U + 1'013'904'223U; }
    float scale() { return 0.01F + static_cast<float>(next() >> 12U) * 1e-8F; } // more digits than f16 has

private:
    std::uint32_t m_state = 1;
};

inline std::vector<std::byte> legacyBlockBytes(const LegacyCase& type, std::size_t weights, LegacyRandom& random) {
    std::vector<std::byte> bytes(weights / 32 * type.blockBytes);
    for (std::size_t block = 0; block < bytes.size(); block += type.blockBytes) {
        std::size_t at = block;
        for (std::size_t i = 0; i < type.floats; ++i, at += 4) {
            store<float>(bytes.data() + at, (i == 0 ? 1.0F : -8.0F) * random.scale());
        }
        for (std::size_t i = 0; i < type.halves; ++i, at += 2) {
            store<std::uint16_t>(bytes.data() + at, i == 0 ? 0x2233 : 0xB044);
        }
        for (; at < block + type.blockBytes; ++at) {
            bytes[at] = static_cast<std::byte>(random.next() >> 24U);
        }
    }
    return bytes;
}

inline std::vector<std::byte> legacyFloats(std::size_t count, float value) {
    std::vector<std::byte> bytes(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        store<float>(bytes.data() + 4 * i, value + 0.001F * static_cast<float>(i % 7));
    }
    return bytes;
}

// A model of one block whose matrices have the type; only the first slice of its token embedding if it is cut.
inline GgmlBuilder legacyLlama(std::string_view magic, std::optional<std::uint32_t> version, const LegacyCase& type,
                               std::int32_t slices = 1) {
    GgmlBuilder file(magic, version);
    const bool scored = magic != "lmgg";
    // n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype
    file.numbers({kLegacyTokens, kLegacyWidth, 32, kLegacyHeads, 1, kLegacyWidth / kLegacyHeads, 0});
    const auto token = [&](std::string_view text, float score) { scored ? file.token(text, score) : file.token(text); };
    token(scored ? "<unk>" : "", 0);
    token(scored ? "<s>" : "", 0);
    token(scored ? "</s>" : "", 0);
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        token(std::string_view(&c, 1), 0);
    }
    token(" a", 0);
    token("bc", -1);
    file.padding = magic == "tjgg" ? 32 : 0;
    LegacyRandom random;
    const auto matrix = [&](const std::string& name, std::int32_t columns, std::int32_t rows) {
        file.tensor(name, type.number, {columns, rows},
                    legacyBlockBytes(type, static_cast<std::size_t>(columns * rows), random));
    };
    const auto norm = [&](const std::string& name) {
        file.tensor(name, 0, {kLegacyWidth}, legacyFloats(kLegacyWidth, 1));
    };
    matrix("tok_embeddings.weight", kLegacyWidth / slices, kLegacyTokens);
    norm("norm.weight");
    matrix("output.weight", kLegacyWidth, kLegacyTokens);
    norm("layers.0.attention_norm.weight");
    norm("layers.0.ffn_norm.weight");
    matrix("layers.0.attention.wq.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wk.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wv.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wo.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.feed_forward.w1.weight", kLegacyWidth, kLegacyFeedForward);
    matrix("layers.0.feed_forward.w2.weight", kLegacyFeedForward, kLegacyWidth);
    matrix("layers.0.feed_forward.w3.weight", kLegacyWidth, kLegacyFeedForward);
    return file;
}

inline constexpr LegacyCase kQ4_0Version1 = {2, 20, 1, 0, TensorType::Q4_0};

} // namespace gufo::test
