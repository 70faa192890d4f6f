// Schemas to which exactly those values conform that do not conform to another.
#include "base/detail.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <set>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;
using Member = std::pair<std::string, JsonValue>;

JsonValue made(std::vector<Member> members, std::string place) {
    JsonValue schema{.kind = Kind::Object, .place = std::move(place)};
    schema.members = std::move(members);
    return schema;
}

JsonValue list(std::vector<JsonValue> elements, const std::string& place) {
    JsonValue all{.kind = Kind::Array, .place = place};
    all.elements = std::move(elements);
    return all;
}

// A keyword whose opposite is another one.
struct OppositeRow {
    std::string_view keyword;
    std::string_view other;
    int step; // added to the count
    Type type;
};
constexpr OppositeRow kOpposites[]{{"minLength", "maxLength", -1, kString},
                                   {"maxLength", "minLength", 1, kString},
                                   {"minItems", "maxItems", -1, kArray},
                                   {"maxItems", "minItems", 1, kArray},
                                   {"minProperties", "maxProperties", -1, kObject},
                                   {"maxProperties", "minProperties", 1, kObject},
                                   {"minimum", "exclusiveMaximum", 0, kNumber},
                                   {"maximum", "exclusiveMinimum", 0, kNumber},
                                   {"exclusiveMinimum", "maximum", 0, kNumber},
                                   {"exclusiveMaximum", "minimum", 0, kNumber},
                                   {"pattern", kNotPattern, 0, kString},
                                   {"multipleOf", kNotMultiple, 0, kNumber}};

} // namespace

Result<SchemaCompiler::Schemas> SchemaCompiler::negated(const JsonValue& schema,
                                                        std::size_t depth) { // NOLINT(misc-no-recursion)
    GUFO_TRY(spend(schema.place, depth));
    if (schema.is(Kind::True)) {
        return Schemas{};
    }
    if (schema.is(Kind::False)) {
        return Schemas{made({}, derivedPlace(schema.place, "negated"))};
    }
    if (!schema.is(Kind::Object)) {
        return notUsable(schema.place, Detail::SchemaNoSchema);
    }
    Schemas all; // a value that violates one keyword violates the schema
    for (const auto& [name, value] : schema.members) {
        const Keyword* keyword = findKeyword(name);
        if (keyword == nullptr || keyword->types == 0 || schema.find(name) != &value) {
            continue;
        }
        auto others = GUFO_TRY(keyword->supported ? negatedKeyword(schema, name, value, depth)
                                                  : notUsable(value.place, {Detail::SchemaKeyword, {name}}));
        for (JsonValue& other : others) {
            all.push_back(std::move(other));
        }
        if (all.size() > kMaxAlternatives) {
            return notUsable(value.place, {Detail::SchemaNegation, {name}});
        }
    }
    return all;
}

Result<SchemaCompiler::Schemas> SchemaCompiler::negatedKeyword(const JsonValue& schema, const std::string& name,
                                                               const JsonValue& value,
                                                               std::size_t depth) { // NOLINT(misc-no-recursion)
    const std::string place = derivedPlace(value.place, "negated " + name);
    const auto numbered = [&](std::size_t i) { return derivedPlace(place, std::to_string(i)); };
    const auto typed = [&](Type type, Member member, std::string at) {
        std::vector<Member> members{{"type", typeList(type, value.place)}};
        members.push_back(std::move(member));
        return made(std::move(members), std::move(at));
    };
    const auto refused = [&] { return notUsable(value.place, {Detail::SchemaNegation, {name}}); };
    // Makes sure that the keyword itself is right.
    GUFO_TRY(checkScalars(schema));
    if (const auto* opposite = std::ranges::find(kOpposites, name, &OppositeRow::keyword);
        opposite != std::end(kOpposites)) {
        if (opposite->step == 0) {
            return Schemas{typed(opposite->type, {std::string(opposite->other), value}, place)};
        }
        const auto counts = countsOf(schema, name, name);
        const std::uint64_t count = counts ? counts->minimum : Counts::kMost;
        if (opposite->step > 0 && count + 1 >= Counts::kMost) {
            return Schemas{};
        }
        if (opposite->step < 0 && count == 0) {
            return Schemas{};
        }
        JsonValue other{.kind = Kind::Number, .place = value.place};
        other.text = std::to_string(opposite->step > 0 ? count + 1 : count - 1);
        return Schemas{typed(opposite->type, {std::string(opposite->other), std::move(other)}, place)};
    }
    if (name == "enum" || name == "const") {
        const JsonValue values = name == "const" ? list({value}, value.place) : value;
        if (!values.is(Kind::Array)) {
            return notUsable(value.place, Detail::SchemaValueListExpected);
        }
        return Schemas{made({{std::string(kNotValues), values}}, place)};
    }
    if (name == "type") {
        auto types = GUFO_TRY(namedTypes(schema));
        Schemas all;
        const bool onlyIntegers = (types & kInteger) != 0 && (types & kNumber) == 0;
        const unsigned others = kAnyType & ~types & ~(onlyIntegers ? kNumber : 0U);
        if (others != 0) {
            all.push_back(made({{"type", typeList(others, value.place)}}, numbered(0)));
        }
        if (onlyIntegers) {
            JsonValue one{.kind = Kind::Number, .place = value.place, .text = "1"};
            all.push_back(
                typed(kNumber, {std::string(kNotMultiple), list({std::move(one)}, value.place)}, numbered(1)));
        }
        return all;
    }
    if (name == "$ref") {
        const auto target = GUFO_TRY(referred(value));
        return negated(*target, depth + 1);
    }
    if (name == "not") {
        return Schemas{value};
    }
    if (name == "allOf" || name == "anyOf") {
        if (!value.is(Kind::Array) || value.elements.empty()) {
            return notUsable(value.place, Detail::SchemaListExpected);
        }
        Schemas all;
        std::vector<JsonValue> together;
        for (std::size_t i = 0; i < value.elements.size(); ++i) {
            auto others = GUFO_TRY(negated(value.elements[i], depth + 1));
            if (name == "allOf") {
                std::ranges::move(others, std::back_inserter(all));
            } else if (others.empty()) {
                return Schemas{}; // an alternative to which every value conforms
            } else {
                const std::string at = numbered(i);
                together.push_back(made({{"anyOf", list(std::move(others), at)}}, at));
            }
        }
        return name == "allOf" ? all : Schemas{made({{"allOf", list(std::move(together), place)}}, place)};
    }
    if (name == "required") {
        Schemas all;
        for (std::size_t i = 0; i < value.elements.size(); ++i) {
            const std::string at = numbered(i);
            JsonValue absent = made({{value.elements[i].text, JsonValue{.kind = Kind::False, .place = at}}}, at);
            all.push_back(typed(kObject, {"properties", std::move(absent)}, at));
        }
        return all;
    }
    if (name == "properties") {
        if (!value.is(Kind::Object)) {
            return notUsable(value.place, Detail::SchemaObjectExpected);
        }
        Schemas all;
        std::set<std::string_view> seen; // of members with the same name, the last counts
        for (auto at = value.members.rbegin(); at != value.members.rend(); ++at) {
            const auto& [property, part] = *at;
            if (!seen.insert(property).second) {
                continue;
            }
            auto others = GUFO_TRY(negated(part, depth + 1));
            for (const JsonValue& other : others) {
                const std::string where = numbered(all.size());
                JsonValue required = list({{.kind = Kind::String, .place = where, .text = property}}, where);
                all.push_back(made({{"type", typeList(kObject, where)},
                                    {"properties", made({{property, other}}, where)},
                                    {"required", std::move(required)}},
                                   where));
            }
        }
        return all;
    }
    if (name == "items" && !value.is(Kind::Array) && schema.find("prefixItems") == nullptr) {
        auto others = GUFO_TRY(negated(value, depth + 1));
        Schemas all;
        for (JsonValue& other : others) {
            const std::string at = numbered(all.size());
            all.push_back(typed(kArray, {"contains", std::move(other)}, at));
        }
        return all;
    }
    if (name == "contains" && schema.find("minContains") == nullptr && schema.find("maxContains") == nullptr) {
        auto others = GUFO_TRY(negated(value, depth + 1));
        JsonValue items = others.empty() ? JsonValue{.kind = Kind::False, .place = place}
                                         : made({{"anyOf", list(std::move(others), place)}}, place);
        return Schemas{typed(kArray, {"items", std::move(items)}, place)};
    }
    if (name == "format" || (name == "uniqueItems" && value.is(Kind::False)) ||
        (name == "additionalItems" && schema.find("items") == nullptr)) {
        // A format is an annotation, to which every string conforms.
        return Schemas{};
    }
    return refused();
}

} // namespace gufo::inference
