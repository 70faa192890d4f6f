// Merges two JSON schemas that must both hold into one.
#pragma once

#include "base/json_value.h"

namespace gufo::inference {

// Merges `from` into `into`; neither may have $ref or allOf at its top. Errors: SchemaNotUsable where the two
// contradict each other or have no common form.
[[nodiscard]] Result<> mergeSchema(JsonValue& into, JsonValue from);

} // namespace gufo::inference
