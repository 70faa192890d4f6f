// Two JSON schemas that both have to hold, as one.
#pragma once

#include "inference/grammar/json_value.h"

namespace gufo::inference {

// Adds what `from` says to `into`; neither has $ref or allOf at its top. Errors: SchemaNotUsable where one excludes the
// other, or cannot be written as one.
[[nodiscard]] Result<> mergeSchema(JsonValue& into, JsonValue from);

} // namespace gufo::inference
