// What a flat schema (json_schema_compiler.h) demands of strings and numbers, and the counts that keywords specify.
//
// Thread contract: pure functions.
#pragma once

#include "base/json_value.h"
#include "inference/grammar/automaton.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo::inference {

struct Counts {
    static constexpr std::uint64_t kMost = 1'000'000'000; // no answer has more of anything
    std::uint64_t minimum = 0;
    std::optional<std::uint64_t> maximum{};
};
// Reads the two keywords that bound a count. Errors: SchemaNotUsable.
[[nodiscard]] Result<Counts> countsOf(const JsonValue& schema, std::string_view minimum, std::string_view maximum);

// The strings, without regard to their length unless `counted`. Nothing: any. Adds the steps that this took to `work`,
// and gives up at kMaxPatternWork. Errors: SchemaNotUsable, LimitExceeded.
inline constexpr std::size_t kMaxPatternWork = 30'000'000;
[[nodiscard]] Result<std::optional<Automaton>> stringsOf(const JsonValue& schema, bool counted, std::size_t& work);

// The numbers, as they may be written: without exponents and with at most as many digits as a double represents.
// Nothing: any. If `unique`, each number has one spelling. Numbers are implemented in json_schema_numbers.cpp. Errors:
// SchemaNotUsable.
[[nodiscard]] Result<std::optional<Automaton>> numbersOf(const JsonValue& schema, bool integers, bool unique);

// A decimal number as sign and digits.
struct Decimal {
    bool negative = false;
    std::string whole = "0"; // without leading zeros
    std::string fraction{};  // without trailing zeros

    [[nodiscard]] bool isZero() const { return whole == "0" && fraction.empty(); }
    bool operator==(const Decimal&) const = default;
};
// Nothing if the text is no number, or has more than a thousand digits.
[[nodiscard]] std::optional<Decimal> decimalOf(const JsonValue& number);
[[nodiscard]] int compareDecimals(const Decimal& a, const Decimal& b); // < 0, 0 or > 0
// Whether `of`, which is positive, divides the number; nothing if it has too many digits.
[[nodiscard]] std::optional<bool> isMultiple(const Decimal& number, const Decimal& of);

} // namespace gufo::inference
