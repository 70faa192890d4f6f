// Recognises published chat templates by their digests: says which one a template is, or was made from, and where the
// two differ.
//
// Thread contract: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

struct KnownTemplate {
    std::string_view name{};       // "Qwen3.5-4B"; empty: not known
    std::vector<int> changed{};    // lines with a piece that the published template does not have; counts from 1
    std::size_t missingPieces = 0; // of the published template
    std::size_t pieces = 0;        // of the template
};
// The template that shares most pieces, if these are at least four fifths of either.
[[nodiscard]] KnownTemplate findKnownTemplate(std::string_view source);

// The same for a template whose text is at hand: the lines of `source` that `base` does not have.
[[nodiscard]] KnownTemplate compareWithBase(std::string_view source, std::string_view base);

} // namespace gufo::text
