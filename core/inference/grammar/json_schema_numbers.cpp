// Grammar rules for numbers between bounds.
#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_keywords.h"
#include "inference/grammar/json_schema_scalars.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace gufo::inference {
namespace {

// Returns the tightest integral bound from `minimum` and `exclusiveMinimum`, or from the upper pair (`sign` −1).
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
            return notUsable(value->place, {Detail::SchemaBadBound, {18}});
        }
        const std::int64_t candidate = *whole + (name == exclusive && isWhole ? sign : 0);
        bound = !bound ? candidate : sign > 0 ? std::max(*bound, candidate) : std::min(*bound, candidate);
    }
    return bound;
}

constexpr std::size_t kDigits = 15; // significant digits of numbers with a fraction, which a double can represent

// A bound of numbers with fractions, as sign and magnitude; `open` if the bound itself is excluded.
struct RealBound {
    bool negative = false;
    std::int64_t whole = 0;
    std::string fraction{}; // digits after the point without trailing zeros
    bool open = false;

    [[nodiscard]] bool isZero() const { return whole == 0 && fraction.empty(); }
};

// Digits after the point compare like strings.
int compareMagnitudes(const RealBound& a, const RealBound& b) {
    return a.whole != b.whole ? (a.whole < b.whole ? -1 : 1) : a.fraction.compare(b.fraction);
}
int compareBounds(const RealBound& a, const RealBound& b) {
    if (a.negative != b.negative) {
        return a.negative ? -1 : 1;
    }
    return a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

// Parses a JSON number; returns nothing if it has too many digits.
std::optional<RealBound> decimalOf(std::string_view text) {
    RealBound bound;
    bound.negative = text.starts_with('-');
    text.remove_prefix(bound.negative ? 1 : 0);
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    int exponent = 0;
    if (mark < text.size()) {
        const std::string_view written = text.substr(mark + (text.substr(mark + 1).starts_with('+') ? 2 : 1));
        if (std::from_chars(written.data(), written.data() + written.size(), exponent).ec != std::errc() ||
            std::abs(exponent) > 1000) {
            return std::nullopt;
        }
    }
    text = text.substr(0, mark);
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    digits += text.substr(std::min(point + 1, text.size()));
    const int before = static_cast<int>(point) + exponent; // digits before the point
    if (before < 0) {
        digits.insert(0, static_cast<std::size_t>(-before), '0');
    } else if (static_cast<std::size_t>(before) > digits.size()) {
        digits.append(static_cast<std::size_t>(before) - digits.size(), '0');
    }
    const auto split = static_cast<std::size_t>(std::max(before, 0));
    std::string whole = digits.substr(0, split);
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
    bound.fraction = digits.substr(split);
    bound.fraction.erase(bound.fraction.find_last_not_of('0') + 1);
    if (whole.size() + bound.fraction.size() >= kDigits) { // one digit is needed for values next to the bound
        return std::nullopt;
    }
    std::from_chars(whole.data(), whole.data() + whole.size(), bound.whole);
    bound.negative = bound.negative && !bound.isZero();
    return bound;
}

Result<std::optional<RealBound>> realBoundOf(const JsonValue& schema, std::string_view inclusive,
                                             std::string_view exclusive, int sign) {
    std::optional<RealBound> bound;
    for (const std::string_view name : {inclusive, exclusive}) {
        const JsonValue* value = schema.find(name);
        if (value == nullptr) {
            continue;
        }
        auto candidate = value->is(JsonValue::Kind::Number) ? decimalOf(value->text) : std::nullopt;
        if (!candidate) {
            return notUsable(value->place, {Detail::SchemaBadBound, {14}});
        }
        candidate->open = name == exclusive;
        bound = !bound || compareBounds(*candidate, *bound) * sign >= 0 ? candidate : bound;
    }
    return bound;
}

std::string alternatives(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) {
        all += (all.empty() ? "" : " | ") + part;
    }
    return all;
}

// The digits of a bound that remain after a common prefix.
struct Digits {
    std::string_view left{};
    bool open = false;

    [[nodiscard]] char first() const { return left.empty() ? '0' : left.front(); }
    [[nodiscard]] Digits rest() const { return {left.substr(left.empty() ? 0 : 1), open}; }
};

// Whether a number that ends here is within both bounds.
bool nothingFits(Digits minimum, const std::optional<Digits>& maximum) {
    return minimum.left.empty() && !minimum.open && (!maximum || !maximum->left.empty() || !maximum->open);
}

// Matches one to `count` further digits that keep the number between the bounds; empty if there are none.
std::string digitsBetween(Digits minimum, const std::optional<Digits>& maximum, std::size_t count) {
    if (count == 0) {
        return {};
    }
    if (!maximum && minimum.left.empty() && !minimum.open) {
        return "[0-9]" + repetition(1, count);
    }
    std::vector<std::string> parts;
    const auto add = [&](char from, char to, Digits low, const std::optional<Digits>& high) {
        const std::string tail = digitsBetween(low, high, count - 1);
        const bool ends = nothingFits(low, high);
        if (from > to || (!ends && tail.empty())) {
            return;
        }
        const std::string prefix =
            from == to ? std::string("\"") + from + '"' : std::string("[") + from + '-' + to + ']';
        parts.push_back(prefix + (tail.empty() ? "" : " (" + tail + (ends ? ")?" : ")")));
    };
    const auto next = [](char digit, int by) { return static_cast<char>(digit + by); };
    const char low = minimum.first();
    if (maximum && maximum->first() == low) {
        add(low, low, minimum.rest(), maximum->rest());
    } else {
        add(low, low, minimum.rest(), std::nullopt);
        add(next(low, 1), maximum ? next(maximum->first(), -1) : '9', {}, std::nullopt);
        if (maximum) {
            add(maximum->first(), maximum->first(), {}, maximum->rest());
        }
    }
    return alternatives(parts);
}

// Matches unsigned numbers from `minimum` to `maximum`, comparing magnitudes.
std::string realsFrom(const RealBound& minimum, const std::optional<RealBound>& maximum) {
    const std::size_t before = std::to_string(std::max(minimum.whole, maximum ? maximum->whole : 0)).size();
    std::vector<std::string> parts;
    const auto add = [&](const std::string& whole, Digits low, const std::optional<Digits>& high) {
        const std::string digits = digitsBetween(low, high, kDigits - before);
        const bool ends = nothingFits(low, high);
        if (ends || !digits.empty()) {
            parts.push_back(whole + (digits.empty() ? "" : " (\".\" (" + digits + (ends ? "))?" : "))")));
        }
    };
    const auto literal = [](std::int64_t number) { return "\"" + std::to_string(number) + "\""; };
    const Digits low{minimum.fraction, minimum.open};
    const auto high = maximum ? std::optional(Digits{maximum->fraction, maximum->open}) : std::nullopt;
    if (maximum && maximum->whole == minimum.whole) {
        add(literal(minimum.whole), low, high);
        return alternatives(parts);
    }
    std::int64_t from = minimum.whole;
    if (!low.left.empty() || low.open) {
        add(literal(from), low, std::nullopt);
        ++from;
    }
    if (!maximum || maximum->whole > from) {
        add("(" + integerRange(from, maximum ? std::optional(maximum->whole - 1) : std::nullopt) + ")", {},
            std::nullopt);
    }
    if (maximum) {
        add(literal(maximum->whole), {}, high);
    }
    return alternatives(parts);
}

} // namespace

Result<std::string> integerRule(const JsonValue& schema) {
    const auto minimum = boundOf(schema, "minimum", "exclusiveMinimum", 1);
    const auto maximum = boundOf(schema, "maximum", "exclusiveMaximum", -1);
    if (!minimum || !maximum) {
        return std::unexpected((minimum ? maximum : minimum).error());
    }
    if (!*minimum && !*maximum) {
        return "integer";
    }
    if (*minimum && *maximum && **minimum > **maximum) {
        return notUsable(schema.place, Detail::SchemaBoundsReversed);
    }
    return integerRange(*minimum, *maximum);
}

Result<std::string> numberRule(const JsonValue& schema) {
    const auto minimum = realBoundOf(schema, "minimum", "exclusiveMinimum", 1);
    const auto maximum = realBoundOf(schema, "maximum", "exclusiveMaximum", -1);
    if (!minimum || !maximum) {
        return std::unexpected((minimum ? maximum : minimum).error());
    }
    const std::optional<RealBound>& low = *minimum;
    const std::optional<RealBound>& high = *maximum;
    if (!high && (!low || (low->isZero() && !low->open))) {
        return low ? "natural" : "number";
    }
    const int order = low && high ? compareBounds(*low, *high) : -1;
    if (order > 0 || (order == 0 && (low->open || high->open))) {
        return notUsable(schema.place, Detail::SchemaBoundsReversed);
    }
    std::vector<std::string> rules;
    if (!low || low->negative) {
        const bool below = high && (high->negative || high->isZero());
        rules.push_back("\"-\" (" + realsFrom(below ? *high : RealBound{}, low) + ")");
    }
    if (!high || (!high->negative && !(high->isZero() && high->open))) {
        rules.push_back(realsFrom(low && !low->negative ? *low : RealBound{}, high));
    }
    return alternatives(rules);
}

} // namespace gufo::inference
