// Values as JSON, with their types and without any loss:
//
//     "type": "u32", "value": 5
//     "type": "arr", "element_type": "str", "value": ["a", {"hex": "ff"}]
//
// Numbers are as short as they can be and still exact; of floats, "inf", "-inf" and "nan" are texts, and NaN of other
// bits {"bits": "7fa00001"}. Text that is no UTF-8 is {"hex": "…"}, a boolean that is neither 0 nor 1 {"raw": 2}, an
// array in an array {"element_type": "u8", "value": []}.
#pragma once

#include "base/job_context.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "model/owned_value.h"

namespace gufo {

// The members of an object, without its braces. Errors: Cancelled; Truncated (the file changed).
[[nodiscard]] Result<> writeTypedValue(JsonText& json, const Value& value, const JobContext& job = {});
// The value alone, whose type the reader knows.
[[nodiscard]] Result<> writeBareValue(JsonText& json, const Value& value, const JobContext& job = {});

// A value of that type (of an array: of those elements), as writeBareValue writes it. Where an array is expected and
// `elementType` is not known, the object with its "element_type". Errors: BadSyntax, NestingTooDeep, Cancelled.
[[nodiscard]] Result<OwnedValue> readBareValue(JsonReader& json, ValueType type,
                                               std::optional<ValueType> elementType = {}, const JobContext& job = {});

// Collects the members of an object that hold a typed value, in any order.
class TypedValueReader {
public:
    // Reads the value of the member if it is one of these; false: it is another, and nothing was read.
    [[nodiscard]] Result<bool> member(JsonReader& json, std::string_view name);
    [[nodiscard]] bool hasValue() const { return m_value.has_value(); }
    // When the object has ended. `json`: for the place of an error. Errors: BadSyntax (something is missing, unknown
    // or contradicts), those of readBareValue.
    [[nodiscard]] Result<OwnedValue> finish(const JsonReader& json, const JobContext& job = {});

private:
    std::optional<ValueType> m_type;
    std::optional<ValueType> m_elementType;
    std::optional<std::uint64_t> m_length;
    std::optional<JsonReader> m_value; // before it
};

} // namespace gufo
