// The normalisation table of a SentencePiece model: replacements of character sequences, chosen by longest match.
//
// Layout (sentencepiece, normalizer.cc): u32 size of the trie in bytes, little-endian; the trie as a Darts-clone double
// array of u32; the replacements, each terminated by a zero byte.
//
// Thread contract: immutable once made.
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
    Charsmap() = default; // no replacements
    // Reads tokenizer.ggml.precompiled_charsmap; returns an empty table if there is none. Errors: WrongValueType,
    // Truncated. Links that lead outside the trie end a match.
    [[nodiscard]] static Result<Charsmap> read(const Metadata& metadata);

    struct Replacement {
        std::size_t bytes; // length of the replaced text
        std::string_view by;
    };
    [[nodiscard]] std::optional<Replacement> longest(std::string_view text) const;

private:
    std::vector<std::uint32_t> m_trie;
    std::string m_replacements;
};

} // namespace gufo::text
