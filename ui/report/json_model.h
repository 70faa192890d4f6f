// Writes core's values, findings and errors as JSON. The keys are documented in app/cli/JSON.md.
#pragma once

#include "base/error.h"
#include "model/model.h"
#include "ui/report/json_writer.h"

namespace gufo::ui {

// Writes a scalar, or an array as a list of all its elements. Non-finite floats become null.
void writeValue(JsonWriter& json, const Value& value);
// Writes the members type and value of a key. An array becomes {array, type, length, head}; a non-finite float becomes
// null, with "non_finite" beside it.
void writeTypeAndValue(JsonWriter& json, const Value& value);

void writeShape(JsonWriter& json, const Shape& shape);
void writeFindings(JsonWriter& json, std::span<const Finding> findings);
void writeError(JsonWriter& json, const Error& error);

// The name of the value's type: "u32".
[[nodiscard]] std::string_view typeName(const Value& value);

} // namespace gufo::ui
