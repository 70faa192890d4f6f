// Values as JSON, with their types and without loss:
//
//     "type": "u32", "value": 5
//     "type": "arr", "element_type": "str", "value": ["a", {"hex": "ff"}]
//
// Numbers have their shortest exact form. Floats may also be the strings "inf", "-inf" and "nan", or {"bits":
// "7fa00001"} for a NaN with other bits. Text that is not UTF-8 is {"hex": "…"}, a boolean other than 0 and 1 is
// {"raw": 2}, and an array inside an array is {"element_type": "u8", "value": []}.
//
// Threads: one at a time for each reader and writer.
#pragma once

#include "base/job_context.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "model/owned_value.h"

namespace gufo {

// Writes the members of an object, without its braces. Errors: Cancelled; Truncated (the file changed).
[[nodiscard]] Result<> writeTypedValue(JsonText& json, const Value& value, const JobContext& job = {});
// Writes only the value, for readers that know its type.
[[nodiscard]] Result<> writeBareValue(JsonText& json, const Value& value, const JobContext& job = {});

// Reads a value of the given type (for an array: with the given elements), as writeBareValue writes it. If an array is
// expected and `elementType` is not given, reads an object with "element_type". Errors: BadSyntax, NestingTooDeep,
// Cancelled.
[[nodiscard]] Result<OwnedValue> readBareValue(JsonReader& json, ValueType type,
                                               std::optional<ValueType> elementType = {}, const JobContext& job = {});

// Collects the members of an object that describe a typed value, in any order.
class TypedValueReader {
public:
    // Reads the value of the member if it belongs to a typed value; otherwise returns false and reads nothing.
    [[nodiscard]] Result<bool> member(JsonReader& json, std::string_view name);
    [[nodiscard]] bool hasValue() const { return m_value.has_value(); }
    // To be called at the end of the object. `json` provides the place of errors. Errors: BadSyntax (a member is
    // missing, unknown or contradictory), the errors of readBareValue.
    [[nodiscard]] Result<OwnedValue> finish(const JsonReader& json, const JobContext& job = {});

private:
    std::optional<ValueType> m_type;
    std::optional<ValueType> m_elementType;
    std::optional<std::uint64_t> m_length;
    std::optional<JsonReader> m_value; // positioned before the value
};

} // namespace gufo
