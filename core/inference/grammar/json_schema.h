// Translates JSON schemas (draft 2020-12, and draft 7's spelling where it differs) to grammars. Everything that the
// grammar matches conforms to the schema.
//
// Supported: type, properties, required, additionalProperties, items, prefixItems, minItems, maxItems, enum, const,
// anyOf, oneOf (if its alternatives exclude each other), allOf (if its parts can be merged), $ref within the schema,
// minLength, maxLength, pattern (regular expressions without look-around, back references and word boundaries), format
// date, time, date-time and uuid, and minimum, maximum and their exclusive forms. A schema with any other restriction
// is refused, never weakened.
//
// The grammar matches what people expect rather than everything that the schema permits: properties come in the order
// of the schema, only declared properties and array elements appear unless the schema says otherwise, and a schema
// without a type gets the types that its keywords apply to.
//
// Thread contract: pure functions.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"

#include <memory>
#include <string>
#include <string_view>

namespace gufo::inference {

// Returns the text of a grammar for Grammar::parse. Errors: BadSyntax and NestingTooDeep (not JSON), SchemaNotUsable
// (args: a JSON pointer, what cannot be translated there), LimitExceeded.
[[nodiscard]] Result<std::string> grammarOfJsonSchema(std::string_view schema);
// The grammar, which also keeps the schema for engines that take schemas only. Errors: those of both steps.
[[nodiscard]] Result<std::shared_ptr<const Grammar>> parseJsonSchema(std::string_view schema);

} // namespace gufo::inference
