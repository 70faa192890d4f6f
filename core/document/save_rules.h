// The rules that a change must obey so that the model can be saved and read again. Merely unusual contents are only
// remarked on (AppliedStep::remarks).
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

// Contents that the file already has are always allowed.

// Checks a key and its value. Refuses an empty or too long name, a damaged or too deeply nested array, a wrong
// alignment, a shard number that contradicts the model's files, and types unknown to the target version.
[[nodiscard]] Result<> checkKey(const State& state, const std::string& key, const Value& value);
// Whether another key (tensor) of an existing name may be made, because the file already has several.
[[nodiscard]] bool mayRepeat(const State& state, const std::string& key);
[[nodiscard]] bool mayRepeatTensor(const State& state, const std::string& name);
// Whether a key may be deleted or renamed. Keys that hold a shard set together may not.
[[nodiscard]] Result<> checkKeyMayGo(const State& state, const std::string& key);
// Check a new element, and an array of elements to be inserted.
[[nodiscard]] Result<> checkElement(const ArrayPath& array, const Value& value);
[[nodiscard]] Result<> checkElements(const ArrayPath& array, const Value& elements);

// Checks a new name.
[[nodiscard]] Result<> checkTensorName(const State& state, const std::string& name);
[[nodiscard]] Result<> checkImport(const State& state, const Model& from, const TensorInfo& tensor);
[[nodiscard]] Result<> checkTarget(const State& state, const SaveTarget& target);

} // namespace gufo::edit
