#include "inference/json_schema.h"

#include "inference/grammar.h"
#include "inference/json_grammar.h"
#include "inference/json_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

enum Type : unsigned {
    kObject = 1,
    kArray = 2,
    kString = 4,
    kInteger = 8,
    kNumber = 16, // integers, too
    kBoolean = 32,
    kNull = 64,
    kAnyType = kObject | kArray | kString | kNumber | kBoolean | kNull,
};
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

// What a keyword speaks of; 0: it says nothing about values.
struct Keyword {
    std::string_view name;
    unsigned types;
};
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

const Keyword* findKeyword(std::string_view name) {
    const auto at = std::ranges::find(kKeywords, name, &Keyword::name);
    return at == kKeywords.end() ? nullptr : &*at;
}

std::unexpected<Error> notUsable(const std::string& place, std::string why) {
    return fail(ErrorCode::SchemaNotUsable, {}, {place, std::move(why)});
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

class SchemaCompiler {
public:
    explicit SchemaCompiler(JsonValue schema)
        : m_root(std::move(schema)) {}

    Result<std::string> compile() {
        const auto root = ruleOf(m_root, 0);
        if (!root) {
            return root;
        }
        std::string text = "root ::= " + *root + "\n" + m_rules + std::string(commonJsonRules());
        // Schemas that refer to themselves without end are found as left recursion.
        if (const auto grammar = Grammar::parse(text); !grammar) {
            const Error& error = grammar.error();
            return error.code == ErrorCode::BadSyntax
                       ? notUsable("#", "a $ref that leads back to itself (" + error.args[0] + ")")
                       : std::unexpected(error);
        }
        return text;
    }

private:
    static constexpr std::size_t kMaxDepth = 200;
    static constexpr std::size_t kMaxText = 4U << 20U;
    static constexpr std::uint64_t kMaxCount = Grammar::kMaxRepeats;

    Result<std::string> addRule(const std::string& name, const std::string& body) {
        m_rules += name + " ::= " + body + "\n";
        if (m_rules.size() > kMaxText) {
            return fail(ErrorCode::LimitExceeded, {},
                        {"bytes of grammar", std::to_string(m_rules.size()), std::to_string(kMaxText)});
        }
        return name;
    }
    std::string newName() { return "s" + std::to_string(m_count++); }

    // The rule of a schema; made once for each place.
    Result<std::string> ruleOf(const JsonValue& schema, std::size_t depth) { // NOLINT(misc-no-recursion)
        if (const auto known = m_known.find(schema.place); known != m_known.end()) {
            return known->second;
        }
        if (depth > kMaxDepth) {
            return notUsable(schema.place, "schemas in schemas");
        }
        const std::string name = newName();
        m_known.emplace(schema.place, name);
        const auto body = bodyOf(schema, depth);
        return body ? addRule(name, *body) : body;
    }

    Result<std::string> bodyOf(const JsonValue& schema, std::size_t depth) {
        if (schema.is(Kind::True)) {
            return "value";
        }
        if (schema.is(Kind::False)) {
            return notUsable(schema.place, "false, which nothing satisfies");
        }
        if (!schema.is(Kind::Object)) {
            return notUsable(schema.place, "it is no schema (an object, true or false)");
        }
        for (const auto& [name, value] : schema.members) {
            if (findKeyword(name) == nullptr) {
                return notUsable(value.place, "the keyword " + name);
            }
        }
        if (const JsonValue* ref = schema.find("$ref"); ref != nullptr) {
            const auto target = referred(*ref);
            if (!target) {
                return std::unexpected(target.error());
            }
            return restOf(schema, "$ref").members.empty() ? ruleOf(**target, depth + 1)
                                                          : mergedRule(schema, "$ref", {*target}, depth);
        }
        if (const JsonValue* all = schema.find("allOf"); all != nullptr) {
            const auto parts = partsOf(*all);
            return parts ? mergedRule(schema, "allOf", *parts, depth) : std::unexpected(parts.error());
        }
        for (const char* name : {"anyOf", "oneOf"}) {
            if (const JsonValue* any = schema.find(name); any != nullptr) {
                return alternatives(schema, *any, name, depth);
            }
        }
        if (schema.find("enum") != nullptr || schema.find("const") != nullptr) {
            return literals(schema);
        }
        return byType(schema, depth);
    }

    // What of a schema restricts beside one keyword.
    static JsonValue restOf(const JsonValue& schema, std::string_view without) {
        JsonValue rest = schema;
        std::erase_if(rest.members, [&](const auto& member) {
            const Keyword* keyword = findKeyword(member.first);
            return member.first == without || (keyword != nullptr && keyword->types == 0);
        });
        return rest;
    }

    Result<const JsonValue*> referred(const JsonValue& ref) const {
        if (!ref.is(Kind::String) || !ref.text.starts_with('#')) {
            return notUsable(ref.place, "a reference to another document");
        }
        const JsonValue* at = &m_root;
        std::string_view rest = std::string_view(ref.text).substr(1);
        while (at != nullptr && !rest.empty()) {
            if (rest[0] != '/') {
                at = nullptr;
                break;
            }
            rest.remove_prefix(1);
            const std::string name = pointerStep(rest.substr(0, rest.find('/')));
            rest.remove_prefix(std::min(rest.size(), rest.find('/')));
            if (at->is(Kind::Array)) {
                const bool isNumber = !name.empty() && name.size() < 9 &&
                                      std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
                const std::size_t index = isNumber ? std::stoul(name) : at->elements.size();
                at = index < at->elements.size() ? &at->elements[index] : nullptr;
            } else {
                at = at->find(name);
            }
        }
        if (at == nullptr) {
            return notUsable(ref.place, "there is nothing at " + ref.text);
        }
        return at;
    }

    static std::string pointerStep(std::string_view escaped) {
        std::string out;
        const auto hex = [](char c) {
            return c >= '0' && c <= '9'   ? c - '0'
                   : c >= 'a' && c <= 'f' ? c - 'a' + 10
                   : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                          : -1;
        };
        for (std::size_t i = 0; i < escaped.size(); ++i) {
            const char c = escaped[i];
            if (c == '%' && i + 2 < escaped.size() && hex(escaped[i + 1]) >= 0 && hex(escaped[i + 2]) >= 0) {
                out += static_cast<char>(hex(escaped[i + 1]) * 16 + hex(escaped[i + 2]));
                i += 2;
            } else if (c == '~' && i + 1 < escaped.size()) {
                out += escaped[++i] == '1' ? '/' : '~';
            } else {
                out += c;
            }
        }
        return out;
    }

    Result<std::vector<const JsonValue*>> partsOf(const JsonValue& list) const {
        if (!list.is(Kind::Array) || list.elements.empty()) {
            return notUsable(list.place, "it is no list of schemas");
        }
        std::vector<const JsonValue*> parts;
        for (const JsonValue& part : list.elements) {
            parts.push_back(&part);
        }
        return parts;
    }

    // The schema and others that all have to hold, as one schema.
    Result<std::string> mergedRule(const JsonValue& schema, std::string_view keyword,
                                   const std::vector<const JsonValue*>& parts, std::size_t depth) {
        const auto merged = merge(restOf(schema, keyword), parts, schema.place, depth);
        return merged ? bodyOf(*merged, depth + 1) : std::unexpected(merged.error());
    }

    Result<JsonValue> merge(JsonValue into, const std::vector<const JsonValue*>& parts, const std::string& place,
                            std::size_t depth) { // NOLINT(misc-no-recursion)
        if (depth > kMaxDepth) {
            return notUsable(place, "schemas that refer to each other");
        }
        for (const JsonValue* part : parts) {
            if (part->is(Kind::True)) {
                continue;
            }
            JsonValue flat = *part;
            if (const JsonValue* ref = part->find("$ref"); ref != nullptr) {
                const auto target = referred(*ref);
                auto resolved = target ? merge(restOf(*part, "$ref"), {*target}, place, depth + 1)
                                       : std::unexpected(target.error());
                if (!resolved) {
                    return resolved;
                }
                flat = *std::move(resolved);
            } else if (const JsonValue* all = part->find("allOf"); all != nullptr) {
                const auto inner = partsOf(*all);
                auto resolved =
                    inner ? merge(restOf(*part, "allOf"), *inner, place, depth + 1) : std::unexpected(inner.error());
                if (!resolved) {
                    return resolved;
                }
                flat = *std::move(resolved);
            }
            if (!flat.is(Kind::Object)) {
                return notUsable(part->place, "it cannot be merged with what else has to hold");
            }
            if (auto done = mergeOne(into, restOf(flat, "")); !done) {
                return std::unexpected(done.error());
            }
        }
        into.place = place;
        return into;
    }

    // Schemas that say which properties there are at most would forbid those of the other.
    static Result<> checkClosed(const JsonValue& open, const JsonValue& closed) {
        const JsonValue* additional = closed.find("additionalProperties");
        const JsonValue* properties = open.find("properties");
        if (additional == nullptr || additional->is(Kind::True) || properties == nullptr) {
            return {};
        }
        for (const auto& [name, value] : properties->members) {
            const JsonValue* own = closed.find("properties");
            if (own == nullptr || own->find(name) == nullptr) {
                return notUsable(additional->place, "what it says of the property " + name + " of another part");
            }
        }
        return {};
    }

    static Result<> mergeOne(JsonValue& into, JsonValue from) {
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

    static Result<> mergeKeyword(const std::string& name, JsonValue& into, JsonValue from) {
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
                    JsonValue both{.kind = Kind::Object, .place = at->second.place + " and " + schema.place};
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
        return notUsable(from.place, name + " that differs from that of another part");
    }

    static Result<> mergeTypes(JsonValue& into, const JsonValue& from) {
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
            return notUsable(from.place, "a type that another part excludes");
        }
        into = std::move(both);
        return {};
    }

    Result<std::string> alternatives(const JsonValue& schema, const JsonValue& list, const std::string& keyword,
                                     std::size_t depth) {
        const auto parts = partsOf(list);
        if (!parts) {
            return std::unexpected(parts.error());
        }
        const JsonValue rest = restOf(schema, keyword);
        std::vector<JsonValue> all;
        for (const JsonValue* part : *parts) {
            if (part->is(Kind::False)) {
                continue;
            }
            auto merged = rest.members.empty() ? Result<JsonValue>(*part)
                                               : merge(rest, {part}, part->place + " with " + schema.place, depth + 1);
            if (!merged) {
                return std::unexpected(merged.error());
            }
            all.push_back(*std::move(merged));
        }
        if (keyword == "oneOf") {
            for (std::size_t i = 0; i < all.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    if (!areDisjoint(all[i], all[j], 0)) {
                        return notUsable(all[i].place, "an alternative of oneOf that may hold together with that at " +
                                                           all[j].place + "; anyOf allows this");
                    }
                }
            }
        }
        std::string body;
        for (const JsonValue& part : all) {
            const auto rule = ruleOf(part, depth + 1);
            if (!rule) {
                return rule;
            }
            body += (body.empty() ? "" : " | ") + *rule;
        }
        return body.empty() ? notUsable(list.place, "no alternative that can hold") : Result<std::string>(body);
    }

    // Whether surely nothing that is made for one satisfies the other: by type, by value, or by a property that both
    // require and that tells them apart.
    bool areDisjoint(const JsonValue& first, const JsonValue& second, std::size_t depth) const {
        constexpr std::size_t kDeepest = 8;
        const JsonValue* a = resolved(first);
        const JsonValue* b = resolved(second);
        if (depth > kDeepest || a == nullptr || b == nullptr || !a->is(Kind::Object) || !b->is(Kind::Object)) {
            return false;
        }
        const auto valuesOfA = valuesOf(*a);
        const auto valuesOfB = valuesOf(*b);
        if (valuesOfA && valuesOfB) {
            return std::ranges::none_of(*valuesOfA, [&](const JsonValue* x) {
                return std::ranges::any_of(*valuesOfB, [&](const JsonValue* y) {
                    return sameJson(*x, *y) || (x->real() && y->real() && *x->real() == *y->real());
                });
            });
        }
        unsigned typesOfA = knownTypes(*a);
        const unsigned typesOfB = knownTypes(*b);
        typesOfA |= (typesOfA & kNumber) != 0 ? kInteger : 0U;
        const bool numbers = (typesOfA & (kNumber | kInteger)) != 0 && (typesOfB & (kNumber | kInteger)) != 0;
        if (typesOfA != 0 && typesOfB != 0 && (typesOfA & typesOfB) == 0 && !numbers) {
            return true;
        }
        const JsonValue* propertiesOfA = a->find("properties");
        const JsonValue* propertiesOfB = b->find("properties");
        if (typesOfA != kObject || typesOfB != kObject || propertiesOfA == nullptr || propertiesOfB == nullptr) {
            return false;
        }
        return std::ranges::any_of(propertiesOfA->members, [&](const auto& member) {
            const JsonValue* other = propertiesOfB->find(member.first);
            return other != nullptr && demands(*a, member.first) && demands(*b, member.first) &&
                   areDisjoint(member.second, *other, depth + 1);
        });
    }
    const JsonValue* resolved(const JsonValue& schema) const {
        const JsonValue* at = &schema;
        for (int steps = 0; at != nullptr && at->find("$ref") != nullptr; ++steps) {
            const auto target = referred(*at->find("$ref"));
            at = target && steps < 16 ? *target : nullptr;
        }
        return at;
    }
    static std::optional<std::vector<const JsonValue*>> valuesOf(const JsonValue& schema) {
        if (const JsonValue* one = schema.find("const"); one != nullptr) {
            return std::vector{one};
        }
        const JsonValue* list = schema.find("enum");
        if (list == nullptr || !list->is(Kind::Array)) {
            return std::nullopt;
        }
        std::vector<const JsonValue*> values;
        for (const JsonValue& value : list->elements) {
            values.push_back(&value);
        }
        return values;
    }
    // The types that its values can have; 0: any, or not known.
    static unsigned knownTypes(const JsonValue& schema) {
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
    static bool demands(const JsonValue& schema, std::string_view name) {
        const JsonValue* required = schema.find("required");
        return required != nullptr &&
               std::ranges::any_of(required->elements, [&](const JsonValue& each) { return each.text == name; });
    }

    // The types that a schema names, or that its keywords speak of.
    static Result<unsigned> typesOf(const JsonValue& schema) {
        const JsonValue* named = schema.find("type");
        unsigned types = 0;
        if (named == nullptr) {
            for (const auto& [name, value] : schema.members) {
                const Keyword* keyword = findKeyword(name);
                types |= keyword != nullptr && keyword->types != kAnyType ? keyword->types : 0U;
            }
            return types == 0 ? kAnyType : types;
        }
        const auto list = named->is(Kind::Array) ? named->elements : std::vector{*named};
        for (const JsonValue& each : list) {
            const auto at = std::ranges::find(kTypeNames, each.text, &TypeName::name);
            if (!each.is(Kind::String) || at == kTypeNames.end()) {
                return notUsable(each.place, "a type that is not known");
            }
            types |= at->type;
        }
        return types == 0 ? notUsable(named->place, "no type") : Result<unsigned>(types);
    }

    Result<std::string> literals(const JsonValue& schema) {
        const JsonValue* list = schema.find("enum");
        const JsonValue* only = schema.find("const");
        for (const auto& [name, value] : schema.members) {
            const Keyword* keyword = findKeyword(name);
            if (keyword->types != 0 && name != "enum" && name != "const" && name != "type") {
                return notUsable(value.place, name + " beside " + (list != nullptr ? "enum" : "const"));
            }
        }
        const auto types = schema.find("type") != nullptr ? typesOf(schema) : Result<unsigned>(kAnyType);
        if (!types) {
            return std::unexpected(types.error());
        }
        if (list != nullptr && !list->is(Kind::Array)) {
            return notUsable(list->place, "it is no list of values");
        }
        std::string body;
        const auto add = [&](const JsonValue& value) {
            const bool other = only != nullptr && !sameJson(value, *only);
            if (!other && (typeOf(value) & *types) != 0) {
                body += (body.empty() ? "" : " | ") + grammarLiteral(writeJson(value));
            }
        };
        if (list != nullptr) {
            std::ranges::for_each(list->elements, add);
        } else {
            add(*only);
        }
        return body.empty() ? notUsable((list != nullptr ? list : only)->place, "no value that the rest allows")
                            : Result<std::string>(body);
    }

    Result<std::string> byType(const JsonValue& schema, std::size_t depth) {
        const auto types = typesOf(schema);
        if (!types) {
            return std::unexpected(types.error());
        }
        if (*types == kAnyType && restOf(schema, "type").members.empty()) {
            return "value";
        }
        std::vector<Result<std::string>> parts;
        if ((*types & kObject) != 0) {
            parts.push_back(object(schema, depth));
        }
        if ((*types & kArray) != 0) {
            parts.push_back(array(schema, depth));
        }
        if ((*types & kString) != 0) {
            parts.push_back(string(schema));
        }
        if ((*types & kNumber) != 0) {
            parts.push_back(number(schema));
        } else if ((*types & kInteger) != 0) {
            parts.push_back(integer(schema));
        }
        if ((*types & kBoolean) != 0) {
            parts.emplace_back("boolean");
        }
        if ((*types & kNull) != 0) {
            parts.emplace_back("null");
        }
        std::string body;
        for (const auto& part : parts) {
            if (!part) {
                return part;
            }
            body += (body.empty() ? "" : " | ") + *part;
        }
        return body;
    }

    // A count that a keyword gives.
    Result<std::optional<std::uint64_t>> countOf(const JsonValue& schema, std::string_view keyword) const {
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
    struct Counts {
        std::uint64_t least = 0;
        std::optional<std::uint64_t> most{};
    };
    Result<Counts> countsOf(const JsonValue& schema, std::string_view least, std::string_view most) const {
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
    static std::string repeat(std::uint64_t least, std::optional<std::uint64_t> most) {
        return "{" + std::to_string(least) + "," + (most ? std::to_string(*most) : "") + "}";
    }

    Result<std::string> string(const JsonValue& schema) const {
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
        return counted ? "\"\\\"\" char" + repeat(counts->least, counts->most) + " \"\\\"\"" : std::string("string");
    }

    // The tightest bound, as a whole number: `minimum` and `exclusiveMinimum`, or their counterparts (`sign` −1).
    Result<std::optional<std::int64_t>> boundOf(const JsonValue& schema, std::string_view inclusive,
                                                std::string_view exclusive, int sign) const {
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

    Result<std::string> integer(const JsonValue& schema) const {
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

    Result<std::string> number(const JsonValue& schema) const {
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

    Result<std::string> array(const JsonValue& schema, std::size_t depth) {
        const auto counts = countsOf(schema, "minItems", "maxItems");
        if (!counts) {
            return std::unexpected(counts.error());
        }
        if (const JsonValue* unique = schema.find("uniqueItems");
            unique != nullptr && !unique->is(Kind::False) && counts->most.value_or(2) > 1) {
            return notUsable(unique->place, "that items are unique");
        }
        // Draft 7 has the first ones in a list "items", and the others in "additionalItems".
        const JsonValue* items = schema.find("items");
        const JsonValue* prefix = schema.find("prefixItems");
        if (items != nullptr && items->is(Kind::Array)) {
            prefix = items;
            items = schema.find("additionalItems");
        } else if (const JsonValue* more = schema.find("additionalItems"); more != nullptr && prefix == nullptr) {
            return notUsable(more->place, "additionalItems without a list of items");
        }
        if (prefix != nullptr && !prefix->is(Kind::Array)) {
            return notUsable(prefix->place, "it is no list of schemas");
        }
        std::vector<std::string> first;
        const std::size_t named = prefix != nullptr ? prefix->elements.size() : 0;
        const std::size_t most = std::min<std::size_t>(named, counts->most.value_or(named));
        for (std::size_t i = 0; i < most; ++i) {
            const auto rule = ruleOf(prefix->elements[i], depth + 1);
            if (!rule) {
                return rule;
            }
            first.push_back(*rule);
        }
        const bool closed = (items != nullptr && items->is(Kind::False)) || (items == nullptr && prefix != nullptr) ||
                            counts->most.value_or(named + 1) <= named;
        std::optional<std::string> rest;
        if (!closed) {
            const auto rule = items != nullptr ? ruleOf(*items, depth + 1) : Result<std::string>("value");
            if (!rule) {
                return rule;
            }
            rest = *rule;
        }
        if (!rest && counts->least > first.size()) {
            return notUsable(schema.find("minItems")->place, "more items than are described");
        }
        return "\"[\" ws " + elements(first, rest, *counts) + " \"]\"";
    }

    // From the end: what may come after the first i elements.
    static std::string elements(const std::vector<std::string>& first, const std::optional<std::string>& rest,
                                Counts counts) {
        const std::uint64_t known = first.size();
        const auto less = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
        std::string tail;
        if (rest) {
            const std::uint64_t before = std::max<std::uint64_t>(known, 1);
            std::optional<std::uint64_t> most;
            if (counts.most) {
                most = less(*counts.most, before);
            }
            tail = "(\",\" ws " + *rest + " ws)" + repeat(less(counts.least, before), most);
            if (known == 0) {
                tail = *rest + " ws " + tail;
                return counts.most == 0 ? "\"\"" : counts.least == 0 ? "(" + tail + ")?" : tail;
            }
        }
        for (std::size_t i = first.size(); i > 0; --i) {
            tail = (i > 1 ? "\",\" ws " : "") + first[i - 1] + " ws " + tail;
            if (i > counts.least) {
                tail = "(" + tail + ")?";
            }
        }
        return tail.empty() ? "\"\"" : tail;
    }

    Result<std::string> object(const JsonValue& schema, std::size_t depth) {
        const JsonValue* properties = schema.find("properties");
        const JsonValue* required = schema.find("required");
        const JsonValue* additional = schema.find("additionalProperties");
        if (properties != nullptr && !properties->is(Kind::Object)) {
            return notUsable(properties->place, "it is no object of schemas");
        }
        if (required != nullptr && !required->is(Kind::Array)) {
            return notUsable(required->place, "it is no list of names");
        }
        struct Property {
            std::string pair;
            bool required;
        };
        std::vector<Property> all;
        std::vector<std::string_view> names;
        const auto add = [&](std::string_view name, const JsonValue* value) -> Result<> {
            if (std::ranges::find(names, name) != names.end()) {
                return {};
            }
            const bool needed = demands(schema, name);
            if (value != nullptr && value->is(Kind::False) && !needed) {
                names.push_back(name); // it must not be there
                return {};
            }
            const auto rule = value != nullptr ? ruleOf(*value, depth + 1) : Result<std::string>("value");
            if (!rule) {
                return std::unexpected(rule.error());
            }
            names.push_back(name);
            all.push_back({grammarLiteral(quotedJson(name)) + " ws \":\" ws " + *rule + " ws", needed});
            return {};
        };
        for (std::size_t i = 0; properties != nullptr && i < properties->members.size(); ++i) {
            const std::string& name = properties->members[i].first;
            if (auto added = add(name, properties->find(name)); !added) {
                return std::unexpected(added.error());
            }
        }
        const JsonValue* others = additional != nullptr && !additional->is(Kind::False) ? additional : nullptr;
        for (std::size_t i = 0; required != nullptr && i < required->elements.size(); ++i) {
            const JsonValue& name = required->elements[i];
            const bool described = std::ranges::find(names, name.text) != names.end();
            if (!described && additional != nullptr && others == nullptr) {
                return notUsable(name.place, "a required property that additionalProperties forbids");
            }
            if (auto added = add(name.text, others); !added) {
                return std::unexpected(added.error());
            }
        }
        // Where nothing is said of an object's properties, it may have any.
        const bool open = others != nullptr || (properties == nullptr && required == nullptr && additional == nullptr);
        if (auto fits = checkCounts(schema, all.size(), open); !fits) {
            return std::unexpected(fits.error());
        }
        std::string more; // any number of other members
        std::string moreAfter;
        if (open) {
            const auto rule = others != nullptr ? ruleOf(*others, depth + 1) : Result<std::string>("value");
            if (!rule) {
                return rule;
            }
            const bool tooLong = std::ranges::any_of(names, [](std::string_view name) { return name.size() > 500; });
            if (tooLong) {
                return notUsable(schema.place, "names of over 500 bytes beside additionalProperties");
            }
            const std::string name = newName();
            const auto key = addRule(name, "\"\\\"\" " + otherKeys(names) + " \"\\\"\" ws \":\" ws " + *rule + " ws");
            if (!key) {
                return key;
            }
            more = "(" + name + " (\",\" ws " + name + ")*)?";
            moreAfter = "(\",\" ws " + name + ")*";
        }
        // Rules for what may follow from each property on, where nothing and where something was written before.
        std::string nothingBefore = more;
        std::string somethingBefore = moreAfter;
        for (std::size_t i = all.size(); i > 0; --i) {
            const Property& property = all[i - 1];
            const std::string after = newName();
            if (auto made = addRule(after, somethingBefore.empty() ? "\"\"" : somethingBefore); !made) {
                return made;
            }
            const std::string first = newName();
            if (auto made = addRule(first, nothingBefore.empty() ? "\"\"" : nothingBefore); !made) {
                return made;
            }
            nothingBefore = property.pair + " " + after + (property.required ? "" : " | " + first);
            somethingBefore = "\",\" ws " + property.pair + " " + after + (property.required ? "" : " | " + after);
        }
        return "\"{\" ws " + (nothingBefore.empty() ? std::string("\"\"") : "(" + nothingBefore + ")") + " \"}\"";
    }

    // Numbers of properties that hold by themselves.
    Result<> checkCounts(const JsonValue& schema, std::size_t named, bool open) const {
        const auto counts = countsOf(schema, "minProperties", "maxProperties");
        if (!counts) {
            return std::unexpected(counts.error());
        }
        const JsonValue* required = schema.find("required");
        const std::size_t needed = required != nullptr ? required->elements.size() : 0;
        if (counts->least > needed) {
            return notUsable(schema.find("minProperties")->place, "more properties than are required");
        }
        if (counts->most && (open || *counts->most < named)) {
            return notUsable(schema.find("maxProperties")->place, "fewer properties than there may be");
        }
        return {};
    }

    JsonValue m_root;
    std::map<std::string, std::string> m_known; // by place
    std::string m_rules;
    std::size_t m_count = 0;
};

} // namespace

Result<std::string> grammarOfJsonSchema(std::string_view schema) {
    auto root = readJson(schema);
    if (!root) {
        return std::unexpected(std::move(root.error()));
    }
    return SchemaCompiler(*std::move(root)).compile();
}

} // namespace gufo::inference
