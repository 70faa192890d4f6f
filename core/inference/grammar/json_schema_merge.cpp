#include "inference/grammar/json_schema_merge.h"

#include "base/detail.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <iterator>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

// A closed schema would forbid the properties that only the other one declares.
Result<> checkClosed(const JsonValue& open, const JsonValue& closed) {
    const JsonValue* additional = closed.find("additionalProperties");
    const JsonValue* properties = open.find("properties");
    if (additional == nullptr || additional->is(Kind::True) || properties == nullptr) {
        return {};
    }
    for (const auto& [name, value] : properties->members) {
        const JsonValue* closedProperties = closed.find("properties");
        if (closedProperties == nullptr || closedProperties->find(name) == nullptr) {
            return notUsable(additional->place, {Detail::SchemaClosedByOther, {name}});
        }
    }
    return {};
}

Result<> mergeTypes(JsonValue& into, const JsonValue& from) {
    const auto names = [](const JsonValue& value) {
        return value.is(Kind::Array) ? value.elements : std::vector{value};
    };
    const auto has = [](const std::vector<JsonValue>& list, std::string_view name) {
        return std::ranges::any_of(list, [&](const JsonValue& each) { return each.text == name; });
    };
    JsonValue both{.kind = Kind::Array, .place = into.place};
    for (const JsonValue& type : names(into)) {
        const auto others = names(from);
        if (has(others, type.text) || (type.text == "integer" && has(others, "number"))) {
            both.elements.push_back(type);
        } else if (type.text == "number" && has(others, "integer")) {
            both.elements.push_back({.kind = Kind::String, .place = type.place, .text = "integer"});
        }
    }
    if (both.elements.empty()) {
        return notUsable(from.place, Detail::SchemaTypeExcluded);
    }
    into = std::move(both);
    return {};
}

Result<> mergeKeyword(const std::string& name, JsonValue& into, JsonValue from) {
    if (sameJson(into, from)) {
        return {};
    }
    if (name == "properties" && into.is(Kind::Object) && from.is(Kind::Object)) {
        for (auto& [property, schema] : from.members) {
            auto at = std::ranges::find(into.members, property, [](const auto& member) { return member.first; });
            if (at == into.members.end()) {
                into.members.emplace_back(property, std::move(schema));
            } else if (!sameJson(at->second, schema)) {
                JsonValue list{.kind = Kind::Array, .place = schema.place};
                JsonValue both{.kind = Kind::Object, .place = at->second.place + " & " + schema.place};
                list.elements = {std::move(at->second), std::move(schema)};
                both.members.emplace_back("allOf", std::move(list));
                at->second = std::move(both);
            }
        }
        return {};
    }
    if (name == "required" && into.is(Kind::Array) && from.is(Kind::Array)) {
        std::ranges::move(from.elements, std::back_inserter(into.elements));
        return {};
    }
    if (name == "type") {
        return mergeTypes(into, from);
    }
    const bool lower = name == "minimum" || name == "exclusiveMinimum" || name == "minLength" || name == "minItems";
    const bool upper = name == "maximum" || name == "exclusiveMaximum" || name == "maxLength" || name == "maxItems";
    if ((lower || upper) && into.real() && from.real()) {
        if (lower == (*from.real() > *into.real())) {
            into = std::move(from);
        }
        return {};
    }
    return notUsable(from.place, {Detail::SchemaKeywordDiffers, {name}});
}

} // namespace

Result<> mergeSchema(JsonValue& into, JsonValue from) {
    for (const auto& [open, closed] : {std::pair<const JsonValue&, const JsonValue&>(into, from),
                                       std::pair<const JsonValue&, const JsonValue&>(from, into)}) {
        if (auto fits = checkClosed(open, closed); !fits) {
            return fits;
        }
    }
    for (auto& [name, value] : from.members) {
        auto at = std::ranges::find(into.members, name, [](const auto& member) { return member.first; });
        if (at == into.members.end()) {
            into.members.emplace_back(name, std::move(value));
        } else if (auto done = mergeKeyword(name, at->second, std::move(value)); !done) {
            return done;
        }
    }
    return {};
}

} // namespace gufo::inference
