// The dense layers that a sentence transformer applies to the pooled embedding. modules.json lists them, and each has
// its weights in a folder of its own, such as 2_Dense. They become tensors of the source's model:
// "sentence_transformers.dense_2.linear.weight" and "…dense_3…" if they are what engines compute (two products one
// after the other, without a bias or an activation), or else "sentence_transformers.NAME…", which no architecture has.
#pragma once

#include "convert/source_folder.h"

namespace gufo::convert {

inline constexpr std::string_view kDenseModules = "sentence_transformers.";
inline constexpr std::string_view kFirstDense = "sentence_transformers.dense_2.linear.weight";
inline constexpr std::string_view kSecondDense = "sentence_transformers.dense_3.linear.weight";

// The model with these tensors; the same model if there are none. Errors: the errors of the JSON files and of reading
// the weights; Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Model>> withDenseModules(const SourceFolder& source, const JobContext& job);

} // namespace gufo::convert
