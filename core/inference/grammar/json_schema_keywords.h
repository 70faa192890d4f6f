// The keywords of JSON schemas and the types that they apply to.
#pragma once

#include "base/json_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

enum Type : unsigned {
    kObject = 1,
    kArray = 2,
    kString = 4,
    kInteger = 8,
    kNumber = 16, // includes integers
    kBoolean = 32,
    kNull = 64,
    kAnyType = kObject | kArray | kString | kNumber | kBoolean | kNull,
};

// A keyword and the types it restricts; 0: it restricts nothing.
struct Keyword {
    std::string_view name;
    unsigned types;
};
// Returns null for an unknown keyword.
[[nodiscard]] const Keyword* findKeyword(std::string_view name);

// Makes a SchemaNotUsable error for a place in the schema.
[[nodiscard]] std::unexpected<Error> notUsable(const std::string& place, Argument why);

// Returns the types of a value. An integral number has two.
[[nodiscard]] unsigned typeOf(const JsonValue& value);
// Returns the types that a schema names, or that its keywords apply to.
[[nodiscard]] Result<unsigned> typesOf(const JsonValue& schema);
// Returns the types that values of the schema can have; 0: any, or not known.
[[nodiscard]] unsigned knownTypes(const JsonValue& schema);
// Returns the values of const or enum.
[[nodiscard]] std::optional<std::vector<const JsonValue*>> valuesOf(const JsonValue& schema);
// Whether the schema requires a property.
[[nodiscard]] bool demands(const JsonValue& schema, std::string_view name);
// Returns the schema's restrictions without those of one keyword.
[[nodiscard]] JsonValue restOf(const JsonValue& schema, std::string_view without);

} // namespace gufo::inference
