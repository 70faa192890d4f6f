#include "inference/json_schema_scalars.h"

#include "inference/grammar.h"
#include "inference/json_grammar.h"
#include "inference/json_schema_keywords.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr std::uint64_t kMaxCount = Grammar::kMaxRepeats;

// A count that a keyword gives.
Result<std::optional<std::uint64_t>> countOf(const JsonValue& schema, std::string_view keyword) {
    const JsonValue* value = schema.find(keyword);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto count = value->whole();
    if (!count || *count < 0 || static_cast<std::uint64_t>(*count) > kMaxCount) {
        return notUsable(value->place, "a number that is no count up to " + std::to_string(kMaxCount));
    }
    return static_cast<std::uint64_t>(*count);
}
// The tightest bound, as a whole number: `minimum` and `exclusiveMinimum`, or their counterparts (`sign` −1).
Result<std::optional<std::int64_t>> boundOf(const JsonValue& schema, std::string_view inclusive,
                                            std::string_view exclusive, int sign) {
    std::optional<std::int64_t> bound;
    for (const std::string_view name : {inclusive, exclusive}) {
        const JsonValue* value = schema.find(name);
        if (value == nullptr) {
            continue;
        }
        auto whole = value->whole();
        const auto real = value->real();
        const bool isWhole = whole.has_value();
        if (!whole && real && std::abs(*real) < 0x1p53) {
            whole = static_cast<std::int64_t>(sign > 0 ? std::ceil(*real) : std::floor(*real));
        }
        constexpr std::int64_t kLargest = 999'999'999'999'999'999;
        if (!whole || *whole > kLargest || *whole < -kLargest) {
            return notUsable(value->place, "a bound that is no number of up to 18 digits");
        }
        const std::int64_t own = *whole + (name == exclusive && isWhole ? sign : 0);
        bound = !bound ? own : sign > 0 ? std::max(*bound, own) : std::min(*bound, own);
    }
    return bound;
}

} // namespace

Result<Counts> countsOf(const JsonValue& schema, std::string_view least, std::string_view most) {
    const auto lower = countOf(schema, least);
    const auto upper = countOf(schema, most);
    if (!lower || !upper) {
        return std::unexpected((lower ? upper : lower).error());
    }
    if (*upper && **upper < lower->value_or(0)) {
        return notUsable(schema.find(most)->place, std::string(most) + " below " + std::string(least));
    }
    return Counts{lower->value_or(0), *upper};
}
std::string repetition(std::uint64_t least, std::optional<std::uint64_t> most) {
    return "{" + std::to_string(least) + "," + (most ? std::to_string(*most) : "") + "}";
}

Result<std::string> stringRule(const JsonValue& schema) {
    const auto counts = countsOf(schema, "minLength", "maxLength");
    if (!counts) {
        return std::unexpected(counts.error());
    }
    const JsonValue* pattern = schema.find("pattern");
    const JsonValue* format = schema.find("format");
    const bool counted = counts->least != 0 || counts->most;
    if (pattern != nullptr) {
        if (format != nullptr || counted) {
            return notUsable(pattern->place, "pattern beside format, minLength or maxLength");
        }
        const auto characters = patternCharacters(pattern->text);
        if (!pattern->is(Kind::String) || !characters) {
            return notUsable(pattern->place, characters ? "it is no regular expression" : characters.error());
        }
        return "\"\\\"\" " + *characters + " \"\\\"\"";
    }
    if (format != nullptr) {
        const std::string_view rule = formatRule(format->text);
        if (rule.empty() || counted) {
            return notUsable(format->place,
                             rule.empty() ? "the format " + format->text : "format beside minLength or maxLength");
        }
        return std::string(rule);
    }
    return counted ? "\"\\\"\" char" + repetition(counts->least, counts->most) + " \"\\\"\"" : std::string("string");
}

Result<std::string> integerRule(const JsonValue& schema) {
    const auto least = boundOf(schema, "minimum", "exclusiveMinimum", 1);
    const auto most = boundOf(schema, "maximum", "exclusiveMaximum", -1);
    if (!least || !most) {
        return std::unexpected((least ? most : least).error());
    }
    if (!*least && !*most) {
        return "integer";
    }
    if (*least && *most && **least > **most) {
        return notUsable(schema.place, "a minimum above the maximum");
    }
    return integerRange(*least, *most);
}

Result<std::string> numberRule(const JsonValue& schema) {
    for (const char* name : {"maximum", "exclusiveMinimum", "exclusiveMaximum"}) {
        if (const JsonValue* value = schema.find(name); value != nullptr) {
            return notUsable(value->place, std::string(name) + " of a number that need not be whole");
        }
    }
    const JsonValue* minimum = schema.find("minimum");
    if (minimum == nullptr) {
        return "number";
    }
    return minimum->real() == 0.0
               ? Result<std::string>("natural")
               : notUsable(minimum->place, "a minimum other than 0 of a number that need not be whole");
}

} // namespace gufo::inference
