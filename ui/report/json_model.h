// Values, findings and errors of core as JSON; the keys are documented in app/cli/JSON.md.
#pragma once

#include "base/error.h"
#include "model/model.h"
#include "ui/report/json_writer.h"

namespace gufo::ui {

// A scalar; an array as a list of all its elements. Floats that are not finite become null.
void writeValue(JsonWriter& json, const Value& value);
// The members type and value of a key: an array as {array, type, length, head}, a float that is not finite as null
// beside "non_finite".
void writeTypeAndValue(JsonWriter& json, const Value& value);

void writeShape(JsonWriter& json, const Shape& shape);
void writeFindings(JsonWriter& json, std::span<const Finding> findings);
void writeError(JsonWriter& json, const Error& error);

// The value type's name: "u32".
[[nodiscard]] std::string_view typeName(const Value& value);

} // namespace gufo::ui
