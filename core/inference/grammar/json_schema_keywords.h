// The keywords of JSON schemas and what they say of types.
#pragma once

#include "inference/grammar/json_value.h"

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
    kNumber = 16, // integers, too
    kBoolean = 32,
    kNull = 64,
    kAnyType = kObject | kArray | kString | kNumber | kBoolean | kNull,
};

// What a keyword speaks of; 0: it says nothing about values.
struct Keyword {
    std::string_view name;
    unsigned types;
};
// Null for one that is not known.
[[nodiscard]] const Keyword* findKeyword(std::string_view name);

// SchemaNotUsable at a place.
[[nodiscard]] std::unexpected<Error> notUsable(const std::string& place, std::string why);

// The types that a value has: of a whole number, two.
[[nodiscard]] unsigned typeOf(const JsonValue& value);
// The types that a schema names, or that its keywords speak of.
[[nodiscard]] Result<unsigned> typesOf(const JsonValue& schema);
// The types that its values can have; 0: any, or not known.
[[nodiscard]] unsigned knownTypes(const JsonValue& schema);
// Those of const or enum.
[[nodiscard]] std::optional<std::vector<const JsonValue*>> valuesOf(const JsonValue& schema);
// Whether an object needs a property.
[[nodiscard]] bool demands(const JsonValue& schema, std::string_view name);
// What of a schema restricts beside one keyword.
[[nodiscard]] JsonValue restOf(const JsonValue& schema, std::string_view without);

} // namespace gufo::inference
