// Merges two flat JSON schemas (json_schema_compiler.h) that must both hold into one.
//
// The place of a schema identifies what it demands, so that each is compiled once. Where several schemas must hold, it
// is the set of their places; where a schema is derived from another, it says how. The characters between are not
// UTF-8, and shownPlace() returns the first pointer in it.
#pragma once

#include "base/json_value.h"

namespace gufo::inference {

// Merges `from` into `into`. Errors: SchemaNotUsable where the types contradict each other.
[[nodiscard]] Result<> mergeSchema(JsonValue& into, JsonValue from);

[[nodiscard]] std::string joinPlaces(const std::string& a, const std::string& b);
[[nodiscard]] std::string derivedPlace(const std::string& place, std::string_view how);
[[nodiscard]] std::string shownPlace(std::string_view place);

} // namespace gufo::inference
