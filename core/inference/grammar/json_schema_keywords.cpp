#include "inference/grammar/json_schema_keywords.h"

#include "base/detail.h"
#include "inference/grammar/json_schema_scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

struct TypeNameRow {
    std::string_view name;
    Type type;
};
constexpr auto kTypeNames = std::to_array<TypeNameRow>({{"object", kObject},
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
    {"patternProperties", kObject},
    {"propertyNames", kObject},
    {"minProperties", kObject},
    {"maxProperties", kObject},
    {"dependentRequired", kObject},
    {"dependentSchemas", kObject},
    {"dependencies", kObject},
    {kKeySets, kObject},
    {"items", kArray},
    {"prefixItems", kArray},
    {"additionalItems", kArray},
    {"minItems", kArray},
    {"maxItems", kArray},
    {"uniqueItems", kArray},
    {"contains", kArray},
    {kElementSets, kArray},
    {"minLength", kString},
    {"maxLength", kString},
    {"pattern", kString},
    {"format", kString},
    {kNotPattern, kString},
    {"minimum", kNumber},
    {"maximum", kNumber},
    {"exclusiveMinimum", kNumber},
    {"exclusiveMaximum", kNumber},
    {"multipleOf", kNumber},
    {kNotMultiple, kNumber},
    {"type", kAnyType},
    {"enum", kAnyType},
    {"const", kAnyType},
    {kNotValues, kAnyType},
    {"anyOf", kAnyType},
    {"oneOf", kAnyType},
    {"allOf", kAnyType},
    {"not", kAnyType},
    {"if", kAnyType},
    {"$ref", kAnyType},
    {"unevaluatedProperties", kObject, false},
    {"unevaluatedItems", kArray, false},
    {"$dynamicRef", kAnyType, false},
    {"$recursiveRef", kAnyType, false},
    // The next ones count only beside "if" and "contains".
    {"then", 0},
    {"else", 0},
    {"minContains", 0},
    {"maxContains", 0},
});

} // namespace

const Keyword* findKeyword(std::string_view name) {
    const auto at = std::ranges::find(kKeywords, name, &Keyword::name);
    return at == kKeywords.end() ? nullptr : &*at;
}

std::unexpected<Error> notUsable(const std::string& place, Argument why) {
    return fail(ErrorCode::SchemaNotUsable, {}, {place, std::move(why)});
}

bool saysNothingFits(const Error& error) {
    static constexpr std::array kDetails{
        Detail::SchemaFalse,          Detail::SchemaNoAlternative,     Detail::SchemaNoValue,
        Detail::SchemaMinItems,       Detail::SchemaForbiddenRequired, Detail::SchemaTypeExcluded,
        Detail::SchemaCountsReversed, Detail::SchemaBoundsReversed,    Detail::SchemaNothingFits};
    return error.code == ErrorCode::SchemaNotUsable &&
           std::ranges::find(kDetails, error.args[1].detail()) != kDetails.end();
}

bool saysNotSupported(const Error& error) {
    static constexpr std::array kDetails{
        Detail::SchemaKeyword,  Detail::SchemaOtherDocument, Detail::SchemaOneOfOverlaps, Detail::SchemaUniqueItems,
        Detail::SchemaBadBound, Detail::SchemaMultiple,      Detail::SchemaNegation,      Detail::PatternTooLarge,
        Detail::PatternTooDeep, Detail::PatternAnchor,       Detail::PatternGroup,        Detail::PatternEscape};
    return error.code == ErrorCode::SchemaNotUsable &&
           std::ranges::find(kDetails, error.args[1].detail()) != kDetails.end();
}

unsigned typeOf(const JsonValue& value) {
    switch (value.kind) {
    case Kind::Object:
        return kObject;
    case Kind::Array:
        return kArray;
    case Kind::String:
        return kString;
    case Kind::Number: {
        const auto number = decimalOf(value);
        const auto real = value.real();
        const bool isWhole = number ? number->fraction.empty() : real && std::trunc(*real) == *real;
        return isWhole ? kInteger | kNumber : kNumber;
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
        return member.first == without || keyword == nullptr || keyword->types == 0;
    });
    return rest;
}

std::optional<std::vector<const JsonValue*>> constantsOf(const JsonValue& schema) {
    if (const JsonValue* one = schema.find("const"); one != nullptr) {
        return std::vector{one};
    }
    const JsonValue* list = schema.find("enum");
    if (list == nullptr || !list->is(Kind::Array)) {
        return std::nullopt;
    }
    return valuesOf(schema, "enum");
}

std::vector<const JsonValue*> valuesOf(const JsonValue& schema, std::string_view keyword) {
    std::vector<const JsonValue*> values;
    const JsonValue* list = schema.find(keyword);
    if (list != nullptr && !list->is(Kind::Array)) {
        values.push_back(list);
    } else if (list != nullptr) {
        for (const JsonValue& value : list->elements) {
            values.push_back(&value);
        }
    }
    return values;
}

unsigned knownTypes(const JsonValue& schema) {
    if (const auto values = constantsOf(schema); values) {
        unsigned types = 0;
        for (const JsonValue* value : *values) {
            types |= typeOf(*value);
        }
        return types;
    }
    const auto types = namedTypes(schema);
    return types && *types != kAnyType ? *types : 0;
}

bool demands(const JsonValue& schema, std::string_view name) {
    const JsonValue* required = schema.find("required");
    return required != nullptr &&
           std::ranges::any_of(required->elements, [&](const JsonValue& each) { return each.text == name; });
}

Result<unsigned> namedTypes(const JsonValue& schema) {
    const JsonValue* named = schema.find("type");
    if (named == nullptr) {
        return kAnyType;
    }
    unsigned types = 0;
    for (const JsonValue* each : valuesOf(schema, "type")) {
        const auto at = std::ranges::find(kTypeNames, each->text, &TypeNameRow::name);
        if (!each->is(Kind::String) || at == kTypeNames.end()) {
            return notUsable(each->place, Detail::SchemaUnknownType);
        }
        types |= at->type;
    }
    return types == 0 ? notUsable(named->place, Detail::SchemaNoType) : Result<unsigned>(types);
}

Result<unsigned> typesOf(const JsonValue& schema) {
    if (schema.find("type") != nullptr) {
        return namedTypes(schema);
    }
    unsigned types = 0;
    for (const auto& [name, value] : schema.members) {
        const Keyword* keyword = findKeyword(name);
        types |= keyword != nullptr && keyword->types != kAnyType ? keyword->types : 0U;
    }
    return types == 0 ? kAnyType : types;
}

JsonValue typeList(unsigned types, const std::string& place) {
    JsonValue list{.kind = Kind::Array, .place = place};
    for (const TypeNameRow& each : kTypeNames) {
        if ((types & each.type) != 0 && (each.type != kInteger || (types & kNumber) == 0)) {
            list.elements.push_back({.kind = Kind::String, .place = place, .text = std::string(each.name)});
        }
    }
    return list;
}

bool equalJson(const JsonValue& a, const JsonValue& b) { // NOLINT(misc-no-recursion)
    if (a.is(Kind::Number) && b.is(Kind::Number)) {
        const auto x = decimalOf(a);
        const auto y = decimalOf(b);
        return x && y ? *x == *y : a.text == b.text;
    }
    if (a.kind != b.kind || a.text != b.text || a.elements.size() != b.elements.size()) {
        return false;
    }
    // Of members with the same name, the last counts.
    const auto within = [](const JsonValue& x, const JsonValue& y) {
        return std::ranges::all_of(x.members, [&](const auto& member) {
            const JsonValue* other = y.find(member.first);
            return other != nullptr && equalJson(*x.find(member.first), *other);
        });
    };
    return within(a, b) && within(b, a) && std::ranges::equal(a.elements, b.elements, equalJson);
}

std::string canonicalJson(const JsonValue& value, bool sorted) { // NOLINT(misc-no-recursion)
    std::string out;
    switch (value.kind) {
    case Kind::Object: {
        std::set<std::string_view> seen;
        std::vector<std::string> members;
        // Of members with the same name, the last counts.
        for (auto at = value.members.rbegin(); at != value.members.rend(); ++at) {
            if (seen.insert(at->first).second) {
                members.push_back(canonicalJson({.kind = Kind::String, .text = at->first}) + ":" +
                                  canonicalJson(at->second, sorted));
            }
        }
        std::ranges::reverse(members);
        if (sorted) {
            std::ranges::sort(members);
        }
        for (const std::string& member : members) {
            out += (out.empty() ? "" : ",") + member;
        }
        return "{" + out + "}";
    }
    case Kind::Array:
        for (const JsonValue& element : value.elements) {
            out += (out.empty() ? "" : ",") + canonicalJson(element, sorted);
        }
        return "[" + out + "]";
    case Kind::String:
        for (const char c : value.text) {
            if (c == '\b' || c == '\f') { // quotedJson() writes these by number
                out += c == '\b' ? "\\b" : "\\f";
            } else {
                const std::string quoted = quotedJson({&c, 1});
                out += std::string_view(quoted).substr(1, quoted.size() - 2);
            }
        }
        return '"' + out + '"';
    case Kind::Number: {
        const auto number = decimalOf(value);
        return !number ? value.text
                       : (number->negative ? "-" : "") + number->whole +
                             (number->fraction.empty() ? "" : "." + number->fraction);
    }
    default:
        return writeJson(value);
    }
}

std::set<std::string> setOf(const std::vector<const JsonValue*>& values) {
    std::set<std::string> all;
    for (const JsonValue* value : values) {
        all.insert(canonicalJson(*value, true));
    }
    return all;
}

namespace {

using Kind = JsonValue::Kind;

constexpr char kSeparator = '\xFE'; // is in no pointer, because it is not UTF-8

Result<> mergeTypes(JsonValue& into, const JsonValue& from) {
    const JsonValue both[]{{.kind = Kind::Object, .members = {{"type", into}}},
                           {.kind = Kind::Object, .members = {{"type", from}}}};
    auto a = namedTypes(both[0]);
    auto b = namedTypes(both[1]);
    if (!a || !b) {
        return std::unexpected((a ? b : a).error());
    }
    const auto withIntegers = [](unsigned types) { return (types & kNumber) != 0 ? types | kInteger : types; };
    const unsigned common = withIntegers(*a) & withIntegers(*b);
    if (common == 0) {
        return notUsable(from.place, Detail::SchemaTypeExcluded);
    }
    into = typeList(common, into.place);
    return {};
}

// Each alternative must hold together with the other list.
void distribute(const std::string& keyword, JsonValue& into, JsonValue from) {
    JsonValue other{.kind = Kind::Object, .place = from.place};
    other.members.emplace_back(keyword, std::move(from));
    for (JsonValue& alternative : into.elements) {
        JsonValue list{.kind = Kind::Array, .place = alternative.place};
        JsonValue both{.kind = Kind::Object, .place = joinPlaces(alternative.place, other.place)};
        list.elements = {std::move(alternative), other};
        both.members.emplace_back("allOf", std::move(list));
        alternative = std::move(both);
    }
}

Result<> mergeKeyword(const std::string& name, JsonValue& into, JsonValue from) {
    if (name == "type") {
        return mergeTypes(into, from);
    }
    if (name == "enum") {
        std::vector<const JsonValue*> others;
        for (const JsonValue& value : from.elements) {
            others.push_back(&value);
        }
        const auto known = setOf(others);
        std::erase_if(into.elements,
                      [&](const JsonValue& value) { return !known.contains(canonicalJson(value, true)); });
        return {};
    }
    if (name == "anyOf" || name == "oneOf") {
        distribute(name, into, std::move(from));
        return {};
    }
    if (name == "uniqueItems") {
        into = into.is(Kind::False) ? std::move(from) : std::move(into);
        return {};
    }
    const bool lower = name == "minLength" || name == "minItems" || name == "minProperties";
    const bool upper = name == "maxLength" || name == "maxItems" || name == "maxProperties";
    if (lower || upper) {
        if (into.real() && from.real() && lower == (*from.real() > *into.real())) {
            into = std::move(from);
        }
        return {};
    }
    // All others are lists whose elements must all hold.
    if (!into.is(Kind::Array)) {
        JsonValue list{.kind = Kind::Array, .place = into.place};
        list.elements.push_back(std::move(into));
        into = std::move(list);
    }
    std::multimap<std::string, std::size_t, std::less<>> byPlace;
    for (std::size_t i = 0; i < into.elements.size(); ++i) {
        byPlace.emplace(into.elements[i].place, i);
    }
    const auto add = [&](JsonValue value) {
        const auto [first, last] = byPlace.equal_range(value.place);
        if (std::none_of(first, last, [&](const auto& each) { return sameJson(into.elements[each.second], value); })) {
            byPlace.emplace(value.place, into.elements.size());
            into.elements.push_back(std::move(value));
        }
    };
    if (from.is(Kind::Array)) {
        for (JsonValue& value : from.elements) {
            add(std::move(value));
        }
    } else {
        add(std::move(from));
    }
    return {};
}

} // namespace

std::string joinPlaces(const std::string& a, const std::string& b) {
    std::vector<std::string> parts;
    for (const std::string* places : {&a, &b}) {
        for (std::size_t at = 0; at <= places->size();) {
            const std::size_t end = std::min(places->find(kSeparator, at), places->size());
            parts.push_back(places->substr(at, end - at));
            at = end + 1;
        }
    }
    std::ranges::sort(parts);
    const auto repeated = std::ranges::unique(parts);
    parts.erase(repeated.begin(), repeated.end());
    std::string joined;
    for (const std::string& part : parts) {
        joined += (joined.empty() ? std::string() : std::string(1, kSeparator)) + part;
    }
    return joined;
}

std::string derivedPlace(const std::string& place, std::string_view how) {
    std::string derived = place;
    std::ranges::replace(derived, kSeparator, '\xFD');
    return derived + '\xFC' + std::string(how);
}

std::string shownPlace(std::string_view place) {
    return std::string(place.substr(0, place.find_first_of("\xFC\xFD\xFE")));
}

Result<> mergeSchema(JsonValue& into, JsonValue from) {
    into.place = joinPlaces(into.place, from.place);
    for (auto& [name, value] : from.members) {
        auto at = std::ranges::find(into.members, name, [](const auto& member) { return member.first; });
        if (at == into.members.end()) {
            into.members.emplace_back(name, std::move(value));
        } else if (name != kFlat) {
            GUFO_TRY(mergeKeyword(name, at->second, std::move(value)));
        }
    }
    return {};
}

} // namespace gufo::inference
