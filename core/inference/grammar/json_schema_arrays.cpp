// Rules for arrays.
//
// Where elements must differ, the constraint compares their bytes without white space (DistinctValues). So each
// value must have a single spelling there: strings without optional escapes, numbers without exponents and zeros at
// their ends, and objects with at most one member that the schema does not name, because the order of others is free.
#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr std::size_t kMostNamed = 2'000; // positions with a schema of their own

} // namespace

Result<std::string> SchemaCompiler::array(const JsonValue& flatSchema, std::size_t depth) {
    const LevelScope scope(m_level, Level::Value);
    const auto counts = GUFO_TRY(countsOf(flatSchema, "minItems", "maxItems"));
    const JsonValue* unique = flatSchema.find("uniqueItems");
    const bool differs = unique != nullptr && !unique->is(Kind::False) && counts.maximum.value_or(2) > 1;
    if (!differs) {
        const auto body = arrayBody(flatSchema, counts, depth);
        return body ? "\"[\" ws " + *body + " \"]\"" : body;
    }
    bool closed = false;
    const auto first = elementSchemas(flatSchema, 0, closed);
    const auto rest = elementSchemas(flatSchema, kMostNamed, closed);
    if (!first || !rest) {
        return std::unexpected((first ? rest : first).error());
    }
    if (m_unique != nullptr || flatSchema.find("contains") != nullptr || *first != *rest) {
        return notUsable(unique->place, Detail::SchemaUniqueItems);
    }
    if (counts.minimum > 1) { // otherwise one value is enough
        const JsonValue all = GUFO_TRY(mergedAll(*first, depth + 1));
        const auto values = GUFO_TRY(differentValues(all, counts.minimum, depth + 1));
        if (values < counts.minimum) {
            return notUsable(unique->place, Detail::SchemaUniqueItems);
        }
    }
    m_unique = unique;
    const auto body = arrayBody(flatSchema, counts, depth);
    m_unique = nullptr;
    return body ? std::string(kDistinctArrayRule) + " ws " + *body + " \"]\"" : body;
}

// What element sets demand of the element at an index. `closed`: the schema does not expect more elements.
Result<std::vector<const JsonValue*>> SchemaCompiler::elementSchemas(const JsonValue& flatSchema, std::size_t index,
                                                                     bool& closed) {
    static const JsonValue kAny{.kind = Kind::True};
    std::vector<const JsonValue*> schemas;
    bool described = false;
    bool ended = false;
    for (const JsonValue* set : valuesOf(flatSchema, kElementSets)) {
        const JsonValue* prefix = set->find("prefixItems");
        const JsonValue* items = set->find("items");
        const JsonValue* schema = items;
        if (prefix != nullptr && index < prefix->elements.size()) {
            schema = &prefix->elements[index];
        } else if (items == nullptr) {
            ended = ended || prefix != nullptr;
            continue;
        }
        described = true;
        if (!schema->is(Kind::True)) {
            schemas.push_back(schema);
        }
    }
    closed = std::ranges::any_of(schemas, [](const JsonValue* each) { return each->is(Kind::False); }) ||
             (ended && !described);
    if (schemas.empty()) {
        schemas.push_back(&kAny);
    }
    return schemas;
}

Result<std::string> SchemaCompiler::arrayBody(const JsonValue& flatSchema, Counts counts, std::size_t depth) {
    std::size_t named = 0;
    for (const JsonValue* set : valuesOf(flatSchema, kElementSets)) {
        if (const JsonValue* prefix = set->find("prefixItems"); prefix != nullptr) {
            named = std::max(named, prefix->elements.size());
        }
    }
    if (named >= kMostNamed) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::SchemaWork, named, kMostNamed});
    }
    std::vector<std::string> first;
    bool closed = counts.maximum == 0;
    for (std::size_t i = 0; i < named && i < counts.maximum.value_or(named); ++i) {
        const auto schemas = elementSchemas(flatSchema, i, closed);
        if (!schemas || closed) {
            break;
        }
        const auto rule = GUFO_TRY(ruleOfAll(*schemas, depth + 1));
        first.push_back(rule);
    }
    std::optional<std::string> rest;
    std::vector<const JsonValue*> restSchemas;
    if (!closed && first.size() < counts.maximum.value_or(first.size() + 1)) {
        const auto schemas = elementSchemas(flatSchema, named, closed);
        const auto rule = GUFO_TRY(closed ? Result<std::string>("") : ruleOfAll(*schemas, depth + 1));
        restSchemas = *schemas;
        rest = closed ? std::nullopt : std::optional(rule);
    }
    if (const JsonValue* contains = flatSchema.find("contains"); contains != nullptr) {
        std::uint64_t least = 0;
        for (const JsonValue& each : contains->elements) {
            const auto hits = countsOf(each, "minContains", "maxContains");
            least = std::max(least, each.find("minContains") == nullptr ? 1 : hits ? hits->minimum : 1);
            least = std::max<std::uint64_t>(least, each.find("maxContains") != nullptr ? 1 : 0);
        }
        if (least > 0 && named > 0) {
            return notUsable(contains->place, {Detail::SchemaKeyword, {std::string("contains")}});
        }
        if (least > 0) {
            return rest ? containing(flatSchema, *rest, restSchemas, counts, depth)
                        : notUsable(contains->place, Detail::SchemaNothingFits);
        }
    }
    if (!rest && counts.minimum > first.size()) {
        return notUsable(flatSchema.find("minItems")->place, Detail::SchemaMinItems);
    }
    return elements(first, rest, counts);
}

// A rule for each number of elements that satisfy the condition and each number of elements before.
Result<std::string> SchemaCompiler::containing(const JsonValue& flatSchema, const std::string& item,
                                               const std::vector<const JsonValue*>& rest, Counts counts,
                                               std::size_t depth) {
    const JsonValue& list = *flatSchema.find("contains");
    const JsonValue& condition = list.elements.front();
    const JsonValue& wanted = *condition.find("contains");
    const JsonValue* most = condition.find("maxContains");
    if (list.elements.size() > 1) {
        return notUsable(list.elements.back().find("contains")->place,
                         {Detail::SchemaKeyword, {std::string("contains")}});
    }
    auto hits = GUFO_TRY(countsOf(condition, "minContains", "maxContains"));
    hits.minimum = condition.find("minContains") == nullptr ? 1 : hits.minimum;
    if (hits.maximum && *hits.maximum < hits.minimum) {
        return notUsable(most->place, Detail::SchemaNothingFits);
    }
    std::vector<const JsonValue*> both = rest;
    both.push_back(&wanted);
    const auto hit = GUFO_TRY(ruleOfAll(both, depth + 1));
    std::string miss = item;
    if (most != nullptr) { // then it must be known that an element does not satisfy the condition
        const auto others = negated(wanted, depth + 1);
        if (!others) {
            return saysNotSupported(others.error())
                       ? notUsable(wanted.place, {Detail::SchemaKeyword, {std::string("maxContains")}})
                       : std::unexpected(others.error());
        }
        JsonValue any{.kind = others->empty() ? Kind::False : Kind::Object,
                      .place = wanted.place + "\xFC"
                                              "miss"};
        if (!others->empty()) {
            JsonValue alternativesList{.kind = Kind::Array, .place = any.place};
            alternativesList.elements = *others;
            any.members.emplace_back("anyOf", std::move(alternativesList));
        }
        both.back() = &any;
        miss = GUFO_TRY(ruleOfAll(both, depth + 1));
    }
    const std::uint64_t mostHits = hits.maximum.value_or(hits.minimum);
    const std::uint64_t mostCounted = counts.maximum.value_or(counts.minimum);
    constexpr std::uint64_t kMostRules = 20'000;
    if (mostHits >= kMostRules || mostCounted >= kMostRules || (mostHits + 1) * (mostCounted + 2) > kMostRules) {
        return notUsable(wanted.place, Detail::PatternTooLarge);
    }
    const std::size_t first = m_count;
    const std::uint64_t columns = mostCounted + 2; // counts beyond the last one are the same
    m_count += (mostHits + 1) * columns;
    const auto name = [&](std::uint64_t h, std::uint64_t c) { return "s" + std::to_string(first + h * columns + c); };
    for (std::uint64_t h = 0; h <= mostHits; ++h) {
        for (std::uint64_t c = 0; c < columns; ++c) {
            const bool ends = h >= hits.minimum && c >= counts.minimum;
            std::string body = ends ? "\"\"" : "";
            const std::uint64_t next = std::min(c + 1, columns - 1);
            const auto add = [&](const std::string& element, std::uint64_t to) {
                body += (body.empty() ? "" : " | ") + std::string(c > 0 ? "\",\" ws " : "") + element + " ws " +
                        name(to, next);
            };
            if (!counts.maximum || c < *counts.maximum) {
                add(miss, h);
                if (h < mostHits || !hits.maximum) {
                    add(hit, std::min(h + 1, mostHits));
                }
            }
            GUFO_TRY(addRule(name(h, c), body.empty() ? "never" : body));
        }
    }
    return name(0, 0);
}

Result<std::string> SchemaCompiler::elements(const std::vector<std::string>& first,
                                             const std::optional<std::string>& rest, Counts counts) {
    const std::uint64_t known = first.size();
    const auto less = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
    std::string tail; // matches what may follow the first i elements: the text is built from the end
    if (rest) {
        const std::uint64_t before = std::max<std::uint64_t>(known, 1);
        std::optional<std::uint64_t> maximum;
        if (counts.maximum) {
            maximum = less(*counts.maximum, before);
        }
        const auto next = addRule(newName(), "\",\" ws " + *rest + " ws");
        tail = GUFO_TRY(next ? repeated(*next, less(counts.minimum, before), maximum) : next);
        if (known == 0) {
            tail = *rest + " ws " + tail;
            return counts.maximum == 0 ? "\"\"" : counts.minimum == 0 ? "(" + tail + ")?" : tail;
        }
    }
    // Each level is a rule, because groups may not be nested as deeply as there may be elements.
    for (std::size_t i = first.size(); i > 0; --i) {
        tail = (i > 1 ? "\",\" ws " : "") + first[i - 1] + " ws " + tail;
        if (i > counts.minimum) {
            tail += " | \"\"";
        }
        tail = GUFO_TRY(addRule(newName(), tail));
    }
    return tail.empty() ? "\"\"" : tail;
}

Result<std::uint64_t> SchemaCompiler::differentValues(const JsonValue& schema, std::uint64_t most, // NOLINT
                                                      std::size_t depth) {
    constexpr std::size_t kDeepest = 20;
    if (depth > kDeepest) {
        return 1;
    }
    const auto flatSchema = flat(schema, depth + 1);
    if (!flatSchema) {
        return saysNothingFits(flatSchema.error()) ? Result<std::uint64_t>(0) : std::unexpected(flatSchema.error());
    }
    std::uint64_t count = 0;
    for (const char* keyword : {"anyOf", "oneOf"}) {
        if (flatSchema->find(keyword) == nullptr) {
            continue;
        }
        const auto parts = GUFO_TRY(alternativesOf(*flatSchema, keyword, depth + 1));
        for (const JsonValue& part : parts) {
            const auto each = GUFO_TRY(differentValues(part, most, depth + 1));
            count = std::max(count, each);
        }
        return count;
    }
    if (flatSchema->find("enum") != nullptr) {
        JsonValue rest = *flatSchema;
        std::erase_if(rest.members, [](const auto& member) { return member.first == "enum"; });
        std::set<std::string> values;
        for (const JsonValue* value : valuesOf(*flatSchema, "enum")) {
            const auto fits = GUFO_TRY(holdsFlat(*value, rest, depth + 1));
            if (fits && values.size() < most) {
                values.insert(canonicalJson(*value, true));
            }
        }
        return values.size();
    }
    const auto types = GUFO_TRY(typesOf(*flatSchema));
    if ((types & kString) != 0) {
        const auto strings = stringsOf(*flatSchema, true, m_patternWork);
        count += strings ? (*strings ? (*strings)->count(most) : most) : 0;
    }
    if ((types & (kNumber | kInteger)) != 0) {
        const auto numbers = numbersOf(*flatSchema, (types & kNumber) == 0, true);
        count += numbers ? (*numbers)->count(most) : 0;
    }
    count += (types & kBoolean) != 0 && flatSchema->find(kNotValues) == nullptr ? 2 : 0;
    count += (types & kNull) != 0 && flatSchema->find(kNotValues) == nullptr ? 1 : 0;
    // Properties and elements have their values independently of each other. Those that may be missing are not counted.
    if ((types & kObject) != 0 && (types & ~kObject) == 0) {
        count = 1;
        for (const JsonValue* name : valuesOf(*flatSchema, "required")) {
            const auto demanded = demandsOf(*flatSchema, name->text);
            const bool described = demanded && *demanded && !(*demanded)->empty();
            const auto all = described ? mergedAll(**demanded, depth + 1) : Result<JsonValue>(JsonValue());
            const auto values =
                GUFO_TRY(!described || !all ? Result<std::uint64_t>(1) : differentValues(*all, most, depth + 1));
            count = std::max(count, values);
        }
    }
    const auto counts = countsOf(*flatSchema, "minItems", "maxItems");
    if ((types & kArray) != 0 && (types & ~kArray) == 0) {
        bool closed = false;
        const auto schemas = elementSchemas(*flatSchema, 0, closed);
        const auto all = mergedAll(*schemas, depth + 1);
        count = 1;
        if (all && !closed && counts && counts->maximum.value_or(1) > 0 && flatSchema->find("contains") == nullptr) {
            const auto values = differentValues(*all, most, depth + 1);
            count = values ? std::max(count, *values) : count;
        }
    }
    return std::min(count, most);
}

} // namespace gufo::inference
