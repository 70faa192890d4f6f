// Schemas without references, allOf, not, if and dependencies.
#include "base/ascii.h"
#include "base/detail.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <array>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

JsonValue listOf(std::vector<JsonValue> elements, const std::string& place) {
    JsonValue list{.kind = Kind::Array, .place = place};
    list.elements = std::move(elements);
    return list;
}

JsonValue schemaWith(std::string keyword, JsonValue value, std::string place) {
    JsonValue schema{.kind = Kind::Object, .place = std::move(place)};
    schema.members.emplace_back(std::move(keyword), std::move(value));
    return schema;
}

Result<> checkList(const JsonValue& value) {
    return value.is(Kind::Array) && !value.elements.empty() ? Result<>()
                                                            : notUsable(value.place, Detail::SchemaListExpected);
}

bool isNames(const JsonValue& value) {
    return value.is(Kind::Array) &&
           std::ranges::all_of(value.elements, [](const JsonValue& each) { return each.is(Kind::String); });
}

// Adds what a copy of a value takes to `sum`, which stops at `most`.
void addWeight(const JsonValue& value, std::size_t most, std::size_t& sum) { // NOLINT(misc-no-recursion)
    constexpr std::size_t kBytes = 16;
    sum += 1 + value.place.size() / kBytes;
    for (std::size_t i = 0; i < value.members.size() && sum < most; ++i) {
        addWeight(value.members[i].second, most, sum);
    }
    for (std::size_t i = 0; i < value.elements.size() && sum < most; ++i) {
        addWeight(value.elements[i], most, sum);
    }
}

} // namespace

Result<> SchemaCompiler::spendCopies(const JsonValue& value, std::size_t times) {
    std::size_t weight = 0;
    addWeight(value, kMaxCopies, weight);
    m_copies += weight * times;
    return m_copies > kMaxCopies ? fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, m_copies, kMaxCopies})
                                 : Result<>();
}

Result<> SchemaCompiler::spend(const std::string& place, std::size_t depth) {
    if (depth > kMaxDepth) {
        return notUsable(place, Detail::SchemaCyclicMerge);
    }
    if (++m_work > kMaxWork) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, m_work, kMaxWork});
    }
    return {};
}

Result<JsonValue> SchemaCompiler::flat(const JsonValue& schema, std::size_t depth) { // NOLINT(misc-no-recursion)
    GUFO_TRY(spend(schema.place, depth));
    GUFO_TRY(spendCopies(schema, 1));
    if (schema.find(kFlat) != nullptr) {
        return schema;
    }
    JsonValue own{.kind = Kind::Object, .place = schema.place};
    own.members.emplace_back(kFlat, JsonValue{.kind = Kind::True});
    if (schema.is(Kind::True)) {
        return own;
    }
    if (schema.is(Kind::False)) {
        return notUsable(schema.place, Detail::SchemaFalse);
    }
    if (!schema.is(Kind::Object)) {
        return notUsable(schema.place, Detail::SchemaNoSchema);
    }
    Schemas parts;
    GUFO_TRY(flatten(schema, own, parts, depth));
    Schemas merged{std::move(own)};
    for (const JsonValue& part : parts) {
        auto more = GUFO_TRY(flat(part, depth + 1));
        merged.push_back(std::move(more));
    }
    // Neighbours are merged, then the results, so that many parts do not take long.
    for (std::size_t step = 1; step < merged.size(); step *= 2) {
        for (std::size_t i = 0; i + step < merged.size(); i += 2 * step) {
            GUFO_TRY(merge(merged[i], std::move(merged[i + step])));
        }
    }
    merged.front().place = schema.place; // which stands for all its parts
    return std::move(merged.front());
}

Result<> SchemaCompiler::flatten(const JsonValue& schema, JsonValue& own, Schemas& parts, std::size_t depth) {
    for (const auto& [name, each] : schema.members) {
        const Keyword* keyword = findKeyword(name);
        if (keyword != nullptr && !keyword->supported) {
            return notUsable(each.place, {Detail::SchemaKeyword, {name}});
        }
        if (keyword == nullptr || keyword->types == 0 || schema.find(name) != &each) {
            continue; // of several members with the same name, the last counts
        }
        const JsonValue& value = each;
        if (name == "$ref") {
            const auto target = GUFO_TRY(referred(value));
            parts.push_back(*target);
        } else if (name == "allOf") {
            GUFO_TRY(checkList(value));
            parts.insert(parts.end(), value.elements.begin(), value.elements.end());
        } else if (name == "anyOf" || name == "oneOf") {
            GUFO_TRY(checkList(value));
            own.members.emplace_back(name, value);
        } else if (name == "const") {
            parts.push_back(schemaWith("enum", listOf({value}, value.place), derivedPlace(value.place, "const")));
        } else if (name == "enum") {
            if (!value.is(Kind::Array)) {
                return notUsable(value.place, Detail::SchemaValueListExpected);
            }
            own.members.emplace_back(name, value);
        } else if (name == "type") {
            const auto types = GUFO_TRY(namedTypes(schema));
            own.members.emplace_back(name, typeList(types, value.place));
        }
    }
    GUFO_TRY(checkScalars(schema));
    static constexpr std::array<std::string_view, 21> kCopied{
        "minLength", "maxLength",        "pattern",          "format",        kNotPattern,     "minimum",
        "maximum",   "exclusiveMinimum", "exclusiveMaximum", "multipleOf",    kNotMultiple,    kNotValues,
        "minItems",  "maxItems",         "uniqueItems",      "minProperties", "maxProperties", "propertyNames",
        "required",  kKeySets,           kElementSets};
    for (const std::string_view name : kCopied) {
        if (const JsonValue* value = schema.find(name); value != nullptr) {
            own.members.emplace_back(name, value->is(Kind::Array) ? *value : listOf({*value}, value->place));
            const Keyword* keyword = findKeyword(name);
            const bool isCount = name.starts_with("min") || name.starts_with("max") || name == "uniqueItems";
            if (isCount && keyword->types != kNumber) {
                own.members.back().second = *value;
            }
        }
    }
    GUFO_TRY(flattenProperties(schema, own));
    GUFO_TRY(flattenElements(schema, own));
    GUFO_TRY(addConditions(schema, parts, depth));
    return addDependencies(schema, parts);
}

Result<> SchemaCompiler::checkScalars(const JsonValue& schema) {
    for (const auto& [minimum, maximum] : {std::pair("minLength", "maxLength"), std::pair("minItems", "maxItems"),
                                           std::pair("minProperties", "maxProperties")}) {
        // Counts that contradict each other exclude values of one type only, which is found where that type is
        // compiled.
        if (const auto counts = countsOf(schema, minimum, maximum); !counts && !saysNothingFits(counts.error())) {
            return std::unexpected(counts.error());
        }
    }
    struct Expected {
        std::string_view name;
        Kind kind;
        Detail otherwise;
    };
    static constexpr std::array kExpected{Expected{"pattern", Kind::String, Detail::SchemaNotAPattern},
                                          Expected{"format", Kind::String, Detail::SchemaNotAFormat},
                                          Expected{"minimum", Kind::Number, Detail::SchemaNotANumber},
                                          Expected{"maximum", Kind::Number, Detail::SchemaNotANumber},
                                          Expected{"exclusiveMinimum", Kind::Number, Detail::SchemaExclusive},
                                          Expected{"exclusiveMaximum", Kind::Number, Detail::SchemaExclusive},
                                          Expected{"multipleOf", Kind::Number, Detail::SchemaNotANumber}};
    for (const Expected& each : kExpected) {
        if (const JsonValue* value = schema.find(each.name); value != nullptr && !value->is(each.kind)) {
            return notUsable(value->place, each.otherwise);
        }
    }
    if (const JsonValue* unique = schema.find("uniqueItems"); unique != nullptr && !unique->isBool()) {
        return notUsable(unique->place, Detail::SchemaNotABool);
    }
    if (const JsonValue* required = schema.find("required"); required != nullptr && !isNames(*required)) {
        return notUsable(required->place, Detail::SchemaNamesExpected);
    }
    return {};
}

Result<> SchemaCompiler::flattenProperties(const JsonValue& schema, JsonValue& own) {
    JsonValue set{.kind = Kind::Object, .place = schema.place};
    for (const char* name : {"properties", "patternProperties", "additionalProperties"}) {
        const JsonValue* value = schema.find(name);
        if (value == nullptr) {
            continue;
        }
        if (name != std::string_view("additionalProperties") && !value->is(Kind::Object)) {
            return notUsable(value->place, Detail::SchemaObjectExpected);
        }
        set.members.emplace_back(name, *value);
    }
    if (!set.members.empty()) {
        own.members.emplace_back(kKeySets, listOf({std::move(set)}, schema.place));
    }
    return {};
}

Result<> SchemaCompiler::flattenElements(const JsonValue& schema, JsonValue& own) {
    // Draft 7 puts the first elements into a list "items" and the others into "additionalItems", which has no effect
    // otherwise.
    const JsonValue* items = schema.find("items");
    const JsonValue* prefix = schema.find("prefixItems");
    if (items != nullptr && items->is(Kind::Array)) {
        prefix = items;
        items = schema.find("additionalItems");
    }
    if (prefix != nullptr && !prefix->is(Kind::Array)) {
        return notUsable(prefix->place, Detail::SchemaListExpected);
    }
    JsonValue set{.kind = Kind::Object, .place = schema.place};
    if (prefix != nullptr) {
        set.members.emplace_back("prefixItems", *prefix);
    }
    if (items != nullptr) {
        set.members.emplace_back("items", *items);
    }
    if (!set.members.empty()) {
        own.members.emplace_back(kElementSets, listOf({std::move(set)}, schema.place));
    }
    if (const JsonValue* contains = schema.find("contains"); contains != nullptr) {
        if (contains->is(Kind::Array)) { // of a schema that was made flat
            own.members.emplace_back("contains", *contains);
            return {};
        }
        GUFO_TRY(countsOf(schema, "minContains", "maxContains"));
        JsonValue condition{.kind = Kind::Object, .place = schema.place};
        for (const char* name : {"contains", "minContains", "maxContains"}) {
            if (const JsonValue* value = schema.find(name); value != nullptr) {
                condition.members.emplace_back(name, *value);
            }
        }
        own.members.emplace_back("contains", listOf({std::move(condition)}, contains->place));
    }
    return {};
}

Result<> SchemaCompiler::addConditions(const JsonValue& schema, Schemas& parts, std::size_t depth) {
    if (const JsonValue* excluded = schema.find("not"); excluded != nullptr) {
        auto others = GUFO_TRY(negated(*excluded, depth + 1));
        if (others.empty()) {
            return notUsable(excluded->place, Detail::SchemaNothingFits);
        }
        if (others.size() == 1) {
            parts.push_back(std::move(others.front()));
        } else {
            const std::string place = derivedPlace(excluded->place, "not");
            parts.push_back(schemaWith("anyOf", listOf(std::move(others), place), place));
        }
    }
    const JsonValue* condition = schema.find("if");
    const JsonValue* then = schema.find("then");
    const JsonValue* otherwise = schema.find("else");
    if (condition == nullptr || (then == nullptr && otherwise == nullptr)) {
        return {};
    }
    const auto both = [&](const JsonValue& first, const JsonValue* second) {
        return second == nullptr
                   ? first
                   : schemaWith("allOf", listOf({first, *second}, first.place), joinPlaces(first.place, second->place));
    };
    Schemas branches{both(*condition, then)};
    auto others = GUFO_TRY(negated(*condition, depth + 1));
    for (const JsonValue& other : others) {
        branches.push_back(both(other, otherwise));
    }
    const std::string place = derivedPlace(schema.place, "if");
    parts.push_back(schemaWith("anyOf", listOf(std::move(branches), place), place));
    return {};
}

Result<> SchemaCompiler::addDependencies(const JsonValue& schema, Schemas& parts) {
    for (const char* keyword : {"dependentRequired", "dependentSchemas", "dependencies"}) {
        const JsonValue* all = schema.find(keyword);
        if (all == nullptr) {
            continue;
        }
        if (!all->is(Kind::Object)) {
            return notUsable(all->place, Detail::SchemaObjectExpected);
        }
        for (const auto& [name, demanded] : all->members) {
            const std::string place = derivedPlace(demanded.place, "depends");
            const JsonValue absent{.kind = Kind::False, .place = derivedPlace(place, "absent")};
            JsonValue without =
                schemaWith("properties", schemaWith(name, absent, place), derivedPlace(place, "without"));
            std::vector<JsonValue> names{{.kind = Kind::String, .place = demanded.place, .text = name}};
            if (demanded.is(Kind::Array)) {
                if (!isNames(demanded)) {
                    return notUsable(demanded.place, Detail::SchemaNamesExpected);
                }
                names.insert(names.end(), demanded.elements.begin(), demanded.elements.end());
            }
            JsonValue with =
                schemaWith("required", listOf(std::move(names), demanded.place), derivedPlace(place, "with"));
            if (!demanded.is(Kind::Array)) {
                with = schemaWith("allOf", listOf({with, demanded}, place), joinPlaces(with.place, demanded.place));
            }
            parts.push_back(schemaWith("anyOf", listOf({std::move(with), std::move(without)}, place), place));
        }
    }
    return {};
}

Result<> SchemaCompiler::merge(JsonValue& into, JsonValue from) {
    for (const char* const keyword : {"anyOf", "oneOf"}) {
        const JsonValue* list = into.find(keyword);
        const JsonValue* other = from.find(keyword);
        if (list != nullptr && other != nullptr) {
            GUFO_TRY(spendCopies(*other, list->elements.size()));
        }
    }
    return mergeSchema(into, std::move(from));
}

Result<JsonValue> SchemaCompiler::mergedAll(const std::vector<const JsonValue*>& schemas, std::size_t depth) {
    JsonValue all{.kind = Kind::Object};
    for (std::size_t i = 0; i < schemas.size(); ++i) {
        auto part = GUFO_TRY(flat(*schemas[i], depth + 1));
        if (i == 0) {
            all = std::move(part);
        } else {
            GUFO_TRY(merge(all, std::move(part)));
        }
    }
    return all;
}

Result<const JsonValue*> SchemaCompiler::referred(const JsonValue& ref) const {
    if (!ref.is(Kind::String)) {
        return notUsable(ref.place, Detail::SchemaNothingThere);
    }
    const std::size_t hash = std::min(ref.text.find('#'), ref.text.size());
    const JsonValue* at = &m_root;
    if (hash > 0) {
        at = named("$id", std::string_view(ref.text).substr(0, hash));
        if (at == nullptr) {
            return notUsable(ref.place, Detail::SchemaOtherDocument);
        }
    }
    std::string_view rest = std::string_view(ref.text).substr(std::min(hash + 1, ref.text.size()));
    if (!rest.empty() && rest[0] != '/') {
        at = named("$anchor", rest);
        at = at != nullptr ? at : named("$id", std::string_view(ref.text).substr(hash)); // as in draft 7
        rest = {};
    }
    while (at != nullptr && !rest.empty()) {
        rest.remove_prefix(1);
        const std::string name = pointerStep(rest.substr(0, rest.find('/')));
        rest.remove_prefix(std::min(rest.size(), rest.find('/')));
        if (at->is(Kind::Array)) {
            const bool isNumber = !name.empty() && name.size() < 9 && std::ranges::all_of(name, isAsciiDigit);
            const std::size_t index = isNumber ? std::stoul(name) : at->elements.size();
            at = index < at->elements.size() ? &at->elements[index] : nullptr;
        } else {
            at = at->find(name);
        }
    }
    if (at == nullptr) {
        return notUsable(ref.place, {Detail::SchemaNothingThere, {ref.text}});
    }
    return at;
}

const JsonValue* SchemaCompiler::named(std::string_view keyword, std::string_view name) const {
    std::vector<const JsonValue*> work{&m_root};
    while (!work.empty()) {
        const JsonValue* at = work.back();
        work.pop_back();
        if (const JsonValue* own = at->find(keyword); own != nullptr && own->is(Kind::String) && own->text == name) {
            return at;
        }
        for (const auto& [member, value] : at->members) {
            const bool isData = member == "enum" || member == "const" || member == "default" || member == "examples";
            if (!isData) {
                work.push_back(&value);
            }
        }
        for (const JsonValue& element : at->elements) {
            work.push_back(&element);
        }
    }
    return nullptr;
}

std::string SchemaCompiler::pointerStep(std::string_view escaped) {
    std::string out;
    for (std::size_t i = 0; i < escaped.size(); ++i) {
        const char c = escaped[i];
        const bool hasDigits = c == '%' && i + 2 < escaped.size();
        const int high = hasDigits ? hexDigitValue(escaped[i + 1]) : -1;
        const int low = hasDigits ? hexDigitValue(escaped[i + 2]) : -1;
        if (high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '~' && i + 1 < escaped.size()) {
            out += escaped[++i] == '1' ? '/' : '~';
        } else {
            out += c;
        }
    }
    return out;
}

const JsonValue* SchemaCompiler::resolved(const JsonValue& schema) const {
    const JsonValue* at = &schema;
    for (int steps = 0; at != nullptr && at->find("$ref") != nullptr; ++steps) {
        const auto target = referred(*at->find("$ref"));
        at = target && steps < 16 ? *target : nullptr;
    }
    return at;
}

} // namespace gufo::inference
