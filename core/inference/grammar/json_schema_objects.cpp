// Rules for objects.
#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_pattern.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

// Keys that the schema does not name are written without escapes.
const CodeSet kPlain{{0x20, 0x21}, {0x23, 0x5B}, {0x5D, 0x10'FFFF}};

// Names with the same patterns of patternProperties, and so with the same schema.
struct NameClass {
    Automaton names;
    std::vector<const JsonValue*> schemas{};
    std::vector<bool> matched{}; // by key set: whether one of its patterns matches
    bool described = false;
};

} // namespace

Result<std::string> SchemaCompiler::object(const JsonValue& flatSchema, std::size_t depth) {
    const bool outermost = m_level == Level::Arguments;
    const LevelScope scope(m_level, outermost && !m_arguments->rawEnd.empty() ? Level::Argument : Level::Value);
    const auto counts = GUFO_TRY(countsOf(flatSchema, "minProperties", "maxProperties"));
    std::optional<Automaton> names; // that propertyNames allows
    for (const JsonValue* each : valuesOf(flatSchema, "propertyNames")) {
        const auto more = GUFO_TRY(namesOf(*each, depth + 1));
        const auto both = names && more ? names->intersection(*more) : (names ? names : more);
        if (names && more && !both) {
            return notUsable(each->place, Detail::PatternTooLarge);
        }
        names = both;
    }
    Members members{.outermost = outermost};
    GUFO_TRY(addNamed(flatSchema, names, members, depth));
    const bool needsOthers = counts.minimum > members.named.size();
    GUFO_TRY(addOthers(flatSchema, names, needsOthers, members, depth));
    const auto required = static_cast<std::uint64_t>(std::ranges::count(members.named, true, &Property::required));
    const bool open = !members.others.empty();
    const bool counted = counts.minimum > required ||
                         (counts.maximum && (open || *counts.maximum < members.named.size())) ||
                         (open && m_unique != nullptr);
    const bool distinct = open && counts.minimum > required + 1; // one more than those always differs from them
    if (distinct && m_unique != nullptr) {
        return notUsable(m_unique->place, Detail::SchemaUniqueItems);
    }
    if (distinct && outermost) { // nothing compares the names of arguments
        return notUsable(flatSchema.find("minProperties")->place,
                         {Detail::SchemaKeyword, {std::string("minProperties")}});
    }
    const auto body = counted ? countedMembersRule(members, counts) : membersRule(members);
    if (outermost) {
        return body ? m_arguments->open + " " + *body + " " + m_arguments->close : body;
    }
    return body ? (distinct ? std::string(kDistinctObjectRule) : std::string("\"{\"")) + " ws " + *body + " \"}\""
                : body;
}

Result<const Automaton*> SchemaCompiler::patternOf(const std::string& pattern, const std::string& place) {
    const auto known = m_patterns.find(pattern);
    if (known != m_patterns.end()) {
        return &known->second;
    }
    if (m_patternWork > kMaxPatternWork) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, m_patternWork, kMaxPatternWork});
    }
    auto automaton = automatonOfPattern(pattern, m_patternWork);
    if (!automaton) {
        return notUsable(place, automaton.error());
    }
    return &m_patterns.emplace(pattern, *std::move(automaton)).first->second;
}

Result<std::optional<std::vector<const JsonValue*>>> SchemaCompiler::demandsOf(const JsonValue& flatSchema,
                                                                               std::string_view name) {
    return demandsOf(valuesOf(flatSchema, kKeySets), name);
}

Result<std::optional<std::vector<const JsonValue*>>>
SchemaCompiler::demandsOf(const std::vector<const JsonValue*>& keySets, std::string_view name) {
    std::vector<const JsonValue*> schemas;
    const auto add = [&](const JsonValue* schema) {
        if (schema != nullptr && !schema->is(Kind::True)) {
            schemas.push_back(schema);
        }
    };
    for (const JsonValue* set : keySets) {
        const JsonValue* properties = set->find("properties");
        const JsonValue* described = properties != nullptr ? properties->find(name) : nullptr;
        add(described);
        bool matched = described != nullptr;
        if (const JsonValue* patterns = set->find("patternProperties"); patterns != nullptr) {
            for (const auto& [pattern, schema] : patterns->members) {
                const auto automaton = GUFO_TRY(patternOf(pattern, patterns->place));
                if (automaton->accepts(decodeUtf8(name))) {
                    matched = true;
                    add(&schema);
                }
            }
        }
        if (!matched) {
            add(set->find("additionalProperties"));
        }
    }
    if (std::ranges::any_of(schemas, [](const JsonValue* each) { return each->is(Kind::False); })) {
        return std::nullopt;
    }
    return schemas;
}

Result<> SchemaCompiler::addNamed(const JsonValue& flatSchema, const std::optional<Automaton>& names, Members& members,
                                  std::size_t depth) {
    std::vector<std::string_view> order;
    std::set<std::string_view> seen;
    const auto sets = valuesOf(flatSchema, kKeySets);
    std::map<std::string_view, std::set<std::size_t>> describing; // which sets name a property
    std::set<std::size_t> general;                                // which sets speak of others than they name
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (sets[i]->find("patternProperties") != nullptr || sets[i]->find("additionalProperties") != nullptr) {
            general.insert(i);
        }
        if (const JsonValue* properties = sets[i]->find("properties"); properties != nullptr) {
            for (const auto& [name, schema] : properties->members) {
                describing[name].insert(i);
                if (seen.insert(name).second) {
                    order.push_back(name);
                }
            }
        }
    }
    constexpr std::size_t kMostNames = 10'000; // each is looked up in every list of them
    if (order.size() > kMostNames) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, order.size(), kMostNames});
    }
    std::set<std::string_view> required;
    for (const JsonValue* name : valuesOf(flatSchema, "required")) {
        required.insert(name->text);
        if (seen.insert(name->text).second) {
            order.push_back(name->text);
        }
    }
    for (const std::string_view name : order) {
        GUFO_TRY(spend(flatSchema.place, depth));
        members.names.push_back(name);
        const bool needed = required.contains(name);
        std::set<std::size_t> speaking = general;
        speaking.insert(describing[name].begin(), describing[name].end());
        std::vector<const JsonValue*> about;
        std::ranges::transform(speaking, std::back_inserter(about), [&](std::size_t i) { return sets[i]; });
        const auto demanded = GUFO_TRY(demandsOf(about, name));
        if (!demanded || (names && !names->accepts(decodeUtf8(name)))) {
            if (needed) {
                return notUsable(flatSchema.find("required")->place, Detail::SchemaForbiddenRequired);
            }
            continue; // it must be absent
        }
        auto pair = GUFO_TRY(pairOf(name, *demanded, members, depth));
        if (pair || needed) {
            members.named.push_back({.pair = std::move(pair).value_or("never"), .required = needed});
        }
    }
    return {};
}

Result<> SchemaCompiler::addOthers(const JsonValue& flatSchema, const std::optional<Automaton>& names, bool needed,
                                   Members& members, std::size_t depth) {
    const auto sets = valuesOf(flatSchema, kKeySets);
    // A schema that says nothing about properties permits any. Otherwise names appear only where the schema describes
    // them, or where others would be too few.
    bool silent = flatSchema.find("required") == nullptr;
    const bool wanted = needed || (names && members.names.empty());
    bool described = false;
    for (const JsonValue* set : sets) {
        const JsonValue* additional = set->find("additionalProperties");
        const JsonValue* patterns = set->find("patternProperties");
        silent = silent && set->find("properties") == nullptr && patterns == nullptr && additional == nullptr;
        described = described || (additional != nullptr && !additional->is(Kind::False)) || patterns != nullptr;
    }
    if (!silent && !described && !wanted) {
        return {};
    }
    std::vector<std::u32string> known;
    for (const std::string_view name : members.names) {
        known.push_back(decodeUtf8(name));
    }
    const auto intersected = [&](const Automaton& a, const Automaton& b) -> Result<Automaton> {
        auto both = a.intersection(b);
        m_patternWork += both ? both->states().size() : 0;
        return both ? Result<Automaton>(both->reduced()) : notUsable(flatSchema.place, Detail::PatternTooLarge);
    };
    auto all = GUFO_TRY(intersected(Automaton::textsOf(kPlain), Automaton::ofWords(known).complement()));
    if (names) {
        all = GUFO_TRY(intersected(all, *names));
    }
    std::vector<NameClass> classes{{all, {}, std::vector<bool>(sets.size()), silent || wanted}};
    constexpr std::size_t kMostClasses = 64;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const JsonValue* patterns = sets[i]->find("patternProperties");
        for (std::size_t j = 0; patterns != nullptr && j < patterns->members.size(); ++j) {
            const auto& [pattern, schema] = patterns->members[j];
            const auto automaton = GUFO_TRY(patternOf(pattern, patterns->place));
            std::vector<NameClass> divided;
            for (NameClass& each : classes) {
                auto inside = intersected(each.names, *automaton);
                auto outside = intersected(each.names, automaton->complement());
                if (!inside || !outside) {
                    return notUsable(patterns->place, Detail::PatternTooLarge);
                }
                if (!outside->isEmpty()) {
                    divided.push_back(each);
                    divided.back().names = *std::move(outside);
                }
                if (!inside->isEmpty()) {
                    each.names = *std::move(inside);
                    each.schemas.push_back(&schema);
                    each.matched[i] = true;
                    each.described = true;
                    divided.push_back(std::move(each));
                }
            }
            classes = std::move(divided);
            if (classes.size() > kMostClasses) {
                return notUsable(patterns->place, Detail::PatternTooLarge);
            }
        }
    }
    std::string body;
    for (NameClass& each : classes) {
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const JsonValue* additional = sets[i]->find("additionalProperties");
            if (!each.matched[i] && additional != nullptr) {
                each.schemas.push_back(additional);
                each.described = true;
            }
        }
        const bool forbidden =
            std::ranges::any_of(each.schemas, [](const auto* part) { return part->is(Kind::False); });
        if (forbidden || !each.described || each.names.isEmpty()) {
            continue;
        }
        std::erase_if(each.schemas, [](const JsonValue* part) { return part->is(Kind::True); });
        const auto pair = GUFO_TRY(pairOfOthers(each.names, each.schemas, members, depth));
        body += (body.empty() ? "" : " | ") + pair;
        members.otherNames = std::min(Counts::kMost, members.otherNames + each.names.count(Counts::kMost));
    }
    if (!body.empty()) {
        members.others = GUFO_TRY(addRule(newName(), body));
    }
    return {};
}

// Properties in any order: a rule for each set of properties that may have been written before. Each further property
// doubles the number of rules. Members that no name describes follow the required ones, because they might otherwise
// come without end.
Result<std::string> SchemaCompiler::anyOrderRule(const Members& members) {
    const std::size_t named = members.named.size();
    std::vector<std::string> pairs;
    std::size_t needed = 0; // a set of properties: property i is bit i
    for (std::size_t i = 0; i < named; ++i) {
        std::string pair = GUFO_TRY(addRule(newName(), members.named[i].pair));
        pairs.push_back(std::move(pair));
        needed |= std::size_t{members.named[i].required} << i;
    }
    const std::size_t first = m_count;
    m_count += std::size_t{1} << named;
    const auto after = [&](std::size_t written) { return "s" + std::to_string(first + written); };
    // What may come after the properties of a set; `comma` separates it from them.
    const auto rest = [&](std::size_t written, const std::string& comma) {
        const bool mayEnd = (needed & ~written) == 0;
        std::string body = mayEnd ? "\"\"" : "";
        const auto add = [&](const std::string& member, std::size_t then) {
            body += (body.empty() ? "" : " | ") + comma + member + " " + after(then);
        };
        for (std::size_t i = 0; i < named; ++i) {
            if ((written >> i & 1U) == 0) {
                add(pairs[i], written | std::size_t{1} << i);
            }
        }
        if (!members.others.empty() && mayEnd) {
            add(members.others, written);
        }
        return body;
    };
    for (std::size_t written = 0; written < std::size_t{1} << named; ++written) {
        GUFO_TRY(addRule(after(written), rest(written, commaOf(members))));
    }
    return addRule(newName(), rest(0, ""));
}

// For each property, what may follow from there on: one rule for the case that nothing was written before it, one for
// the case that something was.
Result<std::string> SchemaCompiler::membersRule(const Members& members) {
    constexpr std::size_t kMostInAnyOrder = 6;
    constexpr std::size_t kMostText = 512U << 10U; // a large schema keeps the order of its properties
    const bool isFew = members.named.size() > 1 && members.named.size() <= kMostInAnyOrder;
    if (isFew && m_unique == nullptr && m_rules.size() < kMostText) {
        return anyOrderRule(members);
    }
    const std::string& others = members.others;
    const std::string comma = commaOf(members);
    std::string nothingBefore = others.empty() ? "" : "(" + others + " (" + comma + others + ")*)?";
    std::string somethingBefore = others.empty() ? "" : "(" + comma + others + ")*";
    for (std::size_t i = members.named.size(); i > 0; --i) {
        const Property& property = members.named[i - 1];
        const std::string after = newName();
        GUFO_TRY(addRule(after, somethingBefore.empty() ? "\"\"" : somethingBefore));
        const std::string first = newName();
        GUFO_TRY(addRule(first, nothingBefore.empty() ? "\"\"" : nothingBefore));
        nothingBefore = property.pair + " " + after + (property.required ? "" : " | " + first);
        somethingBefore = comma + property.pair + " " + after + (property.required ? "" : " | " + after);
    }
    return nothingBefore.empty() ? std::string("\"\"") : "(" + nothingBefore + ")";
}

// The same for each number of members that were written before. Names must differ where this matters
// (kDistinctObjectRule), so the names that the schema does not list may run out.
Result<std::string> SchemaCompiler::countedMembersRule(const Members& members, Counts counts) {
    constexpr std::uint64_t kMostRules = 100'000;
    const std::size_t named = members.named.size();
    const std::uint64_t most = counts.maximum.value_or(std::max<std::uint64_t>(counts.minimum, named));
    const std::uint64_t columns = std::min<std::uint64_t>(most, named) + 1; // of members written, all of them named
    if ((named + 1) * columns > kMostRules) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, (named + 1) * columns, kMostRules});
    }
    const std::size_t first = m_count;
    m_count += (named + 1) * columns;
    const auto name = [&](std::size_t i, std::uint64_t c) { return "s" + std::to_string(first + i * columns + c); };
    for (std::uint64_t c = 0; c < columns; ++c) {
        const std::uint64_t least = counts.minimum > c ? counts.minimum - c : 0;
        std::optional<std::uint64_t> rest;
        if (counts.maximum) {
            rest = *counts.maximum > c ? *counts.maximum - c : 0;
        }
        if (m_unique != nullptr) { // the order of several would be free
            rest = std::min<std::uint64_t>(rest.value_or(1), 1);
        }
        std::string body = least == 0 ? "\"\"" : "never";
        const bool fits = least <= rest.value_or(least) && least <= members.otherNames;
        if (!members.others.empty() && fits && rest.value_or(1) > 0) {
            const auto next = addRule(newName(), commaOf(members) + members.others);
            const auto less = [](std::uint64_t count) { return count > 0 ? count - 1 : 0; };
            const auto more =
                GUFO_TRY(!next   ? next
                         : c > 0 ? repeated(*next, least, rest)
                                 : repeated(*next, less(least), rest ? std::optional(less(*rest)) : rest));
            body = c > 0 ? more : members.others + " " + more + (least == 0 ? " | \"\"" : "");
        }
        GUFO_TRY(addRule(name(named, c), body));
    }
    for (std::size_t i = named; i > 0; --i) {
        const Property& property = members.named[i - 1];
        for (std::uint64_t c = 0; c < columns; ++c) {
            std::string body = property.required ? "" : name(i, c);
            if (c + 1 < columns) {
                body += (body.empty() ? "" : " | ") + (c > 0 ? commaOf(members) : std::string()) + property.pair + " " +
                        name(i, c + 1);
            }
            GUFO_TRY(addRule(name(i - 1, c), body.empty() ? "never" : body));
        }
    }
    return name(0, 0);
}

} // namespace gufo::inference
