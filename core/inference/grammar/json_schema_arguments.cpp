// Makes the grammar rules for members of objects: names, values and separators. Tool calls may write them in other
// notations than JSON.
#include "base/detail.h"
#include "inference/grammar/json_grammar.h"
#include "inference/grammar/json_schema_compiler.h"
#include "inference/grammar/json_schema_keywords.h"

namespace gufo::inference {

std::string SchemaCompiler::commaOf(const Members& members) const {
    return members.outermost ? m_arguments->comma + " " : std::string("\",\" ws ");
}

std::string SchemaCompiler::wordOf(Kind kind) const {
    const std::string_view json = kind == Kind::True ? "true" : kind == Kind::False ? "false" : "null";
    const std::string_view python = kind == Kind::True ? "True" : kind == Kind::False ? "False" : "None";
    if (m_level == Level::Argument) { // templates write either, and so do models
        return "(" + grammarLiteral(json) + " | " + grammarLiteral(python) + ")";
    }
    return grammarLiteral(m_notation.python ? python : json);
}

Result<std::optional<std::string>> SchemaCompiler::pairOf(std::string_view name,
                                                          const std::vector<const JsonValue*>& schemas,
                                                          const Members& members, std::size_t depth) {
    if (m_level == Level::Argument) {
        const auto types = m_arguments->typesOf ? m_arguments->typesOf(name) : text::JsonTypes::None;
        return argumentOf(grammarLiteral(name), types, schemas, depth);
    }
    static const JsonValue kAny{.kind = Kind::True};
    const auto value = GUFO_TRY(ruleOfAll(schemas.empty() ? std::vector<const JsonValue*>{&kAny} : schemas, depth + 1));
    const bool isBare = (members.outermost || m_notation.bareNames) && isIdentifier(name);
    const auto key = isBare ? std::optional(grammarLiteral(name))
                            : literalOf({.kind = Kind::String, .text = std::string(name)}, m_notation, false);
    if (!key) {
        return std::nullopt;
    }
    return members.outermost ? m_arguments->beforeName + *key + " " + m_arguments->afterName.front().text + value +
                                   " " + m_arguments->afterValue
                             : *key + " ws \":\" ws " + value + " ws";
}

Result<std::string> SchemaCompiler::pairOfOthers(const Automaton& names, const std::vector<const JsonValue*>& schemas,
                                                 const Members& members, std::size_t depth) {
    const bool isBare = members.outermost || m_notation.bareNames;
    const auto written = isBare ? names.intersection(identifiers(m_patternWork)) : std::optional(names);
    if (!written) {
        return notUsable("#", Detail::PatternTooLarge);
    }
    const auto name = GUFO_TRY(isBare ? rulesOf(*written, false, {}) : quotedString(written, false));
    if (m_level == Level::Argument) {
        return argumentOf(name, text::JsonTypes::None, schemas, depth);
    }
    static const JsonValue kAny{.kind = Kind::True};
    const auto value = GUFO_TRY(ruleOfAll(schemas.empty() ? std::vector<const JsonValue*>{&kAny} : schemas, depth + 1));
    return members.outermost ? m_arguments->beforeName + name + " " + m_arguments->afterName.front().text + value +
                                   " " + m_arguments->afterValue
                             : name + " ws \":\" ws " + value + " ws";
}

// An argument between markers, whose value is a string as it is or JSON of another type.
Result<std::string> SchemaCompiler::argumentOf(const std::string& name, text::JsonTypes types,
                                               const std::vector<const JsonValue*>& schemas, std::size_t depth) {
    static const JsonValue kNoString{
        .kind = Kind::Object,
        .place = "no string",
        .members = {{"type", typeList(kObject | kArray | kNumber | kBoolean | kNull, "no string/type")}}};
    std::string body;
    for (const ArgumentNotation::Opening& opening : m_arguments->afterName) {
        std::string values;
        if (opening.isString.value_or(true)) {
            values = GUFO_TRY(rawStrings(opening.isString ? text::JsonTypes::String : types, schemas, depth));
        }
        if (!opening.isString.value_or(false)) {
            std::vector<const JsonValue*> others = schemas;
            others.push_back(&kNoString);
            const auto rule = GUFO_TRY(ruleOfAll(others, depth + 1));
            values += (values.empty() ? "" : " | ") + rule;
        }
        body += (body.empty() ? "" : " | ") + opening.text + "(" + values + ") ";
    }
    return m_arguments->beforeName + name + " (" + body + ") " + m_arguments->afterValue;
}

Result<std::string> SchemaCompiler::rawStrings(text::JsonTypes types, const std::vector<const JsonValue*>& schemas,
                                               std::size_t depth) {
    using text::JsonTypes;
    constexpr auto kOthers =
        JsonTypes::Number | JsonTypes::Boolean | JsonTypes::Null | JsonTypes::Array | JsonTypes::Object;
    static const JsonValue kIsString{
        .kind = Kind::Object, .place = "string", .members = {{"type", typeList(kString, "string/type")}}};
    std::optional<Automaton> strings = textsBefore(m_arguments->rawEnd);
    if (schemas.empty()) { // any value conforms, as whatever it is read
        return rulesOf(*strings, false, {});
    }
    std::vector<const JsonValue*> all = schemas;
    all.push_back(&kIsString);
    const auto merged = mergedAll(all, depth + 1);
    if (!merged) {
        return saysNothingFits(merged.error()) ? Result<std::string>("never") : std::unexpected(merged.error());
    }
    if (const auto allowed = GUFO_TRY(namesOf(*merged, depth + 1))) {
        strings = strings->intersection(*allowed);
    }
    // What looks like another value is one, and is among those.
    const JsonTypes confused = has(types, JsonTypes::String) ? types : kOthers;
    if (strings && types != JsonTypes::String) {
        strings = strings->intersection(readAsOthers(confused, m_patternWork).complement());
    }
    if (!strings) {
        return notUsable(schemas.front()->place, Detail::PatternTooLarge);
    }
    return strings->isEmpty() ? Result<std::string>("never") : rulesOf(strings->reduced(), false, {});
}

} // namespace gufo::inference
