// Whether values conform to a schema.
#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/json_pattern.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

} // namespace

Result<bool> SchemaCompiler::conforms(const JsonValue& value) {
    auto result = holds(value, m_root, 0);
    if (!result && result.error().code == ErrorCode::SchemaNotUsable) {
        result.error().args[0] = shownPlace(result.error().args[0].text());
    }
    return result;
}

Result<bool> SchemaCompiler::holds(const JsonValue& value, const JsonValue& schema, // NOLINT(misc-no-recursion)
                                   std::size_t depth) {
    const auto flatSchema = flat(schema, depth);
    if (!flatSchema) {
        return saysNothingFits(flatSchema.error()) ? Result<bool>(false) : std::unexpected(flatSchema.error());
    }
    return holdsFlat(value, *flatSchema, depth);
}

Result<bool> SchemaCompiler::holdsFlat(const JsonValue& value, const JsonValue& flatSchema, // NOLINT
                                       std::size_t depth) {
    GUFO_TRY(spend(flatSchema.place, depth));
    const auto types = GUFO_TRY(namedTypes(flatSchema));
    const auto isAny = [&](std::string_view keyword) {
        const auto values = valuesOf(flatSchema, keyword);
        return std::ranges::any_of(values, [&](const JsonValue* each) { return equalJson(*each, value); });
    };
    if ((types & typeOf(value)) == 0 || (flatSchema.find("enum") != nullptr && !isAny("enum")) || isAny(kNotValues)) {
        return false;
    }
    for (const char* keyword : {"anyOf", "oneOf"}) {
        if (flatSchema.find(keyword) == nullptr) {
            continue;
        }
        // A format is checked, but where a value must not fit, it fits every format.
        std::size_t fitting = 0;
        std::size_t fittingAnyFormat = 0;
        for (const JsonValue& part : flatSchema.find(keyword)->elements) {
            const auto fits = holds(value, part, depth + 1);
            const bool checked = std::exchange(m_checksFormats, false);
            const auto anyFormat = checked && fits && !*fits ? holds(value, part, depth + 1) : fits;
            m_checksFormats = checked;
            if (!fits || !anyFormat) {
                return fits ? anyFormat : fits;
            }
            fitting += *fits ? 1 : 0;
            fittingAnyFormat += *anyFormat ? 1 : 0;
        }
        if (fitting == 0 || (fittingAnyFormat > 1 && keyword == std::string_view("oneOf"))) {
            return false;
        }
    }
    switch (value.kind) {
    case Kind::Object:
        return holdsForObject(value, flatSchema, depth);
    case Kind::Array:
        return holdsForArray(value, flatSchema, depth);
    case Kind::Number:
        return holdsForNumber(value, flatSchema);
    case Kind::String: {
        const auto text = decodeUtf8(value.text);
        const auto counts = countsOf(flatSchema, "minLength", "maxLength");
        if (!counts || text.size() < counts->minimum || text.size() > counts->maximum.value_or(text.size())) {
            return counts                            ? Result<bool>(false)
                   : saysNothingFits(counts.error()) ? Result<bool>(false)
                                                     : std::unexpected(counts.error());
        }
        JsonValue unformatted;
        if (!m_checksFormats) {
            unformatted = restOf(flatSchema, "format");
        }
        const auto strings = stringsOf(m_checksFormats ? flatSchema : unformatted, false, m_patternWork);
        if (!strings) {
            return saysNothingFits(strings.error()) ? Result<bool>(false) : std::unexpected(strings.error());
        }
        return !*strings || (*strings)->accepts(text);
    }
    default:
        return true;
    }
}

Result<bool> SchemaCompiler::holdsForNumber(const JsonValue& value, const JsonValue& flatSchema) {
    const auto number = decimalOf(value);
    struct Bound {
        std::string_view keyword;
        int sign;
        bool strict;
    };
    for (const Bound& each : {Bound{"minimum", 1, false}, Bound{"exclusiveMinimum", 1, true},
                              Bound{"maximum", -1, false}, Bound{"exclusiveMaximum", -1, true}}) {
        for (const JsonValue* bound : valuesOf(flatSchema, each.keyword)) {
            const auto limit = decimalOf(*bound);
            if (!number || !limit) {
                return notUsable(bound->place, {Detail::SchemaBadBound, {1'000}});
            }
            const int order = compareDecimals(*number, *limit) * each.sign;
            if (order < 0 || (order == 0 && each.strict)) {
                return false;
            }
        }
    }
    for (const std::string_view keyword : {std::string_view("multipleOf"), kNotMultiple}) {
        for (const JsonValue* step : valuesOf(flatSchema, keyword)) {
            const auto divisor = decimalOf(*step);
            if (!number || !divisor || divisor->negative || divisor->isZero()) {
                return notUsable(step->place, Detail::SchemaBadMultiple);
            }
            const auto multiple = isMultiple(*number, *divisor);
            if (!multiple) {
                return notUsable(step->place, Detail::SchemaMultiple);
            }
            if (*multiple == (keyword == kNotMultiple)) {
                return false;
            }
        }
    }
    return true;
}

Result<bool> SchemaCompiler::holdsForObject(const JsonValue& value, const JsonValue& flatSchema, // NOLINT
                                            std::size_t depth) {
    std::uint64_t members = 0; // with different names
    for (const auto& [name, member] : value.members) {
        if (value.find(name) != &member) {
            continue;
        }
        ++members;
        const auto demanded = demandsOf(flatSchema, name);
        if (!demanded || !*demanded) {
            return demanded ? Result<bool>(false) : std::unexpected(demanded.error());
        }
        for (const JsonValue* schema : **demanded) {
            const auto fits = holds(member, *schema, depth + 1);
            if (!fits || !*fits) {
                return fits;
            }
        }
        for (const JsonValue* names : valuesOf(flatSchema, "propertyNames")) {
            const auto fits = holds({.kind = Kind::String, .text = name}, *names, depth + 1);
            if (!fits || !*fits) {
                return fits;
            }
        }
    }
    const auto required = valuesOf(flatSchema, "required");
    if (std::ranges::any_of(required, [&](const JsonValue* name) { return value.find(name->text) == nullptr; })) {
        return false;
    }
    const auto counts = countsOf(flatSchema, "minProperties", "maxProperties");
    if (!counts) {
        return saysNothingFits(counts.error()) ? Result<bool>(false) : std::unexpected(counts.error());
    }
    return members >= counts->minimum && members <= counts->maximum.value_or(members);
}

Result<bool> SchemaCompiler::holdsForArray(const JsonValue& value, const JsonValue& flatSchema, // NOLINT
                                           std::size_t depth) {
    const auto counts = countsOf(flatSchema, "minItems", "maxItems");
    const std::size_t size = value.elements.size();
    if (!counts || size < counts->minimum || size > counts->maximum.value_or(size)) {
        return counts || saysNothingFits(counts.error()) ? Result<bool>(false) : std::unexpected(counts.error());
    }
    for (std::size_t i = 0; i < size; ++i) {
        bool closed = false;
        const auto schemas = elementSchemas(flatSchema, i, closed);
        for (const JsonValue* schema : *schemas) {
            const auto fits = holds(value.elements[i], *schema, depth + 1);
            if (!fits || !*fits) {
                return fits;
            }
        }
    }
    for (const JsonValue* condition : valuesOf(flatSchema, "contains")) {
        std::uint64_t hits = 0;
        for (const JsonValue& element : value.elements) {
            const auto fits = GUFO_TRY(holds(element, *condition->find("contains"), depth + 1));
            hits += fits ? 1 : 0;
        }
        const auto wanted = countsOf(*condition, "minContains", "maxContains");
        const bool hasLeast = condition->find("minContains") != nullptr;
        if (!wanted || hits < (hasLeast ? wanted->minimum : 1) || hits > wanted->maximum.value_or(hits)) {
            return wanted || saysNothingFits(wanted.error()) ? Result<bool>(false) : std::unexpected(wanted.error());
        }
    }
    const JsonValue* unique = flatSchema.find("uniqueItems");
    for (std::size_t i = 0; unique != nullptr && unique->is(Kind::True) && i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            GUFO_TRY(spend(flatSchema.place, depth));
            if (equalJson(value.elements[i], value.elements[j])) {
                return false;
            }
        }
    }
    return true;
}

} // namespace gufo::inference
