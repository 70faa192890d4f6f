// Finds the name that a mistyped one was meant to be: of a verb, an option, a key, a tensor.
#pragma once

#include <QString>

#include <span>
#include <string>
#include <string_view>

namespace gufo {
class Model;
}

namespace gufo::cli {

// The name that differs from `typed` by so few insertions, deletions, replacements and exchanges of neighbours
// (whatever the case of letters) that a slip is likely, or of which `typed` is all but the first or the last component
// ("attn_q" of "attn_q.weight"). Empty if there is none, and if `typed` is one of the names. Of several, the nearest,
// then the first.
[[nodiscard]] std::string_view similarName(std::string_view typed, std::span<const std::string_view> names);

[[nodiscard]] std::string_view similarKey(std::string_view typed, const Model& model);
// Also looks among the keys that the model could have.
[[nodiscard]] std::string similarPossibleKey(std::string_view typed, const Model& model);
[[nodiscard]] std::string_view similarTensor(std::string_view typed, const Model& model);

// "Did you mean %1?", to be added to an error; empty if `name` is.
[[nodiscard]] QString didYouMean(std::string_view name);

} // namespace gufo::cli
