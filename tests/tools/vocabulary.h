// Made-up vocabularies that hold together: every merge joins two tokens into a third.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gufo::tools {

struct Vocabulary {
    std::string model; // tokenizer.ggml.model: "llama" or "gpt2"
    std::vector<std::string> tokens;
    std::vector<float> scores;       // of "llama"
    std::vector<std::int32_t> types; // 1 normal, 2 unknown, 3 control, 6 byte
    std::vector<std::string> merges; // of "gpt2"
    std::uint32_t beginId = 0;
    std::uint32_t endId = 0;
};

// SentencePiece-like: <unk>, <s>, </s>, 256 bytes, then words. `size` ≥ 259.
[[nodiscard]] Vocabulary makeScoredVocabulary(std::uint32_t size);
// Byte-level BPE: 256 bytes, then pairs of earlier tokens, then two control tokens. `size` ≥ 258.
[[nodiscard]] Vocabulary makeMergedVocabulary(std::uint32_t size);

} // namespace gufo::tools
