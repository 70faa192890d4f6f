// Grammar rules of JSON schemas for strings and numbers, and the counts that keywords specify.
#pragma once

#include "base/json_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo::inference {

struct Counts {
    std::uint64_t minimum = 0;
    std::optional<std::uint64_t> maximum{};
};
// Reads the two keywords that bound a count. Errors: SchemaNotUsable.
[[nodiscard]] Result<Counts> countsOf(const JsonValue& schema, std::string_view minimum, std::string_view maximum);
// "{2,5}", "{2,}"
[[nodiscard]] std::string repetition(std::uint64_t minimum, std::optional<std::uint64_t> maximum);

// Each returns the body of a rule. Errors: SchemaNotUsable. Numbers are implemented in json_schema_numbers.cpp.
[[nodiscard]] Result<std::string> stringRule(const JsonValue& schema);
[[nodiscard]] Result<std::string> integerRule(const JsonValue& schema);
[[nodiscard]] Result<std::string> numberRule(const JsonValue& schema);

} // namespace gufo::inference
