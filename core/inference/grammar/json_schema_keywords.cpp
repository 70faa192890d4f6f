#include "inference/grammar/json_schema_keywords.h"

#include "base/detail.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::inference {
namespace {

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr auto kTypeNames = std::to_array<TypeName>({{"object", kObject},
                                                     {"array", kArray},
                                                     {"string", kString},
                                                     {"integer", kInteger},
                                                     {"number", kNumber},
                                                     {"boolean", kBoolean},
                                                     {"null", kNull}});

constexpr auto kKeywords = std::to_array<Keyword>({
    {"properties", kObject},
    {"required", kObject},
    {"additionalProperties", kObject},
    {"minProperties", kObject},
    {"maxProperties", kObject},
    {"items", kArray},
    {"prefixItems", kArray},
    {"additionalItems", kArray},
    {"minItems", kArray},
    {"maxItems", kArray},
    {"uniqueItems", kArray},
    {"minLength", kString},
    {"maxLength", kString},
    {"pattern", kString},
    {"format", kString},
    {"minimum", kNumber},
    {"maximum", kNumber},
    {"exclusiveMinimum", kNumber},
    {"exclusiveMaximum", kNumber},
    {"type", kAnyType},
    {"enum", kAnyType},
    {"const", kAnyType},
    {"anyOf", kAnyType},
    {"oneOf", kAnyType},
    {"allOf", kAnyType},
    {"$ref", kAnyType},
    {"title", 0},
    {"description", 0},
    {"default", 0},
    {"examples", 0},
    {"example", 0},
    {"deprecated", 0},
    {"readOnly", 0},
    {"writeOnly", 0},
    {"$schema", 0},
    {"$id", 0},
    {"$comment", 0},
    {"$defs", 0},
    {"definitions", 0},
    {"$anchor", 0},
});

} // namespace

const Keyword* findKeyword(std::string_view name) {
    const auto at = std::ranges::find(kKeywords, name, &Keyword::name);
    return at == kKeywords.end() ? nullptr : &*at;
}

std::unexpected<Error> notUsable(const std::string& place, Argument why) {
    return fail(ErrorCode::SchemaNotUsable, {}, {place, std::move(why)});
}

unsigned typeOf(const JsonValue& value) {
    using Kind = JsonValue::Kind;
    switch (value.kind) {
    case Kind::Object:
        return kObject;
    case Kind::Array:
        return kArray;
    case Kind::String:
        return kString;
    case Kind::Number: {
        const auto real = value.real();
        return real && std::trunc(*real) == *real ? kInteger | kNumber : kNumber;
    }
    case Kind::True:
    case Kind::False:
        return kBoolean;
    case Kind::Null:
        return kNull;
    }
    return 0;
}

JsonValue restOf(const JsonValue& schema, std::string_view without) {
    JsonValue rest = schema;
    std::erase_if(rest.members, [&](const auto& member) {
        const Keyword* keyword = findKeyword(member.first);
        return member.first == without || (keyword != nullptr && keyword->types == 0);
    });
    return rest;
}

std::optional<std::vector<const JsonValue*>> valuesOf(const JsonValue& schema) {
    if (const JsonValue* one = schema.find("const"); one != nullptr) {
        return std::vector{one};
    }
    const JsonValue* list = schema.find("enum");
    if (list == nullptr || !list->is(JsonValue::Kind::Array)) {
        return std::nullopt;
    }
    std::vector<const JsonValue*> values;
    for (const JsonValue& value : list->elements) {
        values.push_back(&value);
    }
    return values;
}
unsigned knownTypes(const JsonValue& schema) {
    if (const auto values = valuesOf(schema); values) {
        unsigned types = 0;
        for (const JsonValue* value : *values) {
            types |= typeOf(*value);
        }
        return types;
    }
    const auto types = typesOf(schema);
    return types && *types != kAnyType ? *types : 0;
}
bool demands(const JsonValue& schema, std::string_view name) {
    const JsonValue* required = schema.find("required");
    return required != nullptr &&
           std::ranges::any_of(required->elements, [&](const JsonValue& each) { return each.text == name; });
}

Result<unsigned> typesOf(const JsonValue& schema) {
    const JsonValue* named = schema.find("type");
    unsigned types = 0;
    if (named == nullptr) {
        for (const auto& [name, value] : schema.members) {
            const Keyword* keyword = findKeyword(name);
            types |= keyword != nullptr && keyword->types != kAnyType ? keyword->types : 0U;
        }
        return types == 0 ? kAnyType : types;
    }
    const auto list = named->is(JsonValue::Kind::Array) ? named->elements : std::vector{*named};
    for (const JsonValue& each : list) {
        const auto at = std::ranges::find(kTypeNames, each.text, &TypeName::name);
        if (!each.is(JsonValue::Kind::String) || at == kTypeNames.end()) {
            return notUsable(each.place, Detail::SchemaUnknownType);
        }
        types |= at->type;
    }
    return types == 0 ? notUsable(named->place, Detail::SchemaNoType) : Result<unsigned>(types);
}

} // namespace gufo::inference
