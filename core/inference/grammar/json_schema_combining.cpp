// Alternatives.
#include "base/detail.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

} // namespace

Result<SchemaCompiler::Schemas> SchemaCompiler::alternativesOf(const JsonValue& flatSchema, const std::string& keyword,
                                                               std::size_t depth) {
    const JsonValue& list = *flatSchema.find(keyword);
    JsonValue rest = flatSchema;
    std::erase_if(rest.members, [&](const auto& member) { return member.first == keyword; });
    rest.place = derivedPlace(flatSchema.place, "without " + keyword);
    Schemas all;
    for (std::size_t i = 0; i < list.elements.size(); ++i) {
        std::vector<const JsonValue*> together{&rest, &list.elements[i]};
        // Where another alternative of oneOf may hold too, it is excluded.
        Schemas exclusions;
        for (std::size_t j = 0; keyword == "oneOf" && j < list.elements.size(); ++j) {
            if (i == j || areDisjoint(list.elements[i], list.elements[j], 0)) {
                continue;
            }
            auto others = exclusions.size() < kMaxExclusions
                              ? negated(list.elements[j], depth + 1)
                              : notUsable(list.place, {Detail::SchemaNegation, {std::string("oneOf")}});
            if (!others && saysNotSupported(others.error())) {
                return notUsable(list.place, {Detail::SchemaOneOfOverlaps, {list.elements[j].place}});
            }
            const std::string place = derivedPlace(list.elements[j].place, "negated");
            JsonValue any{.kind = Kind::Array, .place = place};
            any.elements = GUFO_TRY(std::move(others));
            JsonValue exclusion{.kind = any.elements.empty() ? Kind::False : Kind::Object, .place = place};
            if (!any.elements.empty()) {
                exclusion.members.emplace_back("anyOf", std::move(any));
            }
            exclusions.push_back(std::move(exclusion));
        }
        for (const JsonValue& exclusion : exclusions) {
            together.push_back(&exclusion);
        }
        auto merged = mergedAll(together, depth + 1);
        if (merged) {
            all.push_back(*std::move(merged));
        } else if (saysNothingFits(merged.error())) {
            m_nothingFits = m_nothingFits.value_or(merged.error());
        } else {
            return std::unexpected(merged.error());
        }
        if (all.size() > kMaxAlternatives) {
            return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, all.size(), kMaxAlternatives});
        }
    }
    if (all.empty()) {
        return notUsable(list.place, Detail::SchemaNoAlternative);
    }
    return all;
}

Result<std::string> SchemaCompiler::alternatives(const JsonValue& flatSchema, const std::string& keyword,
                                                 std::size_t depth) {
    const JsonValue& list = *flatSchema.find(keyword);
    // An alternative without further restrictions keeps its rule, which other places may share.
    const bool alone = std::ranges::all_of(
        flatSchema.members, [&](const auto& member) { return member.first == keyword || member.first == kFlat; });
    if (keyword == "oneOf" && list.elements.size() > kMaxAlternatives) { // each is compared with all others
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, list.elements.size(), kMaxAlternatives});
    }
    const bool disjoint = [&] {
        for (std::size_t i = 0; (keyword == "oneOf" || m_unique != nullptr) && i < list.elements.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!areDisjoint(list.elements[i], list.elements[j], 0)) {
                    return false;
                }
            }
        }
        return true;
    }();
    if (m_unique != nullptr && !disjoint) {
        // Two alternatives might write the same value in different ways.
        const auto containers = std::ranges::count_if(list.elements, [&](const JsonValue& each) {
            const JsonValue* target = resolved(each);
            const unsigned types = target != nullptr ? knownTypes(*target) : 0;
            return types == 0 || (types & (kObject | kArray)) != 0;
        });
        if (containers > 1) {
            return notUsable(m_unique->place, Detail::SchemaUniqueItems);
        }
    }
    Schemas merged;
    if (alone && (keyword == "anyOf" || disjoint)) {
        merged.assign(list.elements.begin(), list.elements.end());
    } else {
        merged = GUFO_TRY(alternativesOf(flatSchema, keyword, depth));
    }
    std::string body;
    for (const JsonValue& part : merged) {
        const auto rule = GUFO_TRY(ruleOf(part, depth + 1));
        body += (body.empty() ? "" : " | ") + rule;
    }
    return body;
}

bool SchemaCompiler::areDisjoint(const JsonValue& first, const JsonValue& second, // NOLINT(misc-no-recursion)
                                 std::size_t depth) const {
    constexpr std::size_t kDeepest = 8;
    const JsonValue* a = resolved(first);
    const JsonValue* b = resolved(second);
    constexpr std::size_t kMaxCompared = 1'000'000;
    if (++m_compared > kMaxCompared || depth > kDeepest || a == nullptr || b == nullptr || !a->is(Kind::Object) ||
        !b->is(Kind::Object)) {
        return false;
    }
    const auto valuesOfA = constantsOf(*a);
    const auto valuesOfB = constantsOf(*b);
    if (valuesOfA && valuesOfB) {
        return std::ranges::none_of(*valuesOfA, [&](const JsonValue* x) {
            m_compared += valuesOfB->size();
            return m_compared > kMaxCompared ||
                   std::ranges::any_of(*valuesOfB, [&](const JsonValue* y) { return equalJson(*x, *y); });
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
        m_compared += propertiesOfB->members.size();
        if (m_compared > kMaxCompared) {
            return false;
        }
        const JsonValue* other = propertiesOfB->find(member.first);
        return other != nullptr && demands(*a, member.first) && demands(*b, member.first) &&
               areDisjoint(member.second, *other, depth + 1);
    });
}

} // namespace gufo::inference
