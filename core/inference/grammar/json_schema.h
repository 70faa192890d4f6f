// JSON schemas (draft 2020-12, and what draft 7 writes otherwise) as grammars: everything that the grammar matches
// conforms to the schema.
//
// Followed: type, properties, required, additionalProperties, items, prefixItems, minItems, maxItems, enum, const,
// anyOf, oneOf (where no two of its alternatives can hold at once), allOf (where its parts can be merged), $ref within
// the schema, minLength, maxLength, pattern (regular expressions without look-around, back references and word
// boundaries), format date, time, date-time and uuid, and of integers minimum, maximum and their exclusive forms.
// Anything else that restricts is refused and never ignored.
//
// What comes out is what people expect rather than all that a schema allows: properties in the schema's order, only
// those that it names unless additionalProperties says more, and no array elements that it does not describe. Where a
// schema says no type, its keywords tell it.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>

namespace gufo::inference {

// The text of a grammar for Grammar::parse. Errors: BadSyntax and NestingTooDeep (no JSON), SchemaNotUsable (args: a
// JSON pointer, what cannot be followed there), LimitExceeded.
[[nodiscard]] Result<std::string> grammarOfJsonSchema(std::string_view schema);

} // namespace gufo::inference
