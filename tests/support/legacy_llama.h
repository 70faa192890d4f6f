// A small LLaMA from before GGUF, in any of the versions and types of its time.
#pragma once

#include "model/model.h"
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

struct LegacySizes {
    std::int32_t tokens = kLegacyTokens;
    std::int32_t feedForward = kLegacyFeedForward;
};
// Sizes that can be divided by two in whole blocks, for models that are cut in two.
inline constexpr LegacySizes kEvenSizes = {.tokens = kLegacyTokens + 1, .feedForward = 128};

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
                               std::int32_t slices = 1, const LegacySizes& sizes = {}) {
    GgmlBuilder file(magic, version);
    const bool scored = magic != "lmgg";
    // n_vocab, n_embd, n_mult, n_head, n_layer, n_rot, ftype
    file.numbers({sizes.tokens, kLegacyWidth, 32, kLegacyHeads, 1, kLegacyWidth / kLegacyHeads, 0});
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
    if (sizes.tokens > kLegacyTokens) {
        token("d", -2);
    }
    file.padding = magic == "tjgg" ? 32 : 0;
    LegacyRandom random;
    const auto matrix = [&](const std::string& name, std::int32_t columns, std::int32_t rows) {
        file.tensor(name, type.number, {columns, rows},
                    legacyBlockBytes(type, static_cast<std::size_t>(columns * rows), random));
    };
    const auto norm = [&](const std::string& name) {
        file.tensor(name, 0, {kLegacyWidth}, legacyFloats(kLegacyWidth, 1));
    };
    matrix("tok_embeddings.weight", kLegacyWidth / slices, sizes.tokens);
    norm("norm.weight");
    matrix("output.weight", kLegacyWidth, sizes.tokens);
    norm("layers.0.attention_norm.weight");
    norm("layers.0.ffn_norm.weight");
    matrix("layers.0.attention.wq.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wk.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wv.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.attention.wo.weight", kLegacyWidth, kLegacyWidth);
    matrix("layers.0.feed_forward.w1.weight", kLegacyWidth, sizes.feedForward);
    matrix("layers.0.feed_forward.w2.weight", sizes.feedForward, kLegacyWidth);
    matrix("layers.0.feed_forward.w3.weight", kLegacyWidth, sizes.feedForward);
    return file;
}

// Writes a model as the first converters did that made one file for each GPU: `path`, `path`.1 …. Each file has a slice
// of every matrix and all vectors.
inline void writeLegacyParts(const Model& whole, std::string_view magic, std::optional<std::uint32_t> version,
                             std::uint64_t parts, const std::filesystem::path& path) {
    const Bytes header = *whole.files[0].source->view({0, whole.files[0].headerBytes});
    for (std::uint64_t part = 0; part < parts; ++part) {
        GgmlBuilder file(magic, version);
        file.padding = magic == "tjgg" ? 32 : 0;
        file.out.bytes.assign(header.begin(), header.end());
        for (const TensorInfo& tensor : whole.tensors) {
            std::vector<std::int32_t> dims;
            for (const std::uint64_t dim : tensor.shape.dims()) {
                dims.push_back(static_cast<std::int32_t>(dim));
            }
            const Bytes bytes = *whole.bytesOf(tensor);
            const bool byColumns =
                tensor.name.contains("tok_embeddings") || tensor.name.contains(".wo.") || tensor.name.contains(".w2.");
            const std::uint64_t runs = dims.size() == 1 || !byColumns ? 1 : tensor.shape[1];
            const std::uint64_t cuts = dims.size() == 1 ? 1 : parts;
            std::vector<std::byte> slice;
            for (std::uint64_t run = 0; run < runs; ++run) {
                const std::uint64_t length = bytes.size() / runs / cuts;
                const Bytes cut = bytes.subspan(run * length * cuts + (cuts == 1 ? 0 : part) * length, length);
                slice.insert(slice.end(), cut.begin(), cut.end());
            }
            if (dims.size() == 2) {
                dims[byColumns ? 0 : 1] /= static_cast<std::int32_t>(parts);
            }
            const std::uint32_t number = load<std::uint32_t>(
                whole.files[0].source->view({tensor.recordOffset + 2 * sizeof(std::uint32_t), 4})->data());
            file.tensor(tensor.name, static_cast<std::int32_t>(number), dims, slice);
        }
        file.write(part == 0 ? path.native() : path.native() + '.' + std::to_string(part));
    }
}

inline constexpr LegacyCase kQ4_0Version1 = {2, 20, 1, 0, TensorType::Q4_0};

} // namespace gufo::test
