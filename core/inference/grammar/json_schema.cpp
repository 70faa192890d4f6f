#include "inference/grammar/json_schema.h"

#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>
#include <array>
#include <set>

namespace gufo::inference {
namespace {

constexpr std::string_view kNever = "never"; // a rule that never ends
constexpr std::size_t kMaxRelaxed = 100;     // keywords; each takes another compilation

// Removes the keyword at a place, or the innermost one that contains it, so that the rest can be used; oneOf becomes
// anyOf. Within `not` and `if`, a schema without one of its keywords would exclude more, so these are removed as a
// whole. Returns the place of what was removed; nothing if there is no such keyword.
std::optional<std::string> relax(JsonValue& at, const std::string& place, bool isSchema) { // NOLINT(misc-no-recursion)
    const auto contains = [&](const JsonValue& value) {
        return place == value.place || place.starts_with(value.place + "/");
    };
    for (std::size_t i = 0; i < at.members.size(); ++i) {
        auto& [name, value] = at.members[i];
        if (!contains(value)) {
            continue;
        }
        static constexpr std::array<std::string_view, 5> kMaps{"properties", "patternProperties", "dependentSchemas",
                                                               "$defs", "definitions"};
        const bool isKeyword = isSchema && findKeyword(name) != nullptr;
        const bool whole = isKeyword && (name == "not" || name == "if");
        const bool isMap = isSchema && std::ranges::find(kMaps, name) != kMaps.end();
        if (!whole) {
            if (auto inner = relax(value, place, !isMap)) {
                return inner;
            }
        }
        if (!isKeyword) {
            return std::nullopt;
        }
        std::string removed = value.place;
        if (name == "oneOf" && at.find("anyOf") == nullptr) {
            name = "anyOf";
        } else {
            at.members.erase(at.members.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return removed;
    }
    for (JsonValue& element : at.elements) {
        if (contains(element)) {
            return relax(element, place, true);
        }
    }
    return std::nullopt;
}

std::unexpected<Error> withShownPlace(Error error) {
    if (error.code == ErrorCode::SchemaNotUsable) {
        error.args[0] = shownPlace(error.args[0].text());
    }
    return std::unexpected(std::move(error));
}

Result<std::shared_ptr<const Grammar>> compiled(const JsonValue& schema, const ArgumentNotation* arguments) {
    SchemaCompiler compiler(schema, arguments);
    const auto text = compiler.compile();
    if (!text) {
        return withShownPlace(text.error());
    }
    auto parsed = Grammar::parse(*text);
    // A schema that endlessly refers to itself shows up as left recursion.
    if (!parsed && parsed.error().code == ErrorCode::BadSyntax) {
        return notUsable("#", {Detail::SchemaCyclicRef, {parsed.error().args[0]}});
    }
    const auto grammar = GUFO_TRY(std::move(parsed));
    if (!grammar->ends) {
        return compiler.nothingFits() ? withShownPlace(*compiler.nothingFits())
                                      : notUsable("#", Detail::SchemaNothingFits);
    }
    return checkingDistinct(*grammar, arguments != nullptr ? arguments->values.distinctQuote() : '"');
}

} // namespace

Result<std::string> SchemaCompiler::compile() {
    const auto root = GUFO_TRY(ruleOf(m_root, 0));
    const auto common = GUFO_TRY(commonRules());
    return "root ::= " + root + "\n" + m_rules + common;
}

Result<std::string> SchemaCompiler::addRule(const std::string& name, const std::string& body) {
    m_rules += name + " ::= " + body + "\n";
    if (m_rules.size() > kMaxText) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::GrammarBytes, m_rules.size(), kMaxText});
    }
    return name;
}

Result<std::string> SchemaCompiler::ruleOf(const JsonValue& schema, std::size_t depth) { // NOLINT(misc-no-recursion)
    static constexpr std::array<std::string_view, 3> kLevels{"", "argument ", "arguments "};
    const std::string key =
        std::string(kLevels[static_cast<std::size_t>(m_level)]) + (m_unique != nullptr ? "unique " : "") + schema.place;
    if (const auto known = m_known.find(key); known != m_known.end()) {
        return known->second;
    }
    if (depth > kMaxDepth) {
        return notUsable(schema.place, Detail::SchemaTooDeep);
    }
    const std::string name = newName();
    m_known.emplace(key, name);
    // A reference is another name for the rule of its target, whatever annotations it has.
    const JsonValue* ref = schema.find("$ref");
    Result<std::string> body;
    if (ref != nullptr && schema.find(kFlat) == nullptr && restOf(schema, "$ref").members.empty()) {
        const auto target = referred(*ref);
        body = target ? ruleOf(**target, depth + 1) : std::unexpected(target.error());
    } else {
        const auto flatSchema = flat(schema, depth);
        body = flatSchema ? bodyOf(*flatSchema, depth) : std::unexpected(flatSchema.error());
    }
    if (!body && saysNothingFits(body.error())) {
        m_nothingFits = m_nothingFits.value_or(body.error());
        body = std::string(kNever);
    }
    return body ? addRule(name, *body) : body;
}

Result<std::string> SchemaCompiler::ruleOfAll(const std::vector<const JsonValue*>& schemas, std::size_t depth) {
    const bool anything = std::ranges::all_of(schemas, [](const JsonValue* each) { return each->is(Kind::True); });
    if (anything) {
        return std::string(m_unique != nullptr ? "plain-value" : "value");
    }
    if (schemas.size() == 1) {
        return ruleOf(*schemas.front(), depth);
    }
    const auto merged = mergedAll(schemas, depth + 1);
    if (!merged && saysNothingFits(merged.error())) {
        m_nothingFits = m_nothingFits.value_or(merged.error());
        return std::string(kNever);
    }
    return merged ? ruleOf(*merged, depth) : std::unexpected(merged.error());
}

Result<std::string> SchemaCompiler::bodyOf(const JsonValue& flatSchema, std::size_t depth) {
    for (const char* name : {"anyOf", "oneOf"}) {
        if (flatSchema.find(name) != nullptr) {
            return alternatives(flatSchema, name, depth);
        }
    }
    return flatSchema.find("enum") != nullptr ? literals(flatSchema, depth) : byType(flatSchema, depth);
}

Result<std::string> SchemaCompiler::byType(const JsonValue& flatSchema, std::size_t depth) {
    const auto types = GUFO_TRY(typesOf(flatSchema));
    if (types == kAnyType && restOf(flatSchema, "type").members.empty()) {
        return std::string(m_unique != nullptr ? "plain-value" : "value");
    }
    const auto excluded = valuesOf(flatSchema, kNotValues);
    const auto excludes = [&](Kind kind) {
        return std::ranges::find_if(excluded, [&](const JsonValue* each) { return each->is(kind); });
    };
    for (const auto& [type, kind] : {std::pair(kObject, Kind::Object), std::pair(kArray, Kind::Array)}) {
        if (const auto at = excludes(kind); (types & type) != 0 && at != excluded.end()) {
            return notUsable((*at)->place, {Detail::SchemaNegation, {std::string("const")}});
        }
    }
    std::string body;
    std::optional<Error> nothing;
    const auto add = [&](Result<std::string> part) -> Result<> {
        if (part) {
            body += (body.empty() ? "" : " | ") + *part;
        } else if (saysNothingFits(part.error())) {
            nothing = part.error();
        } else {
            return std::unexpected(part.error());
        }
        return {};
    };
    const auto addAll = [&]() -> Result<> {
        Result<> done;
        if ((types & kObject) != 0) {
            done = add(object(flatSchema, depth));
        }
        if (done && (types & kArray) != 0) {
            done = add(array(flatSchema, depth));
        }
        if (done && (types & kString) != 0) {
            done = add(stringRule(flatSchema));
        }
        if (done && (types & (kNumber | kInteger)) != 0) {
            done = add(numberRule(flatSchema, (types & kNumber) == 0));
        }
        for (const auto& [type, kind] :
             {std::pair(kBoolean, Kind::True), std::pair(kBoolean, Kind::False), std::pair(kNull, Kind::Null)}) {
            if (done && (types & type) != 0 && excludes(kind) == excluded.end()) {
                done = add(wordOf(kind));
            }
        }
        return done;
    };
    GUFO_TRY(addAll());
    if (body.empty()) {
        return nothing ? Result<std::string>(std::unexpected(*nothing))
                       : notUsable(flatSchema.place, Detail::SchemaNothingFits);
    }
    return body;
}

Result<std::string> SchemaCompiler::literals(const JsonValue& flatSchema, std::size_t depth) {
    const JsonValue& list = *flatSchema.find("enum");
    JsonValue rest = flatSchema;
    const auto excluded = setOf(valuesOf(flatSchema, kNotValues));
    std::erase_if(rest.members,
                  [](const auto& member) { return member.first == "enum" || member.first == kNotValues; });
    const bool alone = restOf(rest, "").members.empty();
    std::string body;
    std::set<std::string> written;
    for (const JsonValue& value : list.elements) {
        const std::string key = canonicalJson(value, true);
        if (excluded.contains(key) || !written.insert(key).second) {
            continue;
        }
        if (!alone) {
            const auto fits = GUFO_TRY(holdsFlat(value, rest, depth + 1));
            if (!fits) {
                continue;
            }
        }
        const bool isWord = value.isBool() || value.is(Kind::Null);
        const auto literal = isWord ? wordOf(value.kind) : literalOf(value, m_notation, m_unique != nullptr);
        body += literal ? (body.empty() ? "" : " | ") + *literal : "";
    }
    return body.empty() ? notUsable(list.place, Detail::SchemaNoValue) : Result<std::string>(body);
}

namespace {

Result<SchemaGrammar> grammarOf(JsonValue root, std::string_view schema, const ArgumentNotation* arguments,
                                SchemaOptions options) {
    SchemaGrammar out;
    for (;;) {
        auto grammar = compiled(root, arguments);
        if (grammar) {
            auto whole = std::make_shared<Grammar>(**grammar);
            whole->jsonSchema = out.relaxed.empty() ? std::string(schema) : writeJson(root);
            out.grammar = std::move(whole);
            return out;
        }
        const bool relaxes = options.relaxed && saysNotSupported(grammar.error()) && out.relaxed.size() < kMaxRelaxed;
        const auto removed = relaxes ? relax(root, grammar.error().args[0].text(), true) : std::nullopt;
        if (!removed) {
            return std::unexpected(std::move(grammar.error()));
        }
        out.relaxed.push_back(*removed);
    }
}

} // namespace

Result<SchemaGrammar> parseJsonSchema(std::string_view schema, SchemaOptions options) {
    return grammarOf(GUFO_TRY(readJson(schema)), schema, nullptr, options);
}

Result<SchemaGrammar> parseArgumentSchema(std::string_view schema, const ArgumentNotation& arguments,
                                          SchemaOptions options) {
    auto root = GUFO_TRY(readJson(schema));
    // Only objects can be arguments.
    if (root.is(JsonValue::Kind::Object) && root.find("type") == nullptr) {
        root.members.emplace_back("type", typeList(kObject, root.place + "/type"));
    }
    return grammarOf(std::move(root), schema, &arguments, options);
}

Result<bool> conformsToJsonSchema(std::string_view document, std::string_view schema) {
    const auto root = readJson(schema);
    const auto value = readJson(document);
    if (!root || !value) {
        return std::unexpected((root ? value : root).error());
    }
    return SchemaCompiler(*root).conforms(*value);
}

} // namespace gufo::inference
