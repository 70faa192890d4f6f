// The keywords of JSON schemas and the types that they apply to.
#pragma once

#include "base/json_value.h"

#include <optional>
#include <set>
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

// Keywords of flat schemas (json_schema_compiler.h). Their names are not UTF-8, so no schema that was read has them.
inline constexpr std::string_view kFlat = "\xFF"
                                          "flat"; // marks a flat schema
inline constexpr std::string_view kKeySets = "\xFF"
                                             "keys"; // list of objects with the keywords of properties
inline constexpr std::string_view kElementSets = "\xFF"
                                                 "elements"; // list of objects with the restrictions of array elements
inline constexpr std::string_view kNotValues = "\xFF"
                                               "not values"; // list of excluded values
inline constexpr std::string_view kNotPattern = "\xFF"
                                                "not pattern"; // list of patterns that must not be found
inline constexpr std::string_view kNotMultiple = "\xFF"
                                                 "not multiple"; // list of numbers that must not divide it

// A keyword and the types it restricts; 0: it restricts nothing by itself.
struct Keyword {
    std::string_view name;
    unsigned types;
    bool supported = true;
};
// Returns null for an unknown keyword, which restricts nothing.
[[nodiscard]] const Keyword* findKeyword(std::string_view name);

// Makes a SchemaNotUsable error for a place in the schema.
[[nodiscard]] std::unexpected<Error> notUsable(const std::string& place, Argument why);
// Whether such an error says that no value conforms, rather than that the schema is wrong or not supported.
[[nodiscard]] bool saysNothingFits(const Error& error);
// Whether such an error says that a keyword is not supported, so that the schema could be used without it.
[[nodiscard]] bool saysNotSupported(const Error& error);

// Returns the types of a value. An integral number has two.
[[nodiscard]] unsigned typeOf(const JsonValue& value);
// Returns the types that a schema names, or that its keywords apply to.
[[nodiscard]] Result<unsigned> typesOf(const JsonValue& schema);
// Returns the types that a schema names; all if it names none.
[[nodiscard]] Result<unsigned> namedTypes(const JsonValue& schema);
// Returns the value of "type" for these types.
[[nodiscard]] JsonValue typeList(unsigned types, const std::string& place);
// Returns the types that values of the schema can have; 0: any, or not known.
[[nodiscard]] unsigned knownTypes(const JsonValue& schema);
// Returns the values of const or enum.
[[nodiscard]] std::optional<std::vector<const JsonValue*>> constantsOf(const JsonValue& schema);
// Returns the elements of a keyword that is a list, the value itself if it is none, and nothing if it is missing.
[[nodiscard]] std::vector<const JsonValue*> valuesOf(const JsonValue& schema, std::string_view keyword);
// Whether the schema requires a property.
[[nodiscard]] bool demands(const JsonValue& schema, std::string_view name);
// Returns the schema's restrictions without the restrictions of one keyword.
[[nodiscard]] JsonValue restOf(const JsonValue& schema, std::string_view without);

// Compares values as JSON schemas do: 1.0 is 1, and the order of members does not matter.
[[nodiscard]] bool equalJson(const JsonValue& a, const JsonValue& b);
// Writes a value so that equal values have equal texts: if `sorted`, always; otherwise, if their members have the same
// order.
[[nodiscard]] std::string canonicalJson(const JsonValue& value, bool sorted = false);
// The values of a list, for finding equal ones.
[[nodiscard]] std::set<std::string> setOf(const std::vector<const JsonValue*>& values);

// Merges two flat JSON schemas (json_schema_compiler.h) that must both hold into one.
//
// The place of a schema identifies what it demands, so that each is compiled once. Where several schemas must hold, it
// is the set of their places; where a schema is derived from another, it says how. The characters between are not
// UTF-8, and shownPlace() returns the first pointer in it.

// Merges `from` into `into`. Errors: SchemaNotUsable where the types contradict each other.
[[nodiscard]] Result<> mergeSchema(JsonValue& into, JsonValue from);

[[nodiscard]] std::string joinPlaces(const std::string& a, const std::string& b);
[[nodiscard]] std::string derivedPlace(const std::string& place, std::string_view how);
[[nodiscard]] std::string shownPlace(std::string_view place);

} // namespace gufo::inference
