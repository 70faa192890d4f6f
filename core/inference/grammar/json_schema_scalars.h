// Grammar rules of JSON schemas for strings and numbers, and the counts that keywords specify.
#pragma once

#include "base/json_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo::inference {

struct Counts {
    std::uint64_t least = 0;
    std::optional<std::uint64_t> most{};
};
// Reads the two keywords that bound a count. Errors: SchemaNotUsable.
[[nodiscard]] Result<Counts> countsOf(const JsonValue& schema, std::string_view least, std::string_view most);
// "{2,5}", "{2,}"
[[nodiscard]] std::string repetition(std::uint64_t least, std::optional<std::uint64_t> most);

// Each returns the body of a rule. Errors: SchemaNotUsable. Numbers are implemented in json_schema_numbers.cpp.
[[nodiscard]] Result<std::string> stringRule(const JsonValue& schema);
[[nodiscard]] Result<std::string> integerRule(const JsonValue& schema);
[[nodiscard]] Result<std::string> numberRule(const JsonValue& schema);

} // namespace gufo::inference
