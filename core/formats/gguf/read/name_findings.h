// The findings about names of keys and tensors, for names that are read and names that edits introduce.
#pragma once

#include "model/finding_list.h"

#include <string_view>

namespace gufo::gguf {

// Adds EmptyKey, KeyNotUtf8, OddKey or KeyTooLong.
void addKeyNameFindings(std::string_view key, FindingList& findings);
// Adds TensorNameEmpty, TensorNameNotUtf8 or TensorNameTooLong.
void addTensorNameFindings(std::string_view name, FindingList& findings);

} // namespace gufo::gguf
