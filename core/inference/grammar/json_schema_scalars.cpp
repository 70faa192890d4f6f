#include "inference/grammar/json_schema_scalars.h"

#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/json_pattern.h"
#include "inference/grammar/json_schema_keywords.h"

#include <cmath>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

// Reads a count from a keyword; one that no answer reaches is Counts::kMost.
Result<std::optional<std::uint64_t>> countOf(const JsonValue& schema, std::string_view keyword) {
    const JsonValue* value = schema.find(keyword);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto real = value->real();
    const bool isCount = value->is(Kind::Number) && !value->text.starts_with('-') &&
                         (!real || std::trunc(*real) == *real); // too large for a double
    if (!isCount && !(value->whole() && *value->whole() == 0)) {
        return notUsable(value->place, Detail::SchemaBadCount);
    }
    constexpr auto kMost = static_cast<double>(Counts::kMost);
    return !real || *real >= kMost ? Counts::kMost : static_cast<std::uint64_t>(*real);
}

} // namespace

Result<Counts> countsOf(const JsonValue& schema, std::string_view minimum, std::string_view maximum) {
    const auto lower = countOf(schema, minimum);
    const auto upper = countOf(schema, maximum);
    if (!lower || !upper) {
        return std::unexpected((lower ? upper : lower).error());
    }
    if (lower->value_or(0) == Counts::kMost) {
        return notUsable(schema.find(minimum)->place, Detail::SchemaNothingFits);
    }
    if (*upper && **upper < lower->value_or(0)) {
        return notUsable(schema.find(maximum)->place, {Detail::SchemaCountsReversed, {maximum, minimum}});
    }
    return Counts{lower->value_or(0), *upper};
}

Result<std::optional<Automaton>> stringsOf(const JsonValue& schema, bool counted, std::size_t& work) {
    std::optional<Automaton> all;
    const auto restrict = [&](const JsonValue& by, const Automaton& more) -> Result<> {
        const auto both = all ? all->intersection(more) : std::optional(more);
        work += both ? both->states().size() : Automaton::kMaxStates;
        if (work > kMaxPatternWork) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, work, kMaxPatternWork});
        }
        if (!both) {
            return notUsable(by.place, Detail::PatternTooLarge);
        }
        all = both->reduced();
        return {};
    };
    struct Restriction {
        std::string_view keyword;
        bool isFormat;
        bool negated;
    };
    for (const Restriction& each : {Restriction{"pattern", false, false}, Restriction{"format", true, false},
                                    Restriction{kNotPattern, false, true}}) {
        for (const JsonValue* value : valuesOf(schema, each.keyword)) {
            const std::string_view pattern =
                each.isFormat ? patternOfFormat(value->text) : std::string_view(value->text);
            if (each.isFormat && pattern.empty()) {
                continue;
            }
            const auto automaton = automatonOfPattern(pattern, work);
            if (!automaton) {
                return notUsable(value->place, automaton.error());
            }
            GUFO_TRY(restrict(*value, each.negated ? automaton->complement() : *automaton));
        }
    }
    std::vector<std::u32string> excluded;
    const JsonValue* first = nullptr;
    for (const JsonValue* value : valuesOf(schema, kNotValues)) {
        if (value->is(Kind::String)) {
            excluded.push_back(decodeUtf8(value->text));
            first = value;
        }
    }
    if (first != nullptr) {
        GUFO_TRY(restrict(*first, Automaton::ofWords(excluded).complement()));
    }
    const auto counts = GUFO_TRY(countsOf(schema, "minLength", "maxLength"));
    if ((counted || all) && (counts.minimum != 0 || counts.maximum)) {
        const auto cut = all.value_or(Automaton::everything()).ofLength(counts.minimum, counts.maximum);
        if (!cut) {
            return notUsable(schema.find(counts.minimum != 0 ? "minLength" : "maxLength")->place,
                             Detail::PatternTooLarge);
        }
        all = *cut;
    }
    if (all && all->isEmpty()) {
        return notUsable(schema.place, Detail::SchemaNothingFits);
    }
    return all;
}

} // namespace gufo::inference
