#include "inference/grammar/json_schema.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "inference/grammar/grammar.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_keywords.h"
#include "inference/grammar/json_schema_merge.h"
#include "inference/grammar/json_schema_scalars.h"

#include <algorithm>
#include <map>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

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
        // A schema that endlessly refers to itself shows up as left recursion.
        if (const auto grammar = Grammar::parse(text); !grammar) {
            const Error& error = grammar.error();
            return error.code == ErrorCode::BadSyntax ? notUsable("#", {Detail::SchemaCyclicRef, {error.args[0]}})
                                                      : std::unexpected(error);
        }
        return text;
    }

private:
    static constexpr std::size_t kMaxDepth = 200;
    static constexpr std::size_t kMaxText = 4U << 20U;

    Result<std::string> addRule(const std::string& name, const std::string& body) {
        m_rules += name + " ::= " + body + "\n";
        if (m_rules.size() > kMaxText) {
            return fail(ErrorCode::LimitExceeded, {},
                        {Detail::GrammarBytes, std::to_string(m_rules.size()), std::to_string(kMaxText)});
        }
        return name;
    }
    std::string newName() { return "s" + std::to_string(m_count++); }

    // Returns the rule of a schema, made once for each place.
    Result<std::string> ruleOf(const JsonValue& schema, std::size_t depth) { // NOLINT(misc-no-recursion)
        if (const auto known = m_known.find(schema.place); known != m_known.end()) {
            return known->second;
        }
        if (depth > kMaxDepth) {
            return notUsable(schema.place, Detail::SchemaTooDeep);
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
            return notUsable(schema.place, Detail::SchemaFalse);
        }
        if (!schema.is(Kind::Object)) {
            return notUsable(schema.place, Detail::SchemaNoSchema);
        }
        for (const auto& [name, value] : schema.members) {
            if (findKeyword(name) == nullptr) {
                return notUsable(value.place, {Detail::SchemaKeyword, {name}});
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

    Result<const JsonValue*> referred(const JsonValue& ref) const {
        if (!ref.is(Kind::String) || !ref.text.starts_with('#')) {
            return notUsable(ref.place, Detail::SchemaOtherDocument);
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

    static std::string pointerStep(std::string_view escaped) {
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

    Result<std::vector<const JsonValue*>> partsOf(const JsonValue& list) const {
        if (!list.is(Kind::Array) || list.elements.empty()) {
            return notUsable(list.place, Detail::SchemaListExpected);
        }
        std::vector<const JsonValue*> parts;
        for (const JsonValue& part : list.elements) {
            parts.push_back(&part);
        }
        return parts;
    }

    // Merges the schema with `parts`, all of which must hold, and returns the rule.
    Result<std::string> mergedRule(const JsonValue& schema, std::string_view keyword,
                                   const std::vector<const JsonValue*>& parts, std::size_t depth) {
        const auto merged = merge(restOf(schema, keyword), parts, schema.place, depth);
        return merged ? bodyOf(*merged, depth + 1) : std::unexpected(merged.error());
    }

    Result<JsonValue> merge(JsonValue into, const std::vector<const JsonValue*>& parts, const std::string& place,
                            std::size_t depth) { // NOLINT(misc-no-recursion)
        if (depth > kMaxDepth) {
            return notUsable(place, Detail::SchemaCyclicMerge);
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
                return notUsable(part->place, Detail::SchemaUnmergeable);
            }
            if (auto done = mergeSchema(into, restOf(flat, "")); !done) {
                return std::unexpected(done.error());
            }
        }
        into.place = place;
        return into;
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
                                               : merge(rest, {part}, part->place + " + " + schema.place, depth + 1);
            if (!merged) {
                return std::unexpected(merged.error());
            }
            all.push_back(*std::move(merged));
        }
        if (keyword == "oneOf") {
            for (std::size_t i = 0; i < all.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    if (!areDisjoint(all[i], all[j], 0)) {
                        return notUsable(all[i].place, {Detail::SchemaOneOfOverlaps, {all[j].place}});
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
        return body.empty() ? notUsable(list.place, Detail::SchemaNoAlternative) : Result<std::string>(body);
    }

    // Whether no value generated for one schema satisfies the other, because of the type, the value, or a property that
    // both require.
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
    Result<std::string> literals(const JsonValue& schema) {
        const JsonValue* list = schema.find("enum");
        const JsonValue* only = schema.find("const");
        for (const auto& [name, value] : schema.members) {
            const Keyword* keyword = findKeyword(name);
            if (keyword->types != 0 && name != "enum" && name != "const" && name != "type") {
                return notUsable(value.place, {Detail::SchemaKeywordBeside,
                                               {name, std::string_view(list != nullptr ? "enum" : "const")}});
            }
        }
        const auto types = schema.find("type") != nullptr ? typesOf(schema) : Result<unsigned>(kAnyType);
        if (!types) {
            return std::unexpected(types.error());
        }
        if (list != nullptr && !list->is(Kind::Array)) {
            return notUsable(list->place, Detail::SchemaValueListExpected);
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
        return body.empty() ? notUsable((list != nullptr ? list : only)->place, Detail::SchemaNoValue)
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
            parts.push_back(stringRule(schema));
        }
        if ((*types & kNumber) != 0) {
            parts.push_back(numberRule(schema));
        } else if ((*types & kInteger) != 0) {
            parts.push_back(integerRule(schema));
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

    Result<std::string> array(const JsonValue& schema, std::size_t depth) {
        const auto counts = countsOf(schema, "minItems", "maxItems");
        if (!counts) {
            return std::unexpected(counts.error());
        }
        if (const JsonValue* unique = schema.find("uniqueItems");
            unique != nullptr && !unique->is(Kind::False) && counts->maximum.value_or(2) > 1) {
            return notUsable(unique->place, Detail::SchemaUniqueItems);
        }
        // Draft 7 puts the first elements into a list "items" and the others into "additionalItems".
        const JsonValue* items = schema.find("items");
        const JsonValue* prefix = schema.find("prefixItems");
        if (items != nullptr && items->is(Kind::Array)) {
            prefix = items;
            items = schema.find("additionalItems");
        } else if (const JsonValue* more = schema.find("additionalItems"); more != nullptr && prefix == nullptr) {
            return notUsable(more->place, Detail::SchemaAdditionalItems);
        }
        if (prefix != nullptr && !prefix->is(Kind::Array)) {
            return notUsable(prefix->place, Detail::SchemaListExpected);
        }
        std::vector<std::string> first;
        const std::size_t named = prefix != nullptr ? prefix->elements.size() : 0;
        const std::size_t maximum = std::min<std::size_t>(named, counts->maximum.value_or(named));
        for (std::size_t i = 0; i < maximum; ++i) {
            const auto rule = ruleOf(prefix->elements[i], depth + 1);
            if (!rule) {
                return rule;
            }
            first.push_back(*rule);
        }
        const bool closed = (items != nullptr && items->is(Kind::False)) || (items == nullptr && prefix != nullptr) ||
                            counts->maximum.value_or(named + 1) <= named;
        std::optional<std::string> rest;
        if (!closed) {
            const auto rule = items != nullptr ? ruleOf(*items, depth + 1) : Result<std::string>("value");
            if (!rule) {
                return rule;
            }
            rest = *rule;
        }
        if (!rest && counts->minimum > first.size()) {
            return notUsable(schema.find("minItems")->place, Detail::SchemaMinItems);
        }
        return "\"[\" ws " + elements(first, rest, *counts) + " \"]\"";
    }

    // Built from the end: `tail` is what may follow the first i elements.
    static std::string elements(const std::vector<std::string>& first, const std::optional<std::string>& rest,
                                Counts counts) {
        const std::uint64_t known = first.size();
        const auto less = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
        std::string tail;
        if (rest) {
            const std::uint64_t before = std::max<std::uint64_t>(known, 1);
            std::optional<std::uint64_t> maximum;
            if (counts.maximum) {
                maximum = less(*counts.maximum, before);
            }
            tail = "(\",\" ws " + *rest + " ws)" + repetition(less(counts.minimum, before), maximum);
            if (known == 0) {
                tail = *rest + " ws " + tail;
                return counts.maximum == 0 ? "\"\"" : counts.minimum == 0 ? "(" + tail + ")?" : tail;
            }
        }
        for (std::size_t i = first.size(); i > 0; --i) {
            tail = (i > 1 ? "\",\" ws " : "") + first[i - 1] + " ws " + tail;
            if (i > counts.minimum) {
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
            return notUsable(properties->place, Detail::SchemaObjectExpected);
        }
        if (required != nullptr && !required->is(Kind::Array)) {
            return notUsable(required->place, Detail::SchemaNamesExpected);
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
                names.push_back(name); // it must be absent
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
                return notUsable(name.place, Detail::SchemaForbiddenRequired);
            }
            if (auto added = add(name.text, others); !added) {
                return std::unexpected(added.error());
            }
        }
        // An object schema that says nothing about properties permits any.
        const bool open = others != nullptr || (properties == nullptr && required == nullptr && additional == nullptr);
        if (auto fits = checkCounts(schema, all.size(), open); !fits) {
            return std::unexpected(fits.error());
        }
        std::string more; // any number of undeclared members
        std::string moreAfter;
        if (open) {
            const auto rule = others != nullptr ? ruleOf(*others, depth + 1) : Result<std::string>("value");
            if (!rule) {
                return rule;
            }
            const bool tooLong = std::ranges::any_of(names, [](std::string_view name) { return name.size() > 500; });
            if (tooLong) {
                return notUsable(schema.place, Detail::SchemaLongNames);
            }
            const std::string name = newName();
            const auto key = addRule(name, "\"\\\"\" " + otherKeys(names) + " \"\\\"\" ws \":\" ws " + *rule + " ws");
            if (!key) {
                return key;
            }
            more = "(" + name + " (\",\" ws " + name + ")*)?";
            moreAfter = "(\",\" ws " + name + ")*";
        }
        // For each property, what may follow from there on: one rule for the case that nothing was written before it,
        // one for the case that something was.
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

    // Accepts bounds on the number of properties only where the other keywords already guarantee them.
    Result<> checkCounts(const JsonValue& schema, std::size_t named, bool open) const {
        const auto counts = countsOf(schema, "minProperties", "maxProperties");
        if (!counts) {
            return std::unexpected(counts.error());
        }
        const JsonValue* required = schema.find("required");
        const std::size_t needed = required != nullptr ? required->elements.size() : 0;
        if (counts->minimum > needed) {
            return notUsable(schema.find("minProperties")->place, Detail::SchemaMinProperties);
        }
        if (counts->maximum && (open || *counts->maximum < named)) {
            return notUsable(schema.find("maxProperties")->place, Detail::SchemaMaxProperties);
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

Result<std::shared_ptr<const Grammar>> parseJsonSchema(std::string_view schema) {
    const auto text = grammarOfJsonSchema(schema);
    const auto parsed = text ? Grammar::parse(*text) : std::unexpected(text.error());
    if (!parsed) {
        return parsed;
    }
    auto grammar = std::make_shared<Grammar>(**parsed);
    grammar->jsonSchema = schema;
    return grammar;
}

} // namespace gufo::inference
