// The numbers that satisfy bounds, multiples and exclusions, as automata over their digits.
#include "base/detail.h"
#include "inference/grammar/json_schema_keywords.h"
#include "inference/grammar/json_schema_scalars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace gufo::inference {
namespace {

constexpr std::size_t kIntegerDigits = 18; // of integers without a bound
constexpr std::size_t kRealDigits = 15;    // significant digits that a double represents
constexpr std::size_t kMostDigits = 1'000; // of a bound
constexpr std::uint64_t kMostResidues = 10'000;

// Collects the states of an automaton over digits.
class Digits {
public:
    std::uint32_t add(bool accepts) {
        m_states.push_back({.accepts = accepts});
        return static_cast<std::uint32_t>(m_states.size() - 1);
    }
    void connect(std::uint32_t from, char first, char last, std::uint32_t to) {
        if (first <= last) {
            m_states[from].edges.push_back({{static_cast<char32_t>(first), static_cast<char32_t>(last)}, to});
        }
    }
    Automaton finish() {
        for (Automaton::State& state : m_states) {
            std::ranges::sort(state.edges, {}, &Automaton::Edge::codes);
        }
        return Automaton(std::move(m_states));
    }

private:
    std::vector<Automaton::State> m_states;
};

// Unsigned numbers as JSON spells them, with at most `whole` digits before the point. After it come up to `fraction`
// digits, or more as long as there are at most kRealDigits together; none if `integers`. If `unique`, a fraction has no
// zeros at its end.
Automaton spelledNumbers(std::size_t whole, std::size_t fraction, bool integers, bool unique) {
    Digits digits;
    const std::uint32_t start = digits.add(false);
    std::map<std::size_t, std::uint32_t> points; // by the number of digits that may follow
    const auto pointBefore = [&](std::size_t most) {
        const auto [at, added] = points.try_emplace(most, 0);
        if (!added) {
            return at->second;
        }
        std::uint32_t zero = digits.add(!unique);
        std::uint32_t other = digits.add(true);
        for (std::size_t i = 1; i < most; ++i) {
            const std::uint32_t zeroBefore = digits.add(!unique);
            const std::uint32_t otherBefore = digits.add(true);
            for (const std::uint32_t from : {zeroBefore, otherBefore}) {
                digits.connect(from, '0', '0', zero);
                digits.connect(from, '1', '9', other);
            }
            zero = zeroBefore;
            other = otherBefore;
        }
        const std::uint32_t point = digits.add(false);
        digits.connect(point, '0', '0', zero);
        digits.connect(point, '1', '9', other);
        points[most] = point;
        return point;
    };
    std::uint32_t before = start;
    for (std::size_t i = 1; i <= whole; ++i) {
        const std::uint32_t at = digits.add(true);
        digits.connect(before, i == 1 ? '1' : '0', '9', at);
        const std::size_t room = std::max(fraction, i < kRealDigits ? kRealDigits - i : 0);
        if (!integers && room > 0) {
            const std::uint32_t point = pointBefore(room);
            digits.connect(at, '.', '.', point);
        }
        if (i == 1) {
            const std::uint32_t zero = digits.add(true);
            digits.connect(start, '0', '0', zero);
            if (!integers) {
                const std::uint32_t point = pointBefore(std::max(fraction, kRealDigits - 1));
                digits.connect(zero, '.', '.', point);
            }
        }
        before = at;
    }
    return digits.finish();
}

struct Wanted {
    bool less = false;
    bool equal = false;
    bool greater = false;
};

// Unsigned numbers that compare with the magnitude of `bound` as wanted.
Automaton compared(const Decimal& bound, Wanted wanted) {
    Digits digits;
    const auto sink = [&](bool accepts) {
        const std::uint32_t whole = digits.add(accepts);
        const std::uint32_t fraction = digits.add(accepts);
        digits.connect(whole, '0', '9', whole);
        digits.connect(whole, '.', '.', fraction);
        digits.connect(fraction, '0', '9', fraction);
        return std::pair(whole, fraction);
    };
    const std::uint32_t start = digits.add(false);
    const auto [longer, greaterFraction] = sink(wanted.greater);
    const std::uint32_t lessFraction = sink(wanted.less).second;
    // After the point, while all digits equal the digits of the bound.
    std::vector<std::uint32_t> same;
    for (std::size_t i = 0; i <= bound.fraction.size(); ++i) {
        same.push_back(digits.add(i < bound.fraction.size() ? wanted.less : wanted.equal));
    }
    for (std::size_t i = 0; i < bound.fraction.size(); ++i) {
        const char digit = bound.fraction[i];
        digits.connect(same[i], '0', static_cast<char>(digit - 1), lessFraction);
        digits.connect(same[i], digit, digit, same[i + 1]);
        digits.connect(same[i], static_cast<char>(digit + 1), '9', greaterFraction);
    }
    digits.connect(same.back(), '0', '0', same.back());
    digits.connect(same.back(), '1', '9', greaterFraction);
    // Before the point: how the digits so far compare. A number with fewer digits is less.
    enum : std::uint8_t { Less, Equal, Greater };
    std::array<std::uint32_t, 3> before{start, start, start};
    const std::size_t length = bound.whole.size();
    for (std::size_t i = 0; i < length; ++i) {
        const bool last = i + 1 == length;
        const std::array<std::uint32_t, 3> at{digits.add(wanted.less),
                                              digits.add(last && bound.fraction.empty() ? wanted.equal : wanted.less),
                                              digits.add(last ? wanted.greater : wanted.less)};
        const char digit = bound.whole[i];
        digits.connect(before[Equal], '0', static_cast<char>(digit - 1), at[Less]);
        digits.connect(before[Equal], digit, digit, at[Equal]);
        digits.connect(before[Equal], static_cast<char>(digit + 1), '9', at[Greater]);
        for (const auto other : {Less, Greater}) {
            if (i > 0) {
                digits.connect(before[other], '0', '9', at[other]);
            }
            digits.connect(at[other], '.', '.', last && other == Greater ? greaterFraction : lessFraction);
        }
        digits.connect(at[Equal], '.', '.', last ? same.front() : lessFraction);
        before = at;
    }
    for (const std::uint32_t each : before) {
        digits.connect(each, '0', '9', longer);
    }
    return digits.finish();
}

// The digits of a positive number without the point, and how many of them follow it (negative: zeros that are missing).
struct ScaledDecimal {
    std::uint64_t digits = 0;
    int fraction = 0;
};
std::optional<ScaledDecimal> scaled(const Decimal& number) {
    std::string text = (number.whole == "0" ? "" : number.whole) + number.fraction;
    int fraction = static_cast<int>(number.fraction.size());
    text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
    while (text.ends_with('0')) {
        text.pop_back();
        --fraction;
    }
    std::uint64_t digits = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), digits);
    return read.ec == std::errc() && digits <= kMostResidues ? std::optional(ScaledDecimal{digits, fraction})
                                                             : std::nullopt;
}

// Unsigned multiples of a number: the digits are read along with their remainder. Nothing if there are too many.
std::optional<Automaton> multiplesOf(const Decimal& number) {
    const auto step = scaled(number);
    if (!step) {
        return std::nullopt;
    }
    const auto modulus = step->digits;
    const auto zeros = static_cast<std::size_t>(std::max(0, -step->fraction)); // that every multiple ends in
    const auto places = static_cast<std::size_t>(std::max(0, step->fraction));
    // With digits d and z zeros, d·10^z divides a number if it ends in z zeros and d divides what precedes them. The
    // remainder is known only for the whole number, so this is done for d = 1, and else by the remainder of d·10^z.
    std::uint64_t divisor = modulus;
    const bool byZeros = modulus == 1;
    for (std::size_t i = 0; i < zeros && !byZeros; ++i) {
        divisor *= 10;
        if (divisor > kMostResidues) {
            return std::nullopt;
        }
    }
    Digits digits;
    const std::uint32_t start = digits.add(false);
    const std::uint32_t noughts = digits.add(true); // zeros after the last place
    digits.connect(noughts, '0', '0', noughts);
    if (byZeros && zeros > 0) {
        std::vector<std::uint32_t> ending; // by the number of zeros at the end
        for (std::size_t i = 0; i <= zeros; ++i) {
            ending.push_back(digits.add(i == zeros));
        }
        for (std::size_t i = 0; i <= zeros; ++i) {
            digits.connect(ending[i], '1', '9', ending[0]);
            digits.connect(ending[i], '0', '0', ending[std::min(i + 1, zeros)]);
        }
        digits.connect(start, '1', '9', ending[0]);
        digits.connect(start, '0', '0', ending[zeros]);
        const std::uint32_t point = digits.add(false);
        digits.connect(ending[zeros], '.', '.', point);
        digits.connect(point, '0', '0', noughts);
        return digits.finish();
    }
    if ((places + 1) * divisor > Automaton::kMaxStates) {
        return std::nullopt;
    }
    // rows[p][r]: r is the remainder after p places behind the point.
    std::vector<std::vector<std::uint32_t>> rows(places + 1);
    std::uint64_t power = 1; // 10^(places still to come), as a remainder
    for (std::size_t p = places + 1; p > 0; --p) {
        for (std::uint64_t r = 0; r < divisor; ++r) {
            rows[p - 1].push_back(digits.add(r * power % divisor == 0));
        }
        power = power * 10 % divisor;
    }
    const auto remainder = [&](std::uint64_t r, char digit) {
        return (r * 10 + static_cast<std::uint64_t>(digit - '0')) % divisor;
    };
    std::vector<std::uint32_t> points;
    for (std::uint64_t r = 0; r < divisor; ++r) {
        points.push_back(digits.add(false));
    }
    for (char digit = '0'; digit <= '9'; ++digit) {
        digits.connect(start, digit, digit, rows[0][remainder(0, digit)]);
        for (std::uint64_t r = 0; r < divisor; ++r) {
            digits.connect(rows[0][r], digit, digit, rows[0][remainder(r, digit)]);
            if (places > 0) {
                digits.connect(points[r], digit, digit, rows[1][remainder(r, digit)]);
            }
            for (std::size_t p = 1; p < places; ++p) {
                digits.connect(rows[p][r], digit, digit, rows[p + 1][remainder(r, digit)]);
            }
        }
    }
    for (std::uint64_t r = 0; r < divisor; ++r) {
        digits.connect(rows[0][r], '.', '.', points[r]);
    }
    digits.connect(places > 0 ? rows[places][0] : points[0], '0', '0', noughts);
    return digits.finish();
}

Automaton withSign(const Automaton& positive, const Automaton& negative) {
    std::vector<Automaton::State> states(1);
    const auto add = [&](const Automaton& part) {
        const auto first = static_cast<std::uint32_t>(states.size());
        for (Automaton::State state : part.states()) {
            for (Automaton::Edge& edge : state.edges) {
                edge.to += first;
            }
            states.push_back(std::move(state));
        }
        return first;
    };
    const std::uint32_t below = add(negative);
    states[0].edges.push_back({{'-', '-'}, below});
    const std::uint32_t above = add(positive);
    for (const Automaton::Edge& edge : std::vector(states[above].edges)) {
        states[0].edges.push_back(edge);
    }
    return Automaton(std::move(states));
}

int compareMagnitudes(const Decimal& a, const Decimal& b) {
    return a.whole.size() != b.whole.size() ? (a.whole.size() < b.whole.size() ? -1 : 1)
           : a.whole != b.whole             ? a.whole.compare(b.whole)
                                            : a.fraction.compare(b.fraction); // digits after the point: like text
}

} // namespace

std::optional<Decimal> decimalOf(const JsonValue& number) {
    if (!number.is(JsonValue::Kind::Number)) {
        return std::nullopt;
    }
    std::string_view text = number.text;
    Decimal out;
    out.negative = text.starts_with('-');
    text.remove_prefix(out.negative ? 1 : 0);
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    int exponent = 0;
    constexpr int kMostExponent = static_cast<int>(kMostDigits);
    if (mark < text.size()) {
        const std::string_view written = text.substr(mark + (text.substr(mark + 1).starts_with('+') ? 2 : 1));
        if (std::from_chars(written.data(), written.data() + written.size(), exponent).ec != std::errc() ||
            exponent > kMostExponent || exponent < -kMostExponent) {
            return std::nullopt;
        }
    }
    text = text.substr(0, mark);
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    digits += text.substr(std::min(point + 1, text.size()));
    if (digits.size() > kMostDigits) {
        return std::nullopt;
    }
    const int before = static_cast<int>(point) + exponent; // digits before the point
    if (before < 0) {
        digits.insert(0, static_cast<std::size_t>(-before), '0');
    } else if (static_cast<std::size_t>(before) > digits.size()) {
        digits.append(static_cast<std::size_t>(before) - digits.size(), '0');
    }
    const auto split = static_cast<std::size_t>(std::max(before, 0));
    out.whole = digits.substr(0, split);
    out.whole.erase(0, std::min(out.whole.find_first_not_of('0'), out.whole.size()));
    out.whole = out.whole.empty() ? "0" : out.whole;
    out.fraction = digits.substr(split);
    out.fraction.erase(out.fraction.find_last_not_of('0') + 1);
    out.negative = out.negative && !out.isZero();
    return out;
}

int compareDecimals(const Decimal& a, const Decimal& b) {
    if (a.negative != b.negative) {
        return a.negative ? -1 : 1;
    }
    return a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

// Long division of the digits.
std::optional<bool> isMultiple(const Decimal& number, const Decimal& of) {
    const auto step = scaled(of);
    if (!step || step->digits == 0) {
        return std::nullopt;
    }
    const int places = std::max({static_cast<int>(number.fraction.size()), step->fraction, 0});
    std::string digits = number.whole + number.fraction;
    digits.append(static_cast<std::size_t>(places) - number.fraction.size(), '0');
    const int zeros = places - step->fraction; // the divisor in the same unit is digits·10^zeros
    const auto kept = static_cast<std::ptrdiff_t>(digits.size()) - zeros;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(kept, 0); i < std::ssize(digits); ++i) {
        if (digits[static_cast<std::size_t>(i)] != '0') {
            return false;
        }
    }
    std::uint64_t remainder = 0;
    for (std::ptrdiff_t i = 0; i < kept; ++i) {
        remainder =
            (remainder * 10 + static_cast<std::uint64_t>(digits[static_cast<std::size_t>(i)] - '0')) % step->digits;
    }
    return remainder == 0;
}

Result<std::optional<Automaton>> numbersOf(const JsonValue& schema, bool integers, bool unique) {
    struct Restriction {
        const JsonValue* by;
        Decimal number;
        std::string_view keyword;
    };
    std::vector<Restriction> all;
    std::size_t whole = 1;
    std::size_t fraction = 0;
    bool bounded[2] = {false, false}; // below, above
    for (const std::string_view keyword :
         {std::string_view("minimum"), std::string_view("maximum"), std::string_view("exclusiveMinimum"),
          std::string_view("exclusiveMaximum"), std::string_view("multipleOf"), kNotMultiple, kNotValues}) {
        for (const JsonValue* value : valuesOf(schema, keyword)) {
            const auto number = decimalOf(*value);
            if (!number && keyword == kNotValues && !value->is(JsonValue::Kind::Number)) {
                continue;
            }
            if (!number) {
                return notUsable(value->place, {Detail::SchemaBadBound, {kMostDigits}});
            }
            whole = std::max(whole, number->whole.size());
            fraction = std::max(fraction, number->fraction.size());
            bounded[0] = bounded[0] || keyword == "minimum" || keyword == "exclusiveMinimum";
            bounded[1] = bounded[1] || keyword == "maximum" || keyword == "exclusiveMaximum";
            all.push_back({value, *number, keyword});
        }
    }
    if (all.empty() && !unique) {
        return std::nullopt;
    }
    if (!bounded[0] || !bounded[1]) {
        whole = std::max(whole, integers ? kIntegerDigits : kRealDigits);
    }
    Automaton positive = spelledNumbers(whole, fraction, integers, unique);
    Automaton negative = positive;
    const Decimal zero;
    const auto cut = [](Automaton& numbers, const std::optional<Automaton>& by) {
        const auto both = by ? numbers.intersection(*by) : std::nullopt;
        numbers = both ? both->reduced() : numbers;
        return both.has_value();
    };
    bool fits = true;
    for (const Restriction& each : all) {
        const Decimal& number = each.number;
        const bool strict = each.keyword.starts_with("exclusive");
        if (each.keyword == "minimum" || each.keyword == "exclusiveMinimum") {
            if (number.negative) {
                fits = fits && cut(negative, compared(number, {.less = true, .equal = !strict}));
            } else {
                negative = Automaton();
                fits = fits && cut(positive, compared(number, {.equal = !strict, .greater = true}));
            }
        } else if (each.keyword == "maximum" || each.keyword == "exclusiveMaximum") {
            if (number.negative) {
                positive = Automaton();
                fits = fits && cut(negative, compared(number, {.equal = !strict, .greater = true}));
            } else {
                fits = fits && cut(positive, compared(number, {.less = true, .equal = !strict}));
                if (number.isZero() && strict) {
                    fits = fits && cut(negative, compared(zero, {.greater = true}));
                }
            }
        } else if (each.keyword == kNotValues) {
            const Wanted others{.less = true, .greater = true};
            fits = fits && (number.negative || cut(positive, compared(number, others))) &&
                   ((!number.negative && !number.isZero()) || cut(negative, compared(number, others)));
        } else {
            auto multiples = number.negative || number.isZero() ? std::nullopt : multiplesOf(number);
            if (number.negative || number.isZero()) {
                return notUsable(each.by->place, Detail::SchemaBadMultiple);
            }
            if (multiples && each.keyword == kNotMultiple) {
                multiples = multiples->complement();
            }
            if (!cut(positive, multiples) || !cut(negative, multiples)) {
                return notUsable(each.by->place, Detail::SchemaMultiple);
            }
        }
        if (!fits) {
            return notUsable(each.by->place, Detail::PatternTooLarge);
        }
    }
    if (integers || unique) {
        (void)cut(negative, compared(zero, {.greater = true})); // 0 has no sign
    }
    Automaton numbers = withSign(positive, negative).reduced();
    if (numbers.isEmpty()) {
        const bool onlyBounds = std::ranges::none_of(all, [](const Restriction& each) {
            return each.keyword == "multipleOf" || each.keyword.starts_with('\xFF');
        });
        return notUsable(schema.place, onlyBounds ? Detail::SchemaBoundsReversed : Detail::SchemaNothingFits);
    }
    return std::optional(std::move(numbers));
}

} // namespace gufo::inference
