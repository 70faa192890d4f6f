// Translates JSON schemas (draft 2020-12, and draft 7's spelling where it differs) to grammars. Everything that the
// grammar matches conforms to the schema.
//
// Supported are all keywords that restrict values but unevaluatedProperties, unevaluatedItems and $dynamicRef, with
// these limits: references stay within the schema; patterns have no look-behind, back references, word boundaries and
// \p{…}; what `not`, `if` and overlapping alternatives of oneOf exclude must have an opposite that can be generated;
// elements of arrays with uniqueItems must have one spelling each (see json_schema_arrays.cpp). Of formats, date, time,
// date-time, uuid, email, hostname, ipv4, ipv6 and uri are checked; others, and unknown keywords, are annotations. A
// schema with any other restriction is refused, never weakened, unless SchemaOptions says so.
//
// The grammar matches what people expect rather than everything that the schema permits: only declared properties and
// array elements appear unless the schema says otherwise, and a schema without a type gets the types that its keywords
// apply to. Up to six properties come in any order, and additional properties after the required ones. Properties come
// in the order of the schema if there are more of them, if their number is limited, or if the object is among elements
// that must differ.
//
// Thread contract: pure functions.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"
#include "inference/grammar/value_notation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct SchemaOptions {
    bool relaxed = false; // ignore keywords that are not supported, instead of refusing the schema
};
struct SchemaGrammar {
    std::shared_ptr<const Grammar> grammar{}; // also keeps the schema for engines that take schemas only
    std::vector<std::string> relaxed{};       // the ignored keywords as JSON pointers ("#/properties/a/pattern")
};
// Errors: BadSyntax and NestingTooDeep (not JSON); SchemaNotUsable (args: a JSON pointer, and why the schema there is
// wrong, unsatisfiable or unsupported); LimitExceeded.
[[nodiscard]] Result<SchemaGrammar> parseJsonSchema(std::string_view schema, SchemaOptions options = {});

// The same for the arguments of a tool call, written in another way than as JSON. The schema describes the whole
// object.
[[nodiscard]] Result<SchemaGrammar> parseArgumentSchema(std::string_view schema, const ArgumentNotation& arguments,
                                                        SchemaOptions options = {});

// Whether a document conforms to a schema; formats that are checked restrict it. Errors: as above.
[[nodiscard]] Result<bool> conformsToJsonSchema(std::string_view document, std::string_view schema);

} // namespace gufo::inference
