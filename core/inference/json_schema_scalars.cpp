#include "inference/json_schema_scalars.h"

#include "inference/grammar.h"
#include "inference/json_grammar.h"
#include "inference/json_schema_keywords.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

// A bound of numbers with fractions: a whole number, itself allowed or not.
struct RealBound {
    std::int64_t at = 0;
    bool open = false;
};

Result<std::optional<RealBound>> realBoundOf(const JsonValue& schema, std::string_view inclusive,
                                             std::string_view exclusive, int sign) {
    std::optional<RealBound> bound;
    for (const std::string_view name : {inclusive, exclusive}) {
        const JsonValue* value = schema.find(name);
        if (value == nullptr) {
            continue;
        }
        constexpr std::int64_t kLargest = 999'999'999'999; // so that digits are left for a fraction
        const auto whole = value->whole();
        if (!whole || *whole > kLargest || *whole < -kLargest) {
            return notUsable(value->place, "a bound with a fraction, or of over 12 digits, of a number that need not "
                                           "be whole");
        }
        const RealBound own{*whole, name == exclusive};
        const bool tighter = bound && (own.at - bound->at) * sign >= 0;
        bound = !bound || tighter ? own : *bound;
    }
    return bound;
}

// Numbers from `least` (≥ 0) on without a sign, as alternatives.
std::string realsFrom(RealBound least, std::optional<RealBound> most) {
    constexpr std::size_t kDigits = 15; // that a double keeps apart
    const std::string largest = std::to_string(most ? most->at : least.at);
    const std::string zeros = "\"0\"{1," + std::to_string(kDigits - largest.size()) + "}";
    const std::string digits = repetition(0, kDigits - largest.size() - 1);
    const std::string fraction = "(\".\" [0-9] [0-9]" + digits + ")?";
    std::vector<std::string> parts;
    const auto add = [&](std::string part) { parts.push_back(std::move(part)); };
    const auto literal = [](std::int64_t number) { return "\"" + std::to_string(number) + "\""; };
    std::int64_t from = least.at;
    if (least.open && (!most || most->at > from)) {
        add(literal(from) + " \".\" [0-9]" + digits + " [1-9]");
        ++from;
    }
    if (!most || most->at > from) {
        const auto last = most ? std::optional(most->at - 1) : std::nullopt;
        add("(" + integerRange(from, last) + ") " + fraction);
    }
    if (most && !most->open) {
        add(literal(most->at) + " (\".\" " + zeros + ")?");
    }
    std::string all;
    for (const std::string& part : parts) {
        all += (all.empty() ? "" : " | ") + part;
    }
    return all;
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
    const auto least = realBoundOf(schema, "minimum", "exclusiveMinimum", 1);
    const auto most = realBoundOf(schema, "maximum", "exclusiveMaximum", -1);
    if (!least || !most) {
        return std::unexpected((least ? most : least).error());
    }
    const std::optional<RealBound>& low = *least;
    const std::optional<RealBound>& high = *most;
    if (!high && (!low || (low->at == 0 && !low->open))) {
        return low ? "natural" : "number";
    }
    if (low && high && (low->at > high->at || (low->at == high->at && (low->open || high->open)))) {
        return notUsable(schema.place, "a minimum above the maximum");
    }
    const auto mirrored = [](RealBound bound) { return RealBound{-bound.at, bound.open}; };
    std::string rule;
    if (!low || low->at < 0) {
        const RealBound nearest = high && high->at <= 0 ? mirrored(*high) : RealBound{};
        rule = "\"-\" (" + realsFrom(nearest, low ? std::optional(mirrored(*low)) : std::nullopt) + ")";
    }
    if (!high || high->at > 0 || (high->at == 0 && !high->open)) {
        rule += rule.empty() ? "" : " | ";
        rule += realsFrom(low && low->at >= 0 ? *low : RealBound{}, high);
    }
    return rule;
}

} // namespace gufo::inference
