// What an edited model must keep so that it can be saved and read again: the rules that refuse a change. What is only
// unusual is a remark (document/remarks.h).
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

// What the file holds already is always allowed again.

// A key with that value: an empty or too long name, a damaged or too deeply nested array, a wrong alignment, a part
// number that the model's files do not bear out, a type that the version to be written lacks.
[[nodiscard]] Result<> checkKey(const State& state, const std::string& key, const Value& value);
// Whether another key of a name that is there may be made: where the file has more of them.
[[nodiscard]] bool mayRepeat(const State& state, const std::string& key);
[[nodiscard]] bool mayRepeatTensor(const State& state, const std::string& name);
// Whether it may be deleted or renamed: not the keys that hold a shard set together.
[[nodiscard]] Result<> checkKeyMayGo(const State& state, const std::string& key);
// A new element; elements to be inserted (an array).
[[nodiscard]] Result<> checkElement(const ArrayPath& array, const Value& value);
[[nodiscard]] Result<> checkElements(const ArrayPath& array, const Value& elements);

// A new name.
[[nodiscard]] Result<> checkTensorName(const State& state, const std::string& name);
[[nodiscard]] Result<> checkImport(const State& state, const Model& from, const TensorInfo& tensor);
[[nodiscard]] Result<> checkTarget(const State& state, const SaveTarget& target);

} // namespace gufo::edit
