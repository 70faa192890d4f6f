// Synthetic but consistent vocabularies: every merge joins two tokens into a third.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gufo::tools {

struct Vocabulary {
    std::string model; // the value of tokenizer.ggml.model: "llama" or "gpt2"
    std::vector<std::string> tokens;
    std::vector<float> scores;       // for "llama"
    std::vector<std::int32_t> types; // 1 normal, 2 unknown, 3 control, 6 byte
    std::vector<std::string> merges; // for "gpt2"
    std::uint32_t beginId = 0;
    std::uint32_t endId = 0;
};

// Like SentencePiece: <unk>, <s>, </s>, 256 bytes, then words. Requires `size` ≥ 259.
[[nodiscard]] Vocabulary makeScoredVocabulary(std::uint32_t size);
// Byte-level BPE: 256 bytes, then pairs of earlier tokens, then two control tokens. Requires `size` ≥ 258.
[[nodiscard]] Vocabulary makeMergedVocabulary(std::uint32_t size);

} // namespace gufo::tools
