// Types that a user requests for tensors, by regular expressions over their names.
//
// An override applies to the tensors that recipes quantise. A tensor that recipes keep (a norm, for example, which no
// runtime multiplies in blocks) is only changed by a pattern that names it in full.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/index.h"
#include "model/model.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

struct TypeOverride {
    std::function<bool(std::string_view tensorName)> matches;
    std::uint32_t typeId = 0;
    std::string pattern{}; // the regular expression behind `matches`, as it was written
};

// Whether a regular expression is the name of one tensor, or a list of such names ("a|b"), and this is one of them.
// Anchors, a group around the list, and backslashes before punctuation are allowed.
[[nodiscard]] bool namesInFull(std::string_view pattern, std::string_view tensorName);

// Regular expressions that match exactly these tensors of a model, one for each role: "^blk\.\d+\.attn_q\.weight$" if
// all blocks are meant. Tensors that recipes keep are named in full.
[[nodiscard]] std::vector<std::string> patternsOf(const Model& model, std::span<const TensorIndex> tensors);

} // namespace gufo
