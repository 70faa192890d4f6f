// Schemas that must hold together, and alternatives.
#include "base/detail.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"
#include "inference/grammar/json_schema_merge.h"

#include <algorithm>

namespace gufo::inference {
Result<std::vector<const JsonValue*>> SchemaCompiler::partsOf(const JsonValue& list) const {
    if (!list.is(Kind::Array) || list.elements.empty()) {
        return notUsable(list.place, Detail::SchemaListExpected);
    }
    std::vector<const JsonValue*> parts;
    for (const JsonValue& part : list.elements) {
        parts.push_back(&part);
    }
    return parts;
}

Result<std::string> SchemaCompiler::mergedRule(const JsonValue& schema, std::string_view keyword,
                                               const std::vector<const JsonValue*>& parts, std::size_t depth) {
    const auto merged = merge(restOf(schema, keyword), parts, schema.place, depth);
    return merged ? bodyOf(*merged, depth + 1) : std::unexpected(merged.error());
}

Result<JsonValue> SchemaCompiler::merge(JsonValue into, const std::vector<const JsonValue*>& parts,
                                        const std::string& place,
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
            auto resolved =
                target ? merge(restOf(*part, "$ref"), {*target}, place, depth + 1) : std::unexpected(target.error());
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

Result<std::string> SchemaCompiler::alternatives(const JsonValue& schema, const JsonValue& list,
                                                 const std::string& keyword, std::size_t depth) {
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

bool SchemaCompiler::areDisjoint(const JsonValue& first, const JsonValue& second, std::size_t depth) const {
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

} // namespace gufo::inference
