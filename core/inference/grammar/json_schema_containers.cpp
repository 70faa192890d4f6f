// Rules for arrays and objects.
#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>

namespace gufo::inference {
Result<std::string> SchemaCompiler::array(const JsonValue& schema, std::size_t depth) {
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

std::string SchemaCompiler::elements(const std::vector<std::string>& first, const std::optional<std::string>& rest,
                                     Counts counts) {
    const std::uint64_t known = first.size();
    const auto less = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
    std::string tail; // matches what may follow the first i elements: the text is built from the end
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

Result<std::string> SchemaCompiler::object(const JsonValue& schema, std::size_t depth) {
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

Result<> SchemaCompiler::checkCounts(const JsonValue& schema, std::size_t named, bool open) const {
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

} // namespace gufo::inference
