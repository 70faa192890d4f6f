#include "inference/grammar/json_schema.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

#include <algorithm>

namespace gufo::inference {
Result<std::string> SchemaCompiler::compile() {
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

Result<std::string> SchemaCompiler::addRule(const std::string& name, const std::string& body) {
    m_rules += name + " ::= " + body + "\n";
    if (m_rules.size() > kMaxText) {
        return fail(ErrorCode::LimitExceeded, {},
                    {Detail::GrammarBytes, std::to_string(m_rules.size()), std::to_string(kMaxText)});
    }
    return name;
}

Result<std::string> SchemaCompiler::ruleOf(const JsonValue& schema, std::size_t depth) { // NOLINT(misc-no-recursion)
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

Result<std::string> SchemaCompiler::bodyOf(const JsonValue& schema, std::size_t depth) {
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

Result<std::string> SchemaCompiler::byType(const JsonValue& schema, std::size_t depth) {
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

Result<std::string> SchemaCompiler::literals(const JsonValue& schema) {
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

Result<const JsonValue*> SchemaCompiler::referred(const JsonValue& ref) const {
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
