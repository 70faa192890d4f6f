// The normalisation table that SentencePiece compiles into a model: replacements of character sequences, found by the
// longest match.
//
// Layout (sentencepiece, normalizer.cc): u32 size of the trie in bytes, little-endian; the trie as a Darts-clone double
// array of u32; then the replacements, each ended by a zero byte.
// Threads: immutable once made.
#pragma once

#include "base/error.h"
#include "model/metadata.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

class Charsmap {
public:
    Charsmap() = default; // replaces nothing
    // The table of tokenizer.ggml.precompiled_charsmap; an empty one where there is none. Errors: WrongValueType,
    // Truncated. The trie is followed only as far as it lies within itself.
    [[nodiscard]] static Result<Charsmap> read(const Metadata& metadata);

    struct Replacement {
        std::size_t bytes; // of the text, that are replaced
        std::string_view by;
    };
    [[nodiscard]] std::optional<Replacement> longest(std::string_view text) const;

private:
    std::vector<std::uint32_t> m_trie;
    std::string m_replacements;
};

} // namespace gufo::text
