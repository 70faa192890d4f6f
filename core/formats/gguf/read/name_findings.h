// What reading says of the names of keys and tensors, and edits of new ones.
#pragma once

#include "model/finding_list.h"

#include <string_view>

namespace gufo::gguf {

// EmptyKey, KeyNotUtf8, OddKey, KeyTooLong.
void addKeyNameFindings(std::string_view key, FindingList& findings);
// TensorNameEmpty, TensorNameNotUtf8, TensorNameTooLong.
void addTensorNameFindings(std::string_view name, FindingList& findings);

} // namespace gufo::gguf
